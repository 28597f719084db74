//! ST-003: A warden sees that a box is used
//!
//! Given:
//! - the box's status is "hung"
//!
//! When:
//! - the warden notes that birds moved in
//!
//! Then:
//! - the status becomes "occupied"

dz::include_dsl!("../app.dsl");

#[test]
#[ignore = "not written yet"]
fn st_003() {
    use std::{fs, path::Path};

    use dz::rocket::{
        http::{ContentType, Header, Status},
        local::blocking::Client,
    };

    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("st_003");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let database = format!("sqlite://{}", folder.join("test.db").display());
    let application = || app().database_url(&database);

    let (email, password) = ("warden@example.com", "a phrase for this test");
    application().run([
        "user",
        "create",
        email,
        "--password",
        password,
        "--set",
        "name=Example",
    ]);
    application().run(["user", "grant", email, "warden"]);
    let client = Client::untracked(application().rocket().unwrap()).unwrap();
    let request = client.post("/auth/login").header(ContentType::JSON);
    let request = request.header(Header::new("Sec-Fetch-Site", "same-origin"));
    let login = request
        .body(format!(
            r#"{{"email": "{email}", "password": "{password}"}}"#
        ))
        .dispatch();
    assert_eq!(login.status(), Status::Ok);
    let cookie = login.headers().get_one("Set-Cookie").unwrap();
    let session = cookie.split(';').next().unwrap().to_owned();
    let open = |page: &str| {
        let request = client.get(page.to_owned());
        let request = request.header(Header::new("Cookie", session.clone()));
        request.dispatch().status()
    };

    for page in [
        "/app/box_list",
    ] {
        assert_eq!(open(page), Status::Ok, "{page}");
    }

    let send = |path: &str, body: &str| {
        let request = client.post(path.to_owned()).header(ContentType::JSON);
        let request = request.header(Header::new("Sec-Fetch-Site", "same-origin"));
        let request = request.header(Header::new("Cookie", session.clone()));
        let answer = request.body(body.to_owned()).dispatch();
        let status = answer.status();
        let text = answer.into_string().unwrap_or_default();
        let row = dz::serde_json::from_str(&text).unwrap_or(dz::serde_json::Value::Null);
        (status, row)
    };
    // Given: the box's status is "hung"
    let (status, row) = send("/api/boxes", r#"{"place": "Examp", "height": "1"}"#);
    assert_eq!(status, Status::Created, "{row}");
    let id = row["id"].to_string().replace('"', "");
    let (status, row) = send(&format!("/api/boxes/{id}/transitions/hung"), "{}");
    assert_eq!(status, Status::Ok, "{row}");
    assert_eq!(row["status"], "hung");
    // When: the warden notes that birds moved in
    let (status, row) = send(&format!("/api/boxes/{id}/transitions/occupied"), "{}");
    assert_eq!(status, Status::Ok, "{row}");
    // Then: the status becomes "occupied"
    assert_eq!(row["status"], "occupied");
}
