//! Whole pages with sample data: escaping, structure, and use without script.

use crate::web::page::{
    identity::{account, invitations as invitation_pages, second_factor},
    list::{bulk, csv_files},
    shell::failure,
    *,
};

/// A text that is harmful if it is not escaped.
const EVIL: &str = "<script>alert(1)</script>\"'&";

/// An application with only accounts.
pub(crate) fn app() -> &'static AppDef {
    static APP: AppDef = AppDef {
        name: "vets",
        title: "Harbour <Vets>",
        timezone: "Europe/Lisbon",
        hue: 262,
        entities: &[&crate::web::page::tests::app::USER_DEF],
        ..AppDef::EMPTY
    };
    &APP
}

fn frame() -> Frame {
    let entry = |label: &'static str, tone, current| NavEntry {
        icon: None,
        href: format!("/app/{label}"),
        label,
        mark: label.chars().take(1).collect(),
        tone,
        current,
        count: Some(3),
    };
    Frame::App {
        groups: vec![
            NavGroup { id: "records", title: "Records", entries: vec![entry("Visits", "blue", true), entry("Pets", "teal", false)] },
            NavGroup { id: "people", title: "People", entries: vec![entry(EVIL, "violet", false)] },
        ],
        who: Some(CurrentUser { label: EVIL.into(), roles: "Front desk".into(), mark: "ML".into(), tone: "violet" }),
        csrf: EVIL.into(),
        tenants: vec![TenantChoice { key: EVIL.into(), name: EVIL.into(), current: true }],
    }
}

fn state(text: &str, tone: &'static str, icon: &'static str) -> Cell {
    Cell { shape: Shape::Choice { tone, icon: Some(Icon(icon)), dropped: icon == "s-x" }, text: text.into(), href: None }
}

fn number(text: &str) -> Cell {
    Cell { shape: Shape::Number, text: text.into(), href: None }
}

fn person(text: &str) -> Cell {
    let shape = Shape::Ref { tone: cell::text_tone(text), mark: cell::initials(text), person: true };
    Cell { shape, text: text.into(), href: Some("/app/user_view/1".into()) }
}

fn time(text: &str) -> Cell {
    Cell { shape: Shape::Time("2026-03-12T07:50:00Z".into()), text: text.into(), href: None }
}

fn line(at: usize, name: &str, vet: &str, reason: &str, state: Cell, fee: &str) -> RowLine {
    RowLine {
        links: Vec::new(),
        id: format!("visit_list-{at}"),
        key: at.to_string(),
        transitions: "arrived,cancelled".into(),
        label: name.into(),
        attention: None,
        href: Some(format!("/app/visit_view/{at}")),
        cells: vec![
            Cell::text(name),
            time("12 March 2026, 07:50"),
            if vet.is_empty() { Cell::empty("Not set") } else { person(vet) },
            Cell { shape: Shape::Prose, text: reason.into(), href: None },
            state,
            if fee.is_empty() { Cell::empty("Not set") } else { number(fee) },
        ],
        edit: Some(format!("/app/visit_edit/{at}")),
        delete: Some(format!("/app/visit_view/{at}/delete")),
    }
}

fn column(label: &str, role: Role, numeric: bool, now: Option<&'static str>) -> Column {
    Column {
        label: label.into(),
        role,
        numeric,
        sort: Some(Sort {
            href: format!("/app/visit_list?sort={label}"),
            further: format!("/app/visit_list?sort=status,{label}"),
            now,
            place: now.map(|_| 1),
        }),
        width: "wide",
    }
}

fn rows(empty: Option<Empty>) -> ListRows {
    let lines = vec![
        line(1, "Biscuit", "Tomas Vrba", "Limping, front left", state("Planned", "gray", "s-0"), ""),
        line(
            2,
            "Captain Whiskers of Upper Harbour",
            "Elin Dahl",
            "Weight check and diet plan; the owner asks whether the new food may be given in the evening as well, and for how long it has to be kept up before the next visit",
            state("Arrived", "blue", "s-25"),
            "42.00",
        ),
        line(3, "Featherstonehaugh-Okonkwo", "Priya Raman", "X-ray, hip", state("Treated", "teal", "s-75"), "210.00"),
        line(4, EVIL, EVIL, EVIL, state("Paid", "green", "s-100"), "1210.00"),
        line(5, "Ziggy", "", "Blood test", state("Cancelled", "gray", "s-x"), "7.50"),
    ];
    let repeated = (0..3).flat_map(|_| ["Juno", "Olive", "Moss", "Nacho", "Pickle"]);
    let more =
        repeated.enumerate().map(|(at, name)| line(at + 6, name, "Tomas Vrba", "Vaccination", state("Planned", "gray", "s-0"), "48.00"));
    ListRows {
        columns: vec![
            column("Pet", Role::Title, false, None),
            column("When", Role::Detail, false, Some("ascending")),
            column("Vet", Role::Detail, false, None),
            column("Reason", Role::Detail, false, None),
            column("Status", Role::State, false, None),
            column("Fee", Role::Detail, true, None),
        ],
        rows: if empty.is_some() { Vec::new() } else { lines.into_iter().chain(more).collect() },
        menus: true,
        bulk: empty.is_none().then(|| "visit_list-bulk".to_owned()),
        empty,
    }
}

fn pagination(total: u64) -> Pagination {
    Pagination {
        region: Region::new("visit_list"),
        path: "/app/visit_list".into(),
        page: 5,
        page_size: 20,
        total: crate::rows::Total::exact(total),
        preserved: vec![("search".into(), EVIL.into())],
        rows_label: Some("visits".into()),
        moves_page: true,
    }
}

fn choice(value: &str, text: &str, chosen: bool) -> Choice {
    Choice { value: value.into(), cell: Cell::text(text), chosen }
}

fn states_to_filter() -> Vec<Choice> {
    vec![Choice { value: "planned".into(), cell: state("Planned", "gray", "s-0"), chosen: true }, choice(EVIL, EVIL, false)]
}

fn list(empty: Option<Empty>, total: u64, toolbar: bool) -> ListPage {
    let rows = rows(empty);
    let filters = vec![
        FilterControl {
            id: "visit_list-f-status".into(),
            label: "Status".into(),
            now: Some("Planned +1".into()),
            control: FilterInput::Any { name: "status__in".into(), choices: states_to_filter() },
        },
        FilterControl {
            id: "visit_list-f-when".into(),
            label: "When".into(),
            now: None,
            control: FilterInput::Range {
                kind: "date",
                from_name: "when__gte".into(),
                from: String::new(),
                to_name: "when__lte".into(),
                to: EVIL.into(),
                presets: vec![crate::web::page::Preset { label: "Today", href: EVIL.into(), current: true }],
            },
        },
        FilterControl {
            id: "visit_list-f-vet".into(),
            label: "Vet".into(),
            now: None,
            control: FilterInput::Pick { name: "vet".into(), value: EVIL.into(), shown: EVIL.into(), source: "/app/-/pick/users".into() },
        },
    ];
    ListPage {
        links: Vec::new(),
        title: "Visits",
        purpose: Some("Everything planned at Quay Street, earliest first."),
        region: Region::new("visit_list"),
        path: "/app/visit_list".into(),
        primary: Some(crate::web::page::PrimaryButton { icon: crate::web::page::Icon("rows"), link: Link::new("/app/invoice_list", EVIL) }),
        create: Some(Link::new("/app/visit_create", "New visit")),
        export: Some(Link::new("/app/visit_list?format=csv", "Export")),
        import: Some(Link::new("/app/visit_list/import", "Import")),
        choose: Some(Link::new("/app/visit_list/columns", EVIL)),
        bulk: Some(BulkBar {
            action: "/app/visit_list/bulk".into(),
            csrf: "token".into(),
            total: Some("45".to_owned()),
            query: EVIL.into(),
            delete: true,
            transitions: vec![("arrived", "Arrived"), ("cancelled", "Cancelled")],
        }),
        notice: None,
        levels: Vec::new(),
        metrics: vec![
            crate::web::page::Metric { label: "Hours", text: EVIL.into() },
            crate::web::page::Metric { label: "Billable", text: "12".into() },
        ],
        toolbar: toolbar.then(|| Toolbar {
            search: Some(EVIL.into()),
            search_in: "Search pet, reason".into(),
            filters,
            preserved: vec![("sort".into(), EVIL.into())],
            clear: Some("/app/visit_list".into()),
            saved: Some(saved_filters()),
        }),
        caption: "Visits, page 5 of 21".into(),
        rows_html: rows.content().expect("rows"),
        rows,
        footer_html: pagination(total).slot_html().expect("a footer"),
    }
}

fn saved_filters() -> SavedFilters {
    let link = |is_own| FilterLink {
        id: EVIL.into(),
        name: EVIL.into(),
        href: "/app/visit_list?search=x".into(),
        shared_with: Some(EVIL.into()),
        is_own,
        current: is_own,
    };
    SavedFilters {
        id: "visit_list-saved".into(),
        action: "/app/visit_list/filters".into(),
        csrf: "token".into(),
        roles: vec![Choice { value: EVIL.into(), cell: Cell::text(EVIL), chosen: false }],
        query: Some(EVIL.into()),
        filters: vec![link(true), link(false)],
    }
}

fn view() -> ViewPage {
    let fact = |label, cell| Fact { label, cell, wide: false };
    let table = rows(None);
    ViewPage {
        steps: Vec::new(),
        history: Vec::new(),
        links: Vec::new(),
        title: "Bramble".into(),
        purpose: None,
        crumbs: vec![Link::new("/app/visit_list", "Visits")],
        neighbours: Some(crate::web::page::Neighbours { list: "/app/visit_list".into(), previous: Some(EVIL.into()), next: None }),
        primary: None,
        edit: Some(Link::new("/app/visit_edit/7", "Edit")),
        delete: Some(Link::new("/app/visit_view/7/delete", "Delete")),
        graph: Some(Link::new("/app/visit_view/7/graph", "Connections")),
        transitions: Some(TransitionButtons {
            action: "/app/task_view/1/move".into(),
            csrf: "t".into(),
            version: 3,
            states: vec![("done", EVIL), ("open", "Open")],
            next: Some("done"),
            closed: vec![crate::web::page::ClosedTransition { title: EVIL, why: EVIL.into(), href: Some("/app/task_edit/1#owner".into()) }],
        }),
        actions: Some(crate::web::page::ActionButtons {
            action: "/app/visit_view/1/act".into(),
            csrf: "t".into(),
            version: 1,
            names: vec![("a", EVIL.into())],
        }),
        problem: Some(EVIL.into()),
        notice: Some("Changes saved."),
        sections: vec![
            ViewSection {
                id: "s-main".into(),
                title: Some("Visit"),
                note: None,
                body: ViewBody::Facts(vec![
                    fact(
                        "Pet",
                        Cell {
                            shape: Shape::Ref { tone: "teal", mark: "P".into(), person: false },
                            text: "Bramble".into(),
                            href: Some("/app/pet_view/1".into()),
                        },
                    ),
                    fact("Vet", person(EVIL)),
                    fact("Planned for", time("12 March 2026, 09:00")),
                    fact("Fee", number("210.00")),
                    fact("Status", state("Treated", "teal", "s-75")),
                    fact("Insured", Cell { shape: Shape::Bool(true), text: "Yes".into(), href: None }),
                    fact("Insurance", Cell::empty("Not set")),
                    fact("Site", Cell { shape: Shape::Link, text: "https://example.com".into(), href: Some("https://example.com".into()) }),
                    Fact {
                        label: "Findings",
                        cell: Cell {
                            shape: Shape::Prose,
                            text: "Mild dysplasia on the right side, no fracture.\nRest for two weeks, then short walks on the lead."
                                .into(),
                            href: None,
                        },
                        wide: true,
                    },
                ]),
            },
            ViewSection {
                id: "s-treatments".into(),
                title: Some("Treatments"),
                note: None,
                body: ViewBody::Nested(Box::new(NestedTable {
                    title: "Treatments",
                    display: crate::def::RelatedDisplay::Table,
                    region: Region::new("visit_view-treatments"),
                    total: "20".to_owned(),
                    create: Some(Link::new("/app/treatment_create?visit=7", "New treatment")),
                    rows_html: table.content().expect("rows"),
                    rows: table,
                    footer_html: String::new(),
                })),
            },
        ],
    }
}

fn input(name: &str, label: &str, kind: &'static str, value: &str, error: Option<&str>) -> FormField {
    FormField {
        create: None,
        focused: false,
        conditional: false,
        name: name.into(),
        label: label.into(),
        required: error.is_some(),
        help: Some("At most 120 characters.".into()),
        error: error.map(str::to_owned),
        wide: false,
        control: Control::Input {
            kind,
            value: value.into(),
            max_length: Some(120),
            step: None,
            keyboard: None,
            autocomplete: "off",
            suggestions: vec!["Europe/Lisbon"],
        },
    }
}

fn control(name: &str, label: &str, wide: bool, control: Control) -> FormField {
    FormField {
        conditional: false,
        create: matches!(control, Control::Pick { .. }).then(|| EVIL.into()),
        focused: name == "pet",
        name: name.into(),
        label: label.into(),
        required: false,
        help: None,
        error: None,
        wide,
        control,
    }
}

fn form(conflicts: Vec<Conflict>) -> FormPage {
    let fields = vec![
        control(
            "owner",
            "Owner",
            false,
            Control::Pick {
                value: EVIL.into(),
                shown: EVIL.into(),
                source: "/app/-/pick/owners".into(),
                found: vec![choice(EVIL, EVIL, true)],
            },
        ),
        control("pet", "Pet", false, Control::Select { choices: vec![choice("1", EVIL, true)], blank: Some("Choose") }),
        input(
            "planned_for",
            "Planned for",
            "datetime-local",
            "2026-03-02T09:30",
            Some("Must be in the future. It is 12 March 2026, 08:42 now."),
        ),
        input("fee", "Fee", "text", EVIL, Some("At most two decimals, for example 48.50.")),
        control("note", "Note", true, Control::Area { value: format!("</textarea>{EVIL}"), code: false }),
        control("data", "Intake form", true, Control::Area { value: "{\n  \"eats\": true\n}".into(), code: true }),
        control("consent", "Owner agrees to treatment", true, Control::Check { on: true, switch: false }),
        control("shown-total", "Total", false, Control::Fixed { cell: number("210.00") }),
    ];
    FormPage {
        submit_event: Some("success"),
        links: Vec::new(),
        notice: Some(EVIL.into()),
        back: None,
        controls: String::new(),
        submits: Vec::new(),
        title: "New visit".into(),
        purpose: None,
        primary: None,
        crumbs: vec![Link::new("/app/visit_list", "Visits")],
        action: "/app/visit_create".into(),
        hidden: vec![("csrf", EVIL.into())],
        was: vec![("was.fee".into(), EVIL.into())],
        problem: None,
        errors: vec![
            FieldError { id: "planned_for".into(), label: "Planned for".into(), message: "Must be in the future.".into() },
            FieldError { id: "fee".into(), label: EVIL.into(), message: EVIL.into() },
        ],
        conflicts,
        sections: vec![FormSection {
            id: "s-main".into(),
            title: Some("Visit"),
            note: Some("Times are shown in the clinic’s time zone."),
            fields,
            rows: None,
        }],
        submit: "Save visit".into(),
        submit_and_new: Some("Save and add more"),
        cancel: "/app/visit_list".into(),
    }
}

fn confirm() -> ConfirmPage {
    ConfirmPage {
        title: format!("Delete {EVIL}?"),
        text: "Its treatments are deleted with it. This cannot be undone.".into(),
        crumbs: vec![Link::new("/app/visit_list", "Visits"), Link::new("/app/visit_view/7", EVIL)],
        action: "/app/visit_view/7/delete".into(),
        csrf: EVIL.into(),
        version: 3,
        submit: "Delete visit".into(),
        cancel: "/app/visit_view/7".into(),
        problem: Some(EVIL.into()),
    }
}

/// A page of every kind.
fn pages() -> Vec<(&'static str, String)> {
    let framed = |title: &str, narrow: bool, content: String| {
        let mut shell = Shell::standalone(app(), Markup::Prefixed, title, frame());
        shell.narrow = narrow;
        shell.styles.extend([shell.assets.list.clone(), shell.assets.record.clone(), shell.assets.form.clone()]);
        shell.render(&content).expect("a page")
    };
    let nothing = |title: &str, creates: bool| Empty {
        icon: Icon(if creates { "rows" } else { "filter" }),
        title: title.into(),
        text: Some("Visits you add will appear here.".into()),
        action: Some(Link::new("/app/visit_create", if creates { "New visit" } else { "Clear search and filters" })),
        creates,
    };
    let conflict = Conflict { name: "fee", label: "Fee", mine: number("190.00"), theirs: Cell::text(EVIL) };
    let call = crate::web::Call { method: "GET".into(), uri: EVIL.into(), csrf: EVIL.into(), ..Default::default() };
    let text = |reply: Reply| String::from_utf8(reply.body).expect("text");
    let wrong = crate::Error::validation("password", EVIL).at("token", EVIL);
    let alone = |of| text(render(app(), &call, of, Some(&wrong)));
    let [access, audit] = admin::samples(EVIL);
    vec![
        (access.0, framed("Access", false, access.1)),
        (audit.0, framed("Audit log", false, audit.1)),
        ("jobs", framed("Jobs", false, crate::web::page::admin::jobs::sample(EVIL))),
        ("inbox", framed("Inbox", false, crate::web::page::inbox::sample(EVIL))),
        ("experience", framed(EVIL, false, crate::web::page::experience::sample(EVIL))),
        ("task", framed(EVIL, false, crate::web::page::inbox::task_sample(EVIL))),
        ("runs", framed("Runs", false, crate::web::page::admin::runs::sample(EVIL))),
        ("run", framed(EVIL, false, crate::web::page::admin::run::sample(EVIL))),
        ("calls", framed("Calls", false, crate::web::page::admin::calls::sample(EVIL))),
        ("system", framed("System", false, crate::web::page::admin::system::sample(EVIL))),
        ("sessions", framed("Sessions", false, crate::web::page::admin::sessions::sample(EVIL))),
        ("list", framed("Visits", false, list(None, 412, true).content().expect("a list"))),
        ("list-empty", framed("Visits", false, list(Some(nothing("No visits planned.", true)), 0, false).content().expect("a list"))),
        ("list-filtered", framed("Visits", false, list(Some(nothing("No visits match", false)), 0, true).content().expect("a list"))),
        ("view", framed("Bramble", false, view().content().expect("a view"))),
        ("form", framed("New visit", true, form(Vec::new()).content().expect("a form"))),
        ("stale", framed("Edit visit", true, form(vec![conflict]).content().expect("a form"))),
        ("confirm", framed(EVIL, true, confirm().content().expect("a question"))),
        ("bulk", framed(EVIL, true, bulk::sample(EVIL, true))),
        ("bulk-refused", framed("2 of 3 deleted", true, bulk::sample(EVIL, false))),
        ("columns", framed("Columns", true, crate::web::page::list::column_choice::sample(EVIL))),
        ("import", framed("Import visits", true, csv_files::sample(EVIL))),
        ("account", framed("Account", true, account::sample(EVIL))),
        ("factor", framed("Second factor", true, second_factor::samples(EVIL).swap_remove(0))),
        ("factor-begun", framed("Second factor", true, second_factor::samples(EVIL).swap_remove(1))),
        ("factor-there", framed("Second factor", true, second_factor::samples(EVIL).swap_remove(2))),
        ("code", alone(StandalonePage::Code)),
        ("sign-in", text(account::sign_in_sample(app(), EVIL))),
        ("forgot", alone(StandalonePage::Forgot { email: EVIL })),
        ("reset", alone(StandalonePage::Reset { token: EVIL })),
        ("verify", alone(StandalonePage::Verify { token: EVIL })),
        ("register", alone(StandalonePage::Register { email: EVIL, name: EVIL })),
        ("invitations-empty", framed("Invitations", true, invitation_pages::samples(EVIL).swap_remove(0))),
        ("invitations", framed("Invitations", true, invitation_pages::samples(EVIL).swap_remove(1))),
        ("invited", alone(StandalonePage::Invited { token: EVIL, tenant: EVIL, email: EVIL, name: EVIL })),
        ("join", alone(StandalonePage::Join { token: EVIL, tenant: EVIL })),
        ("sign-in-to-join", alone(StandalonePage::SignInToJoin { token: EVIL, tenant: EVIL, email: EVIL })),
        ("spent", alone(StandalonePage::InvalidInvitation)),
        ("403", text(failure_page(app(), &call, &crate::Error::forbidden(EVIL)))),
        ("404", text(failure_page(app(), &call, &crate::Error::not_found()))),
        ("503", text(failure_page(app(), &call, &crate::Error::new(503, "UNAVAILABLE", EVIL)))),
        ("no-role", text(failure::no_role_page(app(), &call, EVIL))),
    ]
}

#[test]
fn user_input_is_never_markup() {
    for (name, html) in pages() {
        assert!(!html.contains("<script>alert") && !html.contains("</textarea><script"), "{name}");
        assert!(html.contains("&#60;") || name == "404", "{name} shows no hostile words: the test tests nothing");
    }
}

#[test]
fn pages_have_no_inline_and_no_external_code() {
    for (name, html) in pages() {
        for tag in html.split('<').skip(1) {
            let tag = tag.split('>').next().unwrap_or_default();
            assert!(!tag.contains(" style=") && !tag.contains(" onclick=") && !tag.contains(" hx-on"), "{name}: {tag}");
            assert!(!tag.starts_with("style"), "{name}: {tag}");
            assert!(!tag.starts_with("script") || tag.contains(" src=\"/-/assets/"), "{name}: {tag}");
            let own = tag.contains(" href=\"/-/assets/") || tag.contains(" href=\"#dz-page-end\"");
            assert!(!tag.starts_with("link") || own, "{name}: {tag}");
        }
    }
}

#[test]
fn ids_are_unique_and_references_resolve() {
    for (name, html) in pages() {
        let attribute = |wanted: &str| -> Vec<String> {
            let start = format!(" {wanted}=\"");
            let values = html.split(&start).skip(1).filter_map(|rest| rest.split('"').next());
            values.map(str::to_owned).collect()
        };
        let ids = attribute("id");
        let unique: std::collections::BTreeSet<&String> = ids.iter().collect();
        assert_eq!(unique.len(), ids.len(), "{name}: an id stands twice in {ids:?}");
        for wanted in ["for", "aria-labelledby", "aria-describedby", "aria-controls", "popovertarget", "list"] {
            for target in attribute(wanted).iter().flat_map(|ids| ids.split_whitespace()) {
                assert!(unique.contains(&target.to_owned()), "{name}: {wanted} names {target}, which the page does not have");
            }
        }
        assert_eq!(html.matches("<h1").count(), 1, "{name}");
        assert!(html.contains("href=\"#main\"") && unique.contains(&"main".to_owned()), "{name}: no way to the content");
    }
}

#[test]
fn every_page_can_be_written_without_prefix() {
    for (name, html) in pages() {
        let plain = Markup::Plain.apply(html);
        for tag in plain.split('<').skip(1).map(|tag| tag.split('>').next().unwrap_or_default()) {
            assert!(!tag.contains("data-dz-") && !tag.contains("class=\"dz-"), "{name}: {tag}");
        }
    }
    let list = Markup::Plain.apply(list(None, 412, false).content().expect("a list"));
    assert!(
        list.contains("class=\"pagination\"") && list.contains(" data-grid-total=\"412\"") && list.contains(" data-region=\"visit_list\"")
    );
}

#[test]
fn a_list_shows_its_sort_order() {
    let html = list(None, 412, true).content().expect("a list");
    assert_eq!(html.matches("aria-sort=\"ascending\"").count(), 1);
    assert!(html.contains(r#"<tbody id="visit_list-body" aria-busy="false">"#), "{html}");
    assert_eq!(html.matches("data-dz-region=").count(), 1);
}
