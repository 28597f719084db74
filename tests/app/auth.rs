//! Sign-in and sign-out, and their protection.

use dz::serde_json::json;

use crate::client::{Client, MANAGER, SURVEYOR};

crate::on_both_engines! {
    a_form_signs_in_and_out;
    a_wrong_password_and_an_unknown_address_get_equal_responses;
    requests_of_other_sites_are_refused;
    every_response_has_the_security_headers;
    a_new_password_ends_other_sessions;
}

fn a_form_signs_in_and_out(base: &str) {
    let mut client = Client::new(base);
    client.get("/login?next=/app/project_list").ok(200).shows(&["name=\"next\" value=\"/app/project_list\"", "type=\"password\""]);
    let answer = client.form("/auth/login", &[("email", MANAGER.0), ("password", MANAGER.1), ("next", "/app/project_list")]).ok(303);
    assert_eq!(answer.header("location"), Some("/app/project_list"));
    let cookie = answer.header("set-cookie").expect("a cookie").to_owned();
    assert!(cookie.starts_with("dz_session=") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    client.keep(&answer);
    assert_eq!(client.get("/auth/me").ok(200).json()["roles"], json!(["manager"]));
    for elsewhere in ["https://evil.example", "//evil.example"] {
        let answer = Client::new(base).form("/auth/login", &[("email", MANAGER.0), ("password", MANAGER.1), ("next", elsewhere)]).ok(303);
        assert_eq!(answer.header("location"), Some("/app"));
    }
    client.form("/auth/logout", &[]).ok(303);
    client.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    // A program sends no body.
    let program = Client::signed_in(base, MANAGER);
    program.request("POST", "/auth/logout", &[("Sec-Fetch-Site", "same-origin")], b"").ok(204);
    program.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
}

fn a_wrong_password_and_an_unknown_address_get_equal_responses(base: &str) {
    let client = Client::new(base);
    let attempt = |email: &str| client.send("POST", "/auth/login", &json!({ "email": email, "password": "not this one" }));
    let unknown = attempt("nobody@fieldwork.example").problem(401, "AUTHENTICATION_REQUIRED");
    let wrong = attempt("elin@fieldwork.example").problem(401, "AUTHENTICATION_REQUIRED");
    assert_eq!(unknown["detail"], wrong["detail"]);
    let page = client.form("/auth/login", &[("email", "priya@fieldwork.example"), ("password", "no")]).ok(401);
    page.shows(&["priya@fieldwork.example", "wrong"]);
}

fn requests_of_other_sites_are_refused(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let json = ("Content-Type", "application/json");
    for from in [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"), ("Origin", "https://evil.example"), ("Origin", "null")]
    {
        client.request("POST", "/api/companies", &[json, from], b"{}").problem(403, "CSRF");
    }
    client.request("POST", "/api/companies", &[json], b"{}").problem(403, "CSRF");
    client.request("POST", "/api/companies", &[json, ("Origin", base)], b"{}").problem(422, "VALIDATION");
    let login = client.request("POST", "/auth/login", &[json, ("Sec-Fetch-Site", "cross-site")], b"{}");
    login.problem(403, "CSRF");
    let page = client.get("/app/company_create").ok(200).body;
    let token = page.split("name=\"csrf\" value=\"").nth(1).and_then(|it| it.split('"').next()).expect("a token").to_owned();
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    let body = format!("csrf={token}&name=By+token+{}", base.len() + base.bytes().map(usize::from).sum::<usize>());
    client.request("POST", "/app/company_create", &form, body.as_bytes()).ok(303);
}

fn every_response_has_the_security_headers(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    for path in ["/login", "/app/task_list", "/api/tasks", "/app/nothing", "/api/nothing", "/nowhere"] {
        let answer = client.get(path);
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(
            policy.contains("report-uri /-/reports")
                && policy.contains("script-src 'self'")
                && policy.contains("frame-ancestors 'none'")
                && !policy.contains("unsafe"),
            "{policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("x-frame-options"), Some("DENY"), "it agrees with the policy");
        let permissions = answer.header("permissions-policy").expect("a policy");
        assert!(
            ["camera=()", "microphone=()", "geolocation=()", "payment=()", "usb=()"].iter().all(|it| permissions.contains(it)),
            "{permissions}"
        );
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"));
        assert_eq!(answer.header("cross-origin-opener-policy"), Some("same-origin"));
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
        assert_eq!(answer.header("access-control-allow-origin"), None);
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        assert!(answer.header("x-request-id").is_some());
    }
    let report = b"{\"csp-report\":{\"violated-directive\":\"script-src\"}}";
    client.request("POST", "/-/reports", &[("Content-Type", "application/csp-report"), ("Origin", base)], report).ok(204);
    client.request("POST", "/-/reports", &[("Content-Type", "application/reports+json"), ("Origin", base)], b"no json").ok(204);
    client.request("POST", "/-/reports", &[("Content-Type", "text/plain"), ("Origin", base)], b"x").ok(415);
    let page = client.get("/app/task_list").body;
    assert!(!page.contains("<script>") && !page.contains(" style=") && !page.contains("onclick="), "nothing inline");
    let style = page.split("href=\"").find(|it| it.contains(".css")).and_then(|it| it.split('"').next()).expect("a stylesheet");
    let asset = client.get(style).ok(200);
    assert!(asset.header("cache-control").is_some_and(|it| it.contains("immutable")));
}

fn a_new_password_ends_other_sessions(base: &str) {
    let (mut one, other) = (Client::signed_in(base, SURVEYOR), Client::signed_in(base, SURVEYOR));
    let change =
        |client: &Client, current: &str, new: &str| client.send("POST", "/auth/password", &json!({ "current": current, "new": new }));
    change(&one, "not mine", "a decent phrase").problem(422, "VALIDATION");
    change(&one, SURVEYOR.1, "short").problem(422, "VALIDATION");
    let mut before = Client::new(base);
    before.cookie.clone_from(&one.cookie);
    let changed = change(&one, SURVEYOR.1, "walk another line").ok(204);
    before.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    one.keep(&changed);
    one.get("/auth/me").ok(200);
    other.get("/auth/me").problem(401, "AUTHENTICATION_REQUIRED");
    change(&one, "walk another line", SURVEYOR.1).ok(204);
}
