//! The command palette and the shortcuts, by keyboard alone.

use dz::serde_json::json;

use crate::{
    browser::{Browser, ENTER, ESCAPE},
    client::{Client, MANAGER},
};

crate::on_both_engines! {
    the_palette_opens_rows_pages_and_actions;
    shortcuts_go_through_rows;
    several_columns_sort_a_list;
}

const CTRL_K: &str = "\u{E009}k\u{E000}";

/// Creates tasks whose titles begin with this word.
fn tasks(base: &str, word: &str, count: usize) {
    let client = Client::signed_in(base, MANAGER);
    let company = client.send("POST", "/api/companies", &json!({ "name": format!("{word} Limited") })).ok(201).json();
    let project = client.send("POST", "/api/projects", &json!({ "name": word, "company": company["id"] })).ok(201).json();
    for n in 0..count {
        let (title, priority) = (format!("{word} task {n:03}"), ["low", "high"][n % 2]);
        client.send("POST", "/api/tasks", &json!({ "title": title, "project": project["id"], "priority": priority })).ok(201);
    }
}

fn the_palette_opens_rows_pages_and_actions(base: &str) {
    tasks(base, "Palette", 3);
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/project_list");
    browser.press(CTRL_K);
    browser.wait("document.querySelector('#dz-palette').open && document.querySelector('#dz-palette-list a')");
    assert_eq!(browser.focus(), "dz-palette-q");
    browser.press("palette task 001");
    browser.wait("document.querySelectorAll('#dz-palette-list [role=option]').length === 1");
    assert_eq!(browser.text("#dz-palette-list [aria-selected=true] > span:not([class])"), "Palette task 001");
    let active =
        "return document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).getAttribute('aria-selected')";
    assert_eq!(browser.js(active), "true");
    browser.press(ENTER);
    browser.arrives("/app/task_view/");
    assert_eq!(browser.text("h1"), "Palette task 001");
    // Actions of the page itself.
    browser.press(CTRL_K);
    browser.wait("document.querySelector('#dz-palette-here-0')");
    browser.press("edit");
    browser.wait("document.querySelector('#dz-palette-here-0')?.innerText === 'Edit'");
    browser.wait("!document.querySelector('#dz-palette-here-1')");
    browser.press(ENTER);
    browser.arrives("/app/task_edit/");
    // Pages; Escape closes the palette, and the focus returns.
    browser.js("document.querySelector('#title').focus()");
    browser.press(CTRL_K);
    browser.wait("document.querySelector('#dz-palette').open");
    browser.press(ESCAPE);
    browser.wait("!document.querySelector('#dz-palette').open");
    assert_eq!(browser.focus(), "title");
    browser.goto("/app/task_list");
    browser.click(".dz-nav-search");
    browser.wait("document.querySelector('#dz-palette').open");
    browser.press("compan");
    browser.wait("document.querySelector('#dz-palette-pages-1 > span:not([class])')?.innerText === 'Companies'");
    browser.click("#dz-palette-pages-1");
    browser.arrives("/app/company_list");
    assert_eq!(browser.complaints(), [] as [String; 0]);
}

fn shortcuts_go_through_rows(base: &str) {
    tasks(base, "Shortcut", 3);
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/task_list?search=Shortcut&sort=title");
    let row = "return document.activeElement.closest('tr')?.querySelector('[data-cell=title]').innerText ?? ''";
    browser.press("jj");
    assert_eq!(browser.js(row), "Shortcut task 001");
    browser.press("k");
    assert_eq!(browser.js(row), "Shortcut task 000");
    browser.press("x");
    assert_eq!(browser.text("[data-dz-bulk-count-target]"), "1");
    browser.press("/");
    assert_eq!(browser.focus(), "task_list-search");
    // In a text field the keys are letters; the text before is selected.
    browser.press("jx?");
    assert_eq!(browser.js("return document.activeElement.value"), "jx?");
    browser.wait("location.search.includes('search=jx')");
    browser.goto("/app/task_list?search=Shortcut&sort=title");
    browser.press("?");
    browser.wait("document.querySelector('#dz-shortcuts').open");
    browser.click("[data-dz-single-keys] input");
    browser.press(ESCAPE);
    browser.wait("!document.querySelector('#dz-shortcuts').open");
    browser.press("j");
    assert_eq!(browser.js(row), "", "shortcuts of a single key are off");
    browser.goto("/app/-/shortcuts");
    browser.click("[data-dz-single-keys] input");
    browser.goto("/app/task_list?search=Shortcut&sort=title");
    browser.press("je");
    browser.arrives("/app/task_edit/");
    assert_eq!(browser.complaints(), [] as [String; 0]);
}

fn several_columns_sort_a_list(base: &str) {
    tasks(base, "Several", 4);
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/task_list?search=Several&sort=priority");
    browser.js("window.stays = true; document.querySelector('#task_list-sort-1').focus()");
    browser.press("\u{E008}\u{E007}\u{E000}");
    browser.wait("location.search.includes('sort=priority%2Ctitle')");
    browser.press("\u{E008}\u{E007}\u{E000}");
    browser.wait("location.search.includes('sort=priority%2C-title')");
    let titles = browser.texts("#task_list-body td[data-cell=title]");
    let titles: Vec<&str> = titles.iter().map(|title| title.rsplit(' ').next().unwrap_or_default()).collect();
    assert_eq!(titles, ["002", "000", "003", "001"]);
    assert_eq!(browser.texts("th .dz-sort small"), ["2", "1"]);
    assert_eq!(browser.js("return document.querySelectorAll('th[aria-sort]').length"), 1);
    assert_eq!(browser.js("return window.stays"), true);
    assert_eq!(browser.complaints(), [] as [String; 0]);
}
