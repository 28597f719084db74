//! The requests to the clinic: rows of tenants, memberships, switching between tenants, bulk changes, CSV.

use serde_json::{Value, json};

use crate::{
    pair::{Account, Pair, Requests, Rows},
    server::Server,
};

const DORA: Account = ("dora@riverside.example", "plans every day");

/// All requests.
pub const CLINIC: Requests = Requests {
    callers: &[
        None,
        Some(("hugo@hilltop.example", "up on the hill")),
        Some(("vasco@riverside.example", "holds still, please")),
        Some(("vera@riverside.example", "listens to lungs")),
        Some(DORA),
        Some(("gloria@riverside.example", "keeps the houses")),
    ],
    manager: DORA,
    tables: &["owners", "animals", "visits", "treatments", "medicines", "members"],
    keys: &[],
    prepare: |_: &Server| {},
    send: |pair, rows| {
        tenants(pair);
        reads(pair, rows);
        let of = |table: &str| rows.iter().find(|(name, _)| *name == table).map(|(_, keys)| keys.clone()).unwrap_or_default();
        owners(pair, &of("owners"));
        visits(pair, &of("animals"), &of("visits"));
        members(pair, &of("members"));
        bulk(pair, &of("owners"), &of("animals"));
        files(pair, &of("owners"), &of("medicines"));
        invitations(pair);
    },
    least: 400,
};

/// Every caller tries to enter every tenant that it can name.
fn tenants(pair: &mut Pair<'_>) {
    for body in
        [json!({}), json!({ "tenant": null }), json!({ "tenant": "x" }), json!({ "tenant": "0190b5f0-0000-7000-8000-000000000000" })]
    {
        pair.send("POST", "/auth/tenant", None, Some(&body));
    }
    let own = pair.send("GET", "/auth/me", None, None);
    for tenant in own[0].body["tenants"].as_array().cloned().unwrap_or_default() {
        pair.send("POST", "/auth/tenant", None, Some(&json!({ "tenant": tenant["id"] })));
        for table in ["visits", "owners", "medicines", "members"] {
            pair.get(&format!("/api/{table}?sort=id"));
        }
    }
}

fn reads(pair: &mut Pair<'_>, rows: &Rows) {
    for (table, keys) in rows {
        for key in keys {
            pair.get(&format!("/api/{table}/{key}"));
        }
        for query in ["", "?sort=-id", "?page_size=2&page=2", "?sort=nme", "?format=xml", "?format=csv&page=1"] {
            pair.get(&format!("/api/{table}{query}"));
        }
    }
    for query in [
        "fee__gt=100",
        "sort=-fee,id",
        "animal.owner.name__icontains=almeida",
        "vet.name=Vera%20Sousa",
        "status=arrived",
        "search=limp",
        "practice.name=Riverside",
        "practice__isnull=false",
        "sort=practice,id",
    ] {
        pair.get(&format!("/api/visits?{query}"));
    }
    for path in [
        "/api/medicines?format=csv&name=Amoxicillin",
        "/api/animals?name=Bica&expand=owner",
        "/api/visits?status=arrived&expand=animal,medicines,nothing",
        "/api/practices",
        "/api/persons",
        "/api/people",
        "/api/members?personas__isnull=false",
    ] {
        pair.get(path);
    }
}

fn owners(pair: &mut Pair<'_>, owners: &[String]) {
    let missing = "0190b5f0-0000-7000-8000-000000000000";
    pair.create(
        "owners",
        &[
            json!({}),
            json!({ "name": "Ana Reis" }),
            json!({ "name": "Ana Reis", "practice": missing }),
            json!({ "name": "Ana Reis", "practice": null }),
            json!({ "name": "=1+1", "mail": "ana@reis.example" }),
        ],
    );
    for id in ["NEW0", owners.first().map_or(missing, String::as_str), missing] {
        let path = format!("/api/owners/{id}");
        for body in [json!({ "phone": "+351 1" }), json!({ "practice": missing }), json!({ "name": null })] {
            pair.send("PATCH", &path, None, Some(&body));
        }
        pair.send("PUT", &path, None, Some(&json!({ "name": "Whole" })));
    }
    pair.create(
        "medicines",
        &[json!({ "name": "Amoxicillin" }), json!({ "name": "Meloxicam", "unit": "ml" }), json!({ "name": "New one" })],
    );
}

fn visits(pair: &mut Pair<'_>, animals: &[String], visits: &[String]) {
    let missing = "0190b5f0-0000-7000-8000-000000000000".to_owned();
    let animal = animals.first().unwrap_or(&missing);
    let planned = "2026-05-01T09:00:00Z";
    pair.create(
        "visits",
        &[
            json!({ "animal": animal, "planned_for": planned }),
            json!({ "animal": missing, "planned_for": planned, "reason": "Cough" }),
            json!({ "animal": animal, "planned_for": planned, "reason": "Cough", "status": "paid" }),
            json!({ "animal": animal, "planned_for": planned, "reason": "Cough" }),
        ],
    );
    for id in ["NEW0", visits.first().map_or("x", String::as_str), visits.last().map_or("x", String::as_str)] {
        let path = format!("/api/visits/{id}");
        for state in ["confirmed", "arrived", "treated", "paid", "lapsed", "cancelled", "nowhere"] {
            pair.send("POST", &format!("{path}/transitions/{state}"), None, Some(&json!({ "findings": "Better" })));
        }
        pair.send("PATCH", &path, None, Some(&json!({ "reason": "Another reason" })));
        pair.send("DELETE", &path, Some("\"0\""), None);
    }
    pair.create(
        "treatments",
        &[json!({ "visit": visits.first(), "what": "Bandage", "price": "7.50" }), json!({ "visit": "NEW0", "what": "X", "price": "-1" })],
    );
}

fn members(pair: &mut Pair<'_>, members: &[String]) {
    for id in members {
        for body in [
            json!({ "room": "Nine" }),
            json!({ "personas": ["king"] }),
            json!({ "personas": ["desk", "admin"] }),
            json!({ "personas": "vet" }),
        ] {
            pair.send("PATCH", &format!("/api/members/{id}"), None, Some(&body));
        }
    }
    pair.create("members", &[json!({}), json!({ "user": "0190b5f0-0000-7000-8000-000000000000", "personas": ["vet"] })]);
}

fn bulk(pair: &mut Pair<'_>, owners: &[String], animals: &[String]) {
    let missing = "0190b5f0-0000-7000-8000-000000000000";
    for (table, body) in [
        ("owners", json!({})),
        ("owners", json!({ "action": "rename", "ids": [] })),
        ("owners", json!({ "action": "update", "ids": owners })),
        ("owners", json!({ "action": "update", "ids": owners, "set": { "phone": "+351 9" } })),
        ("owners", json!({ "action": "update", "ids": [missing, 7, owners.first()], "set": { "name": null } })),
        ("owners", json!({ "action": "update", "query": "name__icontains=a", "set": { "phone": "+351 8" } })),
        ("owners", json!({ "action": "update", "query": "page=2", "set": {} })),
        ("owners", json!({ "action": "transition", "ids": owners, "to": "x" })),
        ("owners", json!({ "action": "delete", "ids": owners, "set": {} })),
        ("animals", json!({ "action": "delete", "ids": animals })),
        ("visits", json!({ "action": "transition", "query": "status=asked", "to": "confirmed" })),
        ("visits", json!({ "action": "transition", "query": "", "to": "cancelled", "set": { "findings": "None" } })),
        ("visits", json!({ "action": "transition", "query": "", "to": "elsewhere" })),
    ] {
        pair.send("POST", &format!("/api/{table}/bulk"), None, Some(&body));
    }
}

/// Files of rows, which belong to the tenant of the caller.
fn files(pair: &mut Pair<'_>, owners: &[String], medicines: &[String]) {
    let missing = "0190b5f0-0000-7000-8000-000000000000".to_owned();
    let (owner, medicine) = (owners.first().unwrap_or(&missing), medicines.first().unwrap_or(&missing));
    let files = [
        format!("id,name,phone\n{owner},From a file,+351 7\n"),
        format!("id,name,practice\n{owner},Other practice,{missing}\n"),
        format!("id,name\n{missing},Of nobody\n"),
        "name,mail\nNew owner,no address\n".to_owned(),
    ];
    pair.import("owners", &files.each_ref().map(String::as_str));
    pair.import("medicines", &[&format!("id,name\n{medicine},Meloxicam\n"), "name,unit\nSaline,ml\nSaline,l\n"]);
    pair.import("members", &["personas\n\"[\"\"vet\"\"]\"\n", "room,personas\nOne,[\n"]);
}

/// Invitations, their withdrawal, and what their links do.
fn invitations(pair: &mut Pair<'_>) {
    let missing = "0190b5f0-0000-7000-8000-000000000000";
    for body in [
        json!({}),
        json!({ "email": "no address", "personas": ["king", "vet"] }),
        json!({ "email": "", "personas": "vet" }),
        json!({ "email": "new@riverside.example", "personas": [], "membership": { "desk": 1 } }),
        json!({ "email": "new@riverside.example", "membership": [] }),
        json!({ "email": "new@riverside.example", "tenant": missing }),
        json!({ "email": "new@riverside.example", "tenant": "x" }),
        json!({ "email": "New@Riverside.example", "personas": ["tenant_admin"] }),
        json!({ "email": "again@riverside.example" }),
        json!({ "email": "again@riverside.example" }),
    ] {
        pair.send("POST", "/auth/invitations", None, Some(&body));
    }
    let waiting = pair.learn("/auth/invitations", "id");
    for path in ["/auth/invitations", "/auth/invitations?tenant=x", "/auth/invitations?page=1"] {
        pair.get(path);
    }
    for body in [json!({}), json!({ "id": "x" }), json!({ "id": missing })] {
        pair.send("POST", "/auth/invitations/end", None, Some(&body));
    }
    if waiting > 0 {
        for _ in 0..2 {
            pair.send("POST", "/auth/invitations/end", None, Some(&json!({ "id": "NEW0" })));
        }
    }
    let me = pair.send("GET", "/auth/me", None, None);
    let own = me[0].body["email"].as_str().unwrap_or("nobody@riverside.example").to_owned();
    let guest = format!("guest-of-{own}");
    pair.invite(&json!({ "email": guest, "personas": [] }), "link of a guest");
    pair.invite(&json!({ "email": own }), "own link");
    pair.learn("/auth/invitations", "id");
    for body in [
        json!({}),
        json!({ "token": "x" }),
        json!({ "token": "link of a guest" }),
        json!({ "token": "link of a guest", "password": "short", "account": { "nothing": 1 } }),
        json!({ "token": "link of a guest", "password": "a phrase of several words", "name": "Guest" }),
        json!({ "token": "link of a guest", "password": "a phrase of several words", "name": "Guest" }),
        json!({ "token": "own link" }),
        json!({ "token": "own link" }),
    ] {
        pair.send("POST", "/auth/invite", None, Some(&body));
    }
    for (path, field) in [("/api/members?sort=-id", "id"), ("/api/members?sort=-id", "user"), ("/api/people?sort=-id", "id")] {
        pair.learn(path, field);
    }
    pair.get("/api/members?sort=-id");
    pair.get("/api/people?sort=-id");
    let login = json!({ "email": guest, "password": "not the password at all" });
    pair.send("POST", "/auth/login", None, Some(&login));
    let _ = pair.send("POST", "/auth/invite", None, Some(&Value::Null));
}
