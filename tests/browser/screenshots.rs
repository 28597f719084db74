//! The screenshots of the documentation: each test run takes them. `UPDATE_EXPECT=1` writes them to `docs/screenshots`.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use dz::{Engine, serde_json::json};

use crate::{
    browser::Browser,
    client::{Client, MANAGER},
    fieldwork::fieldwork,
    server,
};

/// A screenshot: the file, the size of the window, the colour scheme, the page, and steps on it.
type Shot = (&'static str, (u32, u32), &'static str, String, fn(&Browser));

fn shots(client: &Client) -> Vec<Shot> {
    let task = client.get("/api/tasks?status=blocked").ok(200).json()["items"][0]["id"].as_str().expect("a row").to_owned();
    let view = format!("/app/task_view/{task}");
    let as_it_is: fn(&Browser) = |_| {};
    let (wide, phone) = ((1280, 900), (390, 844));
    vec![
        ("list-light.png", wide, "light", "/app/task_list".to_owned(), as_it_is),
        ("list-dark.png", wide, "dark", "/app/task_list".to_owned(), as_it_is),
        ("list-phone.png", phone, "light", "/app/task_list".to_owned(), as_it_is),
        ("view.png", wide, "light", view, as_it_is),
        ("create-errors.png", wide, "light", "/app/task_create".to_owned(), |browser| {
            browser.fill("#hours", "a lot");
            browser.click(".dz-form-foot [data-kind=primary]");
            browser.wait("document.querySelector('#errors')");
        }),
    ]
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root").join("docs")
}

/// The width and the height in the first chunk of a PNG file.
fn size(picture: &[u8]) -> (u32, u32) {
    assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n"), "a picture is PNG");
    let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[test]
fn the_screenshots_of_the_documentation_are_taken() {
    // An application of its own: other tests create rows in the shared one.
    let base = server::serve(fieldwork(), Engine::Sqlite, server::new_file("screenshots"));
    let client = Client::signed_in(&base, MANAGER);
    let browser = Browser::signed_in(&base, MANAGER);
    let is_update = env::var_os("UPDATE_EXPECT").is_some();
    let committed = docs().join("screenshots");
    let folder = if is_update { committed.clone() } else { PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("screenshots") };
    fs::create_dir_all(&folder).expect("a folder");
    let mut taken = BTreeSet::new();
    for (name, (width, height), scheme, path, step) in shots(&client) {
        browser.looks(width, scheme);
        let window = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        browser.devtools("Emulation.setDeviceMetricsOverride", window);
        browser.goto(&path);
        step(&browser);
        browser.wait("document.readyState === 'complete'");
        let picture = browser.picture();
        assert_eq!(size(&picture), (width, height), "{name}");
        // An empty window compresses to less.
        assert!(picture.len() > 8_000, "{name} has {} bytes, which show nothing", picture.len());
        fs::write(folder.join(name), &picture).expect("a file");
        taken.insert(name.to_owned());
        let of_docs = fs::read(committed.join(name));
        let of_docs = of_docs.unwrap_or_else(|error| panic!("docs/screenshots/{name}: {error}; UPDATE_EXPECT=1 writes it"));
        assert_eq!(size(&of_docs), (width, height), "docs/screenshots/{name} is of another size; UPDATE_EXPECT=1 writes it");
    }
    let files = fs::read_dir(&committed).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let files: BTreeSet<String> = files.map(|name| name.to_string_lossy().into_owned()).collect();
    assert_eq!(files, taken, "docs/screenshots has the screenshots of this test alone");
}

#[test]
fn each_screenshot_is_shown_by_a_page() {
    let root = docs().parent().expect("the root").to_path_buf();
    let pages = fs::read_dir(docs()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let pages = pages.filter(|path| path.extension().is_some_and(|it| it == "md")).chain([root.join("README.md")]);
    let text: String = pages.map(|page| fs::read_to_string(page).expect("a page")).collect();
    for entry in fs::read_dir(docs().join("screenshots")).expect("a folder") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(text.contains(&format!("screenshots/{name})")), "no page shows docs/screenshots/{name}");
    }
}
