//! Forms: creating, updating and deleting rows, also after invalid input.

use dz::serde_json::{Value, json};

use crate::{
    browser::{Browser, DOWN, ENTER, TAB},
    client::{Client, MANAGER},
};

crate::on_both_engines! {
    a_row_is_created_after_a_corrected_error;
    a_row_is_changed;
    two_users_change_the_same_row;
    a_row_is_deleted_after_a_confirmation;
    a_form_is_sent_once;
    what_is_entered_during_a_request_remains;
    a_photo_is_uploaded_replaced_and_removed;
    a_photo_is_uploaded_without_script;
}

/// A task in a project of its own.
fn task(base: &str, word: &str) -> (Client, Value) {
    let client = Client::signed_in(base, MANAGER);
    let company = client.send("POST", "/api/companies", &json!({ "name": format!("{word} Limited") })).ok(201).json();
    let project = client.send("POST", "/api/projects", &json!({ "name": format!("{word} project"), "company": company["id"] }));
    let task = json!({ "title": format!("{word} task"), "project": project.ok(201).json()["id"], "details": "Bring\nboots." });
    let task = client.send("POST", "/api/tasks", &task).ok(201).json();
    (client, task)
}

fn id(row: &Value) -> &str {
    row["id"].as_str().expect("an id")
}

/// Selects a row by keyboard: type, move, choose.
fn pick(browser: &Browser, field: &str, text: &str) {
    browser.fill(&format!("#{field}-q"), text);
    browser.wait(&format!("document.querySelectorAll('#{field}-options [role=option]').length === 1"));
    browser.wait(&format!("document.querySelector('#{field}-q').getAttribute('aria-expanded') === 'true'"));
    browser.press(DOWN);
    browser.press(ENTER);
    browser.wait(&format!("document.querySelector('input[type=hidden][name={field}]').value.length === 36"));
}

fn a_row_is_created_after_a_corrected_error(base: &str) {
    let (client, row) = task(base, "Creating");
    let company = client.get(&format!("/api/projects/{}", row["project"].as_str().expect("an id"))).ok(200).json()["company"].clone();
    for n in 0..30 {
        // More rows than a plain select shows.
        client.send("POST", "/api/projects", &json!({ "name": format!("Another {n}"), "company": company })).ok(201);
    }
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/task_list");
    browser.click(".dz-head a[data-kind=primary]");
    browser.arrives("/app/task_create");
    browser.fill("#title", "Hurry");
    browser.fill("#details", "First line\nsecond line");
    browser.fill("#hours", "1.234");
    browser.click(".dz-form-foot [data-kind=primary]");
    browser.wait("document.querySelector('#errors')");
    assert_eq!(browser.focus(), "errors", "the summary has the focus");
    let summary = browser.text("#errors");
    assert!(summary.contains("Project") && summary.contains("Hours"), "{summary}");
    assert_eq!(browser.js("return document.querySelector('#hours').getAttribute('aria-invalid')"), "true");
    assert_eq!(browser.js("return document.querySelector('#details').value"), "First line\nsecond line", "nothing typed is lost");
    browser.click("#errors a[href='#hours']");
    assert_eq!(browser.focus(), "hours", "the summary leads to the field");
    browser.fill("#hours", "1.25");
    browser.network(true, 0);
    browser.fill("#project-q", "Creating");
    browser.wait("document.querySelector('#project-options p')");
    assert_eq!(browser.text("#project-options"), "The search did not answer. Type again to retry.");
    browser.network(false, 0);
    pick(&browser, "project", "Creating pro");
    browser.click(".dz-form-foot [data-kind=primary]");
    browser.wait("document.querySelector('#title-error')");
    let refused = browser.text("#title-error");
    assert!(refused.contains("eeds a verb and an object"), "the hook beside the declaration says: {refused}");
    browser.fill("#title", "Hurry slowly");
    browser.click(".dz-form-foot [data-kind=primary]");
    browser.arrives("/app/task_view/");
    assert_eq!(browser.text("h1"), "Hurry slowly");
    assert_eq!(browser.text("main [role=status]"), "Saved.");
    let made = client.get("/api/tasks?title=Hurry+slowly&expand=project").ok(200).json()["items"][0].clone();
    assert_eq!((&made["hours"], &made["project"]["name"]), (&json!("1.25"), &json!("Creating project")));
    assert_eq!(made["details"].as_str().map(|text| text.replace("\r\n", "\n")).as_deref(), Some("First line\nsecond line"));
}

fn a_row_is_changed(base: &str) {
    let (client, row) = task(base, "Editing");
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto(&format!("/app/task_view/{}", id(&row)));
    browser.click(".dz-head .dz-actions a:not([data-kind])");
    browser.arrives("/app/task_edit/");
    assert_eq!(browser.js("return document.querySelector('#details').value"), "Bring\nboots.");
    browser.fill("#title", "Editing is done");
    assert_eq!(browser.js("return document.querySelector('#status option[value=done]')"), Value::Null, "it was not even begun");
    browser.click("#status option[value=doing]");
    let elin = client.get("/api/users?email=elin@fieldwork.example").ok(200).json()["items"][0].clone();
    browser.click(&format!("#assigned_to option[value='{}']", id(&elin)));
    browser.click(".dz-form-foot [data-kind=primary]");
    browser.arrives("/app/task_view/");
    let page = browser.text("main");
    assert!(page.contains("Editing is done") && page.contains("Doing") && page.contains("Elin Dahl"), "{page}");
    let saved = client.get(&format!("/api/tasks/{}", id(&row))).ok(200).json();
    assert_eq!((&saved["title"], &saved["status"], &saved["billable"]), (&json!("Editing is done"), &json!("doing"), &json!(true)));
    assert_eq!(browser.complaints(), [] as [String; 0]);
}

fn two_users_change_the_same_row(base: &str) {
    let (client, row) = task(base, "Racing");
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto(&format!("/app/task_edit/{}", id(&row)));
    client.send("PATCH", &format!("/api/tasks/{}", id(&row)), &json!({ "title": "Racing, says another", "hours": "7" })).ok(200);
    browser.fill("#title", "Racing, I say");
    browser.click(".dz-form-foot [data-kind=primary]");
    browser.wait("document.querySelector('.dz-conflict')");
    let shown = browser.text(".dz-conflict");
    assert!(shown.contains("Racing, says another") && shown.contains("Racing, I say"), "{shown}");
    browser.click("input[name='dz.keep.title'][value=mine]");
    browser.click(".dz-form-foot [data-kind=primary]");
    browser.arrives("/app/task_view/");
    let saved = client.get(&format!("/api/tasks/{}", id(&row))).ok(200).json();
    assert_eq!((&saved["title"], &saved["hours"]), (&json!("Racing, I say"), &json!("7.00")), "what only the other changed stays changed");
}

fn a_row_is_deleted_after_a_confirmation(base: &str) {
    let (client, row) = task(base, "Removing");
    let browser = Browser::signed_in(base, MANAGER);
    let view = format!("/app/task_view/{}", id(&row));
    browser.goto(&view);
    browser.click(".dz-head [popovertarget]");
    browser.wait("document.querySelector('#row-menu').matches(':popover-open')");
    browser.click("#row-menu a[data-kind=danger]");
    browser.arrives(&format!("{view}/delete"));
    browser.click(".dz-actions a[data-kind=quiet]");
    browser.arrives(&view);
    client.get(&format!("/api/tasks/{}", id(&row))).ok(200);
    // From the list, by the menu of the row and without a mouse.
    browser.goto("/app/task_list?search=Removing");
    browser.js("document.querySelector('#task_list-body [popovertarget]').focus()");
    browser.press(ENTER);
    browser.wait("document.querySelector('#task_list-body .dz-menu').matches(':popover-open')");
    browser.press(TAB);
    browser.press(TAB);
    browser.press(ENTER);
    browser.wait("location.pathname.endsWith('/delete') && document.readyState === 'complete'");
    browser.click(".dz-actions button[data-kind=danger]");
    browser.arrives("/app/task_list");
    client.get(&format!("/api/tasks/{}", id(&row))).problem(404, "NOT_FOUND");
}

/// An image of one pixel.
const PIXEL: &[u8] = &[
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1F,
    0x15, 0xC4, 0x89, 0, 0, 0, 0x0D, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0xF8, 0xCF, 0xC0, 0xF0, 0x1F, 0, 5, 0, 1, 0xFF, 0x56, 0xC7,
    0x2F, 0x0D, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
];

fn a_form_is_sent_once(base: &str) {
    let (_, task) = task(base, "Doubled");
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto(&format!("/app/task_view/{}/delete", id(&task)));
    let submit =
        "return document.querySelector('#main form[method=post]').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))";
    assert_eq!(browser.js(submit), true);
    assert_eq!(browser.js(submit), false, "the second click of a double click sends nothing");
    browser.js("window.dispatchEvent(new Event('pageshow')); return 1");
    assert_eq!(browser.js(submit), true, "the form is used again after a step back");
}

fn what_is_entered_during_a_request_remains(base: &str) {
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/task_create");
    // The response has the page as it was sent.
    browser.js("window.before = document.querySelector('#main').innerHTML; return 1");
    let replace = "const main = document.querySelector('#main'); window.Idiomorph.morph(main, window.before, { morphStyle: 'innerHTML' }); \
        return document.querySelector('#title').value";
    browser.fill("#title", "Typed meanwhile");
    browser.js("document.querySelector('#details').focus(); return 1");
    assert_eq!(browser.js(replace), "Typed meanwhile");
    browser.js(
        "window.htmx.trigger(document.querySelector('#main'), 'htmx:beforeRequest', { target: document.querySelector('#main') }); return 1",
    );
    assert_eq!(browser.js(replace), "", "a response to a later request is newer");
}

/// Writes files for the browser, and returns their paths.
fn files(base: &str, of: &str) -> [std::path::PathBuf; 2] {
    let folder = std::env::temp_dir().join(format!("dz-photos-{of}-{}", base.rsplit(':').next().unwrap_or_default()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let files = [folder.join("place.png"), folder.join("large.png")];
    std::fs::write(&files[0], PIXEL).expect("a file");
    std::fs::write(&files[1], vec![0; 5_000_001]).expect("a file");
    files
}

fn a_photo_is_uploaded_replaced_and_removed(base: &str) {
    let [photo, large] = files(base, "script");
    let (client, row) = task(base, "Pictured");
    let path = format!("/api/tasks/{}", id(&row));
    let browser = Browser::signed_in(base, MANAGER);
    let edit = format!("/app/task_edit/{}", id(&row));
    let view = format!("/app/task_view/{}", id(&row));
    browser.goto(&edit);
    // A file above the limit is reported before the upload.
    browser.attach("#photo", &large);
    browser.wait("document.querySelector('#photo').validationMessage === 'This file is too large.'");
    browser.attach("#photo", &photo);
    browser.wait("document.querySelector('#photo').validationMessage === ''");
    // An error of another field does not lose the file.
    browser.fill("#title", " ");
    browser.click(".dz-form-foot [data-kind=primary]");
    browser.wait("document.querySelector('#errors')");
    assert!(browser.text(".dz-held").starts_with("place.png"), "{}", browser.text(".dz-held"));
    browser.fill("#title", "Pictured task");
    browser.click(".dz-form-foot [data-kind=primary]");
    browser.arrives(&view);
    browser.wait("document.querySelector('.dz-picture') && document.querySelector('.dz-picture').naturalWidth === 1");
    assert_eq!(client.get(&path).json()["photo"]["name"], "place.png");
    // A form without a new file keeps it; the check box removes it.
    browser.goto(&edit);
    browser.fill("#title", "Pictured again");
    browser.click(".dz-form-foot [data-kind=primary]");
    browser.arrives(&view);
    assert_eq!(client.get(&path).json()["photo"]["type"], "image/png");
    browser.goto(&edit);
    browser.click("input[name='photo.remove']");
    browser.click(".dz-form-foot [data-kind=primary]");
    browser.arrives(&view);
    assert_eq!(client.get(&path).json()["photo"], Value::Null);
    // The refused form is the only message of the browser.
    assert!(browser.complaints().iter().all(|it| it.contains("status of 422")), "{:?}", browser.complaints());
}

fn a_photo_is_uploaded_without_script(base: &str) {
    let [photo, large] = files(base, "plain");
    let (client, row) = task(base, "Plain");
    let browser = Browser::signed_in(base, MANAGER);
    browser.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    browser.goto(&format!("/app/task_edit/{}", id(&row)));
    browser.attach("#photo", &large);
    browser.click(".dz-form-foot [data-kind=primary]");
    browser.wait("document.querySelector('#photo-error')");
    assert!(browser.text("#photo-error").contains("May have at most 5 MB."), "{}", browser.text("#photo-error"));
    browser.attach("#photo", &photo);
    browser.click(".dz-form-foot [data-kind=primary]");
    browser.arrives(&format!("/app/task_view/{}", id(&row)));
    let stored = client.get(&format!("/api/tasks/{}", id(&row))).json();
    assert_eq!((&stored["photo"]["name"], &stored["photo"]["size"]), (&json!("place.png"), &json!(PIXEL.len())));
}
