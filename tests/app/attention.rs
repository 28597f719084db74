//! Signals on the rows of a list, pages for some personas, and buttons that follow the rules of each row.

use dz::serde_json::json;

use crate::client::Client;

dz::dz! {
    app ward "Ward"

    persona nurse "Nurse"
    persona porter "Porter"

    entity User "Person":
      id: uuid pk
      permit:
        list: true
        read: true

    entity Bed "Bed":
      id: uuid pk
      name: str(40) required
      broken: bool = false
      waiting: int = 0
      nurse: ref User
      permit:
        list: true
        read: true
        create: role(nurse)
        update: role(nurse) and nurse = current_user
        delete: role(nurse) and broken = false

    surface bed_list "Beds":
      uses entity Bed
      mode: list
      section main:
        field broken
        field name
      ux:
        show: name, waiting
        sort: name asc
        attention warning:
          when: waiting > 3 and broken = false
          message: "Waits too long"
          action: bed_edit
        attention critical:
          when: broken
          message: "Cannot be <used>"
        attention warning:
          when: waiting = 2
          message: "Waits"

    surface bed_edit "Change a bed":
      uses entity Bed
      mode: edit

    surface bed_view "Bed":
      uses entity Bed
      mode: view

    workspace ward_desk "Desk":
      queue "Next":
        source: Bed
        display: queue
        sort: name asc
      beds "Beds":
        source: Bed
        display: table
        sort: name asc

    surface bed_stock "Stock":
      uses entity Bed
      mode: list
      access: persona(porter)
      priority: critical
      ux:
        sort: name asc

    demo:
      User:
        - email: "nia@ward.example", password: "nurse of the ward", roles: [nurse]
        - email: "pat@ward.example", password: "porter of the ward", roles: [porter]
}

crate::served_on_both! {
    "attention", app();
    rows_have_their_most_urgent_signal;
    buttons_follow_the_rules_of_each_row;
    a_page_is_for_its_personas;
}

const NIA: (&str, &str) = ("nia@ward.example", "nurse of the ward");
const PAT: (&str, &str) = ("pat@ward.example", "porter of the ward");

fn bed(client: &Client, fields: &dz::serde_json::Value) -> String {
    client.send("POST", "/api/beds", fields).ok(201).json()["id"].as_str().expect("a key").to_owned()
}

/// The row of a table with this key.
fn row<'b>(body: &'b str, list: &str, id: &str) -> &'b str {
    let rest = body.split(&format!("<tr id=\"{list}-{id}\"")).nth(1).unwrap_or_else(|| panic!("{id} in {body}"));
    rest.split("</tr>").next().unwrap_or_default()
}

fn rows_have_their_most_urgent_signal(base: &str) {
    let nia = Client::signed_in(base, NIA);
    let broken = bed(&nia, &json!({ "name": "Sig broken", "broken": true, "waiting": 9 }));
    let me = nia.get("/auth/me").ok(200).json()["id"].clone();
    let late = bed(&nia, &json!({ "name": "Sig late", "waiting": 9, "nurse": me }));
    let others = bed(&nia, &json!({ "name": "Sig of others", "waiting": 9 }));
    let fine = bed(&nia, &json!({ "name": "Sig fine" }));
    let page = nia.get("/app/bed_list?page_size=100").ok(200);
    let (first, second, third) =
        (row(&page.body, "bed_list", &broken), row(&page.body, "bed_list", &late), row(&page.body, "bed_list", &fine));
    assert!(
        first.starts_with(" data-level=\"critical\"") && first.contains("Cannot be &#60;used&#62;") && !first.contains("Waits"),
        "{first}"
    );
    assert!(second.starts_with(" data-level=\"warning\"") && second.contains("Waits too long"), "{second}");
    assert!(second.contains(&format!("href=\"/app/bed_edit/{late}\"")), "{second}");
    assert!(!third.contains("data-level"), "{third}");
    // The rows of regions have the signals of the list, also as parts of the page.
    for region in ["queue", "beds"] {
        let shown = nia.get(&format!("/app/ward_desk-{region}?page_size=100")).ok(200).body;
        let element = |id: &str| {
            let rest = shown.split(&format!(" id=\"ward_desk-{region}-{id}\"")).nth(1).unwrap_or_else(|| panic!("{id} in {shown}"));
            rest.split("</li>").next().and_then(|rest| rest.split("</tr>").next()).unwrap_or_default().to_owned()
        };
        let (first, second, third) = (element(&broken), element(&late), element(&fine));
        assert!(first.starts_with(" data-level=\"critical\"") && first.contains("Cannot be &#60;used&#62;"), "{first}");
        assert!(second.starts_with(" data-level=\"warning\"") && second.contains(&format!("href=\"/app/bed_edit/{late}\"")), "{second}");
        assert!(!third.contains("data-level"), "{third}");
    }
    // The signal is not a link to a form that the rule of the row refuses.
    let unlinked = row(&page.body, "bed_list", &others);
    assert!(unlinked.contains("Waits too long") && !unlinked.contains("/app/bed_edit"), "{unlinked}");
    page.shows(&["class=\"dz-levels\"", " critical</a>", "attention=critical"]);
    // The list shows the columns of `show`.
    page.shows(&[">Waiting<"]);
    page.lacks(&[">Broken<"]);
    let only = nia.get("/app/bed_list?attention=warning&page_size=100").ok(200);
    only.shows(&["Sig late", "aria-current=\"true\""]);
    only.lacks(&["Sig broken", "Sig fine"]);
    let next = nia.exchange("/app/bed_list?attention=critical&page_size=100").ok(200);
    next.shows(&["Sig broken", "name=\"attention\" value=\"critical\""]);
    for junk in ["attention=urgent", "attention=", "attention=%00"] {
        nia.get(&format!("/app/bed_list?{junk}&page_size=100")).ok(200).shows(&["Sig fine"]);
    }
}

fn buttons_follow_the_rules_of_each_row(base: &str) {
    let nia = Client::signed_in(base, NIA);
    let me = nia.get("/auth/me").ok(200).json()["id"].clone();
    let own = bed(&nia, &json!({ "name": "But own", "nurse": me, "broken": true }));
    let other = bed(&nia, &json!({ "name": "But other" }));
    let page = nia.get("/app/bed_list?page_size=100").ok(200);
    let (mine, others) = (row(&page.body, "bed_list", &own), row(&page.body, "bed_list", &other));
    assert!(mine.contains(&format!("/app/bed_edit/{own}\"")) && !mine.contains("/delete"), "{mine}");
    assert!(others.contains("/delete") && !others.contains("</svg>Edit"), "{others}");
}

fn a_page_is_for_its_personas(base: &str) {
    let (nia, pat) = (Client::signed_in(base, NIA), Client::signed_in(base, PAT));
    nia.get("/app/bed_stock").ok(403);
    nia.get("/app/bed_list").ok(200).lacks(&["/app/bed_stock"]);
    let page = pat.get("/app/bed_stock").ok(200);
    // A page of critical priority is before the others.
    assert!(page.body.find("href=\"/app/bed_stock\"") < page.body.find("href=\"/app/bed_list\""), "{}", page.body);
    assert_eq!(Client::new(base).get("/app/bed_stock").status, 303);
    // The page of a persona never extends the rules: the API does not depend on it.
    nia.get("/api/beds").ok(200);
}
