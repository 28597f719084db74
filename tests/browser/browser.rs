//! One Chromium for each test, with a profile of its own, driven by chromedriver; both end with the test.

use std::{
    env, fs,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use dz::serde_json::{Value, json};
use fantoccini::{
    Client, ClientBuilder, Locator,
    actions::{InputSource, KeyAction, KeyActions},
    error::CmdError,
    wd::WebDriverCompatibleCommand,
};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use rocket::tokio::runtime::{Builder, Runtime};
use url::Url;

/// The time after which a condition counts as not fulfilled. It is long, because a busy machine can be many times slower.
const PATIENCE: Duration = Duration::from_secs(90);

/// Tab, as WebDriver encodes keys.
pub const TAB: &str = "\u{E004}";
/// Enter.
pub const ENTER: &str = "\u{E007}";
/// Escape.
pub const ESCAPE: &str = "\u{E00C}";
/// Arrow down.
pub const DOWN: &str = "\u{E015}";
/// The space bar.
pub const SPACE: &str = "\u{E00D}";
const SHIFT: char = '\u{E008}';
const CONTROL: char = '\u{E009}';
/// Releases the keys that are held.
const RELEASE: char = '\u{E000}';

/// A browser with the application.
pub struct Browser {
    base: String,
    runtime: Runtime,
    client: Option<Client>,
    driver: Child,
    profile: PathBuf,
}

impl Browser {
    /// Opens a browser without a session.
    #[track_caller]
    pub fn open(base: &str) -> Browser {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let profile = env::temp_dir().join(format!("dz-browser-{}-{number}", std::process::id()));
        fs::create_dir_all(&profile).expect("a folder");
        let (driver, port) = driver();
        // A thread of its own detects when chromedriver closes a connection between two commands.
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

    /// Opens a browser with the session of a user.
    #[track_caller]
    pub fn signed_in(base: &str, who: (&str, &str)) -> Browser {
        let browser = Browser::open(base);
        browser.becomes(who);
        browser
    }

    /// Replaces the session by that of another user.
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

    /// Opens a page.
    #[track_caller]
    pub fn goto(&self, path: &str) {
        self.run(self.client().goto(&format!("{}{path}", self.base)));
    }

    /// The path and the query of the current page.
    #[track_caller]
    pub fn at(&self) -> String {
        let url = self.run(self.client().current_url());
        url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()))
    }

    /// The result of a script.
    #[track_caller]
    pub fn js(&self, script: &str) -> Value {
        self.run(self.client().execute(script, Vec::new()))
    }

    /// Waits until a condition in JavaScript is true.
    #[track_caller]
    pub fn wait(&self, condition: &str) {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            // The page can be loading.
            if let Ok(Value::Bool(true)) = self.runtime.block_on(self.client().execute(&format!("return !!({condition})"), Vec::new())) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("`{condition}` never held at {}:\n{}", self.at(), self.text("body"));
    }

    /// Waits until the address begins with `path`.
    #[track_caller]
    pub fn arrives(&self, path: &str) {
        self.wait(&format!("(location.pathname + location.search).startsWith({path:?}) && document.readyState === 'complete'"));
    }

    /// Clicks the first element of a selector, as soon as there is one that nothing covers.
    #[track_caller]
    pub fn click(&self, css: &str) {
        let start = Instant::now();
        loop {
            let clicked = self.runtime.block_on(async { self.client().find(Locator::Css(css)).await?.click().await });
            match clicked {
                Ok(()) => return,
                Err(_) if start.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(20)),
                Err(error) => panic!("{css}: {error}"),
            }
        }
    }

    /// Replaces the text of a field, as soon as there is one.
    #[track_caller]
    pub fn fill(&self, css: &str, text: &str) {
        self.wait(&format!("document.querySelector({css:?})"));
        let found = self.run(self.client().find(Locator::Css(css)));
        self.run(found.clear());
        self.run(found.send_keys(text));
    }

    /// Selects a file in a file control.
    #[track_caller]
    pub fn attach(&self, css: &str, file: &std::path::Path) {
        let found = self.run(self.client().find(Locator::Css(css)));
        self.run(found.send_keys(&file.display().to_string()));
    }

    /// Types keys. As at a keyboard, they go to whatever has the focus when they arrive: a page can put another element
    /// under the focus at any time. Shift and Control hold until [`RELEASE`].
    #[track_caller]
    pub fn press(&self, keys: &str) {
        let mut held = Vec::new();
        let mut actions = KeyActions::new("keyboard".to_owned());
        for key in keys.chars() {
            match key {
                SHIFT | CONTROL => {
                    held.push(key);
                    actions = actions.then(KeyAction::Down { value: key });
                }
                RELEASE => actions = held.drain(..).fold(actions, |actions, value| actions.then(KeyAction::Up { value })),
                value => actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value }),
            }
        }
        self.run(self.client().perform_actions(held.into_iter().fold(actions, |actions, value| actions.then(KeyAction::Up { value }))));
    }

    /// The visible text of the first element of a selector.
    #[track_caller]
    pub fn text(&self, css: &str) -> String {
        let found = self.run(self.client().find(Locator::Css(css)));
        self.run(found.text())
    }

    /// The texts of all elements of a selector.
    #[track_caller]
    pub fn texts(&self, css: &str) -> Vec<String> {
        let script = format!("return [...document.querySelectorAll({css:?})].map((it) => it.innerText.trim())");
        self.js(&script).as_array().expect("a list").iter().map(|it| it.as_str().unwrap_or_default().to_owned()).collect()
    }

    /// The id of the focused element.
    #[track_caller]
    pub fn focus(&self) -> String {
        self.js("return document.activeElement ? document.activeElement.id : ''").as_str().unwrap_or_default().to_owned()
    }

    /// Runs a command of the DevTools protocol.
    #[track_caller]
    pub fn devtools(&self, name: &'static str, params: Value) -> Value {
        self.run(self.client().issue_cmd(Own { path: "goog/cdp/execute", body: json!({ "cmd": name, "params": params }) }))
    }

    /// Sets whether the network is available, and its delay.
    #[track_caller]
    pub fn network(&self, offline: bool, latency: u32) {
        self.devtools("Network.enable", json!({}));
        let conditions = json!({ "offline": offline, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.devtools("Network.emulateNetworkConditions", conditions);
    }

    /// Simulates a computer that is six times slower, and a slow network without a cache.
    #[track_caller]
    pub fn is_slow(&self) {
        self.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": 6 }));
        self.devtools("Network.enable", json!({}));
        self.devtools("Network.setCacheDisabled", json!({ "cacheDisabled": true }));
        let conditions = json!({ "offline": false, "latency": 40, "downloadThroughput": 100_000, "uploadThroughput": 100_000 });
        self.devtools("Network.emulateNetworkConditions", conditions);
    }

    /// Records from now on which elements of each page move.
    #[track_caller]
    pub fn records_shifts(&self) {
        let source = "window.shifts = [];
            const name = (it) => !it ? '?' : it.nodeType === 1
                ? it.tagName.toLowerCase() + (it.id ? '#' + it.id : '') + [...it.classList].map((of) => '.' + of).join('')
                : name(it.parentElement) + ' ' + JSON.stringify(it.textContent.slice(0, 20));
            const place = (it) => [it.x, it.y, it.width, it.height].map(Math.round).join(' ');
            const moved = (it) => name(it.node) + ': ' + place(it.previousRect) + ' to ' + place(it.currentRect);
            const record = (all) => all.filter((it) => !it.hadRecentInput).forEach((it) =>
                window.shifts.push(it.value.toFixed(5) + ' after ' + Math.round(it.startTime) + ' ms: ' + it.sources.map(moved).join('; ')));
            const observer = new PerformanceObserver((list) => record(list.getEntries()));
            observer.observe({ type: 'layout-shift', buffered: true });
            window.takeShifts = () => { record(observer.takeRecords()); return window.shifts; };";
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source }));
    }

    /// What moved on the current page until its next two frames.
    #[track_caller]
    pub fn shifts(&self) -> Vec<String> {
        let frames = "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))";
        self.js(&format!("{frames}.then(() => window.takeShifts())"))
            .as_array()
            .expect("a list")
            .iter()
            .map(|it| it.as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// Sets the language of the user.
    #[track_caller]
    pub fn speaks(&self, language: &str) {
        self.devtools("Network.enable", json!({}));
        self.devtools("Network.setExtraHTTPHeaders", json!({ "headers": { "Accept-Language": language } }));
    }

    /// Sets the width of the window and the colour scheme.
    #[track_caller]
    pub fn looks(&self, width: u32, scheme: &str) {
        let metrics = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics);
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.devtools("Emulation.setEmulatedMedia", media);
    }

    /// The messages of the browser since the last call: refused scripts and styles, script errors, and missing resources.
    #[track_caller]
    pub fn complaints(&self) -> Vec<String> {
        let log = self.run(self.client().issue_cmd(Own { path: "se/log", body: json!({ "type": "browser" }) }));
        let entries = log.as_array().cloned().unwrap_or_default();
        entries.iter().filter(|it| it["level"] == "SEVERE").map(|it| it["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Stores a picture of the whole page, if `DZ_TEST_PICTURES` names a folder.
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

    /// A picture of the window, as PNG.
    #[track_caller]
    pub fn picture(&self) -> Vec<u8> {
        self.run(self.client().screenshot())
    }

    /// Checks the current page in a wide and a narrow window, light and dark: it fits and has a title.
    #[track_caller]
    pub fn is_seen_everywhere(&self, name: &str) {
        for (width, scheme) in [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")] {
            self.looks(width, scheme);
            self.fits(name, width);
            self.keep_picture(name, width, scheme);
        }
        self.looks(1280, "light");
    }

    /// Checks that the page is not wider than the window, and that its elements have names.
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

/// Starts chromedriver on a free port.
#[track_caller]
fn driver() -> (Child, u16) {
    // It chooses a free port itself: one that is found for it can be taken before it listens.
    let driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut driver = driver.unwrap_or_else(|error| panic!("chromedriver: {error}; install chromium and chromium-driver, or run ./test.sh"));
    let mut lines = BufReader::new(driver.stdout.take().expect("its output")).lines().map_while(Result::ok);
    let port = |line: String| line.strip_suffix('.')?.rsplit_once("successfully on port ")?.1.parse().ok();
    let port = lines.by_ref().find_map(port).expect("chromedriver states its port");
    // Its output is read as long as it runs, so that it never waits for a reader.
    thread::spawn(move || lines.for_each(drop));
    (driver, port)
}

/// A command of chromedriver itself.
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
