//! Pages in the language of the browser: the texts of dz, the titles of the declaration, dates and numbers.

mod complete;

use dz::testing::{TestApp, TestResponse, TestUser};

dz::include_dsl!("app/languages/observatory.dsl", locales = "app/languages/locales");

const ANNA: &str = "anna@sky.example";

fn start() -> TestApp {
    TestApp::builder(app()).at("2026-03-03T18:00:00Z").start()
}

/// A page in a language.
#[track_caller]
fn page(user: &TestUser<'_>, path: &str, language: &str) -> TestResponse {
    user.request("GET", path).header("Accept", "text/html").header("Accept-Language", language).send()
}

/// The id of a row of the demo data.
fn id_of(user: &TestUser<'_>, table: &str, name: &str, value: &str) -> String {
    let rows = user.get(&format!("/api/{table}")).json();
    let found = rows["items"].as_array().into_iter().flatten().find(|row| row[name] == value);
    found.and_then(|row| row["id"].as_str()).unwrap_or_else(|| panic!("no {value} in {rows}")).to_owned()
}

#[test]
fn a_page_has_the_language_of_the_browser() {
    let app = start();
    let anna = app.sign_in(ANNA);
    let list = page(&anna, "/app/observation_list", "fr;q=0.9, de-AT;q=0.8, en;q=0.1");
    list.assert_status(200).assert_contains("<html lang=\"de\">").assert_contains("Beobachtungen").assert_contains("Geplant");
    list.assert_contains("3. März 2026").assert_contains("Zum Inhalt springen").assert_lacks("Skip to content");
    page(&anna, "/app/telescope_list", "de").assert_contains("12.345,50").assert_contains(">Ja</span>");
    let english = page(&anna, "/app/observation_list", "en-GB, de;q=0.5");
    english.assert_contains("<html lang=\"en\">").assert_contains("Observations").assert_contains("3 Mar 2026").assert_lacks("Beobacht");
    // A language that the application does not have.
    page(&anna, "/app/observation_list", "fr").assert_contains("<html lang=\"en\">");
    page(&app.anonymous(), "/login", "de").assert_contains("Anmelden").assert_contains("<title>Anmelden · Sternwarte</title>");
}

#[test]
fn messages_of_forms_are_in_the_language() {
    let app = start();
    let anna = app.sign_in(ANNA);
    let sent = anna
        .request("POST", "/app/observation_create")
        .form(&[("subject", ""), ("night", "never"), ("frames", "many")])
        .header("Accept-Language", "de")
        .send();
    sent.assert_status(422).assert_contains("Noch nicht gespeichert: 4 Felder brauchen eine Änderung");
    sent.assert_contains("Füllen Sie dieses Feld aus.").assert_contains("Muss ein Datum sein").assert_contains("Muss eine ganze Zahl sein");
    let lost = page(&anna, "/app/observation_view/00000000-0000-7000-8000-000000000000", "de");
    lost.assert_status(404).assert_contains("Nicht gefunden").assert_contains("<html lang=\"de\">");
    let petros = app.sign_in("petros@sky.example");
    page(&petros, "/app/observation_create", "de").assert_status(403).assert_contains("Das dürfen Sie nicht");
}

#[test]
fn responses_to_programs_are_in_english() {
    let app = start();
    let anna = app.sign_in(ANNA);
    let refused =
        anna.request("POST", "/api/observations").json(dz::serde_json::json!({ "subject": "x" })).header("Accept-Language", "de").send();
    refused.assert_problem(422, "VALIDATION").assert_field("night", "is required");
    let rows = anna.request("GET", "/api/observations").header("Accept", "application/json").header("Accept-Language", "de").send().json();
    assert!(rows["items"].as_array().is_some_and(|rows| rows.iter().any(|row| row["status"] == "running")), "{rows}");
}

#[test]
fn a_missing_text_is_that_of_the_declaration() {
    let app = start();
    let anna = app.sign_in(ANNA);
    let list = page(&anna, "/app/telescope_list", "he");
    // The file has two titles.
    list.assert_contains("<html lang=\"he\" dir=\"rtl\">").assert_contains("טלסקופים").assert_contains("Skip to content");
    page(&anna, "/app/observation_list", "he").assert_contains("<h1>Observations</h1>").assert_contains("Actions for ");
}

#[test]
fn transitions_and_bulk_actions_work_in_every_language() {
    let app = start();
    let anna = app.sign_in(ANNA);
    let comet = id_of(&anna, "observations", "subject", "Κομήτης");
    anna.patch(&format!("/api/observations/{comet}"), dz::serde_json::json!({ "frames": 13 }));
    let view = page(&anna, &format!("/app/observation_view/{comet}"), "de");
    view.assert_contains("Läuft").assert_contains("Verlauf").assert_contains("3. März");
    let moved = anna
        .request("POST", &format!("/app/observation_view/{comet}/move"))
        .form(&[("to", "running"), ("version", "2")])
        .header("Accept-Language", "de")
        .send();
    assert_eq!(moved.status(), 303, "{}", moved.text());
    // The search compares the titles that the page shows.
    page(&anna, "/app/-/search?q=%CE%9A%CE%BF%CE%BC%CE%AE%CF%84%CE%B7%CF%82", "de").assert_contains("Κομήτης");
    let confirmed =
        anna.request("POST", "/app/observation_list/bulk").form(&[("do", "delete"), ("id", &comet)]).header("Accept-Language", "de").send();
    confirmed.assert_contains("1 Beobachtung löschen?");
}

#[test]
fn a_user_chooses_language_and_time_zone_for_pages_and_mails() {
    let app = start();
    let anna = app.sign_in(ANNA);
    let comet = id_of(&anna, "observations", "subject", "Κομήτης");
    anna.patch(&format!("/api/observations/{comet}"), dz::serde_json::json!({ "begins": "2026-03-03T22:30:00Z" }));
    let chosen = anna
        .request("POST", "/app/-/account")
        .form(&[("language", "de"), ("timezone", "Asia/Tokyo"), ("density", "comfortable")])
        .header("Accept-Language", "en")
        .send();
    assert_eq!(chosen.status(), 303, "{}", chosen.text());
    let view = page(&anna, &format!("/app/observation_view/{comet}"), "en");
    view.assert_contains("<html lang=\"de\">").assert_contains("4. März 2026, 07:30").assert_contains("Verlauf");
    page(&anna, &format!("/app/observation_edit/{comet}"), "en").assert_contains("value=\"2026-03-04T07:30\"");
    // An error page, and the language of another user.
    page(&anna, "/app/observation_view/00000000-0000-7000-8000-000000000000", "en").assert_status(404).assert_contains("Nicht gefunden");
    page(&app.sign_in("petros@sky.example"), "/app/observation_list", "en").assert_contains("<html lang=\"en\">");
    // Rules and the JSON API use the time zone of the application, and UTC.
    let row = anna.get(&format!("/api/observations/{comet}")).json();
    assert_eq!(row["begins"], "2026-03-03T22:30:00Z");
    let asked = app.anonymous().request("POST", "/auth/forgot").form(&[("email", ANNA)]).header("Accept-Language", "en").send();
    assert_eq!(asked.status(), 303, "{}", asked.text());
    let mails = app.mails();
    let mail = mails.last().expect("a mail");
    assert_eq!(mail.subject, "Neues Passwort für Sternwarte");
    assert!(mail.text.contains("Öffnen Sie diesen Link"), "{}", mail.text);
}

#[test]
fn a_mail_without_a_choice_is_in_the_language_of_the_request() {
    let app = start();
    for (language, subject) in [("de", "Neues Passwort für Sternwarte"), ("en", "Set a new password for Observatory")] {
        let asked = app.anonymous().request("POST", "/auth/forgot").form(&[("email", ANNA)]).header("Accept-Language", language).send();
        assert_eq!(asked.status(), 303, "{}", asked.text());
        assert_eq!(app.mails().last().expect("a mail").subject, subject);
    }
}
