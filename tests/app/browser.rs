//! The pages in a real browser: headless Chromium, driven over the WebDriver protocol (W3C).

use std::{
    net::TcpListener,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use dz::serde_json::{Value, json};

use crate::client::{Client, MANAGER};

/// A browser window; it and its driver end with the test.
struct Browser {
    driver: Child,
    client: Client,
    session: String,
    profile: PathBuf,
    base: &'static str,
}

const FLAGS: [&str; 11] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--window-size=1280,900",
];

impl Browser {
    fn open(base: &'static str) -> Browser {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
        let driver = Command::new("chromedriver").arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let driver = driver.expect("chromedriver is installed; ./test.sh installs it");
        let client = Client::new(&format!("http://127.0.0.1:{port}"));
        let profile = std::env::temp_dir().join(format!("dz-browser-{}-{port}", std::process::id()));
        let mut flags: Vec<String> = FLAGS.iter().map(|flag| (*flag).to_owned()).collect();
        flags.push(format!("--user-data-dir={}", profile.display()));
        let wanted = json!({ "capabilities": { "alwaysMatch": { "browserName": "chrome", "goog:chromeOptions": { "args": flags } } } });
        let deadline = Instant::now() + Duration::from_secs(30);
        let session = loop {
            let answer = client.try_send("POST", "/session", &wanted);
            match answer.map(|answer| answer.json()["value"]["sessionId"].clone()) {
                Some(Value::String(id)) => break id,
                _ if Instant::now() > deadline => panic!("the browser does not start"),
                _ => thread::sleep(Duration::from_millis(100)),
            }
        };
        Browser { driver, client, session, profile, base }
    }

    #[track_caller]
    fn call(&self, what: &str, body: &Value) -> Value {
        let answer = self.client.send("POST", &format!("/session/{}/{what}", self.session), body);
        assert_eq!(answer.status, 200, "{what}: {}", answer.body);
        answer.json()["value"].clone()
    }

    #[track_caller]
    fn go(&self, path: &str) {
        self.call("url", &json!({ "url": format!("{}{path}", self.base) }));
    }

    #[track_caller]
    fn script(&self, code: &str) -> Value {
        self.call("execute/sync", &json!({ "script": code, "args": [] }))
    }

    /// Waits until an expression is true.
    #[track_caller]
    fn until(&self, condition: &str) {
        let deadline = Instant::now() + Duration::from_secs(10);
        while self.script(&format!("return Boolean({condition})")) != json!(true) {
            assert!(Instant::now() < deadline, "never true: {condition}\n{}", self.script("return document.body.innerText"));
            thread::sleep(Duration::from_millis(50));
        }
    }

    #[track_caller]
    fn element(&self, selector: &str) -> String {
        let found = self.call("element", &json!({ "using": "css selector", "value": selector }));
        found.as_object().and_then(|it| it.values().next()).and_then(Value::as_str).expect("an element").to_owned()
    }

    #[track_caller]
    fn click(&self, selector: &str) {
        self.script(&format!("document.querySelector({}).scrollIntoView({{block: 'center'}})", json!(selector)));
        let element = self.element(selector);
        self.call(&format!("element/{element}/click"), &json!({}));
    }

    #[track_caller]
    fn write(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.call(&format!("element/{element}/clear"), &json!({}));
        self.call(&format!("element/{element}/value"), &json!({ "text": text }));
    }

    #[track_caller]
    fn sign_in(&self) {
        self.go("/login");
        self.write("input[name=email]", MANAGER.0);
        self.write("input[name=password]", MANAGER.1);
        self.click("main button, form button");
        self.until("location.pathname.startsWith('/app')");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.client.try_send("DELETE", &format!("/session/{}", self.session), &json!({}));
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// A project with enough tasks for three pages.
fn tasks(base: &str, name: &str) -> Value {
    let client = Client::signed_in(base, MANAGER);
    let company = client.send("POST", "/api/companies", &json!({ "name": format!("{name} company") })).ok(201).json();
    let project = client.send("POST", "/api/projects", &json!({ "name": name, "company": company["id"] })).ok(201).json();
    for n in 0..45 {
        let task = json!({ "title": format!("{name} number {n:02}"), "project": project["id"] });
        client.send("POST", "/api/tasks", &task).ok(201);
    }
    project
}

#[test]
fn a_page_change_swaps_the_rows_and_keeps_the_place() {
    let base = crate::server::sqlite();
    tasks(base, "Browsed");
    let browser = Browser::open(base);
    browser.sign_in();
    browser.go("/app/task_list?search=Browsed&sort=title");
    browser.until("document.body.innerText.includes('Browsed number 00')");
    browser.script("window.same = true");
    browser.click("button.dz-pagination-page[value='2']");
    browser.until("document.body.innerText.includes('Browsed number 20')");
    browser.until("document.querySelector('.dz-pagination-page.is-current').innerText.trim() === '2'");
    assert_eq!(browser.script("return document.querySelectorAll('[aria-current=page].dz-pagination-page').length"), 1);
    assert_eq!(browser.script("return window.same"), true, "the document stayed");
    assert_eq!(browser.script("return document.querySelector('#task_list-body').getAttribute('aria-busy')"), "false");
    assert_eq!(browser.script("return document.querySelectorAll('#task_list-body').length"), 1);
    browser.click("button.dz-pagination-page[aria-label='Next page']");
    browser.until("document.body.innerText.includes('Browsed number 44')");
    assert_eq!(browser.script("return document.querySelector('[aria-label=\"Next page\"]').disabled"), true);
}

#[test]
fn a_row_is_made_after_an_error_changed_and_removed() {
    let base = crate::server::sqlite();
    let browser = Browser::open(base);
    browser.sign_in();
    browser.go("/app/company_create");
    browser.write("input[name=name]", "Made in a browser");
    browser.write("input[name=website]", "not an address");
    browser.script("document.querySelector('main form').noValidate = true");
    browser.click("main form .dz-form-foot button");
    browser.until("document.querySelector('input[name=website][aria-invalid=true]')");
    assert_eq!(browser.script("return document.querySelector('input[name=name]').value"), "Made in a browser");
    browser.write("input[name=website]", "https://made.example");
    browser.click("main form .dz-form-foot button");
    browser.until("location.pathname.startsWith('/app/company_view/')");
    browser.until("document.querySelector('h1').innerText === 'Made in a browser'");
    browser.click("a[href^='/app/company_edit/']");
    browser.until("location.pathname.startsWith('/app/company_edit/')");
    browser.write("input[name=city]", "Setúbal");
    browser.click("main form .dz-form-foot button");
    browser.until("document.querySelector('main').innerText.includes('Setúbal') && location.pathname.startsWith('/app/company_view/')");
    browser.click("main a[href$='/delete']");
    browser.until("location.pathname.endsWith('/delete')");
    browser.click("main form button[data-kind=danger]");
    browser.until("location.pathname === '/app/company_list'");
    assert_eq!(browser.script("return document.querySelector('main').innerText.includes('Made in a browser')"), false);
}

#[test]
fn the_keyboard_reaches_the_content_first() {
    let browser = Browser::open(crate::server::sqlite());
    browser.sign_in();
    browser.go("/app/task_list");
    browser.call("actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": [{ "type": "keyDown", "value": "\u{E004}" }, { "type": "keyUp", "value": "\u{E004}" }] }] }));
    assert_eq!(browser.script("return document.activeElement.getAttribute('href')"), "#main", "the skip link comes first");
}

/// No page is wider than a phone, in either scheme; with `DZ_PICTURES` set, a picture of each is kept there.
#[test]
fn pages_fit_a_desk_and_a_phone_in_light_and_dark() {
    let base = crate::server::sqlite();
    let project = tasks(base, "Pictured")["id"].as_str().expect("an id").to_owned();
    let browser = Browser::open(base);
    let pictures = std::env::var_os("DZ_PICTURES").map(PathBuf::from);
    browser.sign_in();
    let view = format!("/app/project_view/{project}");
    let delete = format!("{view}/delete");
    let pages = [
        ("list", "/app/task_list"),
        ("view", view.as_str()),
        ("create", "/app/task_create"),
        ("empty", "/app/task_list?search=zebra"),
        ("confirm", delete.as_str()),
        ("account", "/app/-/account"),
        ("lost", "/app/nothing"),
    ];
    for (width, height) in [(1280, 900), (390, 844)] {
        let size = json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": { "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 } });
        browser.call("goog/cdp/execute", &size);
        for scheme in ["light", "dark"] {
            let media = json!({ "cmd": "Emulation.setEmulatedMedia", "params": { "features": [{ "name": "prefers-color-scheme", "value": scheme }] } });
            browser.call("goog/cdp/execute", &media);
            for (name, path) in &pages {
                browser.go(path);
                assert_eq!(browser.script("return document.documentElement.scrollWidth"), width, "{name} at {width}");
                assert_eq!(browser.script("return document.querySelectorAll('h1').length"), 1, "{name}");
                if let Some(folder) = &pictures {
                    keep(&browser, folder, &format!("{name}-{width}-{scheme}.png"));
                }
            }
        }
    }
}

fn keep(browser: &Browser, folder: &std::path::Path, name: &str) {
    let answer = browser.client.get(&format!("/session/{}/screenshot", browser.session)).json();
    let bytes = decoded(answer["value"].as_str().expect("a picture"));
    std::fs::create_dir_all(folder).expect("a folder");
    std::fs::write(folder.join(name), bytes).expect("a file");
}

/// Base64 (RFC 4648, section 4).
fn decoded(text: &str) -> Vec<u8> {
    let digit = |b: u8| match b {
        b'A'..=b'Z' => Some(u32::from(b - b'A')),
        b'a'..=b'z' => Some(u32::from(b - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(b - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = text.bytes().filter_map(digit).collect();
    digits
        .chunks(4)
        .flat_map(|four| {
            let bits = four.iter().enumerate().fold(0, |bits, (at, digit)| bits | digit << (18 - 6 * at));
            bits.to_be_bytes()[1..four.len()].to_vec()
        })
        .collect()
}
