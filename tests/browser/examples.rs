//! The rules of axe-core on every page of the examples: a walk along the links of each role, wide and narrow, light and dark, in English
//! and in German.

use std::collections::{BTreeSet, VecDeque};

use dz::{App, Engine};

use crate::{
    accessibility::{axe, findings},
    browser::Browser,
    client::Client,
    server,
};

/// Pages to which no link leads.
const PAGES_OF_DZ: [&str; 9] = [
    "/app",
    "/app/-/account",
    "/app/-/factor",
    "/app/-/search?q=a",
    "/app/-/shortcuts",
    "/app/-/inbox",
    "/app/-/runs",
    "/app/-/invitations",
    "/app/no_such_page",
];

/// The kind of the page at an address: without keys of rows, and without the values of parameters.
fn kind_of(address: &str) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let is_key = |part: &str| part.bytes().any(|byte| byte.is_ascii_digit());
    let path: Vec<&str> = path.split('/').map(|part| if is_key(part) { "*" } else { part }).collect();
    let names: BTreeSet<&str> = query.split('&').filter_map(|pair| pair.split('=').next()).collect();
    format!("{}?{}", path.join("/"), names.into_iter().collect::<Vec<_>>().join("&"))
}

/// A page: its address and its text.
pub struct Page {
    pub address: String,
    pub body: String,
}

/// The first page of each kind that a user reaches.
pub fn walk(client: &Client, seen: &mut BTreeSet<String>) -> Vec<Page> {
    let (mut pages, mut waiting) = (Vec::new(), VecDeque::from(PAGES_OF_DZ.map(str::to_owned)));
    while let Some(address) = waiting.pop_front() {
        if !seen.insert(kind_of(&address)) {
            continue;
        }
        let page = client.request("GET", &address, &[("Accept", "text/html")], b"");
        waiting.extend(page.header("location").filter(|to| to.starts_with('/')).map(str::to_owned));
        if !page.header("content-type").is_some_and(|it| it.starts_with("text/html")) || page.header("location").is_some() {
            continue;
        }
        assert!(page.status < 500, "{address}: {}", page.body);
        let links = page.body.split("href=\"").skip(1).chain(page.body.split("hx-get=\"").skip(1));
        let links = links.filter_map(|rest| rest.split(['"', '#']).next()).map(|link| link.replace("&#38;", "&").replace("&amp;", "&"));
        let is_page =
            |link: &String| ["/app", "/admin", "/settings"].iter().any(|start| link.starts_with(start)) && !link.contains("sort=");
        waiting.extend(links.filter(is_page));
        pages.push(Page { address, body: page.body });
    }
    pages
}

/// Checks every page of an application that some users reach, in a language.
fn check(app: App, name: &str, language: &str, users: &[(&str, &str)], at_least: usize) {
    let base = server::serve(app, Engine::Sqlite, server::new_file(name));
    let (browser, axe) = (Browser::open(&base), axe());
    browser.speaks(language);
    let (mut wrong, mut seen, mut count) = (Vec::new(), BTreeSet::new(), 0);
    for who in users {
        let pages = walk(&Client::signed_in(&base, *who), &mut seen);
        browser.becomes(*who);
        for (at, Page { address, .. }) in pages.iter().enumerate() {
            // Each scheme in both widths, of pages in turn.
            let views = if at % 2 == 0 { [(1280, "light"), (390, "dark")] } else { [(1280, "dark"), (390, "light")] };
            for (width, scheme) in views {
                browser.looks(width, scheme);
                browser.goto(address);
                browser.wait("document.readyState === 'complete' && !document.querySelector('[aria-busy=true]')");
                browser.fits(address, width);
                assert_eq!(browser.js("return document.documentElement.lang"), language, "{address}");
                wrong.extend(findings(&browser, axe).into_iter().map(|it| format!("{address}, {width}, {scheme}: {it}")));
            }
        }
        count += pages.len();
    }
    assert_eq!(wrong, [] as [String; 0]);
    assert!(count >= at_least, "{name} has {count} kinds of pages");
}

#[test]
fn no_page_of_the_clinic_breaks_a_rule() {
    let users = [("gloria@riverside.example", "keeps the houses"), ("dora@riverside.example", "plans every day")];
    check(crate::vets::clinic(), "axe_clinic", "en", &users, 25);
}

/// The texts of dz are longer in German.
#[test]
fn no_page_breaks_a_rule_in_german() {
    check(crate::orchard::app(), "axe_german", "de", &[crate::orchard::KEEPER, ("lou@orchard.example", "apples and pears")], 40);
}

#[test]
fn no_page_of_the_shop_breaks_a_rule() {
    let users = [("carla@shop.example", "rings up the till"), ("mateo@shop.example", "counts every crate")];
    check(crate::shop::shop(), "axe_shop", "en", &users, 20);
}
