//! One Chromium per test, with a profile of its own, driven through chromedriver; all of it ends with the test.

use std::{
    env, fs,
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use dz::serde_json::{Value, json};
use fantoccini::{Client, ClientBuilder, Locator, error::CmdError, wd::WebDriverCompatibleCommand};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use rocket::tokio::runtime::{Builder, Runtime};
use url::Url;

/// How long anything may take to appear.
const PATIENCE: Duration = Duration::from_secs(15);

/// Tab, as WebDriver spells keys.
pub const TAB: &str = "\u{E004}";
/// Enter.
pub const ENTER: &str = "\u{E007}";
/// Escape.
pub const ESCAPE: &str = "\u{E00C}";
/// Arrow down.
pub const DOWN: &str = "\u{E015}";
/// The space bar.
pub const SPACE: &str = "\u{E00D}";

/// A browser that shows the application.
pub struct Browser {
    base: String,
    runtime: Runtime,
    client: Option<Client>,
    driver: Child,
    profile: PathBuf,
}

impl Browser {
    /// Opens a browser; nobody is signed in.
    #[track_caller]
    pub fn open(base: &str) -> Browser {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let profile = env::temp_dir().join(format!("dz-browser-{}-{number}", std::process::id()));
        fs::create_dir_all(&profile).expect("a folder");
        let (driver, port) = driver();
        // A thread of its own notices when chromedriver closes a connection between two commands.
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let mut browser = Browser { base: base.to_owned(), runtime, client: None, driver, profile };
        let flags = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--disable-quic",
            "--hide-scrollbars",
            "--window-size=1280,900",
            &format!("--user-data-dir={}", browser.profile.display()),
        ];
        let capabilities = json!({ "goog:chromeOptions": { "args": flags }, "goog:loggingPrefs": { "browser": "ALL" } });
        let Value::Object(capabilities) = capabilities else { unreachable!("an object") };
        let connected = browser
            .runtime
            .block_on(ClientBuilder::new(HttpConnector::new()).capabilities(capabilities).connect(&format!("http://127.0.0.1:{port}")));
        browser.client = Some(connected.expect("chromedriver starts Chromium"));
        browser
    }

    /// Opens a browser with the session of somebody.
    #[track_caller]
    pub fn signed_in(base: &str, who: (&str, &str)) -> Browser {
        let browser = Browser::open(base);
        browser.becomes(who);
        browser
    }

    /// Goes on with the session of somebody else.
    #[track_caller]
    pub fn becomes(&self, who: (&str, &str)) {
        let session = crate::client::Client::signed_in(&self.base, who).cookie.expect("a session");
        let (name, value) = session.split_once('=').expect("a cookie");
        let cookie = json!({ "url": self.base, "name": name, "value": value, "httpOnly": true, "sameSite": "Lax" });
        assert_eq!(self.devtools("Network.setCookie", cookie)["success"], true);
    }

    fn client(&self) -> &Client {
        self.client.as_ref().expect("a session")
    }

    #[track_caller]
    fn run<T>(&self, work: impl Future<Output = Result<T, CmdError>>) -> T {
        match self.runtime.block_on(work) {
            Ok(done) => done,
            Err(error) => panic!("{error}"),
        }
    }

    /// Shows a page.
    #[track_caller]
    pub fn goto(&self, path: &str) {
        self.run(self.client().goto(&format!("{}{path}", self.base)));
    }

    /// Path and query of the page that is shown.
    #[track_caller]
    pub fn at(&self) -> String {
        let url = self.run(self.client().current_url());
        url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()))
    }

    /// What a script answers.
    #[track_caller]
    pub fn js(&self, script: &str) -> Value {
        self.run(self.client().execute(script, Vec::new()))
    }

    /// Waits until a condition, as JavaScript, holds.
    #[track_caller]
    pub fn wait(&self, condition: &str) {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            // The page may be on its way to the next one.
            if let Ok(Value::Bool(true)) = self.runtime.block_on(self.client().execute(&format!("return !!({condition})"), Vec::new())) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("`{condition}` never held at {}:\n{}", self.at(), self.text("body"));
    }

    /// Waits for the address to begin like this.
    #[track_caller]
    pub fn arrives(&self, path: &str) {
        self.wait(&format!("(location.pathname + location.search).startsWith({path:?}) && document.readyState === 'complete'"));
    }

    /// Clicks on what a selector finds first.
    #[track_caller]
    pub fn click(&self, css: &str) {
        let found = self.run(self.client().find(Locator::Css(css)));
        self.run(found.click());
    }

    /// Types into a field, in place of what was there.
    #[track_caller]
    pub fn fill(&self, css: &str, text: &str) {
        let found = self.run(self.client().find(Locator::Css(css)));
        self.run(found.clear());
        self.run(found.send_keys(text));
    }

    /// Chooses a file in a field for files.
    #[track_caller]
    pub fn attach(&self, css: &str, file: &std::path::Path) {
        let found = self.run(self.client().find(Locator::Css(css)));
        self.run(found.send_keys(&file.display().to_string()));
    }

    /// Types where the focus is.
    #[track_caller]
    pub fn press(&self, keys: &str) {
        let focused = self.run(self.client().active_element());
        self.run(focused.send_keys(keys));
    }

    /// The text that people see in what a selector finds first.
    #[track_caller]
    pub fn text(&self, css: &str) -> String {
        let found = self.run(self.client().find(Locator::Css(css)));
        self.run(found.text())
    }

    /// The texts of everything that a selector finds.
    #[track_caller]
    pub fn texts(&self, css: &str) -> Vec<String> {
        let script = format!("return [...document.querySelectorAll({css:?})].map((it) => it.innerText.trim())");
        self.js(&script).as_array().expect("a list").iter().map(|it| it.as_str().unwrap_or_default().to_owned()).collect()
    }

    /// The id of what has the focus.
    #[track_caller]
    pub fn focus(&self) -> String {
        self.js("return document.activeElement ? document.activeElement.id : ''").as_str().unwrap_or_default().to_owned()
    }

    /// A command of the browser's own protocol.
    #[track_caller]
    pub fn devtools(&self, name: &'static str, params: Value) -> Value {
        self.run(self.client().issue_cmd(Own { path: "goog/cdp/execute", body: json!({ "cmd": name, "params": params }) }))
    }

    /// Whether and how slowly the network answers.
    #[track_caller]
    pub fn network(&self, offline: bool, latency: u32) {
        self.devtools("Network.enable", json!({}));
        let conditions = json!({ "offline": offline, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.devtools("Network.emulateNetworkConditions", conditions);
    }

    /// Width of the window and its colour scheme.
    #[track_caller]
    pub fn looks(&self, width: u32, scheme: &str) {
        let metrics = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics);
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.devtools("Emulation.setEmulatedMedia", media);
    }

    /// What the browser complained about since it was last asked: refused scripts and styles, errors of scripts,
    /// things that are not there.
    #[track_caller]
    pub fn complaints(&self) -> Vec<String> {
        let log = self.run(self.client().issue_cmd(Own { path: "se/log", body: json!({ "type": "browser" }) }));
        let entries = log.as_array().cloned().unwrap_or_default();
        entries.iter().filter(|it| it["level"] == "SEVERE").map(|it| it["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Keeps a picture of the whole page, when `DZ_TEST_PICTURES` names a folder for them.
    #[track_caller]
    pub fn keep_picture(&self, name: &str, width: u32, scheme: &str) {
        let Some(folder) = env::var_os("DZ_TEST_PICTURES").map(PathBuf::from) else { return };
        fs::create_dir_all(&folder).expect("a folder");
        let height = self.js("return Math.max(600, document.documentElement.scrollHeight)").as_u64().unwrap_or(900);
        let whole = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.devtools("Emulation.setDeviceMetricsOverride", whole);
        let picture = self.run(self.client().screenshot());
        fs::write(folder.join(format!("{name}-{width}-{scheme}.png")), picture).expect("a file");
    }

    /// Shows the page that is there on a desk and on a phone, in light and in dark, and looks whether it fits and has a name.
    #[track_caller]
    pub fn is_seen_everywhere(&self, name: &str) {
        for (width, scheme) in [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")] {
            self.looks(width, scheme);
            self.fits(name, width);
            self.keep_picture(name, width, scheme);
        }
        self.looks(1280, "light");
    }

    /// Looks whether the page is no wider than the window, and says what it is.
    #[track_caller]
    pub fn fits(&self, name: &str, width: u32) {
        let wide = self.js("const edge = document.documentElement.clientWidth;
             return document.documentElement.scrollWidth <= edge ? '' : [...document.querySelectorAll('body *')]
               .filter((it) => it.getBoundingClientRect().right > edge + 1 && !it.closest('.dz-wrap'))
               .map((it) => it.tagName + '.' + it.className).join(' ')");
        assert_eq!(wide, "", "{name} is wider than {width} pixels");
        let empty = self.js("return document.querySelector('h1') === null || document.title === ''");
        assert_eq!(empty, false, "{name} says what it is");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            let _ = self.runtime.block_on(client.close());
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}

/// A chromedriver on a free port.
#[track_caller]
fn driver() -> (Child, u16) {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port").port();
    let driver = Command::new("chromedriver").arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let driver = driver.unwrap_or_else(|error| panic!("chromedriver: {error}; install chromium and chromium-driver, or run ./test.sh"));
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < PATIENCE, "chromedriver does not answer");
        thread::sleep(Duration::from_millis(10));
    }
    (driver, port)
}

/// A command that is chromedriver's own.
#[derive(Debug)]
struct Own {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Own {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}
