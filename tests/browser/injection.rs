//! Text with markup in every text field and on every page is shown as text.

use dz::serde_json::{Value, json};

use crate::{
    browser::Browser,
    client::{Client, MANAGER, encode},
};

crate::on_both_engines! {
    user_input_is_never_executed;
}

/// A text that breaks out of text, of attributes in both quotes, and of text areas, titles, comments and scripts, if it is not escaped.
const EVIL: &str = "\"'><x-evil data-evil onclick=evil()>&lt;x-evil></textarea></title></option>--><script>window.evil=1</script><img src=x onerror=window.evil=1>{{7*7}}";

/// Checks that the text has become no element, attribute or script.
#[track_caller]
fn harmless(browser: &Browser, path: &str) {
    browser.goto(path);
    let found = browser.js(
        "const all = [...document.querySelectorAll('*')];
         const own = all.filter((it) => it.localName.includes('evil') || [...it.attributes].some((at) => at.name.includes('evil') || at.name.startsWith('on')));
         const scripts = [...document.scripts].filter((it) => !it.src.includes('/-/assets/'));
         const links = [...document.links].filter((it) => !['http:', 'https:', 'mailto:'].includes(it.protocol));
         const pictures = [...document.images].filter((it) => it.getAttribute('src') === 'x');
         return [typeof window.evil, own.length, scripts.length, links.length, pictures.length]",
    );
    assert_eq!(found, json!(["undefined", 0, 0, 0, 0]), "{path}");
    // A refused script would mean that the text became markup; missing resources are other messages.
    let refused: Vec<String> = browser.complaints().into_iter().filter(|it| !it.contains("status of 4")).collect();
    assert_eq!(refused, [] as [String; 0], "{path}");
}

fn user_input_is_never_executed(base: &str) {
    let client = Client::signed_in(base, MANAGER);
    let short = |most: usize| EVIL.chars().take(most).collect::<String>();
    // The name of a company is unique, and the tests of both engines run at once.
    let name = short(120);
    let company = json!({ "name": name, "city": short(80), "website": "https://x.example/%22onclick=evil()%3Cx-evil%3E" });
    let company = client.send("POST", "/api/companies", &company).ok(201).json();
    let project = json!({ "name": short(120), "company": company["id"], "notes": EVIL });
    let project = client.send("POST", "/api/projects", &project).ok(201).json();
    let task = json!({ "title": short(120) + " words", "project": project["id"], "details": EVIL });
    let task = client.send("POST", "/api/tasks", &task).ok(201).json();
    let of = |row: &Value| row["id"].as_str().expect("an id").to_owned();
    let (company, project, task) = (of(&company), of(&project), of(&task));

    let browser = Browser::signed_in(base, MANAGER);
    let evil = encode(EVIL);
    let lists = ["task_list", "project_list", "company_list"];
    for list in lists {
        harmless(&browser, &format!("/app/{list}?sort=-created_at"));
        harmless(&browser, &format!("/app/{list}?search={evil}"));
        harmless(&browser, &format!("/app/{list}?{evil}={evil}&sort={evil}&page={evil}&done={evil}"));
        harmless(&browser, &format!("/app/{list}/import?{evil}"));
    }
    for path in [
        format!("/app/task_list?search={}", encode("x-evil")),
        format!("/app/task_list?title__icontains={evil}&status__in={evil}&assigned_to={evil}&due__gte={evil}"),
        format!("/app/task_view/{task}"),
        format!("/app/task_edit/{task}"),
        format!("/app/task_view/{task}/delete"),
        format!("/app/project_view/{project}"),
        format!("/app/project_edit/{project}"),
        format!("/app/project_view/{project}/delete"),
        format!("/app/company_view/{company}"),
        format!("/app/company_edit/{company}"),
        format!("/app/company_view/{company}/delete"),
        format!("/app/task_create?title={evil}&details={evil}&project={evil}&due={evil}&hours={evil}"),
        format!("/app/task_create?project={project}"),
        format!("/app/-/pick/projects?q={}", encode("x-evil")),
        format!("/app/-/account?done={evil}&failed={evil}"),
        format!("/app/{evil}"),
        format!("/app/task_view/{evil}"),
        format!("/{evil}"),
        format!("/login?next=/{evil}"),
    ] {
        harmless(&browser, &path);
    }
    // Pages that forms return: with errors, refused, and confirmations.
    for (path, pairs) in [
        ("/app/task_create", vec![("title", EVIL), ("details", EVIL), ("hours", EVIL), ("due", EVIL), ("project", EVIL), ("status", EVIL)]),
        ("/app/task_list/bulk", vec![("do", "delete"), ("query", EVIL), ("id", task.as_str())]),
        ("/app/company_list/bulk", vec![("do", "delete"), ("sure", "yes"), ("query", EVIL), ("id", company.as_str())]),
        ("/auth/login", vec![("email", EVIL), ("password", EVIL), ("next", EVIL)]),
    ] {
        let page = client.form(path, &pairs);
        assert!(page.body.contains("evil"), "{path} shows none of it: the test tests nothing: {}", page.body);
        // Parses the page in the browser without another request.
        let parsed = browser.js(&format!(
            "const page = new DOMParser().parseFromString({}, 'text/html');
             const all = [...page.querySelectorAll('*')];
             return all.filter((it) => it.localName.includes('evil') || [...it.attributes].some((at) => at.name.includes('evil') || at.name.startsWith('on'))).length
               + [...page.scripts].filter((it) => !(it.getAttribute('src') || '').startsWith('/-/assets/')).length
               + [...page.images].length",
            Value::String(page.body.clone())
        ));
        assert_eq!(parsed, 0, "{path}: {}", page.body);
    }
    let table = format!("\"{}\"\nx\n", EVIL.replace('"', "\"\""));
    let boundary = "----dz";
    let body =
        format!("--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n{table}\r\n--{boundary}--\r\n");
    let kind = format!("multipart/form-data; boundary={boundary}");
    let refused =
        client.request("POST", "/app/task_list/import", &[("Content-Type", &kind), ("Sec-Fetch-Site", "same-origin")], body.as_bytes());
    refused.ok(400).shows(&["Nothing was imported", "x-evil"]);
}
