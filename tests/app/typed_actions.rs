//! Custom actions with typed input and output: the API, the OpenAPI document, and the form of a page.

use dz::{Decimal, Error, NaiveDate, serde::Serialize, serde_json::json, testing::TestApp};

use enums::Reason;

dz::dz! {
    app bakery "Bakery"

    persona baker "Baker"
    persona clerk "Clerk"

    enum Reason "Reason":
      burnt "Burnt"
      stale "Stale"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Loaf "Loaf":
      id: uuid pk
      name: str(60) required
      price: decimal(8,2) required
      reason: Reason
      permit:
        list: true
        read: true
        create: true
        update: role(baker)
        discount: role(baker)
        bake: role(baker)

    surface loaf_view "Loaf":
      uses entity Loaf
      mode: view
}

dz::action_input! {
    /// The reduction of a price.
    pub struct Discount {
        percent: Decimal = "Percent",
        reason: Reason = "Reason",
        until: Option<NaiveDate> = "Until",
        note: Option<String> = "Note",
        notify: bool = "Notify the shop",
    }
}

#[derive(Serialize)]
#[serde(crate = "dz::serde")]
struct Reduced {
    price: Decimal,
    notify: bool,
}

fn bakery() -> dz::App {
    app()
        .typed_action::<loaf::Loaf, Discount, Reduced>("discount", |tx, loaf, input| {
            if input.percent > Decimal::from(90) {
                return Err(Error::validation("percent", "must be at most 90"));
            }
            let price = (loaf.price * (Decimal::from(100) - input.percent) / Decimal::from(100)).round_dp(2);
            let changes = loaf::LoafChanges { price: Some(price), reason: input.reason.into(), ..Default::default() };
            loaf.update(tx, changes).map(|loaf| Reduced { price: loaf.price, notify: input.notify })
        })
        .typed_action::<loaf::Loaf, (), ()>("bake", |_, _, ()| Ok(()))
}

fn loaf(app: &TestApp) -> loaf::Loaf {
    app.create(loaf::NewLoaf { name: "Rye".to_owned(), price: Decimal::from(4), ..loaf::fake() })
}

#[test]
fn an_action_gets_its_typed_input_and_answers_its_output() {
    let app = TestApp::new(bakery());
    let (baker, loaf) = (app.as_role(Role::Baker), loaf(&app));
    let path = format!("/api/loafs/{}/actions/discount", loaf.id);
    let answer = baker.post(&path, json!({ "percent": "25", "reason": "stale", "notify": true }));
    assert_eq!(answer.assert_status(200).json(), json!({ "price": "3.00", "notify": true }));
    let stored = app.tx_as_system(|tx| loaf::Loaf::find(tx, loaf.id)).expect("the loaf");
    assert_eq!((stored.price, stored.reason), (Decimal::from(3), Some(Reason::Stale)));
    // Without output the answer is the row.
    let bake = baker.post(&format!("/api/loafs/{}/actions/bake", loaf.id), json!({}));
    assert_eq!(bake.assert_status(200).member("name"), "Rye");
}

#[test]
fn a_wrong_input_is_refused_with_its_fields() {
    let app = TestApp::new(bakery());
    let (baker, clerk, loaf) = (app.as_role(Role::Baker), app.as_role(Role::Clerk), loaf(&app));
    let path = format!("/api/loafs/{}/actions/discount", loaf.id);
    let wrong = baker.post(&path, json!({ "percent": "much", "until": "soon", "reasons": "stale" }));
    let problem = wrong.assert_problem(422, "VALIDATION");
    problem.assert_field("percent", "must be a decimal, for example 48.50");
    problem.assert_field("reason", "is required");
    problem.assert_field("until", "must be a date, for example 2026-01-31");
    problem.assert_field("reasons", "does not exist; did you mean `reason`?");
    baker
        .post(&path, json!({ "percent": 95, "reason": "burnt" }))
        .assert_problem(422, "VALIDATION")
        .assert_field("percent", "must be at most 90");
    clerk.post(&path, json!({ "percent": "25", "reason": "stale" })).assert_status(403);
}

#[test]
fn the_input_is_in_the_openapi_document() {
    let app = TestApp::new(bakery());
    let document = app.as_role(Role::Clerk).get("/api/openapi.json").assert_status(200).json();
    let act = &document["paths"]["/api/loafs/{id}/actions/discount"]["post"];
    let input = &act["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(input["required"], json!(["percent", "reason"]));
    assert_eq!(input["additionalProperties"], json!(false));
    assert!(input["properties"]["reason"].to_string().contains("burnt"), "{input}");
    // An action without input is not described.
    assert_eq!(document["paths"]["/api/loafs/{id}/actions/bake"], json!(null));
}

#[test]
fn a_page_shows_the_input_as_a_form() {
    let app = TestApp::new(bakery());
    let (baker, clerk, loaf) = (app.as_role(Role::Baker), app.as_role(Role::Clerk), loaf(&app));
    let (view, act) = (format!("/app/loaf_view/{}", loaf.id), format!("/app/loaf_view/{}/act", loaf.id));
    baker.get_page(&view).assert_contains("value=\"discount\">Discount</button>");
    clerk.get_page(&view).assert_lacks("value=\"discount\"");
    let form = baker.submit(&act, &[("action", "discount")]);
    form.assert_status(200).assert_contains("<h1>Discount</h1>").assert_contains("name=\"input-percent\"");
    form.assert_contains("name=\"input-reason\"").assert_contains(">Stale<").assert_contains("name=\"input-until\" type=\"date\"");
    clerk.submit(&act, &[("action", "discount")]).assert_status(403);
    let sent = |percent: &'static str| [("action", "discount"), ("input", "1"), ("input-percent", percent), ("input-reason", "burnt")];
    let wrong = baker.submit(&act, &sent("x"));
    wrong.assert_status(422).assert_contains("aria-invalid=\"true\"").assert_contains("value=\"x\"");
    baker.submit(&act, &sent("99")).assert_status(422).assert_contains("Must be at most 90.");
    baker.submit(&act, &sent("50")).assert_redirect(&format!("{view}?done=acted"));
    let stored = app.tx_as_system(|tx| loaf::Loaf::find(tx, loaf.id)).expect("the loaf");
    assert_eq!((stored.price, stored.reason), (Decimal::from(2), Some(Reason::Burnt)));
}
