//! Semantic archetypes: their surfaces, and declared surfaces that replace them.

use dz_dsl_file::{
    SourceMap, analyse,
    model::{Audience, Model, SectionBody, Surface, Word},
    render,
};
use expect_test::{Expect, expect};

const APP: &str = r#"persona clerk
entity Firm:
  id: uuid pk
  name: str(80) required
  archetype: tenant
entity Platform "API limits":
  id: uuid pk
  archetype: settings
  calls: int = 100
entity Office:
  id: uuid pk
  archetype: tenant_settings
  opens: str(5) = "08:00"
entity Account:
  id: uuid pk
  archetype: user
  phone: str(30)
entity Member:
  id: uuid pk
  archetype: user_membership
  desk: str(20)
"#;

fn model(text: &str) -> Model {
    let files = SourceMap::single("t", text);
    let analysis = analyse(files.clone());
    let errors: Vec<String> =
        analysis.diagnostics.iter().filter(|it| it.severity == dz_dsl_file::Severity::Error).map(|it| render::short(&files, it)).collect();
    analysis.model.unwrap_or_else(|| panic!("no model: {errors:#?}"))
}

fn surface_text(model: &Model, surface: &Surface) -> String {
    let access = match &surface.access {
        None => "rules".to_owned(),
        Some(Audience::Personas(_)) => "personas".to_owned(),
        Some(audience) => format!("{audience:?}"),
    };
    let route = surface.route.clone().unwrap_or_else(|| format!("/app/{}", surface.name));
    let mut text = format!("{} \"{}\" {} {route} {access}\n", surface.name, surface.title, surface.mode.word());
    for section in &surface.sections {
        let SectionBody::Fields(columns) = &section.body else { continue };
        let columns = columns.iter().map(|column| {
            let name = &model.field(column.path.from, column.path.field).name;
            if column.read_only { format!("({name})") } else { name.clone() }
        });
        text.push_str(&format!("  {}: {}\n", section.name, columns.collect::<Vec<_>>().join(" ")));
    }
    let name = |path: &dz_dsl_file::model::Path| model.field(path.from, path.field).name.clone();
    let ux = &surface.ux;
    let sort = ux.sort.iter().map(|key| format!("sort {}{}", name(&key.path), if key.descending { " desc" } else { "" }));
    let others =
        ux.filter.iter().map(|it| format!("filter {}", name(&it.it))).chain(ux.search.iter().map(|it| format!("search {}", name(&it.it))));
    let ux: Vec<String> = sort.chain(others).collect();
    if !ux.is_empty() {
        text.push_str(&format!("  {}\n", ux.join(", ")));
    }
    text
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    let model = model(text);
    expected.assert_eq(&model.surfaces.iter().map(|surface| surface_text(&model, surface)).collect::<String>());
}

#[test]
fn every_kind_brings_its_surfaces() {
    check(
        APP,
        expect![[r#"
            firm_admin "Firms" list /admin/tenants SystemAdmin
              main: name
              sort name, search name
            platform_settings "API limits" edit /admin/settings/platform SystemAdmin
              main: calls
            office_settings "Office" edit /settings/office TenantAdmin
              main: opens
            user_list "Accounts" list /app/user_list SystemAdmin
              main: name email phone is_active last_login
              sort email, filter is_active, search email, search name
            user_view "Account" view /app/user_view SystemAdmin
              main: email name phone
              sign_in: is_active email_verified auth_provider auth_provider_id last_login created_at
            user_create "New account" create /app/user_create SystemAdmin
              main: email name phone
              sign_in: is_active email_verified auth_provider auth_provider_id
            user_edit "Edit account" edit /app/user_edit SystemAdmin
              main: email name phone
              sign_in: is_active email_verified (auth_provider) (auth_provider_id) (last_login)
            user_membership_list "Members" list /app/user_membership_list SystemAdmin
              main: user personas is_primary firm desk invited_by invited_at accepted_at
              sort invited_at desc, filter user
            user_membership_edit "Edit member" edit /app/user_membership_edit SystemAdmin
              main: (user) personas is_primary desk
              invitation: (invited_by) accepted_at
        "#]],
    );
}

#[test]
fn a_declared_surface_takes_the_place_of_an_automatic_one() {
    let declared = concat!(
        "surface user_list:\n  uses entity Account\n  mode: list\n",
        "surface platform_settings \"Limits\":\n  uses entity Platform\n  mode: edit\n",
        "surface firm_admin:\n  uses entity Firm\n  mode: view\n",
    );
    let model = model(&format!("{APP}{declared}"));
    let named = |name: &str| -> Vec<&Surface> { model.surfaces.iter().filter(|surface| surface.name == name).collect() };
    let [list] = named("user_list")[..] else { panic!("one list of accounts") };
    assert!(list.declared && list.access.is_none() && list.route.is_none());
    let [settings] = named("platform_settings")[..] else { panic!("one page of settings") };
    assert_eq!((settings.declared, settings.title.as_str(), settings.route.as_deref()), (true, "Limits", Some("/admin/settings/platform")));
    // A surface with another purpose has an address of its own.
    let [tenants] = named("firm_admin")[..] else { panic!("one surface of that name") };
    assert_eq!(tenants.route, None);
    let positions: Vec<bool> = model.surfaces.iter().map(|surface| surface.declared).collect();
    assert!(positions.is_sorted_by(|before, after| before >= after), "declared ones come first: {positions:?}");
}

#[test]
fn an_account_entity_without_the_line_brings_none() {
    check("entity User:\n  id: uuid pk\n  phone: str(30)\n  permit:\n    read: true\n", expect![[""]]);
    check("entity Task:\n  id: uuid pk\n  permit:\n    read: true\n", expect![[""]]);
}

#[test]
fn surfaces_can_open_automatic_surfaces() {
    let text = "surface firm_list:\n  uses entity Firm\n  mode: list\n  action people:\n    on click -> surface user_list\n  action limits:\n    on click -> surface platform_settings\n  action office:\n    on click -> surface office_settings\n";
    let model = model(&format!("{APP}{text}"));
    let opened = |at: usize| model.surfaces[model.surfaces[0].actions[at].opens.surface.0].name.as_str();
    assert_eq!([opened(0), opened(1), opened(2)], ["user_list", "platform_settings", "office_settings"]);
}

/// A form has no field for the tenant, because it is the active one.
#[test]
fn the_tenant_of_a_new_row_is_not_asked_for() {
    let text = "entity Job:\n  id: uuid pk\n  title: str(20) required\n  permit:\n    create: role(clerk)\n    read: role(clerk)\nsurface job_new:\n  uses entity Job\n  mode: create\nsurface job_fast:\n  uses entity Job\n  mode: create\n  section main:\n    field title\n";
    let model = model(&format!("{APP}{text}"));
    assert_eq!(surface_text(&model, &model.surfaces[0]), "job_new \"Job new\" create /app/job_new rules\n  main: title\n");
    assert!(model.entities.iter().any(|entity| entity.name == "Job" && entity.tenant.is_some()));
}

#[test]
fn one_row_for_each_tenant() {
    let model = model(APP);
    let unique = |name: &str| -> Vec<Vec<String>> {
        let entity = model.entities.iter().find(|entity| entity.name == name).expect("it is there");
        let names = |index: &dz_dsl_file::model::Index| index.columns.iter().map(|it| entity.fields[it.field.0].name.clone()).collect();
        entity.indexes.iter().filter(|index| index.unique).map(names).collect()
    };
    assert_eq!(unique("Office"), [["firm"]]);
    assert_eq!(unique("Member"), [["firm", "user"]]);
    assert!(unique("Platform").is_empty());
}

/// Automatic surfaces raise no findings.
#[test]
fn automatic_surfaces_raise_no_findings() {
    let files = SourceMap::single("t", APP);
    let rules: Vec<&str> = analyse(files).diagnostics.iter().map(|it| it.rule).collect();
    let of_pages = ["dead-surface", "list-without-ux", "unindexed-sort", "unindexed-filter", "dead-entity", "missing-required-field"];
    assert!(!rules.iter().any(|rule| of_pages.contains(rule)), "{rules:?}");
}

/// The finding is at the workspace, which can be renamed.
#[test]
fn a_workspace_with_the_name_of_an_automatic_surface_is_reported() {
    let text = format!("{APP}workspace user_list:\n  purpose: \"x\"\n");
    let files = SourceMap::single("t", &text);
    let found: Vec<String> =
        analyse(files.clone()).diagnostics.iter().filter(|it| it.rule == "name-collision").map(|it| render::short(&files, it)).collect();
    expect!["t:22:11: error[name-collision]: two names become the address `/app/user_list`"].assert_eq(&found.join("\n"));
}

#[test]
fn declared_fields_of_accounts_keep_their_purpose() {
    let model = model(
        "entity Person:\n  archetype: user\n  id: uuid pk\n  name: str(80)\n  password_hash: str(255)\n  password_reset_token: text\n  \
         is_active: bool\n  email_verified: bool = true\n  auth_provider_id: str(255)\n",
    );
    let field = |name: &str| model.entity(model.account).fields.iter().find(|field| field.name == name).expect("a field");
    for name in ["password_hash", "password_reset_token", "password_reset_expires", "email_verify_token"] {
        assert!(field(name).secret, "{name}");
    }
    for name in ["is_active", "email_verified", "auth_provider", "auth_provider_id", "last_login"] {
        assert!(field(name).identity, "{name}");
    }
    use dz_dsl_file::model::Expr;
    assert_eq!((field("is_active").required, &field("is_active").default), (true, &Some(Expr::Bool(true))));
    assert_eq!(field("email_verified").default, Some(Expr::Bool(true)));
}
