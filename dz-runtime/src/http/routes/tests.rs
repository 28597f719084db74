//! The table of the sample application, and what follows from it.

use std::collections::BTreeSet;

use expect_test::expect;
use rocket::http::Method;
use serde_json::Value as Json;

use super::{Form, Found, Route, Routes};
use crate::{http::openapi, page::sample::APP};

fn line(route: &Route) -> String {
    let marks = [
        (route.hashes, "hashes"),
        (route.asks_provider, "provider"),
        (!route.tokens, "no tokens"),
        (route.before_factor, "before second factor"),
        (route.strict_query, "strict query"),
        (route.files, "files"),
    ];
    let marks: Vec<&str> = marks.into_iter().filter_map(|(is, mark)| is.then_some(mark)).collect();
    let rate = route.rate.map_or("no rate".to_owned(), |rate| format!("{rate:?}"));
    format!(
        "{:<6} {:<40} {:?}, {rate}{}{}",
        route.method,
        route.path,
        route.form,
        if marks.is_empty() { "" } else { ", " },
        marks.join(", ")
    )
}

/// What is open to whom is read here when it changes.
#[test]
fn the_table_of_the_sample() {
    let lines: Vec<String> = Routes::of(&APP).all().iter().map(|route| line(route)).collect();
    expect![[r#""#]].assert_eq(&lines.join("\n"));
}

#[test]
fn an_address_with_another_method_lists_its_methods() {
    let routes = Routes::of(&APP);
    let path = |text: &str| text.split('/').filter(|it| !it.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let allow = |method, text: &str| match routes.find(method, &path(text)) {
        Found::Other { allow, .. } => allow,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(allow(Method::Delete, "/api/tasks"), "GET, POST");
    assert_eq!(allow(Method::Post, "/api/tasks/1"), "GET, PATCH, PUT, DELETE");
    assert_eq!(allow(Method::Get, "/api/tasks/bulk"), "POST", "no row has this key");
    assert_eq!(allow(Method::Put, "/login"), "GET");
    assert!(matches!(routes.find(Method::Get, &path("/api/nothing")), Found::Nothing));
    assert!(matches!(routes.find(Method::Get, &path("/api/tasks/1/2")), Found::Nothing));
    let Found::Route(read) = routes.find(Method::Get, &path("/api/tasks/1")) else { panic!("no route") };
    assert_eq!((read.path.as_str(), read.values().collect::<Vec<_>>()), ("/api/tasks/{id}", vec![2]));
}

/// The document describes the routes that programs use, and no other.
#[test]
fn the_document_of_the_api_describes_the_table() {
    let document: Json = serde_json::from_str(&openapi::document(&APP)).expect("JSON");
    let paths = document["paths"].as_object().expect("paths");
    let described: BTreeSet<String> = paths
        .iter()
        .flat_map(|(path, item)| item.as_object().expect("an item").keys().map(move |method| (method, path)))
        .filter(|(method, _)| ["get", "post", "put", "patch", "delete"].contains(&method.as_str()))
        .map(|(method, path)| format!("{} {path}", method.to_uppercase()))
        .collect();
    let routes = Routes::of(&APP);
    let served: BTreeSet<String> = routes.all().iter().map(|route| format!("{} {}", route.method, route.path)).collect();
    assert_eq!(described.difference(&served).collect::<Vec<_>>(), Vec::<&String>::new(), "described, and not served");
    let for_programs = routes.all().iter().filter(|route| route.form == Form::Json || route.path.starts_with("/api/"));
    let missing: Vec<String> = for_programs.map(|it| format!("{} {}", it.method, it.path)).filter(|it| !described.contains(it)).collect();
    assert_eq!(missing, Vec::<String>::new(), "served, and not described");
}
