//! Labels of rows: from computed fields, from referenced rows, from a number or a date; on all pages. Also defaults of pages.

use dz::serde_json::{Value, json};

use crate::client::Client;

dz::dz! {
    app library "Library"

    persona clerk "Clerk"
    persona guest "Guest"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Member "Member":
      id: uuid pk
      name: str(60) required
      permit:
        list: role(clerk)
        read: role(clerk)
        create: role(clerk)

    entity Copy "Copy":
      id: uuid pk
      number: int required unique
      permit:
        list: true
        read: true
        create: role(clerk)

    entity Loan "Loan":
      id: uuid pk
      created_at: datetime auto_add
      updated_at: datetime auto_update
      member: ref Member required
      copy: ref Copy required
      lent_on: date required
      fines: has_many Fine
      permit:
        list: role(clerk)
        read: role(clerk)
        create: role(clerk)
        delete: role(clerk)

    entity Fine "Fine":
      id: uuid pk
      amount: decimal(8,2) required
      loan: ref Loan required
      called: computed concat("Fine of ", loan.member.name)
      display_field: called
      permit:
        list: role(clerk)
        read: role(clerk)
        create: role(clerk)

    entity Desk "Desk":
      id: uuid pk
      name: str(60) required
      permit:
        list: role(clerk)
        read: role(clerk)
        create: role(clerk)

    entity Booking "Booking":
      id: uuid pk
      desk: ref Desk required
      spare: ref Desk
      display_field: desk
      permit:
        list: role(clerk)
        read: role(clerk)
        create: role(clerk)

    entity Reservation "Reservation":
      id: uuid pk
      note: text
      member: ref Member
      display_field: member
      permit:
        list: true
        read: true
        create: role(clerk)
        update: role(clerk)
        delete: role(clerk)

    entity Reminder "Reminder":
      id: uuid pk
      reservation: ref Reservation required
      fine: ref Fine
      display_field: reservation
      permit:
        list: true
        read: true
        create: role(clerk)

    surface loan_list "Loans":
      uses entity Loan
      mode: list
      ux:
        filter: member
        empty: "Nothing is lent out."

    surface loan_view "Loan":
      uses entity Loan
      mode: view
      related fines "Fines":
        show: Fine

    surface loan_create "New loan":
      uses entity Loan
      mode: create

    surface booking_create "New booking":
      uses entity Booking
      mode: create

    surface fine_list "Fines":
      uses entity Fine
      mode: list

    surface fine_view "Fine":
      uses entity Fine
      mode: view

    surface fine_create "New fine":
      uses entity Fine
      mode: create
      section main:
        field amount "Amount" help: "In euros"
        field loan

    surface reservation_list "Reservations":
      uses entity Reservation
      mode: list

    surface reservation_view "Reservation":
      uses entity Reservation
      mode: view

    surface reservation_edit "Edit reservation":
      uses entity Reservation
      mode: edit

    surface reminder_list "Reminders":
      uses entity Reminder
      mode: list

    surface reminder_view "Reminder":
      uses entity Reminder
      mode: view

    surface reminder_create "New reminder":
      uses entity Reminder
      mode: create

    demo:
      User:
        - name: "Cleo", email: "cleo@library.example", password: "keeps every book", roles: [clerk]
        - name: "Gus", email: "gus@library.example", password: "only looks around", roles: [guest]
}

const CLERK: (&str, &str) = ("cleo@library.example", "keeps every book");
const GUEST: (&str, &str) = ("gus@library.example", "only looks around");

crate::served_on_both! {
    "labels", app();
    a_required_ref_with_one_candidate_is_chosen;
    a_row_without_text_is_labelled_by_a_date_or_a_number;
    a_reference_shows_the_label_of_its_row;
    a_label_over_references_reveals_no_hidden_value;
    the_name_is_first_and_system_fields_are_last;
    a_filter_without_a_match_says_so_beside_the_text_of_the_list;
    the_help_of_a_field_stays_beside_its_error;
    tiles_of_entities_differ;
}

#[track_caller]
fn create_row(client: &Client, table: &str, fields: Value) -> String {
    let row = client.send("POST", &format!("/api/{table}"), &fields).ok(201).json();
    row["id"].as_str().expect("an id").to_owned()
}

/// A loan of a member with this name, on 22 November 2026, of a copy of its own.
fn create_loan(clerk: &Client, name: &str, number: i64) -> (String, String) {
    let member = create_row(clerk, "members", json!({ "name": name }));
    let copy = create_row(clerk, "copies", json!({ "number": number }));
    let loan = create_row(clerk, "loans", json!({ "member": member, "copy": copy, "lent_on": "2026-11-22" }));
    (loan, member)
}

// Runs first, while there is one member and one copy.
fn a_required_ref_with_one_candidate_is_chosen(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let form = || clerk.get("/app/booking_create").ok(200).body;
    assert!(form().contains(">Choose</option>"), "{}", form());
    let desk = create_row(&clerk, "desks", json!({ "name": "Only one" }));
    let chosen = format!("<option value=\"{desk}\" selected>");
    // The required reference has one candidate; the optional one stays empty.
    assert_eq!(form().matches(&chosen).count(), 1, "{}", form());
    assert!(!form().contains(">Choose</option>") && form().contains("<option value=\"\">None</option>"), "{}", form());
    create_row(&clerk, "desks", json!({ "name": "Another one" }));
    assert!(form().contains(">Choose</option>") && !form().contains(&chosen), "{}", form());
}

fn a_row_without_text_is_labelled_by_a_date_or_a_number(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let (loan, _) = create_loan(&clerk, "Dana", 7041);
    let name = "Loan of 22 Nov 2026";
    clerk.get(&format!("/app/loan_view/{loan}")).ok(200).shows(&[&format!("<h1>{name}</h1>"), "<span>Copy 7041</span>"]);
    clerk.get(&format!("/app/loan_view/{loan}/delete")).ok(200).shows(&[&format!("Delete {name}?")]);
    clerk.get("/app/fine_create").ok(200).shows(&[&format!(">{name}</option>")]);
    let fine = create_row(&clerk, "fines", json!({ "amount": "2.00", "loan": loan }));
    clerk.get(&format!("/app/fine_view/{fine}")).ok(200).shows(&["<h1>Fine of Dana</h1>", &format!("<span>{name}</span>")]);
    let csv = clerk.get("/app/fine_list?format=csv").ok(200).body;
    assert!(csv.lines().next().is_some_and(|head| head.starts_with("Called,")), "{csv}");
    assert!(csv.contains(&format!("Fine of Dana,2.00,{name}")), "{csv}");
    let csv = clerk.get("/app/loan_list?format=csv").ok(200).body;
    assert!(csv.contains("Dana,Copy 7041,"), "{csv}");
    clerk.get("/app/-/pick/copies?q=7041").ok(200).shows(&["Copy 7041"]);
}

fn a_reference_shows_the_label_of_its_row(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let (loan, member) = create_loan(&clerk, "Ezra", 7042);
    let reservation = create_row(&clerk, "reservations", json!({ "member": member }));
    let fine = create_row(&clerk, "fines", json!({ "amount": "3.00", "loan": loan }));
    let reminder = create_row(&clerk, "reminders", json!({ "reservation": reservation, "fine": fine }));
    for (path, title) in [("", "<h1>Ezra</h1>"), ("/delete", "Delete Ezra?")] {
        clerk.get(&format!("/app/reservation_view/{reservation}{path}")).ok(200).shows(&[title]);
    }
    clerk.get(&format!("/app/reservation_edit/{reservation}")).ok(200).shows(&["<h1>Edit Ezra</h1>"]);
    // Labels over two references, and computed labels.
    clerk.get(&format!("/app/reminder_view/{reminder}")).ok(200).shows(&["<h1>Ezra</h1>", "<span>Fine of Ezra</span>"]);
    clerk.get("/app/reminder_create").ok(200).shows(&[">Ezra</option>", ">Fine of Ezra</option>"]);
    let csv = clerk.get("/app/reminder_list?format=csv").ok(200).body;
    assert!(csv.contains("Ezra,Fine of Ezra"), "{csv}");
    clerk.get("/app/-/pick/reservations?q=ezr").ok(200).shows(&[&format!("data-value=\"{reservation}\""), "Ezra"]);
    assert!(!clerk.get("/app/-/pick/reservations?q=nobody").ok(200).body.contains("data-value"));
    let sorted = clerk.get("/app/reminder_list?sort=-reservation.member.name").ok(200).body;
    assert!(sorted.contains("aria-sort=\"descending\""), "{sorted}");
    // The confirmation of a bulk deletion names the rows.
    let asked = clerk.form("/app/reservation_list/bulk", &[("do", "delete"), ("id", &reservation)]).ok(200);
    asked.shows(&["<li>Ezra</li>"]);
    // Without a label: the title and the beginning of the key.
    let unnamed = create_row(&clerk, "reservations", json!({ "note": "For anyone" }));
    clerk.get(&format!("/app/reservation_view/{unnamed}")).ok(200).shows(&[&format!("<h1>Reservation {}</h1>", &unnamed[..8])]);
    clerk.get("/app/reminder_create").ok(200).shows(&[&format!(">Reservation {}</option>", &unnamed[..8])]);
}

fn a_label_over_references_reveals_no_hidden_value(base: &str) {
    let (clerk, guest) = (Client::signed_in(base, CLERK), Client::signed_in(base, GUEST));
    let member = create_row(&clerk, "members", json!({ "name": "Hidden Henrike" }));
    let reservation = create_row(&clerk, "reservations", json!({ "member": member }));
    let reminder = create_row(&clerk, "reminders", json!({ "reservation": reservation }));
    let name = format!("Reservation {}", &reservation[..8]);
    for path in [
        "/app/reservation_list".to_owned(),
        format!("/app/reservation_view/{reservation}"),
        "/app/reminder_list".to_owned(),
        format!("/app/reminder_view/{reminder}"),
        "/app/reminder_list?format=csv".to_owned(),
        "/app/-/pick/reservations?q=".to_owned(),
    ] {
        let page = guest.get(&path).ok(200).body;
        assert!(!page.contains("Henrike") && (page.contains(&name) || path.contains("reservation_list")), "{path}: {page}");
        assert!(clerk.get(&path).ok(200).body.contains("Hidden Henrike"), "{path}");
    }
    assert!(!guest.get("/app/-/pick/reservations?q=Henrike").ok(200).body.contains("data-value"));
}

fn the_name_is_first_and_system_fields_are_last(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let (loan, _) = create_loan(&clerk, "Fritz", 7043);
    create_row(&clerk, "fines", json!({ "amount": "4.00", "loan": loan }));
    let heads = |page: &str| -> Vec<String> {
        let head = page.split("<thead").nth(1).and_then(|it| it.split("</thead>").next()).unwrap_or_default().to_owned();
        let text = |cell: &str| {
            let mut inside = false;
            let plain = cell.chars().filter(|c| {
                inside = (inside || *c == '<') && *c != '>';
                !inside && *c != '>'
            });
            plain.collect::<String>()
        };
        head.split("<th ").skip(1).map(|it| text(&format!("<{}", it.split("</th>").next().unwrap_or_default()))).collect()
    };
    let page = clerk.get("/app/loan_list").ok(200).body;
    let found: Vec<String> = heads(&page).into_iter().filter(|head| !head.is_empty() && head != "Actions").collect();
    assert_eq!(found, ["Lent on", "Member", "Copy", "Created at", "Updated at"]);
    assert!(page.contains(&format!("<td data-cell=\"title\"><a href=\"/app/loan_view/{loan}\">22 Nov 2026</a>")), "{page}");
    let view = clerk.get(&format!("/app/loan_view/{loan}")).ok(200).body;
    assert!(view.find("<dt>Lent on").expect("a fact") < view.find("<dt>Created at").expect("a fact"), "{view}");
    assert!(view.contains(">Fine of Fritz</a>"), "{view}");
    // The bar shows the number of selected rows.
    assert!(
        page.contains("<span class=\"dz-bulk-label\" aria-live=\"polite\"><b data-dz-bulk-count-target>0</b> selected</span>"),
        "{page}"
    );
}

fn a_filter_without_a_match_says_so_beside_the_text_of_the_list(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let member = create_row(&clerk, "members", json!({ "name": "Never" }));
    let page = clerk.get(&format!("/app/loan_list?member={member}")).ok(200);
    page.shows(&["<h2>No loans match</h2>", "<p>Nothing is lent out.</p>", "Clear search and filters"]);
}

fn the_help_of_a_field_stays_beside_its_error(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let page = clerk.form("/app/fine_create", &[("amount", "a lot")]);
    assert_eq!(page.status, 422);
    page.shows(&[
        "aria-describedby=\"amount-error amount-help\"",
        "id=\"amount-error\"",
        "<p class=\"dz-help\" id=\"amount-help\">In euros</p>",
    ]);
}

fn tiles_of_entities_differ(base: &str) {
    let page = Client::signed_in(base, CLERK).get("/app/loan_list").ok(200).body;
    for tile in [">L</span>Loans", ">F</span>Fines", ">Re</span>Reservations", ">Rm</span>Reminders"] {
        assert!(page.contains(tile), "{tile}: {page}");
    }
}
