use crate::{eject, source};

/// Names that diesel, the modules of the backend or Rust use for something else.
const NAMES: &str = r#"
entity User "User":
  archetype: user
  id: uuid pk
  check: bool
  is_signed_in: bool
  permit:
    list: current_user.check = true or current_user.is_signed_in = true

entity Reservation "Reservation":
  id: uuid pk
  table: ref Table
  star: int
  all_columns: int
  dsl: int
  columns: int
  q: int
  alias: int
  diesel: int
  bool: bool
  str: str(20)
  errors: email

entity Table "Table":
  id: int pk

entity Note "Note":
  id: uuid pk
  notes: text

entity Report "Report":
  id: uuid pk
  n: int
  columns: computed n + 1

entity Access "Access":
  id: uuid pk
  user: ref User

entity Routes "Routes":
  id: uuid pk
  access: ref Access

entity Rocket "Rocket":
  id: uuid pk

entity Cell "Cell":
  id: uuid pk

entity Shown "Shown":
  id: uuid pk

entity Database "Database":
  id: uuid pk

entity Timed "Timed":
  id: uuid pk
  state: enum[open, closed] = open
  transitions:
    open -> closed: auto after 1 days

entity Mod "Module":
  id: uuid pk

entity Super "Superior":
  id: uuid pk

entity Row "Row":
  id: uuid pk
"#;

#[test]
fn columns_have_other_identifiers_where_diesel_uses_their_names() {
    let model = source(&eject(NAMES), "models/reservation");
    for (name, ty, rust) in [
        ("table", "Nullable<BigInt>", "Option<i64>"),
        ("star", "Nullable<BigInt>", "Option<i64>"),
        ("all_columns", "Nullable<BigInt>", "Option<i64>"),
        ("dsl", "Nullable<BigInt>", "Option<i64>"),
        ("columns", "Nullable<BigInt>", "Option<i64>"),
        ("q", "Nullable<BigInt>", "Option<i64>"),
        ("alias", "Nullable<BigInt>", "Option<i64>"),
        ("diesel", "Nullable<BigInt>", "Option<i64>"),
        ("bool", "Nullable<Bool>", "Option<bool>"),
        ("str", "Nullable<Text>", "Option<String>"),
    ] {
        assert!(model.contains(&format!("#[sql_name = {name:?}] {name}_ -> {ty},")), "{name}: {model}");
        assert!(model.contains(&format!("pub {name}_: {rust},")), "{name}: {model}");
        assert!(model.contains(&format!("({name:?}, Value::")), "{name}: {model}");
    }
    let validators = source(&eject(NAMES), "validators/reservation");
    assert!(validators.contains("if let Some(value) = &row.errors { errors.check(\"errors\", check_email(value)); }"), "{validators}");
    assert!(validators.contains("if let Some(value) = &row.str_ {"), "{validators}");
}

#[test]
fn a_table_has_another_identifier_than_its_columns() {
    let tree = eject(NAMES);
    let model = source(&tree, "models/note");
    assert!(model.contains("#[sql_name = \"notes\"] notes_table (id) {"), "{model}");
    assert!(model.contains("table_name = notes_table,"));
    assert!(model.contains(" notes -> Nullable<Text>,"));
    let routes = source(&tree, "routes/note");
    assert!(routes.contains("note::{Note, notes_table}}"), "{routes}");
    assert!(routes.contains("#[get(\"/api/notes\")]") && routes.contains("access::list(caller, \"notes\")"));
    assert!(routes.contains("notes_table::table.filter(notes_table::id.eq(id))") && !routes.contains(" notes::"));
}

#[test]
fn methods_of_computed_fields_and_of_the_caller_are_distinct() {
    let tree = eject(NAMES);
    let report = source(&tree, "models/report");
    assert_eq!(report.matches("pub fn columns(").count(), 1, "{report}");
    assert!(report.contains("pub fn columns_("));
    assert!(source(&tree, "schemas/report").contains("Report::columns_(caller, row).typed()"));
    let caller = source(&tree, "caller");
    for name in ["check", "is_signed_in"] {
        assert!(caller.contains(&format!("{name}_: account.{name}.clone(),")), "{caller}");
        assert_eq!(caller.matches(&format!("pub fn {name}(")).count(), 1, "{name}");
        assert_eq!(caller.matches(&format!("pub fn {name}_(")).count(), 1, "{name}");
    }
}

#[test]
fn rows_have_other_types_where_modules_use_their_names() {
    let tree = eject(NAMES);
    for name in ["Cell", "Shown", "Database", "Timed"] {
        let file = name.to_lowercase();
        assert!(source(&tree, &format!("models/{file}")).contains(&format!("pub struct {name}Row ")), "{name}");
        assert!(source(&tree, &format!("schemas/{file}")).contains(&format!("models::{file}::{name}Row")), "{name}");
    }
    let models = source(&tree, "models");
    assert!(models.contains("list: crate::access::access::list,") && models.contains("record: crate::routes::routes::record_deletions,"));
    assert!(!models.contains("use crate::{"));
    assert!(source(&tree, "routes").contains("Vec<::rocket::Route>"));
}

#[test]
fn no_file_has_the_name_of_a_folder_or_of_a_path_of_rust() {
    let tree = eject(NAMES);
    for (file, name) in [("mod_", "Mod"), ("super_", "Super")] {
        assert!(source(&tree, "models").contains(&format!("pub mod {file};")));
        assert!(source(&tree, &format!("models/{file}")).contains(&format!("pub struct {name} ")));
    }
}

#[test]
fn the_tests_of_the_frontend_name_a_row_by_its_key_as_text() {
    let tree = eject(NAMES);
    let test = |file: &str| tree.files[&format!("frontend/src/hooks/{file}.test.tsx")].as_str();
    assert!(test("table").contains("const id = String(row.id);") && test("table").contains("useTable(id)"));
    assert!(test("note").contains("const id = row.id;"));
    assert!(!test("table").contains("useUpdateTable(row.id)"));
    assert!(tree.files["frontend/src/components/row/list.tsx"].contains("RowRowList"));
}
