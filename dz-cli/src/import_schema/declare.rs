//! The declaration of a database.

mod checks;
mod column;
mod keys;

use std::collections::HashMap;

use dz_dsl_file::{SourceMap, analyse};

use super::{
    found::{Database, Table},
    naming,
};

/// Tables and columns of dz and of tools for migrations.
const OWN_TABLES: &[&str] = &["__diesel_schema_migrations"];
const OWN_COLUMNS: &[&str] = &["dz_version", "dz_state_since"];

/// A declaration, and the parts of the database that it cannot express.
#[derive(Debug, Default)]
pub struct Declared {
    /// The lines.
    pub lines: Vec<String>,
    /// The omitted parts, each with its reason.
    pub left_out: Vec<String>,
}

impl Declared {
    /// Writes a comment about an omitted part.
    pub fn leave_out(&mut self, indent: &str, of: &str, text: &str) {
        self.lines.push(format!("{indent}# not imported: {}", text.replace(['\n', '\r'], " ")));
        self.left_out.push(if of.is_empty() { text.to_owned() } else { format!("{of}: {text}") });
    }
}

/// The names of tables and columns in the declaration.
pub struct Names {
    entities: HashMap<String, String>,
    fields: HashMap<(String, String), String>,
}

impl Names {
    fn new(database: &Database) -> Names {
        let mut names = Names { entities: HashMap::new(), fields: HashMap::new() };
        let mut taken: Vec<String> = Vec::new();
        for table in imported(database) {
            let entity = naming::distinct(naming::entity(&table.name), &taken);
            taken.push(entity.clone());
            names.entities.insert(table.name.clone(), entity);
            names.add_fields(table);
        }
        names
    }

    fn add_fields(&mut self, table: &Table) {
        let all: Vec<String> = table.columns.iter().map(|column| naming::field(&column.name)).collect();
        let mut taken: Vec<String> = Vec::new();
        for (column, plain) in table.columns.iter().zip(&all) {
            // The column `artist_id` contains the key of an artist, so the name of the field is `artist`.
            let short = plain.strip_suffix("_id").filter(|short| !short.is_empty() && !all.iter().any(|other| other == short));
            let refers = table.references.iter().any(|reference| matches!(reference.columns.as_slice(), [one] if *one == column.name));
            let wanted = short.filter(|_| refers).unwrap_or(plain).to_owned();
            let field = naming::distinct(wanted, &taken);
            taken.push(field.clone());
            self.fields.insert((table.name.clone(), column.name.to_lowercase()), field);
        }
    }

    /// The entity of a table.
    pub fn entity(&self, table: &str) -> Option<&str> {
        let any_case = || self.entities.iter().find(|(name, _)| name.eq_ignore_ascii_case(table)).map(|(_, entity)| entity);
        self.entities.get(table).or_else(any_case).map(String::as_str)
    }

    /// The field of a column.
    pub fn field(&self, table: &Table, column: &str) -> Option<&str> {
        self.fields.get(&(table.name.clone(), column.to_lowercase())).map(String::as_str)
    }
}

/// The tables of a database that are not dz's own.
fn imported(database: &Database) -> impl Iterator<Item = &Table> {
    database.tables.iter().filter(|table| !table.name.starts_with("dz_") && !OWN_TABLES.contains(&table.name.as_str()))
}

/// The declaration of a database.
pub fn declaration(database: &Database, app: &str) -> Declared {
    let names = Names::new(database);
    let mut out = Declared::default();
    out.lines.push(format!("app {app} {}", quoted(&dz_dsl_file::names::humanise(app))));
    out.lines.push(String::new());
    for other in &database.others {
        out.leave_out("", "", other);
    }
    for it in &database.enums {
        let values: String = it.values.iter().map(|value| format!("  {}\n", value_word(value))).collect();
        out.lines.push(format!("\nenum {}:\n{}", naming::entity(&it.name), values.trim_end()));
    }
    for table in imported(database) {
        entity(database, &names, table, &mut out);
    }
    out
}

fn entity(database: &Database, names: &Names, table: &Table, out: &mut Declared) {
    let name = names.entity(&table.name).unwrap_or_default();
    out.lines.push(String::new());
    let same = naming::table(name) == table.name;
    if !same && !naming::is_identifier(&table.name) {
        out.lines.push(format!("# The table is named {}.", quoted(&table.name)));
    }
    out.lines.push(format!("entity {name} {}:", quoted(&dz_dsl_file::names::humanise(&naming::field(name)))));
    if let Some(comment) = &table.comment {
        out.lines.push(format!("  intent: {}", quoted(comment)));
    }
    if !same && naming::is_identifier(&table.name) {
        out.lines.push(format!("  was: {}", table.name));
    }
    let checks = checks::read_checks(table);
    for failure in &checks.failures {
        out.leave_out("  ", &table.name, failure);
    }
    let account = if name == "User" { account_fields() } else { Vec::new() };
    keys::surrogate(names, table, out);
    for column in &table.columns {
        match OWN_COLUMNS.contains(&column.name.as_str()) {
            true => {}
            false => column::declare(&column::Place { database, names, table, checks: &checks, account: &account }, column, out),
        }
    }
    keys::indexes(names, table, out);
    checks::invariants(names, table, &checks, out);
    for reference in table.references.iter().filter(|it| it.columns.len() > 1) {
        let columns = reference.columns.join("`, `");
        out.leave_out("  ", &table.name, &format!("the foreign key of `{columns}` to `{}`: a ref has one column", reference.table));
    }
    for trigger in &table.triggers {
        out.leave_out("  ", &table.name, &format!("the trigger `{trigger}`; a hook in Rust can do its work"));
    }
    out.lines.push("  permit:".to_owned());
    for action in ["list", "read", "create", "update", "delete"] {
        out.lines.push(format!("    {action}: role(admin)"));
    }
}

/// The fields of accounts that dz adds to each account entity.
fn account_fields() -> Vec<String> {
    let analysis = analyse(SourceMap::single("app.dsl", "app accounts\n"));
    let account = analysis.model.as_ref().and_then(|model| model.entities.get(model.account.0));
    let names = account.into_iter().flat_map(|entity| &entity.fields).map(|field| field.name.clone());
    // An application can also have these columns without dz.
    names.filter(|name| !["id", "email", "name"].contains(&name.as_str())).collect()
}

/// A text as a literal of the language.
pub fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "").replace('\t', "\\t");
    format!("\"{text}\"")
}

/// A value of an enumeration, in quotes unless it is a word.
pub fn value_word(value: &str) -> String {
    if naming::is_identifier(value) && value.is_ascii() { value.to_owned() } else { quoted(value) }
}
