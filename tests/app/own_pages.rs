//! Pages of the application inside the frame of dz: navigation, components, forms and static files.

use dz::{
    Cx, Result,
    access::List,
    askama::Template,
    page::{Badge, Banner, Cell, Field, Table, Tone},
    testing::TestApp,
};
use rocket::{form::Form, fs::FileServer, response::content::RawHtml};

dz::dz! {
    app dock "Dock"

    persona keeper "Keeper"
    persona clerk "Clerk"

    entity User "Person":
      id: uuid pk
      name: str(60) required

    entity Barrel "Barrel":
      id: uuid pk
      label: str(60) required
      weight: int required
      permit:
        list: role(keeper)
        read: role(keeper)
        create: role(keeper)

    surface barrel_list "Barrels":
      uses entity Barrel
      mode: list
}

#[derive(Template)]
#[template(path = "harbour_board.html", askama = dz::askama)]
struct Board {
    day: dz::NaiveDate,
    saved: Option<String>,
    table: Table,
    field: Field,
}

#[derive(rocket::FromForm)]
struct Sent {
    label: String,
}

async fn render(cx: &Cx, saved: Option<String>, label: &str, wrong: Option<&str>) -> Result<RawHtml<String>> {
    let day = cx.caller().today;
    let barrels: Vec<barrel::Barrel> = cx.read(|tx| tx.load(barrel::scoped(tx, List)?.order(schema::barrels::label))).await?;
    let heavy = |it: &barrel::Barrel| if it.weight > 100 { Some(Badge::new("Heavy", Tone::Red)) } else { None };
    let row = |table: Table, it: &barrel::Barrel| {
        table.row([Cell::link(it.label.clone(), format!("/app/barrel_list#{}", it.id)), it.weight.into(), heavy(it).into()])
    };
    let table = Table::new("Barrels", ["Label", "Weight", "State"]).empty("The dock is empty");
    let field = Field::text("label", "Label").value(label).max_length(60).error(wrong);
    cx.page("Board", Board { day, saved, table: barrels.iter().fold(table, row), field }).await
}

#[rocket::get("/board")]
async fn board(cx: Cx, _keeper: dz::Role<roles::Keeper>) -> Result<RawHtml<String>> {
    render(&cx, None, "", None).await
}

#[rocket::post("/board", data = "<sent>")]
async fn save(cx: Cx, _keeper: dz::Role<roles::Keeper>, sent: Form<Sent>) -> Result<RawHtml<String>> {
    let label = sent.into_inner().label;
    let new = barrel::NewBarrel::new(label.clone(), 120_i64);
    match cx.run(move |tx| new.clone().create(tx)).await {
        Ok(stored) => render(&cx, Some(format!("{} is stored", stored.label)), "", None).await,
        Err(error) => {
            let wrong = error.field_errors.get("label").map(|texts| texts.join(", "));
            render(&cx, None, &label, wrong.as_deref()).await
        }
    }
}

fn dock() -> dz::App {
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
    app().page("Board", "/board", [Role::Keeper]).mount("/", rocket::routes![board, save]).mount("/static", FileServer::from(files))
}

#[test]
fn a_page_of_the_application_has_the_frame_and_its_link() {
    let app = TestApp::new(dock());
    let keeper = app.as_role(Role::Keeper);
    let page = keeper.get_page("/board");
    page.assert_status(200).assert_contains("<h1>Board of ").assert_contains("The dock is empty");
    page.assert_contains("<title>Board · Dock</title>").assert_contains("<div class=\"dz-nav\"").assert_contains("Sign out");
    page.assert_contains("<a href=\"/board\" aria-current=\"page\">");
    page.assert_contains("id=\"nav-pages\"").assert_lacks("nav-workspaces");
    // Other pages have the link, which is not the current one.
    keeper.get_page("/app/barrel_list").assert_contains("<a href=\"/board\">");
    keeper.get_page("/app/-/search?q=boa").assert_contains("/board");
}

#[test]
fn only_the_roles_of_a_page_see_its_link() {
    let app = TestApp::new(dock());
    let clerk = app.as_role(Role::Clerk);
    clerk.get_page("/app/-/account").assert_status(200).assert_lacks("/board");
    clerk.get_page("/board").assert_status(403);
    app.anonymous().get_page("/login").assert_lacks("/board");
    app.anonymous().get("/board").assert_status(401);
}

#[test]
fn a_form_of_a_page_writes_under_the_rules_and_escapes_texts() {
    let app = TestApp::new(dock());
    let keeper = app.as_role(Role::Keeper);
    let page = keeper.submit("/board", &[("label", "Tea <old>")]);
    page.assert_status(200).assert_contains("Tea &#60;old&#62; is stored").assert_contains("data-tone=\"red\">Heavy</span>");
    page.assert_contains(">Tea &#60;old&#62;</a>").assert_contains("data-num").assert_lacks("<old>");
    let long = "x".repeat(61);
    keeper.submit("/board", &[("label", &long)]).assert_status(200).assert_contains("aria-invalid=\"true\"").assert_contains(&long);
    keeper.request("POST", "/board").form(&[("label", "Rum")]).from_another_site().send().assert_status(403);
}

#[test]
fn files_of_a_folder_are_served_with_the_security_headers() {
    let app = TestApp::new(dock());
    let file = app.anonymous().get("/static/shelf_view.html");
    file.assert_status(200);
    assert!(file.header("x-content-type-options").is_some());
    app.anonymous().get("/static/../Cargo.toml").assert_status(404);
}

#[test]
fn a_page_without_a_slash_is_refused_at_the_start() {
    let error = app().page("Board", "board", [Role::Keeper]).rocket().map(drop).expect_err("it is refused");
    assert!(error.detail.contains("must begin with `/`"), "{error}");
}
