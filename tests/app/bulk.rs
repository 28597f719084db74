//! Bulk requests, in which each row is independent.

use dz::serde_json::{Value, json};

use crate::{
    client::{Answer, Client},
    depot::{CLERK, Depot, KEEPER, NOBODY, count, create_case, create_cases, id},
};

crate::depot::on_both_depots! {
    every_row_has_its_own_result;
    updates_and_transitions_follow_the_rules;
    a_query_finds_what_may_be_listed;
    invalid_bulk_requests_are_refused_as_a_whole;
    a_thousand_rows;
}

#[track_caller]
fn bulk(client: &Client, body: &Value) -> Answer {
    client.send("POST", "/api/cases/bulk", body)
}

/// The status and the code of each result.
#[track_caller]
fn results(answer: Answer) -> Vec<(u64, String)> {
    let results = answer.ok(200).json()["results"].as_array().expect("results").clone();
    let told = results.iter().map(|it| {
        let status = it["status"].as_u64().expect("a status");
        assert!(status < 400 || it["problem"]["status"] == status, "{it}");
        (status, it["problem"]["code"].as_str().unwrap_or_default().to_owned())
    });
    told.collect()
}

fn to_results(pairs: &[(u64, &str)]) -> Vec<(u64, String)> {
    pairs.iter().map(|(status, code)| (*status, (*code).to_owned())).collect()
}

fn every_row_has_its_own_result(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let ids = create_cases(&client, &["Result a", "Result b", "Result c"]);
    let path = format!("/api/cases/{}/transitions", ids[1]);
    client.send("POST", &format!("{path}/packed"), &json!({})).ok(200);
    client.send("POST", &format!("{path}/sent"), &json!({})).ok(200);
    let body = json!({ "action": "delete", "ids": [ids[0], ids[1], "nobody's", 7, ids[2], ids[0]] });
    let answer = bulk(&client, &body);
    assert_eq!(answer.json()["results"][3]["id"], 7, "a key comes back as it was written");
    assert_eq!(
        results(answer),
        to_results(&[(204, ""), (403, "FORBIDDEN"), (404, "NOT_FOUND"), (404, "NOT_FOUND"), (204, ""), (404, "NOT_FOUND")])
    );
    assert_eq!(count(&client, "Result "), 1, "what could be done is kept");
}

fn updates_and_transitions_follow_the_rules(depot: &Depot) {
    let (keeper, clerk) = (depot.signed_in(KEEPER), depot.signed_in(CLERK));
    let own = create_cases(&clerk, &["Own a", "Own b"]);
    let hers = id(&create_case(&keeper, json!({ "name": "Own c" })));
    let ids = json!([own[0], own[1], hers]);
    let update = json!({ "action": "update", "ids": ids, "set": { "amount": 5 } });
    assert_eq!(results(bulk(&clerk, &update)), to_results(&[(200, ""), (200, ""), (404, "NOT_FOUND")]));
    let clash = json!({ "action": "update", "ids": own, "set": { "name": "Own same" } });
    assert_eq!(results(bulk(&clerk, &clash)), to_results(&[(200, ""), (409, "UNIQUE")]), "a savepoint each");
    let packed = json!({ "action": "transition", "to": "packed", "ids": own, "set": { "label": "packed together" } });
    assert_eq!(results(bulk(&clerk, &packed)), to_results(&[(200, ""), (200, "")]));
    let sent = json!({ "action": "transition", "to": "sent", "ids": own });
    assert_eq!(results(bulk(&clerk, &sent)), to_results(&[(403, "TRANSITION_FORBIDDEN"), (403, "TRANSITION_FORBIDDEN")]));
    assert_eq!(results(bulk(&keeper, &sent)), to_results(&[(200, ""), (200, "")]));
    assert_eq!(keeper.get(&format!("/api/cases/{}", own[0])).json()["label"], "packed together");
    bulk(&clerk, &json!({ "action": "delete", "ids": own })).problem(403, "FORBIDDEN");
    bulk(&Client::new(&depot.base), &json!({ "action": "delete", "ids": own })).problem(401, "AUTHENTICATION_REQUIRED");
}

fn a_query_finds_what_may_be_listed(depot: &Depot) {
    let (keeper, clerk) = (depot.signed_in(KEEPER), depot.signed_in(CLERK));
    create_cases(&clerk, &["Query a", "Query b"]);
    create_cases(&keeper, &["Query c"]);
    let body = |amount: i64| json!({ "action": "update", "query": "name__startswith=Query&sort=-name", "set": { "amount": amount } });
    assert_eq!(results(bulk(&clerk, &body(8))).len(), 2);
    assert_eq!(results(bulk(&keeper, &body(9))).len(), 3);
    assert_eq!(keeper.get("/api/cases?amount=9&name__startswith=Query").json()["total"], 3);
    bulk(&keeper, &json!({ "action": "delete", "query": "nam=x" })).problem(400, "BAD_REQUEST");
    bulk(&keeper, &json!({ "action": "delete", "query": "page=2" })).problem(400, "BAD_REQUEST");
    assert_eq!(results(bulk(&keeper, &json!({ "action": "delete", "query": "name=no%20such%20case" }))), to_results(&[]));
}

fn invalid_bulk_requests_are_refused_as_a_whole(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let many: Vec<u32> = (0..10_001).collect();
    for (body, field) in [
        (json!({ "action": "delete" }), "ids"),
        (json!({ "action": "delete", "ids": [], "query": "" }), "ids"),
        (json!({ "action": "delete", "ids": "all" }), "ids"),
        (json!({ "action": "delete", "ids": many }), "ids"),
        (json!({ "action": "remove", "ids": [] }), "action"),
        (json!({ "ids": [] }), "action"),
        (json!({ "action": "delete", "ids": [], "sett": {} }), "sett"),
        (json!({ "action": "delete", "ids": [], "set": {} }), "set"),
        (json!({ "action": "update", "ids": [] }), "set"),
        (json!({ "action": "update", "ids": [], "set": 3 }), "set"),
        (json!({ "action": "update", "ids": [], "set": { "amount": "many" } }), "amount"),
        (json!({ "action": "transition", "ids": [], "to": "lost" }), "to"),
        (json!({ "action": "delete", "query": 3 }), "query"),
    ] {
        let problem = bulk(&client, &body).problem(422, "VALIDATION");
        assert!(problem["field_errors"][field].is_array(), "{body}: {problem}");
    }
    let long = format!("name__contains={}", "a".repeat(501));
    bulk(&client, &json!({ "action": "delete", "query": long })).problem(400, "BAD_REQUEST");
    assert_eq!(client.get("/api/cases/bulk").problem(405, "METHOD_NOT_ALLOWED")["status"], 405);
    bulk(&depot.signed_in(NOBODY), &json!({ "action": "delete", "ids": [] })).problem(403, "FORBIDDEN");
}

fn a_thousand_rows(depot: &Depot) {
    let client = depot.signed_in(KEEPER);
    let ids: Vec<String> = (0..1_000).map(|_| "00000000-0000-7000-8000-000000000000".to_owned()).collect();
    let answer = bulk(&client, &json!({ "action": "update", "ids": ids, "set": { "amount": 1 } }));
    assert_eq!(results(answer).iter().filter(|(status, _)| *status == 404).count(), 1_000);
}
