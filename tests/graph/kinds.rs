//! Directed and heterogeneous graphs, keys of other types, and tenants.

use dz::serde_json::{Value, json};

use crate::client::Client;

dz::dz! {
    app shelf "Shelf"

    persona clerk "Clerk"

    entity User "Account":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Author "Author":
      id: int pk
      title: str(60) required
      graph_node:
        edges: Authorship
      permit:
        list: true
        read: true
        create: role(clerk)

    entity Book "Book":
      code: str(12) pk
      name: str(60)
      entity: str(20)
      graph_node:
        edges: Authorship
        display: code
      permit:
        list: true
        read: true
        create: role(clerk)

    # dz: allow(heterogeneous-graph) because authors and books are different things
    entity Authorship "Authorship":
      id: int pk
      author: ref Author
      book: ref Book required
      share: decimal(6,2)
      label: str(20)
      graph_edge:
        source: author
        target: book
        type: label
        weight: share
        directed: false
      permit:
        list: true
        read: true
        create: role(clerk)

    entity Stop "Stop":
      code: str(12) pk
      rank: int
      graph_node:
        edges: Leg
      permit:
        list: true
        read: true
        create: role(clerk)

    entity Leg "Leg":
      id: uuid pk
      from: ref Stop required
      to: ref Stop required
      graph_edge:
        source: from
        target: to
      permit:
        list: true
        read: true
        create: role(clerk)

    # dz: allow(heterogeneous-graph) because an order leads from a stop to a book
    entity Delivery "Delivery":
      id: uuid pk
      stop: ref Stop required
      book: ref Book required
      graph_edge:
        source: stop
        target: book
      permit:
        list: true
        read: true
        create: role(clerk)

    entity Parcel "Parcel":
      id: uuid pk
      name: str(10)
      graph_node:
        edges: Handover
      permit:
        list: true
        read: true
        create: role(clerk)

    # dz: allow(heterogeneous-graph) because a parcel is handed over at a stop
    entity Handover "Handover":
      id: uuid pk
      parcel: ref Parcel required
      stop: ref Stop required
      graph_edge:
        source: parcel
        target: stop
      permit:
        list: true
        read: true
        create: role(clerk)

    demo:
      User:
        - name: "Cleo", email: "cleo@shelf.example", password: "sorts the shelf", roles: [clerk]
}

const CLERK: (&str, &str) = ("cleo@shelf.example", "sorts the shelf");

crate::served_on_both! {
    "shelf", app();
    nodes_of_two_entities_have_different_ids;
    directed_edges_are_followed_forward;
    directed_edges_between_two_entities;
}

#[track_caller]
fn create_row(client: &Client, path: &str, row: Value) -> Value {
    client.send("POST", path, &row).ok(201).json()
}

fn nodes(answer: &Value) -> Vec<&str> {
    let elements = answer["elements"].as_array().expect("elements");
    elements.iter().filter(|it| it["group"] == "nodes").map(|it| it["data"]["id"].as_str().expect("an id")).collect()
}

fn nodes_of_two_entities_have_different_ids(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let ada = create_row(&clerk, "/api/authors", json!({ "title": "Ada" }))["id"].clone();
    let ben = create_row(&clerk, "/api/authors", json!({ "title": "Ben" }))["id"].clone();
    for code in ["b1", "b2", "b3"] {
        create_row(&clerk, "/api/books", json!({ "code": code, "name": "A book", "entity": "own" }));
    }
    for (author, book, share) in [(&ada, "b1", "1.50"), (&ben, "b1", "2.00"), (&ben, "b2", "0.25"), (&Value::Null, "b3", "1.00")] {
        create_row(&clerk, "/api/authorships", json!({ "author": author, "book": book, "share": share, "label": "text" }));
    }
    let [first, second] = [&ada, &ben].map(|id| format!("Author:{id}"));
    let get = |path: &str| clerk.get(path).ok(200).json();
    let answer = get(&format!("/api/authors/{ada}/graph?depth=3"));
    assert_eq!(nodes(&answer), [first.as_str(), "Book:b1", second.as_str(), "Book:b2"], "{answer}");
    let data = &answer["elements"][1]["data"];
    assert_eq!((&data["entity"], &data["label"], &data["code"]), (&json!("Book"), &json!("b1"), &json!("b1")), "{data}");
    assert_eq!(answer["elements"][0]["data"]["entity"], "Author");
    assert_eq!(answer["elements"][0]["data"]["label"], "Ada", "its title, without `display`");
    let edge = &answer["elements"][4]["data"];
    assert_eq!((&edge["source"], &edge["target"], &edge["weight"]), (&json!(first), &json!("Book:b1"), &json!(1.5)), "{edge}");
    assert_eq!((&edge["share"], &edge["type"]), (&json!("1.50"), &json!("text")), "the field keeps its format");
    let around_book = get("/api/books/b2/graph?depth=2");
    assert_eq!(nodes(&around_book), ["Book:b2", second.as_str(), "Book:b1"]);
    let raw = get("/api/books/b2/graph?format=raw");
    assert_eq!((&raw["nodes"][0]["code"], &raw["nodes"][1]["entity"]), (&json!("b2"), &json!("Author")), "{raw}");
    let all = get("/api/authorships?format=cytoscape");
    assert_eq!(all["stats"], json!({ "nodes": 4, "edges": 3 }), "an edge without an end is not an edge");
}

fn directed_edges_are_followed_forward(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    for code in ["a", "b", "c", "d"] {
        create_row(&clerk, "/api/stops", json!({ "code": code }));
    }
    for (from, to) in [("a", "b"), ("b", "c"), ("d", "a"), ("c", "a"), ("c", "b")] {
        create_row(&clerk, "/api/legs", json!({ "from": from, "to": to }));
    }
    let around = |code: &str, depth: u8| clerk.get(&format!("/api/stops/{code}/graph?depth={depth}")).ok(200).json();
    assert_eq!(nodes(&around("a", 1)), ["Stop:a", "Stop:b"]);
    assert_eq!(nodes(&around("a", 3)), ["Stop:a", "Stop:b", "Stop:c"], "`d` leads to `a`, not from it");
    assert_eq!(around("a", 2)["stats"], json!({ "nodes": 3, "edges": 4 }), "all edges between the nodes");
    assert_eq!(around("a", 1)["elements"][0]["data"], json!({ "id": "Stop:a", "label": "Stop:a", "code": "a", "rank": null }));
    clerk.get("/api/stops/missing/graph").problem(404, "NOT_FOUND");
}

fn directed_edges_between_two_entities(base: &str) {
    let clerk = Client::signed_in(base, CLERK);
    let parcel = create_row(&clerk, "/api/parcels", json!({ "name": "box" }))["id"].as_str().expect("an id").to_owned();
    create_row(&clerk, "/api/stops", json!({ "code": "depot" }));
    create_row(&clerk, "/api/handovers", json!({ "parcel": parcel, "stop": "depot" }));
    let answer = clerk.get(&format!("/api/parcels/{parcel}/graph?depth=3")).ok(200).json();
    assert_eq!(nodes(&answer), [parcel.as_str(), "Stop:depot"]);
}
