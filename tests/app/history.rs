//! The states of a row as steps, and its history from the audit log.

use dz::serde_json::json;

use crate::client::Client;

dz::dz! {
    app shed "Shed"

    persona keeper "Keeper"
    persona guest "Guest"

    entity User "Person":
      id: uuid pk
      name: str(40)
      permit:
        list: true
        read: true

    entity Tool "Tool":
      id: uuid pk
      name: str(40) required
      price: decimal(8,2) = 0
      serial: str(20)
      owner: ref User
      status: enum[stored, lent, broken, sold] = stored
      transitions:
        stored -> lent
        lent -> sold
        * -> broken
      permit:
        list: true
        read: true
        create: role(keeper)
        update: role(keeper)
      audit: all

    entity Hook "Hook":
      code: str(20) pk
      note: str(40)
      permit:
        list: true
        read: true
        create: role(keeper)
        update: role(keeper)
        delete: role(keeper)
      audit: all

    surface hook_view "Hook":
      uses entity Hook
      mode: view

    surface tool_view "Tool":
      uses entity Tool
      mode: view
      section main:
        field name
        field price
        field serial
        field status
      ux:
        for keeper:
          hide: serial

    demo:
      User:
        - name: "Kim Ode", email: "kim@shed.example", password: "keeper of the shed", roles: [keeper]
        - name: "Gil Ray", email: "gil@shed.example", password: "guest of the shed", roles: [guest]
}

crate::served_on_both! {
    "history", app();
    states_are_steps;
    the_history_shows_what_changed;
    the_history_of_a_deleted_row_is_not_that_of_a_new_one;
}

const KIM: (&str, &str) = ("kim@shed.example", "keeper of the shed");
const GIL: (&str, &str) = ("gil@shed.example", "guest of the shed");

fn tool(kim: &Client, name: &str) -> String {
    kim.send("POST", "/api/tools", &json!({ "name": name, "serial": "old-serial" })).ok(201).json()["id"]
        .as_str()
        .expect("a key")
        .to_owned()
}

fn states_are_steps(base: &str) {
    let kim = Client::signed_in(base, KIM);
    let id = tool(&kim, "Stepping");
    let steps = |state: &str| {
        let page = kim.get(&format!("/app/tool_view/{id}")).ok(200);
        let list =
            page.body.split("<ol class=\"dz-steps\">").nth(1).and_then(|rest| rest.split("</ol>").next()).unwrap_or_default().to_owned();
        let current = list.split("<li").find(|step| step.contains("aria-current=\"step\"")).unwrap_or_default().to_owned();
        assert!(current.contains(state), "{list}");
        list
    };
    let first = steps("Stored");
    assert!(first.contains("Lent") && first.contains("Sold") && !first.contains("Broken"), "{first}");
    kim.send("POST", &format!("/api/tools/{id}/transitions/lent"), &json!({})).ok(200);
    steps("Lent");
    // A state beside the regular steps is shown when the row has it.
    kim.send("POST", &format!("/api/tools/{id}/transitions/broken"), &json!({})).ok(200);
    steps("Broken");
}

fn the_history_shows_what_changed(base: &str) {
    let (kim, gil) = (Client::signed_in(base, KIM), Client::signed_in(base, GIL));
    let id = tool(&kim, "Kept <record>");
    let (api, page) = (format!("/api/tools/{id}"), format!("/app/tool_view/{id}"));
    kim.send("PATCH", &api, &json!({ "price": "12.50", "serial": "new-serial", "owner": kim.get("/auth/me").ok(200).json()["id"] }))
        .ok(200);
    kim.send("POST", &format!("{api}/transitions/lent"), &json!({})).ok(200);
    let shown = kim.get(&page).ok(200);
    shown.shows(&["<h2 id=\"history-title\">History</h2>", "<b>Kim Ode</b> created this", "12.50", "Price: ", "Owner: ", "changed status"]);
    // A field that the surface hides is not in its history.
    shown.lacks(&["old-serial", "new-serial", "Serial: "]);
    // Former values are for callers who may update the row.
    gil.get(&page).ok(200).lacks(&["history-title", "12.50</ins>", "created this"]);
}

fn the_history_of_a_deleted_row_is_not_that_of_a_new_one(base: &str) {
    let kim = Client::signed_in(base, KIM);
    let create = |note: &str| kim.send("POST", "/api/hooks", &json!({ "code": "north", "note": note })).ok(201);
    create("first");
    kim.send("PATCH", "/api/hooks/north", &json!({ "note": "former" })).ok(200);
    kim.get("/app/hook_view/north").ok(200).shows(&["former</ins>"]);
    kim.send("DELETE", "/api/hooks/north", &json!({})).ok(204);
    create("second");
    let page = kim.get("/app/hook_view/north").ok(200);
    page.shows(&["created this"]);
    page.lacks(&["former", "deleted this"]);
}
