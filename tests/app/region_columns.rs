//! Columns of regions and of related lists, the order of groups, and the lines of figures.

use crate::client::{Answer, Client};

dz::dz! {
    app ferries "Ferries"

    persona purser "Purser"

    entity User "Person":
      id: uuid pk
      permit:
        list: true
        read: true

    entity Pier "Pier":
      id: uuid pk
      name: str(40) required
      crossings: has_many Crossing
      permit:
        list: true
        read: true

    entity Crossing "Crossing":
      id: uuid pk
      title: str(40) required
      pier: ref Pier required
      state: enum[waiting, sailing] = waiting
      leaves: date
      cars: int = 0
      bikes: int = 0
      trucks: int = 0
      guests: int = 0
      crew: int = 0
      permit:
        list: true
        read: true

    entity Boat "Boat":
      id: uuid pk
      name: str(40) required
      built: int = 0
      length: int = 0
      width: int = 0
      draught: int = 0
      engines: int = 0
      decks: int = 0
      permit:
        list: true
        read: true

    surface crossing_list "Crossings":
      uses entity Crossing
      mode: list
      section main:
        field title
        field pier
        field state
        field leaves
        field cars
        field bikes
        field trucks
        field guests

    surface boat_list "Boats":
      uses entity Boat
      mode: list

    surface pier_view "Pier":
      uses entity Pier
      mode: view
      related everything "Everything":
        show: crossings
        display: table

    workspace quay "Quay":
      named "Named columns":
        source: Crossing
        display: table
        sort: title asc
      unnamed "All fields":
        source: Boat
        display: table
      places "Piers and states":
        source: Crossing
        display: pivot
        group_by: [pier, state]
      months "By month":
        source: Crossing
        display: metrics
        group_by: bucket(leaves, month)
        aggregate:
          cars_total: sum(Crossing.cars)
          bikes_total: sum(Crossing.bikes)

    demo:
      User:
        - email: "pia@ferries.example", password: "counts every car", roles: [purser]
      Pier:
        - @zebra name: "Zebra pier"
        - @apple name: "Apple pier"
        - @mill name: "mill pier"
      Crossing:
        - title: "Zebra 1", pier: @zebra, leaves: "2026-01-10", cars: 10, bikes: 40
        - title: "Zebra 2", pier: @zebra, leaves: "2026-02-10", cars: 20, bikes: 20
        - title: "Mill 1", pier: @mill, leaves: "2026-02-11"
        - title: "Apple 1", pier: @apple, leaves: "2026-02-12"
}

crate::served_on_both! {
    "region_columns", app();
    a_table_has_the_columns_that_the_list_names;
    a_related_list_has_few_columns;
    groups_have_the_order_of_their_labels;
    each_figure_has_a_line_of_its_own;
}

const PIA: (&str, &str) = ("pia@ferries.example", "counts every car");

/// The headings of the columns of a page.
fn headings(page: &Answer) -> Vec<String> {
    let heads = page.body.split("<th scope=\"col\"").skip(1).filter_map(|it| it.split_once('>')?.1.split('<').next());
    heads.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
}

fn a_table_has_the_columns_that_the_list_names(base: &str) {
    let pia = Client::signed_in(base, PIA);
    let named = headings(&pia.get("/app/quay-named").ok(200));
    assert_eq!(named, ["Title", "Pier", "State", "Leaves", "Cars", "Bikes", "Trucks", "Guests"]);
    // The placeholder of a workspace has the same columns.
    let page = pia.get("/app/quay").ok(200);
    page.shows(&["Trucks", "Guests"]);
    let unnamed = headings(&pia.get("/app/quay-unnamed").ok(200));
    assert_eq!(unnamed, ["Name", "Built", "Length", "Width", "Draught", "Engines"]);
}

fn a_related_list_has_few_columns(base: &str) {
    let pia = Client::signed_in(base, PIA);
    let pier = pia.get("/api/piers?name=Zebra%20pier").ok(200).json()["items"][0]["id"].as_str().expect("an id").to_owned();
    let heads = headings(&pia.get(&format!("/app/pier_view/{pier}")).ok(200));
    assert_eq!(heads, ["Title", "State", "Leaves", "Cars", "Bikes", "Trucks"]);
}

fn groups_have_the_order_of_their_labels(base: &str) {
    let page = Client::signed_in(base, PIA).get("/app/quay-places").ok(200);
    let rows: Vec<&str> = page.body.split("<th scope=\"row\">").skip(1).filter_map(|it| it.split('<').next()).collect();
    assert_eq!(rows, ["Apple pier", "mill pier", "Zebra pier", "Total"]);
}

fn each_figure_has_a_line_of_its_own(base: &str) {
    let page = Client::signed_in(base, PIA).get("/app/quay-months").ok(200);
    page.shows(&["+100 % against Jan 2026", "−50 % against Jan 2026"]);
}
