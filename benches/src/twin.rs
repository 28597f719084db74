//! The same applications written by hand: Rocket's routes, diesel's models, askama's templates, as a careful programmer writes them
//! without dz, with the same types. `benches/README.md` lists what both sides do, and what only dz does.

use crate::declaration::Edits;

/// The manifest of the hand-written crate.
pub const MANIFEST: &str = r#"[package]
name = "twin"
version = "0.1.0"
edition = "2024"

[workspace]

[dependencies]
askama = { version = "0.16", default-features = false, features = ["alloc", "std", "derive"] }
chrono = { version = "0.4", default-features = false, features = ["std", "clock", "serde"] }
diesel = { version = "2.3", default-features = false, features = ["sqlite", "chrono", "32-column-tables", "r2d2", "returning_clauses_for_sqlite_3_35"] }
rocket = { version = "0.5", default-features = false, features = ["json"] }
rust_decimal = { version = "1", default-features = false, features = ["std", "serde-str"] }
serde = { version = "1", features = ["derive"] }
serde_json = "1"
uuid = { version = "1", features = ["v7", "serde"] }

[profile.dev]
debug = "line-tables-only"
"#;

/// `src/shared.rs`.
pub const SHARED: &str = include_str!("twin/shared.rs.txt");

/// `src/main.rs`.
pub fn main_file(count: usize) -> String {
    let modules: String = (0..count).map(|n| format!("mod item{n};\n")).collect();
    let mounts: String = (0..count).map(|n| format!("        .mount(\"/\", item{n}::routes())\n")).collect();
    format!(
        r#"{modules}mod schema;
mod shared;

use diesel::{{r2d2::{{ConnectionManager, Pool}}, SqliteConnection}};

pub type Db = Pool<ConnectionManager<SqliteConnection>>;

#[rocket::launch]
fn rocket() -> _ {{
    let db: Db = Pool::builder().build(ConnectionManager::new("twin.db")).expect("a database");
    rocket::build()
        .manage(db)
{mounts}}}
"#
    )
}

/// `src/schema.rs`.
pub fn schema(count: usize, edits: Edits) -> String {
    let mut text = String::from("diesel::table! {\n    users (id) {\n        id -> Binary,\n        name -> Nullable<Text>,\n    }\n}\n");
    let mut joins = String::new();
    for n in 0..count {
        let extra = if n == 0 && edits.column { "        extra -> Nullable<Text>,\n" } else { "" };
        text += &format!(
            "diesel::table! {{\n    item{n}s (id) {{\n        id -> Binary,\n        title -> Text,\n        status -> Text,\n        owner -> Nullable<Binary>,\n        due -> Nullable<Date>,\n        hours -> BigInt,\n        rank -> BigInt,\n        score -> Nullable<Double>,\n        billable -> Bool,\n        details -> Nullable<Text>,\n        created_at -> Timestamp,\n        updated_at -> Timestamp,\n{extra}        version -> BigInt,\n    }}\n}}\n"
        );
        joins +=
            &format!("diesel::joinable!(item{n}s -> users (owner));\ndiesel::allow_tables_to_appear_in_same_query!(item{n}s, users);\n");
    }
    text + &joins
}

/// `src/item<n>.rs`.
pub fn module(n: usize, edits: Edits) -> String {
    let edits = if n == 0 { edits } else { Edits::default() };
    let update = if edits.rule { "account.is(\"manager\")" } else { "account.is(\"manager\") || row.owner == Some(account.id)" };
    let label = if edits.label { "Heading" } else { "Title" };
    // The position of a text column in a module.
    let column = [
        ("@ROW@", "    pub extra: Option<String>,\n"),
        ("@CHANGES@", "    #[serde(default, deserialize_with = \"given\")]\n    pub extra: Option<Option<String>>,\n"),
        ("@VIEW@", "<dt>Extra</dt><dd>{% if let Some(extra) = item.extra %}{{ extra }}{% endif %}</dd>\n"),
        ("@INPUT@", "<label>Extra <input name=\"extra\" value=\"{{ form.extra }}\" maxlength=\"40\"></label>"),
        ("@FORM@", "    extra: String,\n"),
        ("@READ@", "            extra: field(\"extra\", &self.extra, &mut errors),\n"),
    ];
    let text = column.iter().fold(include_str!("twin/module.rs.txt").to_owned(), |text, (place, line)| {
        text.replace(place, if edits.column { line } else { "" })
    });
    text.replace("@UPDATE@", update).replace("@LABEL@", label).replace("@N@", &n.to_string())
}
