//! Files of a tenant cannot be read in another one.

use super::*;
use crate::client::Answer;

on_both! {
    a_file_stays_in_its_tenant;
    a_deleted_row_hides_its_file;
}

fn upload(client: &Client, path: &str, bytes: &str) -> Answer {
    let body = format!("--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"scan.txt\"\r\n\r\n{bytes}\r\n--edge--\r\n");
    let headers = [("Content-Type", "multipart/form-data; boundary=edge"), ("Sec-Fetch-Site", "same-origin")];
    client.request("POST", path, &headers, body.as_bytes())
}

fn a_file_stays_in_its_tenant(base: &str) {
    let (north, south) = (working(base, BO, "North"), working(base, BO, "South"));
    let scan = upload(&north, "/files/visits/scan", "of the north").ok(201).json();
    // An upload is also for its owner usable only in the tenant where it was made.
    let title = fresh("Scanned");
    south.send("POST", "/api/visits", &json!({ "title": title, "scan": scan })).problem(422, "VALIDATION");
    let row = north.send("POST", "/api/visits", &json!({ "title": title, "scan": scan })).ok(201).json();
    let url = row["scan"]["url"].as_str().expect("an address");
    assert_eq!(north.get(url).ok(200).body, "of the north");
    for other in [&south, &Client::signed_in(base, SUE), &Client::signed_in(base, WES)] {
        assert_eq!(other.get(url).status, 404);
    }
    // A caller without a tenant sees nothing, and uploads nothing.
    let root = Client::signed_in(base, ROOT);
    assert_eq!(root.get(url).status, 403);
    upload(&root, "/files/visits/scan", "of nobody").problem(403, "FORBIDDEN");
}

fn a_deleted_row_hides_its_file(base: &str) {
    let ann = Client::signed_in(base, ANN);
    let scan = upload(&ann, "/files/visits/scan", "kept").ok(201).json();
    let row = ann.send("POST", "/api/visits", &json!({ "title": fresh("Kept"), "scan": scan })).ok(201).json();
    let at = format!("/api/visits/{}", row["id"].as_str().expect("an id"));
    // A soft-deleted row hides its file until it is restored.
    ann.delete(&at).ok(204);
    let url = row["scan"]["url"].as_str().expect("an address");
    assert_eq!(ann.get(url).status, 404);
    ann.send("POST", &format!("{at}/actions/restore"), &json!({})).ok(200);
    assert_eq!(ann.get(url).ok(200).body, "kept");
}
