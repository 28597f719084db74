//! Bulk actions: check boxes and their actions, by keyboard, in a narrow window and without script.

use dz::serde_json::json;

use crate::{
    browser::{Browser, SPACE, TAB},
    client::{Client, MANAGER},
};

crate::on_both_engines! {
    selected_rows_are_counted_and_deleted_after_a_confirmation;
    rows_are_imported_from_a_file_and_exported;
}

/// Creates tasks whose titles begin with this word.
fn tasks(client: &Client, word: &str, count: usize) {
    let company = client.send("POST", "/api/companies", &json!({ "name": format!("{word} Limited") })).ok(201).json();
    let project = client.send("POST", "/api/projects", &json!({ "name": word, "company": company["id"] })).ok(201).json();
    for n in 0..count {
        let task = json!({ "title": format!("{word} task {n:03}"), "project": project["id"], "due": "2030-01-01" });
        client.send("POST", "/api/tasks", &task).ok(201);
    }
}

fn selected_rows_are_counted_and_deleted_after_a_confirmation(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    tasks(&client, "Chosen", 25);
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/task_list?search=Chosen");
    let shown = "return getComputedStyle(document.querySelector('#task_list-bulk')).display !== 'none'";
    assert_eq!(browser.js(shown), false, "nothing is selected, nothing is offered");
    browser.click("tbody tr:nth-child(1) [data-cell=check] input");
    browser.js("document.querySelector('tbody tr:nth-child(1) [data-cell=check] input').focus()");
    // The next check box is reached and checked by keyboard.
    for _ in 0..12 {
        browser.press(TAB);
        if browser.js("return document.activeElement.matches('tbody tr:nth-child(2) [data-cell=check] input')") == true {
            break;
        }
    }
    browser.press(SPACE);
    assert_eq!(browser.text("[data-dz-bulk-count-target]"), "2");
    assert_eq!(browser.texts(".dz-pagination-selected"), ["2 of 25 selected"]);
    assert_eq!(browser.js(shown), true);
    browser.click("thead [data-cell=check] input");
    assert_eq!(browser.texts(".dz-pagination-selected"), ["20 of 25 selected"]);
    browser.click("#task_list-page-2");
    browser.wait("document.querySelectorAll('#task_list-body tr').length === 5");
    // The selection stays over pages, and a hidden field of the form names each row that is not shown.
    browser.wait("document.querySelector('#task_list-bulk').querySelectorAll('input[name=id]').length === 20");
    assert_eq!(browser.texts(".dz-pagination-selected"), ["20 of 25 selected"]);
    assert_eq!(browser.js(shown), true);
    browser.click("tbody tr:nth-child(1) [data-cell=check] input");
    assert_eq!(browser.texts(".dz-pagination-selected"), ["21 of 25 selected"]);
    browser.click("[data-dz-every]");
    assert_eq!(browser.texts(".dz-pagination-selected"), ["25 of 25 selected"]);
    browser.click("[data-dz-every]");
    browser.click("#task_list-page-1");
    browser.wait("document.querySelectorAll('#task_list-body input:checked').length === 20");
    browser.wait("document.querySelector('#task_list-bulk').querySelectorAll('input[name=id]').length === 1");
    // Another search starts again.
    browser.goto("/app/task_list?search=Chosen&page=2");
    assert_eq!(browser.js(shown), false);
    browser.looks(390, "dark");
    browser.click("tbody tr:nth-child(1) [data-cell=check] input");
    assert_eq!(browser.js("return document.documentElement.scrollWidth <= 390"), true);
    browser.click("#task_list-bulk button[value=delete]");
    browser.wait("document.querySelector('h1').textContent === 'Delete 1 task?'");
    assert_eq!(browser.texts(".dz-chosen li"), ["Chosen task 020"]);
    browser.click("main button[data-kind=danger]");
    browser.arrives("/app/task_list?search=Chosen&done=deleted");
    assert_eq!(browser.complaints(), [] as [String; 0]);

    browser.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    browser.looks(1280, "light");
    browser.goto("/app/task_list?search=Chosen");
    browser.click("tbody tr:nth-child(1) [data-cell=check] input");
    browser.click("tbody tr:nth-child(3) [data-cell=check] input");
    browser.click("#task_list-bulk button[value=delete]");
    browser.wait("document.querySelector('h1').textContent === 'Delete 2 tasks?'");
    browser.click("main button[data-kind=danger]");
    browser.arrives("/app/task_list?");
    assert_eq!(client.get("/api/tasks?search=Chosen").json()["total"], 22);
}

fn rows_are_imported_from_a_file_and_exported(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    tasks(&client, "Filed", 3);
    let page = client.get("/app/task_list?search=Filed&format=csv").ok(200);
    let lines: Vec<&str> = page.body.split("\r\n").collect();
    assert_eq!(lines[0], "Title,Project,Assigned to,Priority,Status,Due,Hours");
    assert_eq!(lines[1], "Filed task 000,Filed,,normal,open,2030-01-01,0.00");
    assert_eq!(lines.len(), 5, "{}", page.body);

    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/company_list");
    // The first link is an icon, which leads to the columns of the list.
    assert_eq!(browser.texts(".dz-head .dz-actions a"), ["", "Export", "Import", "New company"]);
    let folder = std::env::temp_dir().join(format!("dz-files-{}", base.rsplit(':').next().unwrap_or_default()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("companies.csv");
    let upload = |text: &str| {
        std::fs::write(&file, text).expect("a file");
        browser.goto("/app/company_list/import");
        browser.attach("#file", &file);
        browser.click(".dz-form-foot button");
    };
    upload("name,website\nFrom a file,no address\n");
    browser.wait("document.querySelector('#errors')");
    assert_eq!(browser.texts("tbody td")[0], "2");
    assert!(browser.texts("tbody td")[1].starts_with("Website"), "{:?}", browser.texts("tbody td"));
    assert_eq!(client.get("/api/companies?name=From+a+file").json()["total"], 0);
    upload("Name,City\nFrom a file,Porto\n");
    browser.arrives("/app/company_list?done=imported");
    assert_eq!(client.get("/api/companies?name=From+a+file").json()["total"], 1);
    let _ = std::fs::remove_dir_all(folder);
}
