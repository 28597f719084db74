//! Invitations to a practice, from both sides; each state of the pages is checked.

use std::{
    sync::{Arc, Mutex, OnceLock},
    thread,
    time::Duration,
};

use dz::{Engine, Mail};

use crate::{browser::Browser, server, vets};

const DORA: (&str, &str) = ("dora@riverside.example", "plans every day");
const HUGO: (&str, &str) = ("hugo@hilltop.example", "up on the hill");

/// The example with tenants, and the mails that it sent.
struct Site {
    base: String,
    mails: Arc<Mutex<Vec<Mail>>>,
}

impl Site {
    /// The link in the mail to an address.
    #[track_caller]
    fn link(&self, to: &str) -> String {
        for _ in 0..200 {
            if let Some(mail) = self.mails.lock().expect("mails").iter().find(|mail| mail.to == to) {
                return mail.link.trim_start_matches(&self.base).to_owned();
            }
            thread::sleep(Duration::from_millis(25));
        }
        panic!("no mail to {to}");
    }
}

fn site_of(engine: Engine) -> &'static Site {
    static AT: [OnceLock<Site>; 2] = [const { OnceLock::new() }; 2];
    AT[usize::from(engine == Engine::Postgres)].get_or_init(|| {
        let mails = Arc::new(Mutex::new(Vec::new()));
        let sent = mails.clone();
        let app = vets::clinic().mailer(move |mail| {
            sent.lock().expect("mails").push(mail.clone());
            Ok(())
        });
        Site { base: server::serve(app, engine, server::fenced_url(engine, "browsed_clinic")), mails }
    })
}

macro_rules! on_both {
    ($($name:ident;)*) => {
        mod sqlite { $(#[test] fn $name() { super::$name(super::site_of(dz::Engine::Sqlite)); })* }
        mod postgres { $(#[test] fn $name() { super::$name(super::site_of(dz::Engine::Postgres)); })* }
    };
}

on_both! {
    a_new_user_accepts_an_invitation;
    a_user_with_an_account_signs_in_and_joins;
}

const SEND: &str = "form[action='/auth/invitations'] button[data-kind=primary]";

fn nothing_is_wrong(browser: &Browser) {
    let others: Vec<String> = browser.complaints().into_iter().filter(|it| !it.contains("status of 4")).collect();
    assert_eq!(others, [] as [String; 0]);
}

fn a_new_user_accepts_an_invitation(site: &Site) {
    let dora = Browser::signed_in(&site.base, DORA);
    dora.goto("/app/visit_list");
    dora.click("a[href='/app/-/invitations']");
    dora.arrives("/app/-/invitations");
    dora.is_seen_everywhere("invitations-empty");
    dora.fill("#email", "new at riverside");
    dora.click("input[name=personas][value=desk]");
    dora.click(SEND);
    dora.wait("document.querySelector('#email-error')");
    assert_eq!(dora.js("return document.querySelector('input[value=desk]').checked"), true, "what was chosen is kept");
    dora.is_seen_everywhere("invitations-wrong");
    dora.fill("#email", "new@riverside.example");
    dora.click(SEND);
    dora.arrives("/app/-/invitations?done=invited");
    assert!(dora.text(".dz-lines").contains("new@riverside.example"), "{}", dora.text(".dz-lines"));
    dora.is_seen_everywhere("invitations");
    nothing_is_wrong(&dora);

    let link = site.link("new@riverside.example");
    let browser = Browser::open(&site.base);
    browser.goto(&link);
    assert!(browser.text("form").contains("You are invited to Riverside"), "{}", browser.text("form"));
    browser.is_seen_everywhere("invited");
    browser.fill("#name", "Nuno");
    browser.fill("#password", "walks in by mail");
    browser.click("form button[data-kind=primary]");
    browser.arrives("/login?done=invited");
    browser.fill("#email", "new@riverside.example");
    browser.fill("#password", "walks in by mail");
    browser.click("form[action='/auth/login'] button");
    browser.arrives("/app/visit_list");
    assert!(browser.text("main").contains("Bica"), "{}", browser.text("main"));
    browser.goto(&link);
    assert!(browser.text("[role=alert]").contains("ask for another one"), "{}", browser.text("[role=alert]"));
    browser.is_seen_everywhere("invited-spent");
    nothing_is_wrong(&browser);

    // The inviter withdraws it by keyboard.
    dora.goto("/app/-/invitations");
    assert!(!dora.text("main").contains("new@riverside.example"), "{}", dora.text("main"));
    dora.fill("#email", "late@riverside.example");
    dora.press(crate::browser::ENTER);
    dora.arrives("/app/-/invitations?done=invited");
    dora.click("button[aria-label='Withdraw the invitation of late@riverside.example']");
    dora.arrives("/app/-/invitations?done=withdrawn");
    assert!(!dora.text("main").contains("late@riverside.example"), "{}", dora.text("main"));
}

fn a_user_with_an_account_signs_in_and_joins(site: &Site) {
    let dora = Browser::signed_in(&site.base, DORA);
    dora.goto("/app/-/invitations");
    dora.fill("#email", HUGO.0);
    dora.click("input[name=personas][value=desk]");
    dora.click(SEND);
    dora.arrives("/app/-/invitations?done=invited");
    let browser = Browser::open(&site.base);
    browser.goto(&site.link(HUGO.0));
    browser.is_seen_everywhere("invited-elsewhere");
    browser.click("a[data-kind=primary]");
    browser.arrives("/login?next=");
    browser.fill("#email", HUGO.0);
    browser.fill("#password", HUGO.1);
    browser.click("form[action='/auth/login'] button");
    browser.arrives("/auth/invite?token=");
    browser.is_seen_everywhere("invited-join");
    browser.click("form[action='/auth/invite'] button");
    browser.arrives("/app/visit_list");
    assert!(browser.text("main").contains("Bica"), "he is at Riverside: {}", browser.text("main"));
    nothing_is_wrong(&browser);
}
