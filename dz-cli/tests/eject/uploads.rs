//! Uploads and files of the depot: photos and letters of claims, receipts of parcels, plans of events.

use serde_json::{Value, json};

use crate::{
    pair::{Pair, Rows},
    server::Server,
};

/// The first bytes of an image, of a document and of a page.
const IMAGE: &str = "GIF89a and the rest of an image";
const DOCUMENT: &str = "%PDF-1.7 and the rest of a document";
const PAGE: &str = "<!DOCTYPE html><script>alert(1)</script>";

/// A claim with a photo that the application stores, and that the ejected backend finds in the copy of the folder.
pub fn prepare(application: &Server) {
    let cookie = application.sign_in("kim@depot.example", "stamps and brown paper");
    let part = format!("--b1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"old.gif\"\r\n\r\n{IMAGE}\r\n--b1--\r\n");
    let headers = [("Cookie", cookie.as_str()), ("Content-Type", "multipart/form-data; boundary=b1")];
    let upload = application.send("POST", "/files/claims/photo", &headers, Some(&part));
    assert_eq!(upload.status, 201, "{}", upload.body);
    let body = json!({ "parcel": 1, "photo": upload.body["id"] }).to_string();
    let claim = application.send("POST", "/api/claims", &headers[..1], Some(&body));
    assert_eq!(claim.status, 201, "{}", claim.body);
}

/// All requests.
pub fn send(pair: &mut Pair<'_>, rows: &Rows) {
    for (_, keys) in rows.iter().filter(|(table, _)| *table == "claims") {
        assert!(!keys.is_empty(), "the claim that the application stored");
        for key in keys {
            for path in [format!("/files/claims/{key}/photo"), format!("/files/claims/{key}/letter"), format!("/api/claims/{key}")] {
                pair.get(&path);
                pair.send("HEAD", &path, None, None);
            }
            parts(pair, &format!("/files/claims/{key}/photo"));
        }
    }
    forms(pair);
    claims(pair);
    changes(pair);
    keys(pair);
    tables(pair);
    removals(pair);
}

/// Requests for parts of a file, and for a file that the client already has.
fn parts(pair: &mut Pair<'_>, path: &str) {
    for header in [
        ("Range", "bytes=0-3"),
        ("Range", "bytes=-4"),
        ("Range", "bytes=4-"),
        ("Range", "bytes=0-1,3-4"),
        ("Range", "bytes=999-"),
        ("Range", "lines=1-2"),
        ("If-Range", "\"1\""),
        ("If-None-Match", "*"),
        ("If-Modified-Since", "Fri, 31 Dec 2100 00:00:00 GMT"),
    ] {
        pair.header = Some(header);
        pair.get(path);
        pair.send("HEAD", path, None, None);
    }
    pair.header = None;
}

/// Bodies of uploads.
fn forms(pair: &mut Pair<'_>) {
    let part = |name: &str, file: &str| format!("--b1\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{IMAGE}\r\n");
    let file = part("file", "; filename=\"a.gif\"");
    for (path, parts) in [
        ("/files/claims/photo", String::new()),
        ("/files/claims/photo", "--b1--\r\n".to_owned()),
        ("/files/claims/photo", file.clone()),
        ("/files/claims/photo", format!("{file}{file}--b1--\r\n")),
        ("/files/claims/photo", format!("{}--b1--\r\n", part("photo", "; filename=\"a.gif\""))),
        ("/files/claims/photo", format!("{}--b1--\r\n", part("file", ""))),
        ("/files/claims/photo", format!("{}{file}--b1--\r\n", part("note", ""))),
        ("/files/claims/photo", format!("{0}{file}{0}--b1--\r\n", part("note", ""))),
        ("/files/claims/photo", "--b1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\n\r\n--b1--\r\n".to_owned()),
        ("/files/claims/photo?x=1", format!("{file}--b1--\r\n")),
        ("/files/claims/photo?x=1&x=2", format!("{file}--b1--\r\n")),
        ("/files/claims/photo?x=1&x=2", "--b1--\r\n".to_owned()),
        ("/files/claims/settled", format!("{file}--b1--\r\n")),
        ("/files/claims/x/photo", format!("{file}--b1--\r\n")),
        ("/files/nothing/photo", format!("{file}--b1--\r\n")),
        ("/api/claims", format!("{file}--b1--\r\n")),
    ] {
        pair.form(path, &parts);
    }
    for media in ["multipart/form-data", "text/plain", "application/json", "text/csv", "application/x-www-form-urlencoded", "image/png"] {
        pair.media = Some(media);
        pair.send("POST", "/files/claims/photo", None, Some(&"{}".into()));
        pair.media = None;
    }
    pair.send("POST", "/files/claims/photo", None, None);
    for method in ["GET", "PUT", "PATCH", "DELETE"] {
        pair.send(method, "/files/claims/photo", None, None);
    }
    // The limit of a field without one of its own.
    let largest = "x".repeat(10_000_001);
    pair.upload("claims/letter", "large.txt", &largest);
    pair.upload("claims/letter", "limit.txt", &largest[1..]);
    let long = "x".repeat(4_001);
    for (name, content) in [
        ("large.txt", long.as_str()),
        ("limit.txt", &long[1..]),
        ("empty.txt", ""),
        ("../../etc/passwd", PAGE),
        ("..\\\\boot.ini", DOCUMENT),
        (".htaccess", "text"),
        ("Gr\u{fc}\u{df}e \u{202e}fdp.exe", "\u{1}\u{2}"),
        ("..", IMAGE),
    ] {
        pair.upload("claims/photo", name, content);
    }
    pair.once = Some("an upload");
    pair.upload("claims/photo", "a.gif", IMAGE);
    pair.upload("claims/photo", "a.gif", IMAGE);
    pair.upload("claims/photo", "b.gif", IMAGE);
    pair.upload("claims/photo", "a.gif", DOCUMENT);
    pair.upload("claims/letter", "a.gif", IMAGE);
    for key in ["", "\u{e4}"] {
        pair.once = Some(key);
        pair.upload("claims/photo", "a.gif", IMAGE);
    }
    pair.once = None;
}

/// New claims.
fn claims(pair: &mut Pair<'_>) {
    pair.upload("claims/letter", "letter.html", PAGE);
    pair.upload("claims/photo", "photo.gif", IMAGE);
    pair.create(
        "claims",
        &[
            json!({ "parcel": 1 }),
            json!({ "parcel": 1, "photo": null }),
            json!({ "parcel": 1, "photo": 5 }),
            json!({ "parcel": 1, "photo": "x" }),
            json!({ "parcel": 1, "photo": { "name": "a.gif" } }),
            json!({ "parcel": 1, "photo": { "id": "NEW0", "nme": "a.gif" } }),
            json!({ "parcel": 1, "photo": "0190b5f0-0000-7000-8000-000000000000" }),
            json!({ "parcel": 99, "photo": "NEW0" }),
            json!({ "parcel": 1, "photo": "NEW1", "letter": "NEW0" }),
            json!({ "parcel": 1, "photo": "NEW0", "settled": true }),
            json!({ "parcel": 1, "photo": "NEW0", "letter": { "id": "NEW1", "name": "other.html", "size": 1, "type": "x", "url": "y" } }),
        ],
    );
    // The newest row is the claim; it is followed by its photo and its letter.
    pair.create("claims", &[json!({ "parcel": 1, "photo": "NEW1" })]);
    for field in ["photo", "letter", "sign", "nothing"] {
        for path in [format!("/files/claims/NEW0/{field}"), format!("/files/claims/NEW0/{field}?x=1"), format!("/files/claims/x/{field}")] {
            pair.get(&path);
        }
        pair.send("HEAD", &format!("/files/claims/NEW0/{field}"), None, None);
        pair.send("DELETE", &format!("/files/claims/NEW0/{field}"), None, None);
    }
    pair.get("/api/claims/NEW0");
}

/// Changes of the newest claim.
fn changes(pair: &mut Pair<'_>) {
    let path = "/api/claims/NEW0";
    for body in [
        json!({ "photo": null }),
        json!({ "photo": "NEW1" }),
        json!({ "photo": { "id": "NEW1", "name": "other.gif", "size": 3, "type": "x", "url": "y" } }),
        json!({ "photo": "NEW2" }),
        json!({ "settled": true }),
        json!({ "letter": null }),
        json!({ "letter": { "name": "letter.html" } }),
    ] {
        pair.send("PATCH", path, None, Some(&body));
        pair.get(path);
    }
    for (field, name, content) in [("photo", "new.gif", IMAGE), ("sign", "sign.gif", IMAGE), ("letter", "new.pdf", DOCUMENT)] {
        pair.upload(&format!("claims/{field}"), name, content);
        // The upload is the newest row now, if the caller may upload.
        let claims = if pair.created[0].is_empty() { "NEW0" } else { "NEW1" };
        for body in [json!({ field: "NEW0" }), json!({ field: "NEW0" }), json!({ field: { "id": "NEW0" } })] {
            pair.send("PATCH", &format!("/api/claims/{claims}"), None, Some(&body));
        }
        pair.get(&format!("/files/claims/{claims}/{field}"));
        pair.get(&format!("/api/claims/{claims}"));
        pair.created.iter_mut().filter(|created| !created.is_empty()).for_each(|created| drop(created.remove(0)));
    }
    pair.send("PATCH", path, None, Some(&json!({ "settled": true })));
    pair.send("PATCH", path, None, Some(&json!({ "letter": null })));
    pair.upload("claims/photo", "put.gif", IMAGE);
    pair.send("PUT", "/api/claims/NEW1", None, Some(&json!({ "parcel": 1, "photo": "NEW0" })));
    pair.send("PUT", "/api/claims/NEW1", None, Some(&json!({ "parcel": 1 })));
    pair.upload("claims/photo", "bulk.gif", IMAGE);
    for set in [json!({ "photo": "NEW0" }), json!({ "photo": 5 }), json!({ "sign": null, "letter": null })] {
        let body = json!({ "action": "update", "ids": ["NEW2", "x"], "set": set });
        pair.send("POST", "/api/claims/bulk", None, Some(&body));
    }
    pair.get("/api/claims/NEW2");
    pair.get("/files/claims/NEW2/photo");
    for query in
        ["photo=x", "photo__isnull=true", "letter__isnull=true", "sort=photo", "search=photo", "photo__ne=1", "format=csv", "expand=parcel"]
    {
        pair.get(&format!("/api/claims?{query}"));
    }
}

/// Files of rows whose keys are numbers and texts, and with a transition.
fn keys(pair: &mut Pair<'_>) {
    pair.upload("parcels/receipt", "receipt.txt", "two\nlines\n");
    pair.create("parcels", &[json!({ "depot": "N1", "weight": "2", "receipt": "NEW0", "insured": { "amount": "1", "currency": "CHF" } })]);
    pair.get("/api/parcels?receipt__isnull=false");
    for key in ["1", "2", "3", "4", "5", "99", "x"] {
        pair.get(&format!("/files/parcels/{key}/receipt"));
    }
    pair.upload("parcels/receipt", "next.txt", "text");
    let body = json!({ "receipt": "NEW0" });
    pair.send("POST", "/api/parcels/2/transitions/on%20the%20way", None, Some(&body));
    pair.send("POST", "/api/parcels/3/transitions/lost", None, Some(&body));
    pair.get("/files/parcels/2/receipt");
    pair.get("/files/parcels/3/receipt");
    pair.upload("events/plan", "plan.gif", IMAGE);
    pair.create("events", &[json!({ "code": "a/b c", "plan": "NEW0" })]);
    for path in ["/api/events/a%2Fb%20c", "/files/events/a%2Fb%20c/plan", "/files/events/a%2Fb/plan"] {
        pair.get(path);
    }
}

/// Tables with the names of files.
fn tables(pair: &mut Pair<'_>) {
    pair.upload("events/plan", "two.gif", IMAGE);
    pair.create("events", &[json!({ "code": "two", "plan": "NEW0" })]);
    pair.import(
        "events",
        &[
            "code,plan\ntwo,two.gif\n",
            "code,plan\ntwo,other.gif\n",
            "code,plan\nthree,two.gif\n",
            "code,plan\nthree,\n",
            "code,plan\nfour or more letters,x.gif\n",
            "code,plan\ntwo,\n",
            "code,plan\ntwo,two.gif\n",
        ],
    );
    pair.get("/api/events?format=csv");
    pair.get("/files/events/two/plan");
    pair.get("/api/parcels?format=csv&sort=no");
}

/// Deletions: of a claim, which is kept and restored, and of a parcel with its claims.
fn removals(pair: &mut Pair<'_>) {
    pair.upload("claims/photo", "last.gif", IMAGE);
    pair.create("claims", &[json!({ "parcel": 2, "photo": "NEW0" })]);
    for (method, path, body) in [
        ("DELETE", "/api/claims/NEW0", None),
        ("GET", "/files/claims/NEW0/photo", None),
        ("POST", "/api/claims/NEW0/actions/restore", Some(json!({}))),
        ("GET", "/files/claims/NEW0/photo", None),
        ("DELETE", "/api/claims/NEW0", None),
        ("DELETE", "/api/parcels/2", None),
        ("GET", "/files/claims/NEW0/photo", None),
        ("DELETE", "/api/events/two", None),
        ("GET", "/files/events/two/plan", None),
        ("DELETE", "/api/events/a%2Fb%20c", None),
        ("DELETE", "/api/events/three", None),
    ] {
        pair.send(method, path, None, body.as_ref());
    }
    for table in ["claims", "events", "parcels"] {
        pair.get(&format!("/api/{table}"));
    }
    let nothing: Option<&Value> = None;
    pair.send("GET", "/api/claims?format=csv", None, nothing);
}
