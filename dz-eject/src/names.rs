//! Names in generated Rust, SQL and TypeScript.

use dz_dsl_file::model::{Archetype, Auto, Entity, EnumType, Field, FieldId, FieldType, Model};
use heck::{ToSnakeCase, ToUpperCamelCase};

/// Words that Rust reserves and that `r#` makes usable.
const RESERVED: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum", "extern", "false",
    "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while",
    "yield",
];

/// Names that diesel's `table!` uses itself for columns and tables, and the method of every row.
const OF_TABLES: &[&str] = &["alias", "all_columns", "bool", "columns", "diesel", "dsl", "q", "star", "str", "table"];

/// A field as an identifier of Rust: of its column, in the row, and of its method.
pub(crate) fn ident(name: &str) -> String {
    if OF_TABLES.contains(&name) { format!("{name}_") } else { word(name) }
}

/// The line that names a column or table in the database, if its identifier is not this name.
pub(crate) fn sql_name(name: &str, ident: &str, indent: &str) -> String {
    if ident.trim_start_matches("r#") == name { String::new() } else { format!("{indent}#[sql_name = {name:?}]\n") }
}

/// The Rust module of a table: a column cannot have the same name.
pub(crate) fn table(entity: &Entity) -> String {
    let is_column = |field: &Field| field.is_stored() && field.name == entity.table;
    match OF_TABLES.contains(&entity.table.as_str()) || entity.fields.iter().any(is_column) {
        true => format!("{}_table", entity.table),
        false => word(&entity.table),
    }
}

/// A word as an identifier of Rust.
fn word(name: &str) -> String {
    match name {
        "self" | "super" | "crate" | "Self" => format!("{name}_"),
        name if RESERVED.contains(&name) => format!("r#{name}"),
        name => name.to_owned(),
    }
}

/// The file of an entity, without its ending.
pub(crate) fn file(entity: &Entity) -> String {
    match entity.name.to_snake_case() {
        // No module can have these names, or its file would be that of the folder.
        name if matches!(name.as_str(), "crate" | "mod" | "self" | "super") => format!("{name}_"),
        name => name,
    }
}

/// The Rust module of an entity.
pub(crate) fn module(entity: &Entity) -> String {
    word(&file(entity))
}

/// Names that the modules of the backend use for something else.
const TAKEN: &[&str] = &[
    "Action",
    "Addressee",
    "Amount",
    "Answer",
    "AsChangeset",
    "AsRef",
    "AsSelect",
    "BigInt",
    "Body",
    "Bool",
    "Box",
    "Bulk",
    "Call",
    "Caller",
    "Cell",
    "Check",
    "Choice",
    "Clone",
    "Column",
    "Connection",
    "Database",
    "Date",
    "Debug",
    "Default",
    "Document",
    "Double",
    "Engine",
    "Err",
    "Exact",
    "Expansion",
    "Extend",
    "FieldErrors",
    "From",
    "Id",
    "Identifier",
    "Insertable",
    "Instant",
    "Into",
    "IntoIterator",
    "Invitation",
    "Iterator",
    "Json",
    "Key",
    "KeyType",
    "Kind",
    "ListQuery",
    "ListRules",
    "Machine",
    "Map",
    "Members",
    "Membership",
    "NaiveDate",
    "NewUser",
    "None",
    "Nullable",
    "Number",
    "Ok",
    "OnDelete",
    "Once",
    "Option",
    "Problem",
    "Queryable",
    "RawValue",
    "Record",
    "Reference",
    "Reply",
    "Result",
    "Role",
    "Route",
    "RowKey",
    "Selectable",
    "SelectableHelper",
    "Sent",
    "Server",
    "Shown",
    "Some",
    "Source",
    "Sql",
    "State",
    "Stored",
    "String",
    "Text",
    "TimeDelta",
    "Timed",
    "Timestamp",
    "ToOwned",
    "ToString",
    "Transition",
    "Typed",
    "Unknown",
    "Value",
    "Vec",
];

/// The Rust type of a row.
pub(crate) fn row(entity: &Entity) -> String {
    if TAKEN.contains(&entity.name.as_str()) { format!("{}Row", entity.name) } else { entity.name.clone() }
}

/// Names that the modules with enumerations use besides.
const TAKEN_BESIDE_CHOICES: &[&str] =
    &["Account", "AccountRow", "AsExpression", "FromSql", "FromSqlRow", "Output", "Serialize", "Serializer", "ToSql"];

/// The Rust type of an enumeration.
pub(crate) fn choice(model: &Model, of: &EnumType) -> String {
    let is_taken = [TAKEN, TAKEN_BESIDE_CHOICES].iter().any(|names| names.contains(&of.name.as_str()));
    // An enumeration may have the name of an entity.
    match is_taken || model.entities.iter().any(|entity| entity.name == of.name) {
        true => format!("{}Value", of.name),
        false => of.name.clone(),
    }
}

/// A role as a variant.
pub(crate) fn role(name: &str) -> String {
    match name.to_upper_camel_case() {
        word if word == "Self" => "SelfRole".to_owned(),
        word => word,
    }
}

/// A text as a literal of Rust.
pub(crate) fn literal(text: &str) -> String {
    format!("{text:?}")
}

/// A text as a literal of several lines, if it is long: rustfmt breaks no literals.
pub(crate) fn long_literal(text: &str) -> String {
    const WIDTH: usize = 60;
    let whole = literal(text);
    let (mut out, mut line) = (String::new(), 0);
    let mut words = whole.split_inclusive(' ').peekable();
    while let Some(word) = words.next() {
        out.push_str(word);
        line += word.len();
        // A line that ends with `\` goes on at the next character that is not a space.
        if let Some(next) = words.peek()
            && line + next.len() > WIDTH
            && !next.starts_with(' ')
        {
            out.push_str("\\\n");
            line = 0;
        }
    }
    out
}

/// The title of an entity in sentences.
pub(crate) fn title(entity: &Entity) -> String {
    entity.title.to_lowercase()
}

/// True for the field with the tenant of a row.
pub(crate) fn is_tenant(entity: &Entity, field: &Field) -> bool {
    entity.tenant.is_some_and(|tenant| entity.fields[tenant.0].name == field.name)
}

/// True for the tenant of a row that is always that of the caller. Administrators of the whole system write memberships of all tenants.
pub(crate) fn is_own_tenant(entity: &Entity, field: &Field) -> bool {
    is_tenant(entity, field) && entity.kind != Some(Archetype::UserMembership)
}

/// The field with the roles of a membership.
pub(crate) fn personas(entity: &Entity) -> Option<&Field> {
    let is_membership = entity.kind == Some(Archetype::UserMembership);
    entity.fields.iter().find(|field| is_membership && field.name == "personas")
}

/// The fields of a row: stored, and not secret.
pub(crate) fn row_fields(entity: &Entity) -> impl Iterator<Item = &Field> {
    entity.fields.iter().filter(|field| field.is_stored() && !field.secret)
}

/// The fields that callers see: stored or computed, and not secret. The currency of an amount is part of the amount.
pub(crate) fn shown_fields(entity: &Entity) -> impl Iterator<Item = &Field> {
    entity.fields.iter().filter(|field| field.has_value() && !field.secret && field.ty.amount().is_none())
}

/// The fields by which lists can be filtered: those that callers see, and the currencies of amounts.
pub(crate) fn listed_fields(entity: &Entity) -> impl Iterator<Item = &Field> {
    entity.fields.iter().filter(|field| field.has_value() && !field.secret)
}

/// The type of the values of a column: a reference has the type of the key to which it refers.
pub(crate) fn column_type(model: &Model, ty: FieldType) -> FieldType {
    match ty.target() {
        Some(target) => {
            let target = model.entity(target);
            target.fields[target.pk.0].ty
        }
        None => ty,
    }
}

/// The type of the key of a table in Rust: `Id`, `i64` or `String`.
pub(crate) fn key_type(entity: &Entity) -> &'static str {
    match entity.fields[entity.pk.0].ty {
        ty if ty.is_uuid() => "Id",
        ty if ty.is_int() => "i64",
        _ => "String",
    }
}

/// The kind of the key in lists: `Id`, `Int` or `Text`.
pub(crate) fn key_kind(entity: &Entity) -> &'static str {
    match key_type(entity) {
        "i64" => "Int",
        "String" => "Text",
        id => id,
    }
}

/// The field with the currency of an amount, if each row has its own.
pub(crate) fn currency_of<'e>(entity: &'e Entity, field: &Field) -> Option<&'e Field> {
    let at = entity.fields.iter().position(|other| std::ptr::eq(other, field))?;
    entity.fields.iter().find(|other| other.ty.amount() == Some(FieldId(at)))
}

/// The field with the amount of a currency.
pub(crate) fn amount_of<'e>(entity: &'e Entity, field: &Field) -> Option<&'e Field> {
    field.ty.amount().map(|at| &entity.fields[at.0])
}

/// The fields that a person who registers sends besides the address, the name and the password.
pub(crate) fn new_account_fields(model: &Model) -> Vec<&Field> {
    let account = model.entity(model.account);
    let is_needed = |at: usize, field: &Field| {
        let is_required = field.required || amount_of(account, field).is_some_and(|amount| amount.required);
        let is_given = field.default.is_none() && field.auto == Auto::No && !field.ty.is_bool();
        let is_own = at == account.pk.0 || matches!(field.name.as_str(), "email" | "name");
        field.is_stored() && is_required && is_given && !field.secret && !is_own
    };
    account.fields.iter().enumerate().filter(|(at, field)| is_needed(*at, field)).map(|(_, field)| field).collect()
}

/// A field that a person who registers cannot send.
pub(crate) fn unregistrable_field(model: &Model) -> Option<&Field> {
    new_account_fields(model).into_iter().find(|field| field.ty.target().is_some() || field.ty.is_file())
}

/// The computed fields.
pub(crate) fn computed_fields(entity: &Entity) -> impl Iterator<Item = &Field> {
    entity.fields.iter().filter(|field| field.computed.is_some() && !field.secret)
}

/// The method of the caller that asks for roles: rows that belong to no tenant count only roles for the whole system.
pub(crate) fn role_check(model: &Model, entity: &Entity) -> &'static str {
    if model.tenant.is_some() && entity.asks_system_roles() { "has_system_role" } else { "has_role" }
}

/// A column in SQL.
pub(crate) fn quoted_in_sql(name: &str) -> String {
    if is_plain_in_sql(name) { name.to_owned() } else { format!("\"{name}\"") }
}

/// Words that need quotes as a name in one of the two engines.
const WORDS: &[&str] = &[
    "add",
    "all",
    "analyse",
    "analyze",
    "and",
    "any",
    "array",
    "as",
    "asc",
    "authorization",
    "between",
    "both",
    "by",
    "case",
    "cast",
    "check",
    "collate",
    "column",
    "constraint",
    "create",
    "cross",
    "current",
    "default",
    "delete",
    "desc",
    "distinct",
    "do",
    "drop",
    "else",
    "end",
    "escape",
    "except",
    "exists",
    "false",
    "fetch",
    "filter",
    "following",
    "for",
    "foreign",
    "freeze",
    "from",
    "full",
    "grant",
    "group",
    "having",
    "if",
    "in",
    "index",
    "initially",
    "inner",
    "insert",
    "intersect",
    "into",
    "is",
    "isnull",
    "join",
    "lateral",
    "leading",
    "left",
    "like",
    "limit",
    "localtime",
    "natural",
    "not",
    "notnull",
    "null",
    "offset",
    "on",
    "only",
    "or",
    "order",
    "outer",
    "over",
    "overlaps",
    "partition",
    "placing",
    "primary",
    "range",
    "references",
    "returning",
    "right",
    "row",
    "rows",
    "select",
    "session_user",
    "set",
    "similar",
    "some",
    "table",
    "then",
    "to",
    "trailing",
    "transaction",
    "trigger",
    "true",
    "union",
    "unique",
    "update",
    "user",
    "using",
    "values",
    "variadic",
    "verbose",
    "when",
    "where",
    "window",
    "with",
];

/// True if SQL accepts a name without quotes: it is not a word of either engine.
pub(crate) fn is_plain_in_sql(name: &str) -> bool {
    !WORDS.contains(&name) && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}
