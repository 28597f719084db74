//! Tests of the route table of the sample application.

use std::collections::BTreeSet;

use rocket::http::Method;
use serde_json::Value as Json;

use super::{Form, RouteMatch, Routes};
use crate::web::{api::openapi, page::tests::app::APP};

#[test]
fn an_address_with_another_method_lists_its_methods() {
    let routes = Routes::for_app(&APP);
    let path = |text: &str| text.split('/').filter(|it| !it.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let allow = |method, text: &str| match routes.find(method, &path(text)) {
        RouteMatch::Other { allow, .. } => allow,
        other @ (RouteMatch::Nothing | RouteMatch::Route(_)) => panic!("{text}: {other:?}"),
    };
    assert_eq!(allow(Method::Delete, "/api/tasks"), "GET, POST");
    assert_eq!(allow(Method::Post, "/api/tasks/1"), "GET, PATCH, PUT, DELETE");
    assert_eq!(allow(Method::Get, "/api/tasks/bulk"), "POST", "no row has this key");
    assert_eq!(allow(Method::Put, "/login"), "GET");
    assert_eq!(allow(Method::Post, "/app/task_list"), "GET");
    assert!(matches!(routes.find(Method::Get, &path("/api/nothing")), RouteMatch::Nothing));
    assert!(matches!(routes.find(Method::Get, &path("/api/tasks/1/2")), RouteMatch::Nothing));
    let RouteMatch::Route(read) = routes.find(Method::Get, &path("/api/tasks/1")) else { panic!("no route") };
    assert_eq!((read.path.as_str(), read.values().collect::<Vec<_>>()), ("/api/tasks/{id}", vec![2]));
}

/// The OpenAPI document describes exactly the routes of the API.
#[test]
fn the_openapi_document_describes_the_routes() {
    let document: Json = serde_json::from_str(&openapi::write_document(&APP, &crate::Hooks::default())).expect("JSON");
    let paths = document["paths"].as_object().expect("paths");
    let described: BTreeSet<String> = paths
        .iter()
        .flat_map(|(path, item)| item.as_object().expect("an item").keys().map(move |method| (method, path)))
        .filter(|(method, _)| ["get", "post", "put", "patch", "delete"].contains(&method.as_str()))
        .map(|(method, path)| format!("{} {path}", method.to_uppercase()))
        .collect();
    let routes = Routes::for_app(&APP);
    let served: BTreeSet<String> = routes.all().iter().map(|route| format!("{} {}", route.method, route.path)).collect();
    assert_eq!(described.difference(&served).collect::<Vec<_>>(), Vec::<&String>::new(), "described, and not served");
    // Health checks are not part of the API, and GraphQL describes itself.
    let of_api = |path: &str| !path.starts_with("/health/") && path != "/graphql";
    let for_programs = routes.all().iter().filter(|route| route.form == Form::Json || route.path.starts_with("/api/"));
    let missing: Vec<String> = for_programs
        .filter(|route| of_api(&route.path))
        .map(|it| format!("{} {}", it.method, it.path))
        .filter(|it| !described.contains(it))
        .collect();
    assert_eq!(missing, Vec::<String>::new(), "served, and not described");
}

/// The table as text, with the routes of providers.
#[cfg(feature = "oidc")]
mod sample {
    use expect_test::expect;

    use super::super::{Route, Routes, Run};
    use crate::web::page::tests::app::APP;

    fn line(route: &Route) -> String {
        let marks = [
            (route.hashes, "hashes"),
            (route.is_routine, "routine"),
            (matches!(route.run, Run::Provider(_)), "provider"),
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

    /// This table shows in review which routes are public.
    #[test]
    fn the_route_table() {
        let (graphql, lines): (Vec<String>, Vec<String>) = Routes::for_app(&APP)
            .all()
            .iter()
            .map(|route| line(route))
            .partition(|line| line.contains("/graphql") || line.contains("/graphiql"));
        let wanted = [
            "GET    /graphql                                 Json, Read, strict query",
            "POST   /graphql                                 Json, Read, strict query",
            "GET    /graphiql                                Page, no rate, routine",
            "GET    /graphiql/{name}                         Page, no rate, routine",
        ];
        assert_eq!(graphql, if cfg!(feature = "graphql") { wanted.to_vec() } else { Vec::new() });
        expect![[r#"
            GET    /health/live                             Json, no rate, routine
            GET    /health/ready                            Json, no rate, routine
            GET    /-/assets/{hash}/{name}                  Page, no rate, routine
            POST   /-/reports                               Page, Write
            GET    /login                                   Page, Read
            GET    /api/openapi.json                        Json, Read
            GET    /                                        Page, Read
            GET    /app                                     Page, Read
            GET    /app/-/account                           Page, Read, no tokens
            POST   /app/-/account                           Page, Write, no tokens
            GET    /app/-/factor                            Page, Read, no tokens, before second factor
            GET    /app/-/search                            Page, Read
            GET    /app/-/shortcuts                         Page, Read
            GET    /app/-/pick/{table}                      Page, Read
            GET    /app/-/jobs                              Page, Read
            POST   /app/-/jobs/{id}/retry                   Page, Write
            POST   /app/-/jobs/{id}/cancel                  Page, Write
            GET    /app/-/system                            Page, Read
            GET    /admin/access                            Page, Read
            GET    /admin/audit                             Page, Read
            GET    /admin/sessions                          Page, Read, no tokens
            POST   /auth/login                              Negotiated, Auth, hashes, no tokens, strict query
            POST   /auth/logout                             Negotiated, Auth, no tokens, before second factor, strict query
            GET    /auth/me                                 Json, Read, before second factor, strict query
            GET    /auth/oidc/{provider}                    Negotiated, Auth, provider, no tokens
            GET    /auth/oidc/{provider}/callback           Negotiated, Auth, provider, no tokens
            POST   /auth/password                           Negotiated, Auth, hashes, no tokens, strict query
            GET    /auth/forgot                             Negotiated, Read, no tokens, strict query
            POST   /auth/forgot                             Negotiated, Auth, no tokens, strict query
            GET    /auth/reset                              Negotiated, Read, no tokens, strict query
            POST   /auth/reset                              Negotiated, Auth, hashes, no tokens, strict query
            GET    /auth/verify                             Negotiated, Read, no tokens, strict query
            POST   /auth/verify                             Negotiated, Auth, no tokens, strict query
            POST   /auth/verify/send                        Negotiated, Auth, no tokens, strict query
            GET    /auth/register                           Negotiated, Read, no tokens, strict query
            POST   /auth/register                           Negotiated, Auth, hashes, no tokens, strict query
            GET    /auth/code                               Negotiated, Read, no tokens, strict query
            POST   /auth/code                               Negotiated, Auth, no tokens, strict query
            POST   /auth/factor/begin                       Negotiated, Auth, hashes, no tokens, before second factor, strict query
            POST   /auth/factor/confirm                     Negotiated, Auth, no tokens, before second factor, strict query
            POST   /auth/factor/remove                      Negotiated, Auth, hashes, no tokens, before second factor, strict query
            POST   /auth/factor/reset                       Negotiated, Auth, no tokens, strict query
            GET    /auth/sessions                           Json, Read, no tokens, strict query
            POST   /auth/sessions/end                       Negotiated, Auth, no tokens, strict query
            GET    /auth/tokens                             Json, Read, no tokens, strict query
            POST   /auth/tokens/end                         Negotiated, Auth, no tokens, strict query
            GET    /api/users                               Json, Read
            POST   /api/users                               Json, Write
            POST   /api/users/bulk                          Json, Write
            POST   /api/users/import                        Json, Write
            GET    /api/users/{id}                          Json, Read
            PATCH  /api/users/{id}                          Json, Write
            PUT    /api/users/{id}                          Json, Write
            DELETE /api/users/{id}                          Json, Write
            GET    /api/tasks                               Json, Read
            POST   /api/tasks                               Json, Write
            POST   /api/tasks/bulk                          Json, Write
            POST   /api/tasks/import                        Json, Write
            GET    /api/tasks/{id}                          Json, Read
            PATCH  /api/tasks/{id}                          Json, Write
            PUT    /api/tasks/{id}                          Json, Write
            DELETE /api/tasks/{id}                          Json, Write
            GET    /api/notes                               Json, Read
            POST   /api/notes                               Json, Write
            POST   /api/notes/bulk                          Json, Write
            POST   /api/notes/import                        Json, Write
            GET    /api/notes/{id}                          Json, Read
            PATCH  /api/notes/{id}                          Json, Write
            PUT    /api/notes/{id}                          Json, Write
            DELETE /api/notes/{id}                          Json, Write
            GET    /app/task_list                           Page, Read
            GET    /app/task_list/bulk                      Page, Read
            POST   /app/task_list/bulk                      Page, Write
            GET    /app/task_list/filters                   Page, Read
            POST   /app/task_list/filters                   Page, Write, no tokens
            POST   /app/task_list/filters/delete            Page, Write, no tokens
            GET    /app/task_list/columns                   Page, Read
            POST   /app/task_list/columns                   Page, Write, no tokens
            GET    /app/task_list/import                    Page, Read
            POST   /app/task_list/import                    Page, Write
            GET    /app/task_list/{id}/delete               Page, Read
            POST   /app/task_list/{id}/delete               Page, Write
            GET    /app/task_view/{id}                      Page, Read
            POST   /app/task_view/{id}/move                 Page, Write
            POST   /app/task_view/{id}/act                  Page, Write
            GET    /app/task_view/{id}/delete               Page, Read
            POST   /app/task_view/{id}/delete               Page, Write
            GET    /app/task_create                         Page, Read
            POST   /app/task_create                         Page, Write
            GET    /app/task_edit/{id}                      Page, Read
            POST   /app/task_edit/{id}                      Page, Write
            GET    /app/task_edit/{id}/delete               Page, Read
            POST   /app/task_edit/{id}/delete               Page, Write
            GET    /app/note_create                         Page, Read
            POST   /app/note_create                         Page, Write
            GET    /app/user_list                           Page, Read
            GET    /app/user_list/bulk                      Page, Read
            POST   /app/user_list/bulk                      Page, Write
            GET    /app/user_list/filters                   Page, Read
            POST   /app/user_list/filters                   Page, Write, no tokens
            POST   /app/user_list/filters/delete            Page, Write, no tokens
            GET    /app/user_list/columns                   Page, Read
            POST   /app/user_list/columns                   Page, Write, no tokens
            GET    /app/user_list/import                    Page, Read
            POST   /app/user_list/import                    Page, Write
            GET    /app/user_list/{id}/delete               Page, Read
            POST   /app/user_list/{id}/delete               Page, Write"#]]
        .assert_eq(&lines.join("\n"));
    }
}
