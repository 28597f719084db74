//! The requests to the workshop: computed values, rules with functions and over references, and kept rows.

use serde_json::json;

use crate::{
    pair::{Account, Pair, Requests, Rows},
    server::Server,
};

const MANAGER: Account = ("mona@workshop.example", "keep the books");

/// All requests.
pub const WORKSHOP: Requests = Requests {
    callers: &[
        None,
        Some(("lena@workshop.example", "mend the press")),
        Some(("ugo@workshop.example", "turn the lathe")),
        Some(("ida@workshop.example", "sweep the floor")),
        Some(MANAGER),
    ],
    manager: MANAGER,
    tables: &["users", "teams", "jobs", "parts"],
    keys: &[],
    prepare: appoint,
    send: |pair, rows| {
        reads(pair, rows);
        let of = |table: &str| rows.iter().find(|(name, _)| *name == table).map(|(_, keys)| keys.clone()).unwrap_or_default();
        jobs(pair, &of("teams"));
        changes(pair, &of("teams"), &of("jobs"));
        parts(pair, &of("jobs"), &of("parts"));
        files(pair, &of("teams"), &of("jobs"));
        delete_and_restore(pair, &of("teams"));
    },
    least: 500,
};

/// Makes a fitter the lead of her team; rows of the demo refer only to earlier ones.
fn appoint(server: &Server) {
    let cookie = server.sign_in(MANAGER.0, MANAGER.1);
    let key = |path: &str| {
        let reply = server.send("GET", path, &[("Cookie", &cookie)], None);
        reply.body["items"][0]["id"].as_str().expect("a row").to_owned()
    };
    let (team, lena) = (key("/api/teams?name=Hall"), key("/api/users?name=Lena%20Brandt"));
    let body = json!({ "lead": lena }).to_string();
    assert_eq!(server.send("PATCH", &format!("/api/teams/{team}"), &[("Cookie", &cookie)], Some(&body)).status, 200);
}

fn reads(pair: &mut Pair<'_>, rows: &Rows) {
    pair.get("/auth/me");
    for (table, keys) in rows {
        for key in keys {
            pair.get(&format!("/api/{table}/{key}"));
        }
        for query in ["", "?sort=-id", "?sort=nme", "?page_size=2&page=2"] {
            pair.get(&format!("/api/{table}{query}"));
        }
    }
    for query in [
        "cost__gt=500",
        "cost=609.375",
        "cost=609.37501",
        "cost__isnull=true",
        "cost__in=609.375,10",
        "age_days__gte=60",
        "age_days=x",
        "overdue=true",
        "overdue=false",
        "overdue=perhaps",
        "parts_total__gte=33.33",
        "parts_total=0",
        "parts_count=2",
        "parts_count__lt=1",
        "share__lt=300",
        "share__isnull=true",
        "heavy=heavy",
        "heavy__contains=know",
        "name_upper__contains=%C3%84",
        "name_upper__icontains=press",
        "name_upper__startswith=SAW",
        "parts=x",
        "deleted_at__isnull=true",
        "team.name=Hall",
        "team.lead.name__icontains=lena",
        "sort=cost",
        "sort=-cost,title",
        "sort=share",
        "sort=-parts_total",
        "sort=parts_count,age_days",
        "sort=heavy,name_upper",
        "sort=overdue,id",
        "sort=team",
        "sort=-team.lead",
        "sort=deleted_at",
        "weight__gt=100",
    ] {
        pair.get(&format!("/api/jobs?{query}"));
    }
    for query in ["job.cost__gt=100", "job.overdue=true", "sort=job.share,name", "sort=job", "job.parts_total__gt=1", "price__lt=50"] {
        pair.get(&format!("/api/parts?{query}"));
    }
}

fn jobs(pair: &mut Pair<'_>, teams: &[String]) {
    let team = &teams[0];
    pair.create(
        "jobs",
        &[
            json!({}),
            json!({ "title": "No team" }),
            json!({ "title": "x", "team": "0190b5f0-0000-7000-8000-000000000000" }),
            json!({ "title": "Computed", "team": team, "cost": "1.00" }),
            json!({ "title": "Computed", "team": team, "overdue": true, "heavy": "x", "share": null }),
            json!({ "title": "Too late", "team": team, "opened_on": "2026-06-30", "due": "2026-05-30" }),
            json!({ "title": "Just in time", "team": team, "opened_on": "2026-06-30", "due": "2026-05-31" }),
            json!({ "title": "Too long", "team": team, "hours": "1000.01" }),
            json!({ "title": "Long and late", "team": team, "hours": "1000.01", "opened_on": "2026-06-30", "due": "2026-01-01" }),
            json!({ "title": "Old", "team": team, "opened_on": "2020-02-29" }),
            json!({ "title": "Dear", "team": teams[1], "hours": "999.99", "rate": "999999.99", "quantity": 1, "weight": 1e300 }),
            json!({ "title": "\u{a0}ﬁne straße\u{2003}", "team": teams[1], "hours": "0.01", "rate": "0.01", "quantity": 3 }),
            json!({ "title": "Backwards", "team": team, "hours": "-3.33", "rate": "3", "quantity": -7, "kind": "refit" }),
            json!({ "title": "Most", "team": team, "quantity": 9_223_372_036_854_775_807_i64, "hours": 1, "rate": 1 }),
        ],
    );
    pair.get("/api/jobs?sort=title&page_size=100");
}

fn changes(pair: &mut Pair<'_>, teams: &[String], jobs: &[String]) {
    for id in ["NEW0", "NEW3"].into_iter().chain(jobs.iter().map(String::as_str)) {
        let path = format!("/api/jobs/{id}");
        pair.get(&path);
        for body in [
            json!({ "title": "  Another title " }),
            json!({ "hours": "1.25", "rate": "3.33" }),
            json!({ "quantity": 0 }),
            json!({ "quantity": 3, "weight": null }),
            json!({ "hours": 1001 }),
            json!({ "cost": "4.1625" }),
            json!({ "cost": "4.16" }),
            json!({ "age_days": 3 }),
            json!({ "parts_total": "x" }),
            json!({ "deleted_at": null }),
            json!({ "opened_on": "2020-01-01" }),
            json!({ "due": "2019-01-01" }),
            json!({ "team": teams[1] }),
            json!({ "team": teams[0] }),
            json!({ "rate": null }),
        ] {
            pair.send("PATCH", &path, None, Some(&body));
        }
        pair.send("PATCH", &path, Some("\"0\""), Some(&json!({ "title": "Come late" })));
        pair.send("PUT", &path, None, Some(&json!({ "title": "Whole", "team": teams[0] })));
    }
}

fn parts(pair: &mut Pair<'_>, jobs: &[String], parts: &[String]) {
    let missing = "0190b5f0-0000-7000-8000-000000000000";
    let bodies = ["99.99", "100", "0", "12345678.90", "123456789.00"];
    let mut bodies: Vec<_> = bodies.map(|price| json!({ "job": jobs[0], "name": "Bolt", "price": price })).into();
    bodies.push(json!({ "job": missing, "name": "Bolt", "price": 1 }));
    pair.create("parts", &bodies);
    pair.get(&format!("/api/jobs/{}", jobs[0]));
    for id in ["NEW0", parts[0].as_str()] {
        pair.send("PATCH", &format!("/api/parts/{id}"), None, Some(&json!({ "price": "7.77" })));
        pair.send("DELETE", &format!("/api/parts/{id}"), Some("\"0\""), None);
    }
    pair.get(&format!("/api/jobs/{}", jobs[0]));
}

/// Files of rows with computed values, and rules that decide row by row.
fn files(pair: &mut Pair<'_>, teams: &[String], jobs: &[String]) {
    let (team, other, job) = (&teams[0], &teams[1], &jobs[0]);
    let long = (0..120).map(|number| format!("Row {number},{team},late\n")).collect::<String>();
    let files = [
        format!("title,team,hours,rate,quantity,weight,kind\nFrom a file,{team},2.5,10,3,1.5,refit\n\"Two, quoted\",{team},,,,,\n"),
        format!("id,title,team\n{job},From a spreadsheet,{team}\n"),
        format!("id,title,team\n{job},  Spaces around ,{other}\n,New,{other}\n"),
        format!("id,cost,age_days,overdue\n{job},1,2,maybe\n"),
        format!("id,title,parts_total\n{job},x,\n"),
        format!("id,title\nx,y\n0190b5f0-0000-7000-8000-000000000000,z\n{job},\n"),
        format!("id,weight,quantity,due\n{job},heavy,1.5,tomorrow\n{job},1e3,+2,2030-01-01\n"),
        format!("title,team,kind\nx,{team},repairs\ny,nobody,repair\nz,0190b5f0-0000-7000-8000-000000000000,repair\n"),
        format!("title,team,opened_on,due\nToo late,{team},2026-06-30,2026-05-30\n"),
        format!("title,team,due\n{long}"),
        "Title,TEAM\n".to_owned(),
        "title,created_at\nx,y\n".to_owned(),
        "title,deleted_at\nx,\n".to_owned(),
    ];
    pair.import("jobs", &files.each_ref().map(String::as_str));
    let parts = [
        format!("job,name,price\n{job},'+Bolt,9.99\n{job},Nut,100\n"),
        format!("job,name,price\n{job},Washer,0.10\n"),
        format!("job,name,price\n{job},Washer,1.005\n"),
    ];
    pair.import("parts", &parts.each_ref().map(String::as_str));
}

/// Deletes and restores a row that other rows refer to.
fn delete_and_restore(pair: &mut Pair<'_>, teams: &[String]) {
    pair.create("jobs", &[json!({ "title": "To keep", "team": teams[0], "hours": 2, "rate": 5 })]);
    pair.create("parts", &[json!({ "job": "NEW0", "name": "Nut", "price": "0.10" })]);
    // The job is the newer row if no part was created.
    for id in ["NEW0", "NEW1"] {
        let path = format!("/api/jobs/{id}");
        let restore = format!("{path}/actions/restore");
        pair.send("POST", &restore, None, None);
        pair.send("DELETE", &path, Some("\"0\""), None);
        pair.send("DELETE", &path, None, None);
        pair.get(&path);
        pair.get("/api/jobs?title=To%20keep");
        pair.get("/api/parts?name=Nut");
        pair.get("/api/parts?name=Nut&sort=job.title");
        pair.send("PATCH", &path, None, Some(&json!({ "title": "Change it" })));
        pair.send("DELETE", &path, None, None);
        pair.send("DELETE", &format!("/api/teams/{}", teams[0]), None, None);
        pair.create("parts", &[json!({ "job": id, "name": "To a deleted job", "price": 1 })]);
        pair.send("POST", &restore, Some("\"0\""), None);
        pair.send("POST", &restore, None, Some(&json!({ "title": "x" })));
        pair.send("POST", &restore, None, None);
        pair.get(&path);
        pair.get("/api/parts?name=Nut");
        pair.send("POST", &restore, None, None);
    }
    pair.send("POST", &format!("/api/teams/{}/actions/restore", teams[0]), None, None);
}
