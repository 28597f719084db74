//! The page on which an administrator ends the sessions of an account.

use askama::Template;
use serde_json::{Value as Json, json};

use crate::{
    Result, Tx, access,
    accounts::{self, SignedInAccount},
    field,
    web::{
        Call, Reply,
        page::{Icon, admin, identity::account},
    },
};

/// The maximum number of accounts on the page; the latest used come first.
const PAGE_SIZE: u64 = 50;

#[derive(Template)]
#[template(path = "sessions.html")]
struct SessionsHtml {
    lines: Vec<Line>,
    searched: String,
    more: bool,
    notice: Option<&'static str>,
    csrf: String,
}

/// An account with sessions.
struct Line {
    email: String,
    label: String,
    sessions: String,
    seen: String,
    own: bool,
}

/// `/admin/sessions`: the accounts with sessions; `account` filters them by a part of the address.
pub(crate) fn show(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    access::require_system_admin(&tx.caller)?;
    let of = |name: &str| call.query.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim());
    let searched = of("account").to_owned();
    let (app, now) = (tx.app, tx.caller.now);
    let mut found = accounts::list_accounts(tx.conn, app, &searched, PAGE_SIZE + 1, now)?;
    let more = found.len() as u64 > PAGE_SIZE;
    found.truncate(PAGE_SIZE as usize);
    if call.wants_json {
        let item =
            |it: &SignedInAccount| json!({ "email": it.email, "sessions": it.sessions, "seen_at": field::datetime_text(&it.seen_at) });
        let items: Vec<Json> = found.iter().map(item).collect();
        return Ok(admin::json_data(&json!({ "items": items, "more": more })));
    }
    let own = tx.caller.account.as_ref().map(|account| account.email.clone());
    let line = |it: SignedInAccount| {
        let sessions = say!("dz-sessions-count", count = it.sessions; "{count} session", "{count} sessions");
        let own = own.as_deref() == Some(it.email.as_str());
        Line { own, email: it.email, label: it.label, sessions, seen: account::format_timestamp(app, it.seen_at) }
    };
    let lines = found.into_iter().map(line).collect();
    let notice = (of("done") == "ended")
        .then_some(say!("dz-the-sessions-have-ended-the-account-can", "The sessions have ended. The account can sign in again."));
    let page = SessionsHtml { lines, searched, more, notice, csrf: call.csrf.clone() };
    admin::answer(tx, call, say!("dz-sessions", "Sessions"), &page)
}

/// The page with sample data.
#[cfg(test)]
pub(crate) fn sample(text: &str) -> String {
    let line = |own| Line { email: text.to_owned(), label: text.to_owned(), sessions: text.to_owned(), seen: text.to_owned(), own };
    let page = SessionsHtml {
        lines: vec![line(true), line(false)],
        searched: text.to_owned(),
        more: true,
        notice: Some("The sessions have ended."),
        csrf: text.to_owned(),
    };
    page.render().expect("a page")
}
