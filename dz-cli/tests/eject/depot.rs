//! The requests to the depot: keys that are numbers and texts, amounts of money, long decimals, and writes that are repeated.

use serde_json::{Value, json};

use crate::pair::{Account, Pair, Requests, Rows};

const CLERK: Account = ("kim@depot.example", "stamps and brown paper");

/// All requests.
pub const DEPOT: Requests = Requests {
    callers: &[None, Some(("dan@depot.example", "vans at six o clock")), Some(CLERK)],
    manager: CLERK,
    tables: &["users", "depots", "parcels", "scans", "vans", "tours", "hubs", "roads", "claims", "events"],
    keys: &[("users", "ident"), ("depots", "code"), ("parcels", "no"), ("vans", "plate"), ("events", "code")],
    prepare: crate::uploads::prepare,
    send: |pair, rows| {
        reads(pair, rows);
        depots(pair);
        parcels(pair);
        amounts(pair);
        files(pair);
        repetitions(pair);
        links(pair);
        graphs(pair, rows);
        totals(pair);
        crate::uploads::send(pair, rows);
        deletions(pair);
    },
    least: 500,
};

fn reads(pair: &mut Pair<'_>, rows: &Rows) {
    for (table, keys) in rows {
        for key in keys {
            pair.get(&format!("/api/{table}/{key}"));
        }
        // The table of accounts contains the times of their sign-ins.
        for query in
            ["", "?page_size=2&page=2", "?format=csv", "?sort=nme"].into_iter().filter(|it| *table != "users" || *it != "?format=csv")
        {
            pair.get(&format!("/api/{table}{query}"));
        }
    }
    for query in [
        "depot=N1",
        "depot__in=N1,W",
        "depot.name=South",
        "depot.parent=N1",
        "sort=depot",
        "sort=-depot.name",
        "sort=-no",
        "no__gt=1",
        "no=x",
        "expand=depot,carrier,scans",
        "weight__gt=5",
        "weight=123456789012345678.000001",
        "weight=1234567890123456789",
        "insured__gte=1",
        "fee=3.5",
        "fee_currency=JPY",
        "fee_currency__ne=JPY",
        "sort=fee",
        "sort=-fee",
        "sort=-insured",
    ] {
        pair.get(&format!("/api/parcels?{query}"));
    }
    for query in ["parcel=1", "parcel__gt=1", "expand=parcel,place", "parcel.depot.name=North", "sort=parcel", "parcel.weight__gt=3"] {
        pair.get(&format!("/api/scans?{query}"));
    }
    for query in ["expand=parcels,vans,parent", "parent=N1", "load__gt=0", "search=n", "sort=-code", "code=N1"] {
        pair.get(&format!("/api/depots?{query}"));
    }
    for path in ["/api/parcels/x", "/api/parcels/99", "/api/depots/nope", "/api/depots/S%201%2Fx", "/api/vans/zh-1"] {
        pair.get(path);
    }
}

/// An invariant over a total counts the row that is written.
fn totals(pair: &mut Pair<'_>) {
    pair.create("depots", &[json!({ "code": "FULL", "name": "Full" })]);
    let parcel = json!({ "depot": "FULL", "weight": 1 });
    pair.create("parcels", &vec![parcel; 62]);
    pair.send("PATCH", "/api/parcels/1", None, Some(&json!({ "depot": "FULL" })));
    pair.get("/api/depots/FULL");
}

fn depots(pair: &mut Pair<'_>) {
    pair.create(
        "depots",
        &[
            json!({ "code": "W", "name": "West" }),
            json!({ "name": "Without a key" }),
            json!({ "code": "N1", "name": "A second one" }),
            json!({ "code": "too long a key", "name": "x" }),
            json!({ "code": "a/b c", "name": "Slash", "parent": "W" }),
        ],
    );
    let slash = "/api/depots/a%2Fb%20c";
    for body in
        [json!({ "code": "other" }), json!({ "code": "a/b c", "name": "Same" }), json!({ "parent": "nope" }), json!({ "parent": null })]
    {
        pair.send("PATCH", slash, None, Some(&body));
    }
    pair.send("PUT", slash, None, Some(&json!({ "code": "a/b c", "name": "Put" })));
    pair.create("vans", &[json!({ "plate": "be-2" }), json!({ "plate": "BAD" }), json!({ "plate": "be-2" })]);
    pair.create("tours", &[json!({ "depot": "W", "van": "be-2" }), json!({ "depot": "W", "van": "zz" })]);
}

fn parcels(pair: &mut Pair<'_>) {
    for depot in ["N1", "S 1/x", "ZZ"] {
        pair.create("parcels", &[json!({ "depot": depot, "weight": "2" }), json!({ "depot": depot, "weight": 3, "no": 77 })]);
    }
    for weight in ["999999999999999999.999999", "-999999999999999999.999999", "1000000000000000000", "0.0000001", "-0"] {
        pair.send("PATCH", "/api/parcels/1", None, Some(&json!({ "weight": weight })));
        pair.get("/api/parcels?sort=weight");
    }
    for (path, body) in [
        ("/api/parcels/2", json!({ "no": 5 })),
        ("/api/parcels/2", json!({ "no": 2 })),
        ("/api/parcels/3", json!({ "depot": "W" })),
        ("/api/parcels/3", json!({ "depot": 3 })),
    ] {
        pair.send("PATCH", path, None, Some(&body));
    }
    for state in ["on%20the%20way", "delivered", "lost", "new"] {
        pair.send("POST", &format!("/api/parcels/1/transitions/{state}"), None, None);
        pair.send(
            "POST",
            &format!("/api/parcels/3/transitions/{state}"),
            None,
            Some(&json!({ "insured": { "amount": "1", "currency": "CHF" } })),
        );
    }
    for body in [
        json!({ "action": "update", "ids": [1, "2", "x", 99, null], "set": { "weight": "4" } }),
        json!({ "action": "update", "query": "weight__gt=3", "set": { "weight": "5.5" } }),
        json!({ "action": "update", "ids": [1], "set": { "wieght": "4" } }),
        json!({ "action": "transition", "ids": [3], "to": "on the way" }),
        json!({ "action": "delete", "ids": "x" }),
    ] {
        pair.send("POST", "/api/parcels/bulk", None, Some(&body));
    }
}

fn amounts(pair: &mut Pair<'_>) {
    let money = |amount: Value, currency: &str| json!({ "amount": amount, "currency": currency });
    for (field, value) in [
        ("insured", money(json!("12.5"), "CHF")),
        ("insured", money(json!("12.555"), "CHF")),
        ("insured", money(json!("12"), "EUR")),
        ("insured", money(json!(12), "CHF")),
        ("insured", json!("12.50")),
        ("insured", json!({ "amount": "1" })),
        ("insured", Value::Null),
        ("fee", money(json!("7.1"), "EUR")),
        ("fee", money(json!("7"), "JPY")),
        ("fee", money(json!("7.5"), "JPY")),
        ("fee", money(json!("7.1234"), "CLF")),
        ("fee", money(json!("99999999999999.99"), "EUR")),
        ("fee", money(json!("999999999999999"), "EUR")),
        ("fee", money(json!("1"), "XXZ")),
        ("fee", json!([])),
        ("fee", Value::Null),
        ("fee_currency", json!("EUR")),
    ] {
        pair.send("PATCH", "/api/parcels/2", None, Some(&json!({ field: value })));
        pair.get("/api/parcels?format=csv&sort=no");
    }
}

/// Files of rows: some change rows, some create them, and one error refuses a whole file.
fn files(pair: &mut Pair<'_>) {
    pair.import(
        "parcels",
        &[
            "",
            "no",
            "no,depot,weight\n1,N1,2.5\n2,S 1/x,3\n",
            "No,Depot,WEIGHT\r\n1,W,\" 2.75 \"\r\n\r\n,,\r\n",
            "depot,weight,insured,fee,fee_currency\nN1,4,12.5,7,JPY\nN1,5,,7.5,EUR\n",
            "no,depot,weight\n,N1,6\n1,,6\n",
            "no,depot,weight\nx,N1,heavy\n99,N1,1\n1,nowhere,1\n,N1,0.0000001\n2,N1,-1e3\n",
            "no,insured\n1,3.5\n2,3.555\n3,CHF\n",
            "no,insured\n1,\n",
            "no,fee,fee_currency\n1,7.1,EUR\n2,7.5,JPY\n3,,EUR\n3,4,\n1,1,XXZ\n",
            "no,fee,fee_currency\n1,8.25,EUR\n2,,\n",
            "no,fee\n1,9.5\n2,9.5\n",
            "no,fee_currency\n1,JPY\n2,EUR\n",
            "no,fee_currency\n1,CHF\n",
            "no,state\n1,on the way\n",
            "no,state\n1,delivered\n2,nowhere\n3,lost\n",
            "no,wieght\n1,2\n",
            "no,weight,no\n1,2,1\n",
            "no,weight\n1,2,3\n",
            "no,weight\n1,\"2\n",
            "no,weight\n1,2\"3\n",
            "no,weight\n1,\"2\"x\n",
            "scans\nx\n",
            "carrier\nx\n",
        ],
    );
    pair.import(
        "depots",
        &[
            "code,name\nN1,North again\nX9,New depot\n",
            "code,name,parent,load\nX9,'=1+1,N1,0\n",
            "code,name,load\nX9,'Tis,5\n",
            "name\nNo key\n",
            "code,name\ntoo long a key,x\n,y\n",
            "code,parent\nX9,\nX8,N1\n",
            "code,name\nX7,\"two\nlines, \"\"quoted\"\"\"\n",
        ],
    );
    pair.import(
        "vans",
        &["plate,seats\n zz-1 ,4\nzz-2,\n", "plate,seats\nzz-1,+5\nzz-2,4.5\n", "plate,seats\nzz-1,99999999999999999999\n"],
    );
    pair.import("scans", &["parcel,place,at\n1,W,2026-05-01 09:30\n", "parcel,at\n1,2026-05-01T09:30:00Z\n1,yesterday\n"]);
    pair.send("POST", "/api/parcels/import", None, Some(&json!({ "no": 1 })));
    pair.send("POST", "/api/parcels/import?all=1", None, Some(&json!({})));
    pair.media = Some("text/csv");
    pair.send("POST", "/api/parcels", None, Some(&"no\n1\n".into()));
    pair.once = Some("a file");
    let body = "no,weight\n1,3\n".into();
    pair.send("POST", "/api/parcels/import", None, Some(&body));
    pair.send("POST", "/api/parcels/import", None, Some(&body));
    pair.send("POST", "/api/parcels/import", None, Some(&"no,weight\n1,4\n".into()));
    (pair.once, pair.media) = (None, None);
    pair.get("/api/parcels?format=csv&sort=no");
}

/// Writes with an `Idempotency-Key`.
fn repetitions(pair: &mut Pair<'_>) {
    let body = json!({ "depot": "N1", "weight": "8" });
    pair.once = Some("a parcel");
    pair.send("POST", "/api/parcels", None, Some(&body));
    pair.send("POST", "/api/parcels", None, Some(&body));
    pair.send("POST", "/api/parcels", None, Some(&json!({ "depot": "N1", "weight": "9" })));
    pair.once = Some("");
    pair.send("POST", "/api/parcels", None, Some(&body));
    pair.once = Some("a refused parcel");
    pair.send("POST", "/api/parcels", None, Some(&json!({ "depot": "N1" })));
    pair.send("POST", "/api/parcels", None, Some(&body));
    pair.once = Some("many");
    let bulk = json!({ "action": "update", "ids": [1, 99], "set": { "weight": "1" } });
    pair.send("POST", "/api/parcels/bulk", None, Some(&bulk));
    pair.send("POST", "/api/parcels/bulk", None, Some(&bulk));
    pair.once = Some("a state");
    pair.send("POST", "/api/parcels/2/transitions/lost", None, None);
    pair.send("POST", "/api/parcels/2/transitions/lost", None, None);
    pair.once = None;
    pair.get("/api/parcels?sort=no");
}

/// The graph of hubs and roads, of which drivers do not see a hub.
fn graphs(pair: &mut Pair<'_>, rows: &Rows) {
    let of = |table: &str| rows.iter().find(|(name, _)| *name == table).map(|(_, keys)| keys.clone()).unwrap_or_default();
    let hubs = of("hubs");
    let (first, fifth) = (hubs.first().map_or("x", String::as_str), hubs.get(4).map_or("x", String::as_str));
    for hub in hubs.iter().map(String::as_str).chain(["x", "0190b5f0-0000-7000-8000-000000000000"]) {
        let path = format!("/api/hubs/{hub}/graph");
        for query in ["", "?depth=3", "?depth=4", "?depth=2&format=d3", "?format=raw&kind=rail", "?format=xml", "?knd=rail"] {
            pair.get(&format!("{path}{query}"));
        }
        for query in ["", "?format=raw", "?format=d3&length__gt=1", "?format=raw&kind=rail", "?depth=1"] {
            pair.get(&format!("{path}/reachable{query}"));
        }
        for query in ["", "?kind=rail", "?edge.kind=street", "?to=x"] {
            pair.get(&format!("{path}/degree{query}"));
        }
        for query in [format!("?to={fifth}"), format!("?to={first}&weighted=true&format=raw"), "?to=x".to_owned(), String::new()] {
            pair.get(&format!("{path}/shortest-path{query}"));
        }
    }
    for path in ["components", "centrality", "cycles"] {
        for query in ["", "?format=raw", "?kind=rail", "?kind=ship", "?depth=2", "?format=raw&length__lt=3"] {
            pair.get(&format!("/api/hubs/graph/{path}{query}"));
        }
    }
    for query in ["format=cytoscape", "format=d3&kind=rail", "format=raw", "format=raw&page=1"] {
        pair.get(&format!("/api/roads?{query}"));
    }
}

/// Mailed links that do not exist, and what an account does with its own sign-ins.
fn links(pair: &mut Pair<'_>) {
    for (path, body) in [
        ("/auth/forgot", json!({ "email": "nobody@depot.example" })),
        ("/auth/forgot", json!({})),
        ("/auth/reset", json!({ "token": "x", "password": "a phrase of several words" })),
        ("/auth/reset", json!({ "token": "x" })),
        ("/auth/verify", json!({ "token": "x.1" })),
        ("/auth/verify", json!({})),
        ("/auth/register", json!({ "email": "new@depot.example", "password": "a phrase of several words" })),
        ("/auth/tokens/end", json!({})),
        ("/auth/tokens/end", json!({ "id": "x" })),
        ("/auth/sessions/end", json!({ "id": "x" })),
        ("/auth/sessions/end", json!({ "email": "nobody@depot.example" })),
        ("/auth/factor/begin", json!({})),
        ("/auth/factor/begin", json!({ "current": "not the password" })),
        ("/auth/factor/confirm", json!({})),
        ("/auth/factor/confirm", json!({ "code": "123456" })),
        ("/auth/factor/remove", json!({ "code": "123456" })),
        ("/auth/factor/reset", json!({ "email": "nobody@depot.example" })),
        ("/auth/factor/reset", json!({})),
    ] {
        pair.send("POST", path, None, Some(&body));
    }
    pair.get("/auth/tokens");
    pair.get("/auth/tokens?page=1");
    pair.get("/auth/me");
}

fn deletions(pair: &mut Pair<'_>) {
    pair.create("scans", &[json!({ "parcel": 1, "place": "W" }), json!({ "parcel": 99 }), json!({ "parcel": "1" })]);
    for path in ["/api/depots/N1", "/api/depots/W", "/api/depots/a%2Fb%20c", "/api/parcels/1", "/api/parcels/1", "/api/vans/be-2"] {
        pair.send("DELETE", path, None, None);
    }
    for table in ["depots", "parcels", "scans", "tours"] {
        pair.get(&format!("/api/{table}"));
    }
}
