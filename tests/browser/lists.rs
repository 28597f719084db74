//! Lists: pages, search, sort, filters, and a server that does not answer.

use dz::serde_json::json;

use crate::{
    browser::{Browser, ESCAPE, SPACE, TAB},
    client::{Client, MANAGER},
};

crate::on_both_engines! {
    another_page_replaces_the_rows_and_keeps_the_focus;
    loading_loaded_and_failed_states_are_visible;
    typing_starts_a_search_and_keeps_the_focus;
    headings_sort;
    filters_work_by_keyboard;
    a_filter_applies_when_it_changes;
    a_wide_table_scrolls_in_its_frame_and_keeps_its_last_column;
}

const ROWS: &str = "#task_list-body td[data-cell=title]";

/// A list of many tasks whose titles begin with this word.
fn tasks(base: &str, word: &str, count: usize) {
    let client = Client::signed_in(base, MANAGER);
    let company = client.send("POST", "/api/companies", &json!({ "name": format!("{word} Limited") })).ok(201).json();
    let project = client.send("POST", "/api/projects", &json!({ "name": word, "company": company["id"] })).ok(201).json();
    for n in 0..count {
        let status = ["open", "doing", "done"][n % 3];
        client.task(&json!({ "title": format!("{word} task {n:03}"), "project": project["id"], "due": "2030-01-01" }), status);
    }
}

fn a_wide_table_scrolls_in_its_frame_and_keeps_its_last_column(base: &str) {
    tasks(base, "Wide", 2);
    let project = Client::signed_in(base, MANAGER).get("/api/projects?name=Wide").ok(200).json()["items"][0]["id"].clone();
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto(&format!("/app/project_view/{}", project.as_str().expect("an id")));
    let kept = browser.js("const table = document.querySelector('.dz-region .dz-table');
         for (const row of table.rows)
           for (let n = 0; n < 12; n += 1) row.insertBefore(row.cells[1].cloneNode(true), row.cells[1]);
         const wrap = table.closest('.dz-wrap');
         const frame = table.closest('.dz-region').getBoundingClientRect();
         const rights = [...table.rows].map((row) => row.cells[row.cells.length - 1].getBoundingClientRect().right);
         const inside = rights.every((right) => right <= frame.right);
         return [wrap.scrollWidth > wrap.clientWidth, inside, document.documentElement.scrollWidth <= innerWidth].join()");
    assert_eq!(kept, "true,true,true", "it is wider than its frame, the last column is seen, the page does not scroll sideways");
}

fn another_page_replaces_the_rows_and_keeps_the_focus(base: &str) {
    tasks(base, "Paging", 45);
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/task_list?search=Paging");
    browser.js("window.stays = true; document.querySelector('#task_list-body').stays = true");
    assert_eq!(browser.texts(ROWS).len(), 20);
    assert_eq!(browser.texts("[aria-current=page].dz-pagination-page"), ["1"]);
    assert_eq!(browser.js("return document.querySelector('#task_list-previous').disabled"), true);
    browser.click("#task_list-page-2");
    browser.wait("document.querySelector('#task_list-page-2').getAttribute('aria-current') === 'page'");
    browser.wait("document.querySelector('#task_list-body').getAttribute('aria-busy') === 'false'");
    let rows = browser.texts(ROWS);
    assert_eq!((rows.len(), rows[0].as_str(), rows[19].as_str()), (20, "Paging task 020", "Paging task 039"));
    assert_eq!(browser.texts(".dz-pagination-page.is-current"), ["2"]);
    assert_eq!(browser.js("return window.stays && document.querySelector('#task_list-body').stays"), true, "the page was not loaded again");
    assert_eq!(browser.focus(), "task_list-page-2", "the focus stays on the button");
    browser.wait("document.getElementById('dz-said').textContent === 'Tasks, 45 tasks, 2'");
    browser.click("#task_list-next");
    browser.wait("document.querySelector('#task_list-page-3').getAttribute('aria-current') === 'page'");
    browser.wait("document.querySelectorAll('#task_list-body tr').length === 5");
    assert_eq!(browser.js("return document.querySelector('#task_list-next').disabled"), true);
    assert_eq!(browser.texts(".dz-pagination-rows"), ["45 tasks"]);
    assert_eq!(
        browser.js("return document.querySelectorAll('#task_list-body, [data-dz-region=task_list]').length"),
        2,
        "one body, one region"
    );
    // The address is that of the page: reloading shows the same rows.
    let rows = browser.texts(ROWS);
    let at = browser.at();
    browser.goto(&at);
    assert_eq!(browser.texts(ROWS), rows);
    assert_eq!(browser.complaints(), [] as [String; 0]);
}

fn loading_loaded_and_failed_states_are_visible(base: &str) {
    tasks(base, "States", 41);
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/task_list?search=States");
    let busy = "document.querySelector('#task_list-body').getAttribute('aria-busy')";
    browser.network(false, 700);
    browser.click("#task_list-page-2");
    browser.wait(&format!("{busy} === 'true'"));
    browser.wait(&format!("{busy} === 'false' && document.querySelector('{ROWS}').innerText.includes('States task 020')"));
    browser.network(true, 0);
    browser.click("#task_list-page-3");
    browser.wait("document.querySelector('#task_list-body [role=alert] [data-dz-retry]')");
    assert_eq!(browser.js(&format!("return {busy}")), "false");
    assert_eq!(browser.js("return document.activeElement.hasAttribute('data-dz-retry')"), true, "the way out has the focus");
    browser.network(false, 0);
    browser.click("[data-dz-retry]");
    browser.wait("!document.querySelector('[data-dz-retry]')");
    assert_eq!(browser.texts(ROWS), ["States task 040"]);
    assert_eq!(browser.texts(".dz-pagination-page.is-current"), ["3"]);
    // A filter that fails has the error among the rows, too, and its retry filters.
    browser.network(true, 0);
    browser.click("[popovertarget=task_list-f-status]");
    browser.click("#task_list-f-status label:nth-of-type(1)");
    browser.wait("document.querySelector('#task_list-body [role=alert] [data-dz-retry]')");
    browser.network(false, 0);
    browser.js("document.querySelector('#task_list-body [data-dz-retry]').click()");
    browser.wait("!document.querySelector('#task_list-body [data-dz-retry]') && location.search.includes('status__in=open')");
}

fn typing_starts_a_search_and_keeps_the_focus(base: &str) {
    tasks(base, "Typing", 25);
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/task_list");
    browser.js("window.stays = true");
    browser.fill("#task_list-search", "Typing task 01");
    browser.wait("document.querySelector('.dz-pagination-rows')?.innerText === '10 tasks'");
    assert_eq!(browser.focus(), "task_list-search");
    browser.press("7");
    browser.wait("document.querySelector('.dz-pagination-rows')?.innerText === '1 task'");
    assert_eq!(browser.texts(ROWS), ["Typing task 017"]);
    assert_eq!(browser.js("return document.querySelector('#task_list-search').value"), "Typing task 017");
    assert_eq!(browser.js("return window.stays"), true);
    browser.press(" and nothing like it");
    browser.wait("document.querySelector('#task_list-body .dz-empty h2')");
    browser.click("#task_list-body .dz-empty a");
    browser.wait(&format!("document.querySelectorAll('{ROWS}').length === 20"));
    assert_eq!(browser.complaints(), [] as [String; 0]);
}

fn headings_sort(base: &str) {
    tasks(base, "Sorting", 12);
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/task_list?search=Sorting");
    browser.js("window.stays = true");
    let heading = "#task_list-sort-1";
    browser.click(heading);
    browser.wait("document.querySelector('th[aria-sort] #task_list-sort-1')");
    let ascending = browser.texts(ROWS);
    let way = browser.js("return document.querySelector('th[aria-sort]').getAttribute('aria-sort')");
    browser.click(heading);
    browser.wait(&format!("document.querySelector('th[aria-sort]').getAttribute('aria-sort') !== {way}"));
    let mut descending = browser.texts(ROWS);
    descending.reverse();
    assert_eq!(ascending, descending);
    assert_eq!(ascending.len(), 12);
    assert_eq!(browser.focus(), "task_list-sort-1");
    assert_eq!(browser.js("return window.stays"), true);
}

fn filters_work_by_keyboard(base: &str) {
    tasks(base, "Filtering", 9);
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/task_list?search=Filtering");
    browser.js("document.querySelector('[popovertarget=task_list-f-status]').focus()");
    browser.press(SPACE);
    browser.wait("document.querySelector('#task_list-f-status').matches(':popover-open')");
    browser.press(ESCAPE);
    browser.wait("!document.querySelector('#task_list-f-status').matches(':popover-open')");
    browser.press(SPACE);
    browser.press(TAB);
    assert_eq!(browser.js("return document.activeElement.value"), "open", "the menu follows its button");
    browser.press(SPACE);
    browser.press(TAB);
    browser.press(SPACE);
    browser.click("#task_list-f-status button");
    browser.wait("document.querySelector('.dz-pagination-rows')?.innerText === '6 tasks'");
    assert_eq!(browser.js("return [...new URLSearchParams(location.search).getAll('status__in')].join()"), "open,doing");
    browser.click(".dz-toolbar a[data-kind=quiet]");
    browser.wait("!location.search.includes('status__in')");
}

fn a_filter_applies_when_it_changes(base: &str) {
    tasks(base, "Applying", 6);
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/task_list?search=Applying&sort=title");
    browser.click("[popovertarget=task_list-f-status]");
    browser.click("#task_list-f-status label:nth-of-type(1)");
    browser.wait("location.search.includes('status__in=open') && document.querySelectorAll('#task_list-body tr').length === 2");
    assert_eq!(browser.js("return document.querySelector('#task_list-f-status').matches(':popover-open')"), true, "it stays open");
    browser.click("#task_list-f-status label:nth-of-type(2)");
    browser.wait("document.querySelectorAll('#task_list-body tr').length === 4");
    // The back button removes the last filter.
    browser.js("history.back()");
    browser.wait("location.search.includes('status__in=open') && document.querySelectorAll('#task_list-body tr').length === 2");
    browser.click("#task_list-toolbar [data-kind=quiet]");
    browser.wait("!location.search.includes('status')");
    // A preset is a link.
    browser.click("[popovertarget=task_list-f-due]");
    browser.click("#task_list-f-due .dz-presets a:last-child");
    browser.wait("location.search.includes('due__gte=')");
    assert!(browser.text("[popovertarget=task_list-f-due]").contains("From today"));
}
