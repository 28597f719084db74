//! The command line and API tokens.

use super::*;

on_both! {
    the_document_knows_tenants;
}

fn the_document_knows_tenants(base: &str) {
    let ann = Client::signed_in(base, ANN);
    let document = ann.get("/api/openapi.json").ok(200).json();
    assert!(document["paths"]["/auth/tenant"]["post"].is_object());
    let fields = |name: &str| document["components"]["schemas"][name]["properties"].clone();
    assert!(fields("Visit")["practice"].is_object() && fields("VisitInput")["practice"].is_null());
    assert!(fields("MemberInput")["practice"].is_object());
}
