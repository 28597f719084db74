//! The rules of axe-core (WCAG 2.2 AA, and its recommendations) on every page, and the settings of users: larger text, no motion.

use std::{fs, path::PathBuf, process::Command, sync::OnceLock};

use dz::serde_json::{Value, json};

use crate::{
    browser::{Browser, TAB},
    client::{Client, MANAGER},
    layout,
};

/// The version that is tested. Its licence does not permit a copy in this repository without conditions, so npm installs it.
const AXE: &str = "axe-core@4.14.1";

/// The script of axe-core, which is installed into the target folder at the first run; tests run at the same time.
pub fn axe() -> &'static str {
    static SCRIPT: OnceLock<String> = OnceLock::new();
    SCRIPT.get_or_init(install)
}

fn install() -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(AXE.replace('@', "-"));
    let script = folder.join("node_modules/axe-core/axe.min.js");
    if !script.exists() {
        fs::create_dir_all(&folder).expect("a folder");
        let npm = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"];
        let done = Command::new("npm").args(npm).arg(&folder).arg(AXE).output().expect("npm is installed; ./test.sh installs it");
        assert!(done.status.success(), "npm cannot install {AXE}: {}", String::from_utf8_lossy(&done.stderr));
    }
    fs::read_to_string(script).expect("a script")
}

/// The findings of axe-core on the current page: the rule and the first element of each.
pub fn findings(browser: &Browser, axe: &str) -> Vec<String> {
    let script = format!(
        "{axe}
         const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
         return axe.run(document, {{ runOnly: {{ type: 'tag', values: tags }}, resultTypes: ['violations'] }}).then((found) =>
           found.violations.map((it) => it.id + ', ' + it.nodes.length + ' times: ' + it.nodes[0].html));"
    );
    let found = browser.js(&script);
    found.as_array().expect("findings").iter().map(|it| it.as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn no_page_breaks_a_rule_of_accessibility() {
    let base = crate::server::sqlite();
    let client = Client::signed_in(base, MANAGER);
    let browser = Browser::open(base);
    let axe = axe();
    let mut wrong = Vec::new();
    for (name, who, path, step) in layout::pages(&client) {
        match who {
            Some(who) => browser.becomes(who),
            None => browser.devtools("Network.clearBrowserCookies", json!({})).as_null().unwrap_or_default(),
        }
        for (width, scheme) in [(1280, "light"), (390, "dark")] {
            browser.looks(width, scheme);
            browser.goto(&path);
            step(&browser, &client);
            wrong.extend(findings(&browser, axe).into_iter().map(|it| format!("{name}, {width}, {scheme}: {it}")));
        }
    }
    assert_eq!(wrong, [] as [String; 0]);
    // The rules find errors.
    browser.js("document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=\"/x.png\"><button></button>')");
    let found = findings(&browser, axe).join(" ");
    assert!(found.contains("image-alt") && found.contains("button-name"), "{found}");
}

/// A window of 320 CSS pixels is a window of 1280 pixels at 400 % (WCAG 1.4.10).
#[test]
fn every_page_fits_at_four_times_its_size_and_does_not_move() {
    let base = crate::server::sqlite();
    let client = Client::signed_in(base, MANAGER);
    let browser = Browser::signed_in(base, MANAGER);
    for (name, who, path, step) in layout::pages(&client) {
        let Some(who) = who else { continue };
        browser.becomes(who);
        browser.looks(320, "light");
        browser.goto(&path);
        step(&browser, &client);
        browser.fits(name, 320);
    }
    browser.devtools("Emulation.setEmulatedMedia", json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] }));
    browser.goto("/app/field");
    browser.wait("!document.querySelector('[aria-busy=true]')");
    let moving = browser.js("return document.getAnimations().length");
    assert_eq!(moving, Value::from(0), "nothing moves");
}

#[test]
fn the_keyboard_reaches_every_control_of_a_list_in_its_order() {
    let base = crate::server::sqlite();
    let browser = Browser::signed_in(base, MANAGER);
    browser.goto("/app/task_list");
    browser.press(TAB);
    assert_eq!(browser.js("return document.activeElement.className"), "dz-skip", "the first step leads to the content");
    let mut seen = Vec::new();
    for _ in 0..60 {
        browser.press(TAB);
        let at = browser.js("const it = document.activeElement;
             const box = it.getBoundingClientRect();
             const seen = box.width > 0 && getComputedStyle(it).outlineStyle !== 'none' || it.matches('input');
             return [it.closest('nav, header, form, table, main')?.tagName ?? '', seen].join()");
        seen.push(at.as_str().unwrap_or_default().to_owned());
    }
    assert!(seen.iter().all(|it| it.ends_with("true")), "each focused element shows it: {seen:?}");
    let first = |tag: &str| seen.iter().position(|it| it.starts_with(tag)).unwrap_or_else(|| panic!("{tag}: {seen:?}"));
    assert!(first("NAV") < first("HEADER") && first("HEADER") < first("FORM") && first("FORM") < first("TABLE"), "{seen:?}");
}
