//! The application, and the budgets of its addresses.

use dz::{
    Engine,
    serde_json::{Value, json},
};

use crate::{
    client::{Answer, Client},
    server, session, statements,
    table::{Budget, budget, check, grows},
};

dz::dz! {
    app yard "Yard"

    persona lead "Lead"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Site "Site":
      id: uuid pk
      name: str(60) required unique
      lead: ref User
      tasks: has_many Task cascade
      open: computed count(tasks where status != done)
      permit:
        list: role(lead) or lead = current_user
        read: role(lead) or lead = current_user
        create: role(lead)
        update: role(lead)
        delete: role(lead)

    entity Task "Task":
      id: uuid pk
      title: str(80) required
      site: ref Site required
      owner: ref User = current_user
      hours: decimal(6,2) = 0
      status: enum[open, doing, done] = open
      tags: has_many Tag via Tagging cascade
      notes: has_many Note cascade
      tagged: computed count(tags)
      transitions:
        open -> doing
        doing -> done: role(lead)
      invariant: hours >= 0
        message: "Hours are not negative"
        code: HOURS
      permit:
        list: role(lead) or owner = current_user
        read: role(lead) or owner = current_user
        create: role(lead)
        update: role(lead) and site.name != "closed"
        delete: role(lead)

    entity Tag "Tag":
      id: uuid pk
      name: str(40) required unique
      permit:
        list: true
        read: true
        create: role(lead)
        delete: role(lead)

    entity Tagging "Tagging":
      id: uuid pk
      task: ref Task required
      tag: ref Tag required
      permit:
        list: true
        read: true
        create: role(lead)
        delete: role(lead)

    entity Note "Note":
      id: uuid pk
      task: ref Task required
      text: str(200) required
      soft_delete
      permit:
        list: role(lead)
        read: role(lead)
        create: role(lead)
        update: role(lead)
        delete: role(lead)
        restore: role(lead)

    surface task_list "Tasks":
      uses entity Task
      mode: list
      section main:
        field title
        field site.name "Site"
        field site.lead.name "Lead"
        field owner
        field status
        field tagged
      ux:
        sort: title asc
        filter: status, site, owner
        search: title

    surface task_view "Task":
      uses entity Task
      mode: view
      section main:
        field title
        field site.name "Site"
        field status
      section notes "Notes":
        uses entity Note
        field text
      related tags "Tags":
        show: tags

    surface task_create "New task":
      uses entity Task
      mode: create

    surface task_edit "Change task":
      uses entity Task
      mode: edit

    demo:
      User:
        - name: "Lena", email: "lena@yard.example", password: "runs the whole yard", roles: [lead, admin]
}

const LEAD: (&str, &str) = ("lena@yard.example", "runs the whole yard");

const BUDGETS: &[Budget] = &[
    budget("list", 3),
    budget("list with filter, search and order over references", 3),
    budget("list with a reference expanded", 3),
    budget("list with relations expanded", 6),
    budget("read", 2),
    budget("read with everything expanded", 5),
    budget("csv", 2),
    budget("create", 3),
    budget("update", 4),
    budget("replace", 4),
    budget("move", 4),
    budget("delete", 7),
    budget("restore", 3),
    budget("who am I", 1),
    // The session, the rows, their number, two filters with rows, and the saved filters.
    budget("list page", 6),
    budget("columns page", 1),
    budget("form that stores columns", 2),
    budget("form that saves a filter", 4),
    budget("form that chooses a density", 2),
    budget("exchange", 3),
    budget("view page", 7),
    budget("exchange of a section", 4),
    budget("exchange of a related list", 4),
    budget("create form", 3),
    budget("edit form", 4),
    budget("question before a deletion", 2),
    budget("picker", 2),
    budget("search page", 3),
    budget("list of shortcuts", 2),
    budget("form that makes", 3),
    budget("form that makes, with its key", 6),
    budget("form that changes", 5),
    budget("account page", 3),
    budget("second factor page", 3),
    budget("graphql list", 2),
    // The session, the list, the sites, their leads, the owners, the notes, the connections, the tags and the count.
    budget("graphql list with two references and two relations", 9),
    // The session, and one statement for each of four levels.
    budget("graphql levels", 5),
    budget("audit log", 2),
    budget("jobs page", 2),
    budget("sessions page", 2),
    budget("system page", 7),
];

struct Yard {
    lead: Client,
    site: String,
    tag: String,
    /// Numbers names, so that each is unique.
    made: u32,
}

impl Yard {
    #[track_caller]
    fn make(&mut self, table: &str, row: Value) -> String {
        self.made += 1;
        self.lead.send("POST", &format!("/api/{table}"), &row).ok(201).json()["id"].as_str().expect("an id").to_owned()
    }

    fn task(&mut self) -> String {
        let (title, site) = (format!("Task {:04}", self.made), self.site.clone());
        self.make("tasks", json!({ "title": title, "site": site }))
    }

    /// A task with notes and a tag.
    fn full(&mut self, notes: usize) -> String {
        let (task, tag) = (self.task(), self.tag.clone());
        for at in 0..notes {
            self.make("notes", json!({ "task": task, "text": format!("Note {at}") }));
            let name = format!("Tag {}", self.made);
            let tag = self.make("tags", json!({ "name": name }));
            self.make("taggings", json!({ "task": task, "tag": tag }));
        }
        self.make("taggings", json!({ "task": task, "tag": tag }));
        task
    }
}

/// Measures every address with few rows and with many.
pub fn keep(engine: Engine) {
    let url = server::new_url(engine, "budget");
    // Without a worker, whose statements would be counted.
    let base = server::serve_with(app(), engine, url.clone(), json!({ "worker": false }));
    let lead = Client::signed_in(&base, LEAD);
    session::is_one_indexed_read(engine, &url, &lead);
    let mut yard = Yard { lead, site: String::new(), tag: String::new(), made: 0 };
    yard.site = yard.make("sites", json!({ "name": "Harbour" }));
    yard.tag = yard.make("tags", json!({ "name": "urgent" }));
    let few = measure(&mut yard, 12);
    let many = measure(&mut yard, 40);
    check(engine, BUDGETS, &few, &many);
    per_row(&mut yard, engine);
}

/// The statements of each address with `rows` rows of each kind.
fn measure(yard: &mut Yard, rows: usize) -> Vec<(&'static str, u64)> {
    let mut found = Vec::new();
    let task = yard.full(rows);
    (0..rows).for_each(|_| drop(yard.full(1)));
    let get = |yard: &Yard, path: &str| statements(|| drop(yard.lead.get(path).ok(200)));
    for (name, path) in reads(&task, &yard.site) {
        found.push((name, get(yard, &path)));
    }
    for (name, path) in exchanges(&task) {
        found.push((name, statements(|| drop(yard.lead.exchange(&path).ok(200)))));
    }
    found.extend(writes(yard));
    found
}

fn reads(task: &str, site: &str) -> Vec<(&'static str, String)> {
    let page = |name, path: &str| (name, path.to_owned());
    vec![
        page("list", "/api/tasks?page_size=10"),
        (
            "list with filter, search and order over references",
            format!("/api/tasks?page_size=10&site={site}&site.name__startswith=H&search=task&sort=-site.name,title"),
        ),
        page("list with a reference expanded", "/api/tasks?page_size=10&expand=site,owner"),
        page("list with relations expanded", "/api/tasks?page_size=10&expand=notes,tags"),
        ("read", format!("/api/tasks/{task}")),
        ("read with everything expanded", format!("/api/tasks/{task}?expand=site,owner,notes,tags")),
        ("graphql list", graphql("{ tasks(limit: 10) { title } }")),
        (
            "graphql list with two references and two relations",
            graphql(
                "{ tasks(limit: 10) { title site { name lead { name } } owner { name } notes(limit: 3) { text } tags { name } } tasksAggregate { count } }",
            ),
        ),
        ("graphql levels", graphql("{ sites(limit: 10) { tasks(limit: 10) { notes(limit: 2) { text task { title } } } } }")),
        page("csv", "/api/tasks?format=csv"),
        page("who am I", "/auth/me"),
        page("list page", "/app/task_list?page_size=10"),
        page("columns page", "/app/task_list/columns"),
        ("view page", format!("/app/task_view/{task}")),
        page("create form", "/app/task_create"),
        ("edit form", format!("/app/task_edit/{task}")),
        ("question before a deletion", format!("/app/task_view/{task}/delete")),
        page("picker", "/app/-/pick/sites?q=har"),
        page("search page", "/app/-/search?q=task"),
        page("list of shortcuts", "/app/-/shortcuts"),
        page("account page", "/app/-/account"),
        page("second factor page", "/app/-/factor"),
        page("audit log", "/admin/audit"),
        page("sessions page", "/admin/sessions"),
        page("jobs page", "/app/-/jobs"),
        page("system page", "/app/-/system"),
    ]
}

/// The address of a query of GraphQL.
fn graphql(query: &str) -> String {
    format!("/graphql?{}", url::form_urlencoded::Serializer::new(String::new()).append_pair("query", query).finish())
}

fn exchanges(task: &str) -> Vec<(&'static str, String)> {
    vec![
        ("exchange", "/app/task_list?page=1&page_size=10".to_owned()),
        ("exchange of a section", format!("/app/task_view/{task}?section=notes&page_size=10")),
        ("exchange of a related list", format!("/app/task_view/{task}?section=related-tags&page_size=10")),
    ]
}

/// Each try writes another row.
fn writes(yard: &mut Yard) -> Vec<(&'static str, u64)> {
    let (site, mut number) = (yard.site.clone(), 0);
    let tasks: Vec<String> = (0..3).map(|_| yard.full(2)).collect();
    let lead = &yard.lead;
    let each = |work: &dyn Fn(&str) -> Answer, status: u16| {
        let mut rows = tasks.iter();
        statements(|| drop(work(rows.next().expect("a row for each try")).ok(status)))
    };
    let mut whole = lead.get(&format!("/api/tasks/{}", tasks[1])).json();
    let mut found = vec![
        ("create", statements(|| drop(lead.send("POST", "/api/tasks", &json!({ "title": "New", "site": site })).ok(201)))),
        (
            "update",
            statements(|| {
                number += 1;
                let body = json!({ "title": format!("Named {number}") });
                drop(lead.send("PATCH", &format!("/api/tasks/{}", tasks[0]), &body).ok(200));
            }),
        ),
        (
            "replace",
            statements(|| {
                number += 1;
                whole["title"] = json!(format!("Whole {number}"));
                drop(lead.send("PUT", &format!("/api/tasks/{}", tasks[1]), &whole).ok(200));
            }),
        ),
        ("move", each(&|id| lead.send("POST", &format!("/api/tasks/{id}/transitions/doing"), &json!({})), 200)),
    ];
    let me = lead.get("/auth/me").json()["id"].as_str().expect("an id").to_owned();
    let fields = [("title", "Typed"), ("site", site.as_str()), ("owner", me.as_str()), ("hours", "1"), ("status", "open")];
    found.push(("form that makes", statements(|| assert_eq!(lead.form("/app/task_create", &fields).status, 303))));
    for (name, path, fields) in [
        ("form that stores columns", "/app/task_list/columns", [("show.title", "yes"), ("at.title", "1")]),
        ("form that saves a filter", "/app/task_list/filters", [("name", "Open"), ("query", "status=open")]),
        ("form that chooses a density", "/app/-/account", [("density", "compact"), ("timezone", "UTC")]),
    ] {
        found.push((name, statements(|| assert_eq!(lead.form(path, &fields).status, 303))));
    }
    let keyed: Vec<(&str, &str)> = fields.iter().copied().chain([("dz.once", "k")]).collect();
    found.push(("form that makes, with its key", statements(|| assert_eq!(lead.form("/app/task_create", &keyed).status, 303))));
    let versions: Vec<String> =
        tasks.iter().map(|id| lead.get(&format!("/api/tasks/{id}")).header("etag").expect("a tag").into()).collect();
    let mut forms = tasks.iter().zip(&versions);
    found.push((
        "form that changes",
        statements(|| {
            let (id, version) = forms.next().expect("a row for each try");
            let version = version.trim_matches('"');
            let kept = [("site", site.as_str()), ("owner", me.as_str()), ("status", "doing"), ("version", version)];
            let fields = [&[("title", "Changed"), ("hours", "1")], &kept[..]].concat();
            assert_eq!(lead.form(&format!("/app/task_edit/{id}"), &fields).status, 303);
        }),
    ));
    found.push(("delete", each(&|id| lead.delete(&format!("/api/tasks/{id}")), 204)));
    let notes: Vec<String> = {
        let task = yard.task();
        (0..3).map(|_| yard.make("notes", json!({ "task": task, "text": "Gone" }))).collect()
    };
    for note in &notes {
        yard.lead.delete(&format!("/api/notes/{note}")).ok(204);
    }
    let mut gone = notes.iter();
    found.push((
        "restore",
        statements(|| {
            let path = format!("/api/notes/{}/actions/restore", gone.next().expect("a note"));
            drop(yard.lead.send("POST", &path, &json!({})).ok(200));
        }),
    ));
    found
}

/// A bulk request takes at most as many statements for each row as a single request.
fn per_row(yard: &mut Yard, engine: Engine) {
    let alone = BUDGETS.iter().find(|it| it.is("update")).map_or(0, |it| it.most(engine));
    let ids: Vec<String> = (0..40).map(|_| yard.task()).collect();
    let mut round = 0;
    let mut bulk = |rows: usize| {
        statements(|| {
            round += 1;
            let body = json!({ "action": "update", "ids": ids[..rows], "set": { "title": format!("Bulk {round}") } });
            drop(yard.lead.send("POST", "/api/tasks/bulk", &body).ok(200));
        })
    };
    grows("bulk", [bulk(4), bulk(40)], 36, alone, engine);
    let site = yard.site.clone();
    let import = |rows: usize| {
        statements(|| {
            let lines: String = (0..rows).map(|at| format!("Imported {at},{site}\n")).collect();
            let headers = [("Content-Type", "text/csv"), ("Sec-Fetch-Site", "same-origin")];
            drop(yard.lead.request("POST", "/api/tasks/import", &headers, format!("title,site\n{lines}").as_bytes()).ok(200));
        })
    };
    grows("import", [import(4), import(40)], 36, alone, engine);
}
