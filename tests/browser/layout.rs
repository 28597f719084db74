//! Every page in a wide and a narrow window, light and dark. `DZ_TEST_PICTURES=<folder>` stores a picture of each.

use dz::serde_json::json;

use crate::{
    browser::Browser,
    client::{CUSTOMER, Client, MANAGER, SURVEYOR},
};

#[test]
fn every_page_fits_wide_and_narrow_screens_in_light_and_dark() {
    let base = crate::server::sqlite();
    let client = Client::signed_in(base, MANAGER);
    let browser = Browser::open(base);
    for (name, who, path, step) in pages(&client) {
        match who {
            Some(who) => browser.becomes(who),
            None => browser.devtools("Network.clearBrowserCookies", json!({})).as_null().unwrap_or_default(),
        }
        for (width, scheme) in [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")] {
            browser.looks(width, scheme);
            browser.goto(&path);
            step(&browser, &client);
            browser.fits(name, width);
            browser.keep_picture(name, width, scheme);
        }
        // A page with status 4xx is a message of the browser itself; there must be no other.
        let foreign: Vec<String> = browser.complaints().into_iter().filter(|it| !it.contains("status of 4")).collect();
        assert_eq!(foreign, [] as [String; 0], "{name}");
    }
}

/// The largest number of bytes over the wire of the first page of a list, with its stylesheets and scripts.
const LIST_BYTES: f64 = 60_000.0;

#[test]
fn the_first_page_of_a_list_is_small() {
    let base = crate::server::sqlite();
    let browser = Browser::signed_in(base, MANAGER);
    browser.devtools("Network.enable", json!({}));
    browser.devtools("Network.setCacheDisabled", json!({ "cacheDisabled": true }));
    for width in [1280, 390] {
        browser.looks(width, "light");
        browser.goto("/app/task_list");
        browser.wait("document.readyState === 'complete' && performance.getEntriesByType('resource').length > 2");
        let bytes = browser.js("const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
             return all.reduce((sum, it) => sum + it.transferSize, 0);");
        let bytes = bytes.as_f64().expect("a number");
        assert!((10_000.0..LIST_BYTES).contains(&bytes), "{bytes} bytes at {width}");
    }
}

/// On a slow computer with a slow network, the browser paints a page several times while it arrives and loads its regions.
#[test]
fn a_page_keeps_its_layout_while_it_loads() {
    let base = crate::server::sqlite();
    let client = Client::signed_in(base, MANAGER);
    let task = client.get("/api/tasks?status=blocked").ok(200).json()["items"][0]["id"].as_str().expect("a row").to_owned();
    let browser = Browser::signed_in(base, MANAGER);
    browser.records_shifts();
    browser.is_slow();
    let (view, edit) = (format!("/app/task_view/{task}"), format!("/app/task_edit/{task}"));
    for width in [1280, 390] {
        browser.looks(width, "light");
        for path in ["/app/task_list", "/app/field", "/app/task_create", "/app/project_list", &view, &edit] {
            browser.goto(path);
            browser.wait("document.readyState === 'complete' && !document.querySelector('[aria-busy=true]')");
            assert_eq!(browser.shifts(), [] as [String; 0], "{path} at {width}");
        }
    }
}

pub type Step = fn(&Browser, &Client);

/// The name of the picture, the user, the address, and steps before it.
pub type Visit = (&'static str, Option<(&'static str, &'static str)>, String, Step);

pub fn pages(client: &Client) -> Vec<Visit> {
    let first = |path: &str| client.get(path).ok(200).json()["items"][0]["id"].as_str().expect("a row").to_owned();
    let task = first("/api/tasks?status=blocked");
    let unassigned = first("/api/tasks?status=open&assigned_to__isnull=true");
    let project = first("/api/projects?name=Quay+wall+renewal");
    let theirs = first(&format!("/api/tasks?project={project}&sort=title"));
    let company = first("/api/companies?name__startswith=Feather");
    let as_it_is: Step = |_, _| {};
    let manager = Some(MANAGER);
    vec![
        ("sign-in", None, "/login?next=/app/task_list".to_owned(), as_it_is),
        ("list", manager, "/app/task_list".to_owned(), as_it_is),
        ("list-filtered", manager, "/app/task_list?status__in=open&priority__in=high".to_owned(), as_it_is),
        ("list-empty", manager, "/app/task_list?search=nothing+like+this".to_owned(), as_it_is),
        ("list-menu", manager, "/app/task_list".to_owned(), |browser, _| browser.click("[popovertarget=task_list-f-status]")),
        ("list-selected", manager, "/app/task_list".to_owned(), |browser, _| {
            browser.click("tbody tr:nth-child(2) [data-cell=check] input");
            browser.click("tbody tr:nth-child(3) [data-cell=check] input");
        }),
        ("bulk-delete", manager, "/app/task_list".to_owned(), |browser, _| {
            browser.click("tbody tr:nth-child(1) [data-cell=check] input");
            browser.click("tbody tr:nth-child(2) [data-cell=check] input");
            browser.click("#task_list-bulk button[value=delete]");
            browser.wait("document.querySelector('.dz-chosen')");
        }),
        ("import", manager, "/app/task_list/import".to_owned(), as_it_is),
        ("projects", manager, "/app/project_list".to_owned(), as_it_is),
        ("companies", manager, "/app/company_list".to_owned(), as_it_is),
        ("people", manager, "/app/person_list".to_owned(), as_it_is),
        ("view", manager, format!("/app/task_view/{task}"), as_it_is),
        ("view-closed-move", manager, format!("/app/task_view/{unassigned}"), as_it_is),
        ("view-nested", manager, format!("/app/project_view/{project}"), as_it_is),
        ("view-long-name", manager, format!("/app/company_view/{company}"), as_it_is),
        ("create", manager, "/app/task_create".to_owned(), as_it_is),
        ("create-errors", manager, "/app/task_create".to_owned(), |browser, _| {
            browser.fill("#hours", "a lot");
            browser.click(".dz-form-foot [data-kind=primary]");
            browser.wait("document.querySelector('#errors')");
        }),
        ("edit", manager, format!("/app/task_edit/{task}"), as_it_is),
        ("edit-conflict", manager, format!("/app/project_edit/{project}"), |browser, client| {
            let path = browser.at().replace("/app/project_edit/", "/api/projects/");
            let row = client.get(&path).ok(200);
            let day = row.header("etag").unwrap_or_default().trim_matches('"');
            client.send("PATCH", &path, &json!({ "notes": format!("Divers come on day {day}.") })).ok(200);
            browser.fill("#notes", "Divers come on Friday.");
            browser.click(".dz-form-foot [data-kind=primary]");
            browser.wait("document.querySelector('.dz-conflict')");
        }),
        ("delete", manager, format!("/app/task_view/{task}/delete"), as_it_is),
        ("workspace", manager, "/app/field".to_owned(), |browser, _| browser.wait("!document.querySelector('[aria-busy=true]')")),
        ("workspace-of-a-surveyor", Some(SURVEYOR), "/app/field".to_owned(), |browser, _| {
            browser.wait("!document.querySelector('[aria-busy=true]')");
        }),
        ("region", manager, "/app/field-board".to_owned(), as_it_is),
        ("account", manager, "/app/-/account".to_owned(), as_it_is),
        ("not-found", manager, "/app/no_such_page".to_owned(), as_it_is),
        ("refused", Some(CUSTOMER), "/app/task_create".to_owned(), as_it_is),
        ("list-of-a-client", Some(CUSTOMER), "/app/task_list".to_owned(), as_it_is),
        ("list-of-a-surveyor", Some(SURVEYOR), "/app/task_list".to_owned(), as_it_is),
        ("view-of-a-client", Some(CUSTOMER), format!("/app/task_view/{theirs}"), as_it_is),
    ]
}
