//! ST-002: A warden registers a bird of the aviary
//!
//! Given:
//! - a warden is signed in
//!
//! When:
//! - the warden enters the species
//!
//! Then:
//! - the list shows the bird

dz::include_dsl!("../app.dsl");

#[test]
#[ignore = "not written yet"]
fn st_002() {
    use std::{fs, path::Path};

    use dz::rocket::{
        http::{ContentType, Header, Status},
        local::blocking::Client,
    };

    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("st_002");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let database = format!("sqlite://{}", folder.join("test.db").display());
    let application = || app().database_url(&database);

    let tenants = folder.join("tenants.csv");
    fs::write(&tenants, "name\nExample\n").unwrap();
    application().run(["import", "Aviary", tenants.to_str().unwrap()]);
    let (email, password) = ("warden@example.com", "a phrase for this test");
    application().run([
        "user",
        "create",
        email,
        "--password",
        password,
        "--tenant",
        "Example",
        "--member",
        "desk=Example",
    ]);
    application().run([
        "user",
        "grant",
        email,
        "warden",
        "--tenant",
        "Example",
    ]);
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
        "/app/bird_list",
        "/app/bird_create",
    ] {
        assert_eq!(open(page), Status::Ok, "{page}");
    }
}
