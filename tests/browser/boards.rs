//! Boards of a workspace: cards move by drag and by keyboard, only by declared transitions, and regions load side by side.

use dz::serde_json::{Value, json};

use crate::{
    browser::Browser,
    client::{Client, MANAGER},
};

crate::on_both_engines! {
    a_card_moves_by_drag_and_by_keyboard;
    a_region_that_fails_offers_another_try;
    the_card_of_a_deleted_row_goes;
}

/// A task of the manager at the top of its column.
fn task(client: &Client, title: &str) -> String {
    let project = client.get("/api/projects?name=Drainage+rows").ok(200).json()["items"][0]["id"].clone();
    let task = json!({ "title": title, "project": project, "due": "2001-01-01" });
    client.task(&task, "open")["id"].as_str().expect("an id").to_owned()
}

fn state(client: &Client, id: &str) -> Value {
    client.get(&format!("/api/tasks/{id}")).ok(200).json()["status"].clone()
}

/// Drags a card to a column by the events of a pointer.
fn drag(browser: &Browser, id: &str, column: &str) {
    browser.js(&format!(
        "const card = document.getElementById('field-board-{id}');
         const to = document.querySelector('[data-dz-column={column}]');
         const data = new DataTransfer();
         const fire = (at, name) => at.dispatchEvent(new DragEvent(name, {{ bubbles: true, cancelable: true, dataTransfer: data }}));
         fire(card, 'dragstart'); fire(to, 'dragover'); fire(to, 'drop'); fire(card, 'dragend'); return null"
    ));
}

fn is_in(id: &str, column: &str) -> String {
    format!("document.querySelector('[data-dz-column={column}] #field-board-{id}')")
}

fn a_card_moves_by_drag_and_by_keyboard(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let browser = Browser::signed_in(base, MANAGER);
    let id = task(&client, "Dragged card");
    browser.goto("/app/field");
    browser.wait(&is_in(&id, "open"));
    drag(&browser, &id, "doing");
    browser.wait(&is_in(&id, "doing"));
    assert_eq!(state(&client, &id), "doing");
    browser.wait("document.getElementById('dz-said').textContent === 'Dragged card, Doing'");
    // No transition is declared from here to `open`: the card does not move.
    drag(&browser, &id, "open");
    assert_eq!(state(&client, &id), "doing");
    browser.wait(&is_in(&id, "doing"));
    // The next column with a declared transition is `blocked`; the focus stays on the card.
    browser.js(&format!("document.getElementById('field-board-{id}-more').focus(); return null"));
    browser.press("\u{e014}");
    browser.wait(&is_in(&id, "blocked"));
    assert_eq!(state(&client, &id), "blocked");
    // By the menu, which works with any pointer and with the keyboard.
    browser.click(&format!("#field-board-{id}-more"));
    browser.click(&format!("#field-board-{id}-menu button[value=doing]"));
    browser.wait(&is_in(&id, "doing"));
    // Another person moved the card: the board names the reason and shows the card in its present column.
    client.send("POST", &format!("/api/tasks/{id}/transitions/done"), &json!({})).ok(200);
    drag(&browser, &id, "blocked");
    browser.wait("document.querySelector('#field-board-body [role=alert]')");
    browser.wait(&is_in(&id, "done"));
}

fn the_card_of_a_deleted_row_goes(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let browser = Browser::signed_in(base, MANAGER);
    let id = task(&client, "Deleted card");
    browser.goto("/app/field");
    browser.wait(&is_in(&id, "open"));
    client.delete(&format!("/api/tasks/{id}")).ok(204);
    drag(&browser, &id, "doing");
    browser.wait("document.querySelector('#field-board-body [role=alert]')");
    let left = browser.js(&format!("return document.getElementById('field-board-{id}')"));
    assert_eq!(left, Value::Null, "the board shows what is stored");
    assert_eq!(browser.js("return document.querySelectorAll('#field-board-body [data-dz-retry]').length"), json!(0));
}

fn a_region_that_fails_offers_another_try(base: &str) {
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/field");
    browser.wait("!document.querySelector('[aria-busy=true]')");
    let ids = browser.js("const ids = [...document.querySelectorAll('[id]')].map((it) => it.id); return ids.length - new Set(ids).size");
    assert_eq!(ids, json!(0), "an id occurs twice");
    browser.network(true, 0);
    browser.click("#field-plan .dz-calendar-head a[aria-label=Later]");
    browser.wait("document.querySelector('#field-plan-body [data-dz-retry]')");
    browser.network(false, 0);
    browser.click("#field-plan-body [data-dz-retry]");
    browser.wait("document.querySelector('#field-plan-body .dz-calendar')");
    assert_eq!(browser.js("return document.getElementById('field-plan-body').getAttribute('aria-busy')"), json!("false"));
    // A move that fails is not repeated: the board shows what is stored.
    browser.network(true, 0);
    browser.js("document.querySelector('#field-board-body form button[name=to]').click()");
    browser.wait("document.querySelector('#field-board-body [data-dz-retry]')");
    browser.network(false, 0);
    browser.click("#field-board-body [data-dz-retry]");
    browser.wait(
        "document.querySelector('#field-board-body [data-dz-column]') && !document.querySelector('#field-board-body [data-dz-retry]')",
    );
}
