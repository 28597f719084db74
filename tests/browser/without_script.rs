//! The same functions without JavaScript: links, forms, and redirects.

use dz::serde_json::json;

use crate::{
    browser::Browser,
    client::{Client, MANAGER},
};

crate::on_both_engines! {
    all_functions_work_without_script;
}

fn all_functions_work_without_script(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let company = client.send("POST", "/api/companies", &json!({ "name": "Scriptless Limited" })).ok(201).json();
    for name in std::iter::once("Scriptless project".to_owned()).chain((0..30).map(|n| format!("Another {n}"))) {
        client.send("POST", "/api/projects", &json!({ "name": name, "company": company["id"] })).ok(201);
    }
    let browser = Browser::open(base);
    browser.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    browser.goto("/app/task_list");
    browser.fill("#email", MANAGER.0);
    browser.fill("#password", MANAGER.1);
    browser.click("form[action='/auth/login'] button");
    browser.arrives("/app/task_list");
    assert_eq!(browser.js("return typeof window.htmx"), "undefined", "no script runs");

    browser.click("#task_list-page-2");
    browser.arrives("/app/task_list?");
    assert!(browser.at().contains("page=2"), "{}", browser.at());
    assert_eq!(browser.texts(".dz-pagination-page.is-current"), ["2"]);
    browser.click("#task_list-sort-1");
    browser.wait("location.search.includes('sort=')");
    browser.fill("#task_list-search", "Scriptless");
    browser.press(crate::browser::ENTER);
    browser.wait("location.search.includes('search=Scriptless')");

    browser.goto("/app/task_create");
    browser.fill("#title", "Made without script");
    browser.fill("#project-q", "Scriptless pro");
    browser.click("button[name='dz.find'][value=project]");
    browser.wait("document.querySelector(\"select[name='project.found'] option:nth-child(2)\")");
    assert_eq!(browser.js("return document.querySelector('#title').value"), "Made without script");
    browser.click("select[name='project.found'] option:nth-child(2)");
    browser.click(".dz-form-foot [data-kind=primary]");
    browser.arrives("/app/task_view/");
    assert_eq!(browser.text("h1"), "Made without script");
    // The menu of a row is a popover of the browser, so it opens without a script.
    browser.click(".dz-head [popovertarget]");
    browser.click("#row-menu a[data-kind=danger]");
    browser.wait("location.pathname.endsWith('/delete')");
    browser.click("button[data-kind=danger]");
    browser.arrives("/app/task_list");
    assert_eq!(client.get("/api/tasks?title=Made+without+script").json()["total"], 0);
    assert_eq!(browser.complaints(), [] as [String; 0]);
}
