//! Totals of lists with more rows than are counted, with a low limit.

use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{client::Client, graphql::data, server};

dz::dz! {
    app orchard "Orchard"

    persona grower "Grower"

    entity User "Person":
      id: uuid pk
      permit:
        list: role(grower)
        read: role(grower)

    entity Plot "Plot":
      id: uuid pk
      name: str(40) required unique
      trees: has_many Tree via plot
      permit:
        list: role(grower)
        read: role(grower)
        create: role(grower)

    entity Tree "Tree":
      id: uuid pk
      label: str(40) required
      kind: enum[apple, pear] required
      height: int
      plot: ref Plot
      permit:
        list: role(grower)
        read: role(grower)
        create: role(grower)
        delete: role(grower)

    surface tree_list "Trees":
      uses entity Tree
      mode: list
      ux:
        sort: label
        filter: kind

    surface plot_view "Plot":
      uses entity Plot
      mode: view
      section main:
        field name
      section trees "Trees":
        uses entity Tree
        filter: plot = this
        field label

    demo:
      User:
        - email: "grower@orchard.example", password: "grafts in spring", roles: [grower]
}

const GROWER: (&str, &str) = ("grower@orchard.example", "grafts in spring");
/// The limit of the served applications.
const LIMIT: usize = 25;
const TREES: usize = 60;

fn base_url(engine: Engine) -> &'static str {
    static AT: [std::sync::OnceLock<String>; 2] = [const { std::sync::OnceLock::new() }; 2];
    AT[usize::from(engine == Engine::Postgres)].get_or_init(|| {
        let settings = json!({ "list": { "count_limit": LIMIT } });
        let base = server::serve_with(app(), engine, server::new_url(engine, "orchard"), settings);
        let client = Client::signed_in(&base, GROWER);
        let plot = client.send("POST", "/api/plots", &json!({ "name": "South" })).ok(201).json();
        for n in 0..TREES {
            let kind = if n % 3 == 0 { "pear" } else { "apple" };
            let tree = json!({ "label": format!("Tree {n:03}"), "kind": kind, "height": 2, "plot": plot["id"] });
            client.send("POST", "/api/trees", &tree).ok(201);
        }
        base
    })
}

/// The number of items, the total, and whether it is capped, of a page of the API.
fn page(client: &Client, query: &str) -> (usize, Value, Value) {
    let mut body = client.get(&format!("/api/trees{query}")).ok(200).json();
    (body["items"].as_array().expect("items").len(), body["total"].take(), body["total_capped"].take())
}

#[test]
fn totals_of_the_api_are_counted_up_to_the_limit_on_sqlite() {
    check_api(Engine::Sqlite);
}

#[test]
fn totals_of_the_api_are_counted_up_to_the_limit_on_postgres() {
    check_api(Engine::Postgres);
}

fn check_api(engine: Engine) {
    let client = Client::signed_in(base_url(engine), GROWER);
    let capped = |items| (items, json!(LIMIT), json!(true));
    let exact = |items, total: usize| (items, json!(total), Value::Null);
    assert_eq!(page(&client, ""), capped(20));
    assert_eq!(page(&client, "?page_size=10&sort=-label"), capped(10));
    // Pages after the limit exist, and have the same total.
    assert_eq!(page(&client, "?page_size=10&page=5"), capped(10));
    assert_eq!(page(&client, "?page_size=10&page=6"), capped(10));
    assert_eq!(page(&client, "?page=3&page_size=25"), capped(10));
    assert_eq!(page(&client, "?page=9"), capped(0));
    assert_eq!(page(&client, "?page_size=100"), capped(TREES));
    // A filter with fewer rows than the limit has an exact total.
    assert_eq!(page(&client, "?kind=pear&page_size=10"), exact(10, 20));
    assert_eq!(page(&client, "?kind=apple&page_size=10"), capped(10));
    let csv = client.get("/api/trees?format=csv").ok(200).body;
    assert_eq!(csv.trim_end().lines().count(), TREES + 1, "an export has all rows");
    let description = client.get("/api/openapi.json").ok(200).json();
    assert_eq!(description["components"]["schemas"]["TreeList"]["properties"]["total_capped"], json!({ "type": "boolean" }));
}

#[test]
fn pages_show_a_capped_total_and_lead_to_all_rows_on_sqlite() {
    check_pages(Engine::Sqlite);
}

#[test]
fn pages_show_a_capped_total_and_lead_to_all_rows_on_postgres() {
    check_pages(Engine::Postgres);
}

fn check_pages(engine: Engine) {
    let client = Client::signed_in(base_url(engine), GROWER);
    let first = client.get("/app/tree_list").ok(200);
    first.shows(&[">25+ trees<", "data-dz-grid-total=\"25\"", "of 25+ selected", "data-dz-every=\"25+\"", "id=\"tree_list-page-2\""]);
    // Every page has a button to the next one, up to the last.
    let second = client.get("/app/tree_list?page=2").ok(200);
    second.shows(&[">25+ trees<", "id=\"tree_list-page-3\"", "Tree 020"]);
    let last = client.get("/app/tree_list?page=3").ok(200);
    last.shows(&[">25+ trees<", "data-dz-grid-total=\"25\"", "Tree 059", "disabled aria-label=\"Next page\""]);
    client.get("/app/tree_list?page=40").ok(200).shows(&["Tree 059", ">25+ trees<", "disabled aria-label=\"Next page\""]);
    client.get("/app/tree_list?kind=pear").ok(200).shows(&[">20 trees<"]);
    let plot = client.get("/api/plots").ok(200).json()["items"][0]["id"].as_str().expect("a plot").to_owned();
    client.get(&format!("/app/plot_view/{plot}")).ok(200).shows(&["<span class=\"dz-muted dz-small\">25+</span>"]);
}

#[test]
fn connections_have_a_capped_total_and_aggregates_an_exact_one_on_sqlite() {
    check_graphql(Engine::Sqlite);
}

#[test]
fn connections_have_a_capped_total_and_aggregates_an_exact_one_on_postgres() {
    check_graphql(Engine::Postgres);
}

fn check_graphql(engine: Engine) {
    let client = Client::signed_in(base_url(engine), GROWER);
    let query = "{ all: treesConnection(first: 3) { totalCount totalCapped nodes { label } } \
                 pears: treesConnection(first: 3, filter: { kind: { in: [pear] } }) { totalCapped totalCount } \
                 treesAggregate { count } }";
    let found = data(&client, query, &json!({}));
    assert_eq!((&found["all"]["totalCount"], &found["all"]["totalCapped"]), (&json!(LIMIT), &json!(true)));
    assert_eq!(found["pears"], json!({ "totalCapped": false, "totalCount": 20 }));
    assert_eq!(found["treesAggregate"]["count"], TREES);
}
