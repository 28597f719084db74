//! New rows for references: from the form of a task to that of its project and of the company, and back.

use dz::serde_json::json;

use crate::{
    browser::Browser,
    client::{Client, MANAGER},
};

crate::on_both_engines! {
    a_form_creates_the_rows_that_it_refers_to;
}

const SAVE: &str = ".dz-form-foot [data-kind=primary]";

fn is_at(title: &str) -> String {
    format!("document.readyState === 'complete' && document.querySelector('h1')?.textContent === '{title}'")
}

fn a_form_creates_the_rows_that_it_refers_to(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/task_create");
    browser.fill("#title", "Count every seedling");
    browser.fill("#details", "First line\nsecond \"line\" & <more>");
    browser.click("button[name='dz.new'][value=project]");
    browser.wait(&is_at("New project"));
    browser.is_seen_everywhere("new-row");
    browser.fill("#name", "Seedlings & saplings");
    browser.click("button[name='dz.new'][value=company]");
    browser.wait(&is_at("New company"));
    browser.fill("#name", "Nursery of new rows");
    browser.click(SAVE);
    browser.wait(&is_at("New project"));
    assert_eq!(browser.js("return document.querySelector('#name').value"), "Seedlings & saplings");
    assert!(browser.text("main [role=status]").contains("Nursery of new rows is saved and selected"));
    assert!(["company", "company-q"].contains(&browser.focus().as_str()), "the control has the focus: {}", browser.focus());
    browser.click(SAVE);
    browser.wait(&is_at("New task"));
    assert_eq!(browser.js("return document.querySelector('#title').value"), "Count every seedling");
    assert!(["project", "project-q"].contains(&browser.focus().as_str()), "the control has the focus: {}", browser.focus());
    browser.is_seen_everywhere("new-row-selected");
    browser.click(SAVE);
    browser.arrives("/app/task_view/");
    let made = client.get("/api/tasks?title=Count+every+seedling&expand=project").ok(200).json()["items"][0].clone();
    assert_eq!(made["project"]["name"], json!("Seedlings & saplings"));
    let details = made["details"].as_str().map(|text| text.replace("\r\n", "\n"));
    assert_eq!(details.as_deref(), Some("First line\nsecond \"line\" & <more>"));
    // Without saving, nothing is created and nothing is lost.
    browser.goto("/app/task_create");
    browser.fill("#title", "Count nothing");
    browser.click("button[name='dz.new'][value=project]");
    browser.wait(&is_at("New project"));
    browser.click("button[name='dz.then'][value=back]");
    browser.wait(&is_at("New task"));
    assert_eq!(browser.js("return document.querySelector('#title').value"), "Count nothing");
    assert_eq!(browser.complaints(), [] as [String; 0]);
}
