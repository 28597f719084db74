//! The rules of the Nu HTML checker on every page of the examples, for several users, with the errors of each form.
//! The checker needs Java; without it, or without npm, the test reports that it is skipped.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use dz::{
    App, Engine,
    serde_json::{self, Value, json},
};

use crate::{
    client::Client,
    examples::{Page, walk},
    server,
};

/// The version that is tested. It is installed by npm into the target folder at the first run.
const CHECKER: &str = "vnu-jar@26.9.27";

/// Messages about markup that the standard permits: the checker knows `blocking` only of stylesheets, and not of `rel="expect"`.
const NOT_KNOWN_TO_THE_CHECKER: [&str; 1] =
    ["A “link” element with a “blocking” attribute must have a “rel” attribute whose value is “stylesheet”."];

/// Pages without a session.
const PUBLIC: [&str; 8] = [
    "/login",
    "/login?next=/app",
    "/auth/forgot",
    "/auth/register",
    "/auth/reset?token=a",
    "/auth/verify?token=a",
    "/app/-/account",
    "/no_such_page",
];

/// The program of the checker; `None` if it cannot run on this machine.
fn checker() -> Option<PathBuf> {
    let has = |program: &str, word: &str| {
        let started = Command::new(program).arg(word).stdout(Stdio::null()).stderr(Stdio::null()).status();
        started.is_ok_and(|it| it.success())
    };
    if !has("java", "-version") {
        eprintln!("SKIPPED: the Nu HTML checker needs Java; ./test.sh installs it");
        return None;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(CHECKER.replace('@', "-"));
    let jar = folder.join("node_modules/vnu-jar/build/dist/vnu.jar");
    if !jar.exists() {
        fs::create_dir_all(&folder).expect("a folder");
        let npm = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"];
        let done = Command::new("npm").args(npm).arg(&folder).arg(CHECKER).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !done.is_ok_and(|it| it.success()) || !jar.exists() {
            eprintln!("SKIPPED: {CHECKER} could not be installed from npm");
            return None;
        }
    }
    Some(jar)
}

/// An application without demo data.
mod leave {
    dz::include_dsl!("../examples/leave/app.dsl");
}

#[test]
fn no_page_breaks_a_rule_of_html() {
    let Some(jar) = checker() else { return };
    let mut pages = Vec::new();
    let users = [crate::client::MANAGER, crate::client::SURVEYOR, crate::client::CUSTOMER];
    pages.extend(collect(&serve(crate::fieldwork::fieldwork(), "markup_tasks"), &users));
    let users = [
        ("gloria@riverside.example", "keeps the houses"),
        ("dora@riverside.example", "plans every day"),
        ("vera@riverside.example", "listens to lungs"),
    ];
    pages.extend(collect(&serve(crate::vets::clinic(), "markup_clinic"), &users));
    let users = [("carla@shop.example", "rings up the till"), ("mateo@shop.example", "counts every crate")];
    pages.extend(collect(&serve(crate::shop::shop(), "markup_shop"), &users));
    let workshop = serve(crate::regions::app(), "markup_regions");
    fill(&Client::signed_in(&workshop, CHIEF));
    pages.extend(collect(&workshop, &[CHIEF, ("walt@shop.example", "work of the shop"), ("nora@shop.example", "nobody of the shop")]));
    let orchard = serve(crate::orchard::app(), "markup_orchard");
    start(&Client::signed_in(&orchard, crate::orchard::KEEPER));
    pages.extend(collect(&orchard, &[crate::orchard::KEEPER, ("lou@orchard.example", "apples and pears")]));
    pages.extend(collect(&leave_with_users(), &[("ann@leave.example", "sun and sea"), ("bo@leave.example", "rain and snow")]));
    assert!(pages.len() > 300, "{} pages", pages.len());
    let wrong = Page { address: "/wrong".to_owned(), body: "<!DOCTYPE html><html lang=\"en\"><title>a</title><p id=a><p id=a>".to_owned() };
    pages.push(wrong);
    let (of_wrong, found): (Vec<String>, _) = check(&jar, &pages).into_iter().partition(|it| it.starts_with("/wrong"));
    assert_eq!(found, [] as [String; 0]);
    assert!(of_wrong.iter().any(|it| it.contains("Duplicate ID")), "the checker finds errors: {of_wrong:?}");
}

const CHIEF: (&str, &str) = ("cara@shop.example", "chief of the shop");

fn serve(app: App, name: &str) -> String {
    server::serve(app, Engine::Sqlite, server::new_file(name))
}

fn leave_with_users() -> String {
    let url = server::new_file("markup_leave");
    let app = || leave::app().engine(Engine::Sqlite).database_url(url.clone());
    for (name, email, password, role) in
        [("Ann", "ann@leave.example", "sun and sea", "employee"), ("Bo", "bo@leave.example", "rain and snow", "manager")]
    {
        let set = format!("name={name}");
        for words in [&["user", "create", email, "--password", password, "--set", &set][..], &["user", "grant", email, role]] {
            assert!(app().run(words.iter().copied()) == std::process::ExitCode::SUCCESS, "{words:?}");
        }
    }
    server::serve(leave::app(), Engine::Sqlite, url)
}

/// A run of the process, whose task is in the inbox of the keeper.
fn start(keeper: &Client) {
    let tree = keeper.get("/api/trees").ok(200).json()["items"][0]["id"].clone();
    keeper.send("POST", "/api/-/processes/pruning", &json!({ "input": { "tree": tree } })).ok(201);
    let mut waited = 0;
    while keeper.get("/api/-/tasks").ok(200).json()["tasks"].as_array().is_none_or(Vec::is_empty) {
        assert!(waited < 1_800, "the task never appears");
        waited += 1;
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

/// Rows of every state, so that no region is empty.
fn fill(chief: &Client) {
    let outer = chief.send("POST", "/api/areas", &json!({ "name": "Hall" })).ok(201).json();
    chief.send("POST", "/api/areas", &json!({ "name": "Bench & vice", "inside": outer["id"] })).ok(201);
    for at in 1..=12 {
        let row = json!({
            "title": format!("Repair <{at}>"), "area": outer["id"], "fee": format!("{at}.50"), "share": at,
            "due": format!("2026-0{}-1{}", 1 + at % 3, at % 9), "started_at": format!("2026-02-1{}T10:00:00Z", at % 9),
        });
        let made = chief.send("POST", "/api/repairs", &row).ok(201).json();
        if at % 3 == 0 {
            let path = format!("/api/repairs/{}/transitions/doing", made["id"].as_str().expect("an id"));
            chief.send("POST", &path, &json!({})).ok(200);
        }
    }
}

/// The pages without a session and of each user, and each form with its errors.
fn collect(base: &str, users: &[(&str, &str)]) -> Vec<Page> {
    let visitor = Client::new(base);
    let mut pages: Vec<Page> = PUBLIC.into_iter().filter_map(|path| page(path.to_owned(), visitor.get_page(path))).collect();
    for who in users {
        let client = Client::signed_in(base, *who);
        let (reached, mut sent) = (walk(&client, &mut BTreeSet::new()), BTreeSet::new());
        for it in &reached {
            let forms = it.body.split("<form class=\"dz-form\"").skip(1).filter_map(|rest| rest.split("</form>").next());
            for form in forms.filter(|form| !form.contains("enctype=\"multipart/form-data\"")) {
                let Some(action) = attribute(form, "action") else { continue };
                if sent.insert(action.clone()) {
                    let answer = client.form(&action, &wrong_values(form));
                    pages.extend(page(format!("POST {action}"), answer));
                }
            }
        }
        pages.extend(reached);
    }
    pages
}

impl Client {
    fn get_page(&self, path: &str) -> crate::client::Answer {
        self.request("GET", path, &[("Accept", "text/html")], b"")
    }
}

/// A response as a page; none for a redirect.
fn page(address: String, answer: crate::client::Answer) -> Option<Page> {
    assert!(answer.status < 500, "{address}: {}", answer.body);
    let is_page = answer.header("content-type").is_some_and(|it| it.starts_with("text/html")) && answer.header("location").is_none();
    is_page.then_some(Page { address, body: answer.body })
}

/// The value of the first attribute of a name.
fn attribute(text: &str, name: &str) -> Option<String> {
    let value = text.split(&format!(" {name}=\"")).nth(1)?.split('"').next()?;
    Some(value.replace("&#38;", "&").replace("&amp;", "&"))
}

/// The hidden values of a form, and a wrong text for each other control.
fn wrong_values(form: &str) -> Vec<(&'static str, &'static str)> {
    let inputs = form.split("<input ").skip(1).filter_map(|rest| rest.split('>').next());
    let values = inputs.filter_map(|input| {
        let input = format!(" {input}");
        let name = attribute(&input, "name")?;
        let value = if input.contains(" type=\"hidden\"") { attribute(&input, "value").unwrap_or_default() } else { "?".to_owned() };
        Some((&*name.leak(), &*value.leak()))
    });
    values.collect()
}

/// The findings of the checker, each with the address of its page.
fn check(jar: &Path, pages: &[Page]) -> Vec<String> {
    let folder = std::env::temp_dir().join(format!("dz-markup-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    for (at, page) in pages.iter().enumerate() {
        // htmx reads its attributes in both spellings, `hx-get` and `data-hx-get`; HTML has only the second one.
        let body = page.body.replace(" hx-", " data-hx-");
        fs::write(folder.join(format!("{at:04}.html")), body).expect("a file");
    }
    let ran = Command::new("java").arg("-jar").arg(jar).args(["--format", "json", "--stdout", "--exit-zero-always"]).arg(&folder).output();
    let ran = ran.expect("Java runs");
    let report: Value = serde_json::from_slice(&ran.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)));
    let _ = fs::remove_dir_all(&folder);
    let text = |of: &Value, name: &str| of[name].as_str().unwrap_or_default().to_owned();
    let messages = report["messages"].as_array().expect("messages").iter();
    let messages = messages.filter(|it| !NOT_KNOWN_TO_THE_CHECKER.contains(&it["message"].as_str().unwrap_or_default()));
    let found = messages.map(|it| {
        let url = text(it, "url");
        let at = url.rsplit('/').next().and_then(|name| name.strip_suffix(".html")).and_then(|name| name.parse::<usize>().ok());
        let address = at.and_then(|at| pages.get(at)).map_or(url.as_str(), |page| &page.address);
        format!("{address}: {}: {}", text(it, "message"), text(it, "extract"))
    });
    found.collect()
}
