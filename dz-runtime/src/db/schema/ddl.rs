//! The statements that make the schema: tables, constraints, indexes.
//!
//! Only built-in SQL, so that other tools still open the database. A constraint's name holds its fields in
//! brackets, `tasks(title)`, from which the error at a field is made.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::{
    Engine,
    db::{DELETED_AT, STATE_SINCE, emit, storage::INTEGER_DIGITS},
    def::{AppDef, EntityDef, FieldDef, Kind, Mode},
};

/// The longest name that PostgreSQL keeps.
const NAME_BYTES: usize = 63;

/// A column as the database reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) ty: String,
    pub(super) required: bool,
}

/// A table with its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
}

/// The tables that the application has, the system's own included.
pub(super) fn tables(app: &'static AppDef, engine: Engine) -> Vec<Table> {
    let column = |name: &str, ty: &str| Column { name: name.into(), ty: ty.into(), required: true };
    let key = column_type(app.account().key().kind, app, engine);
    let moment = column_type(Kind::DateTime, app, engine);
    let id = column_type(Kind::Uuid, app, engine);
    let system = vec![
        outbox("dz_outbox", "retry_at", app, engine),
        outbox("dz_dead_letters", "died_at", app, engine),
        Table {
            name: "dz_held".into(),
            columns: vec![
                column("entity", &text(engine)),
                column("row_id", &text(engine)),
                column("state", &text(engine)),
                column("since", &moment),
                column("attempts", integer(engine)),
                column("retry_at", &moment),
            ],
        },
        Table { name: "dz_meta".into(), columns: vec![column("key", &text(engine)), column("value", &text(engine))] },
        Table { name: "dz_roles".into(), columns: vec![column("account", &key), column("role", &text(engine))] },
        Table {
            name: "dz_sessions".into(),
            columns: vec![
                column("token_hash", &text(engine)),
                column("id", &id),
                column("account", &key),
                column("device", &text(engine)),
                column("created_at", &moment),
                column("seen_at", &moment),
                column("expires_at", &moment),
            ],
        },
        Table {
            name: "dz_tokens".into(),
            columns: vec![
                column("token_hash", &text(engine)),
                column("id", &id),
                column("account", &key),
                column("scope", &text(engine)),
                Column { required: false, ..column("roles", &text(engine)) },
                column("created_at", &moment),
                column("seen_at", &moment),
                column("expires_at", &moment),
            ],
        },
        Table {
            name: "dz_idempotency".into(),
            columns: vec![
                column("scope", &text(engine)),
                column("body", &text(engine)),
                column("status", integer(engine)),
                column("row_key", &text(engine)),
                column("answer", &text(engine)),
                column("expires_at", &moment),
            ],
        },
    ];
    let mut tables = Vec::new();
    for entity in app.entities {
        let stored = entity.fields.iter().filter(|field| field.is_stored());
        let mut columns: Vec<_> = stored
            .map(|field| Column {
                name: field.name.into(),
                ty: column_type(field.kind, app, engine),
                required: field.required || std::ptr::eq(field, entity.key()),
            })
            .collect();
        columns.push(column("dz_version", integer(engine)));
        if entity.states.is_some() {
            columns.push(column(STATE_SINCE, &moment));
        }
        if entity.soft_delete {
            columns.push(Column { required: false, ..column(DELETED_AT, &moment) });
        }
        tables.push(Table { name: entity.table.into(), columns });
    }
    // They refer to the account entity.
    tables.extend(system);
    tables
}

/// What waits to be told, and what was given up; `at` is when.
fn outbox(name: &str, at: &str, app: &'static AppDef, engine: Engine) -> Table {
    let column = |name: &str, ty: String| Column { name: name.into(), ty, required: true };
    let moment = column_type(Kind::DateTime, app, engine);
    let mut columns = vec![column("id", column_type(Kind::Uuid, app, engine))];
    if name == "dz_outbox" {
        columns.insert(0, column("seq", integer(engine).to_owned()));
    }
    columns.extend(["subscriber", "event", "entity", "row_id", "payload"].map(|name| column(name, text(engine))));
    columns.push(column("attempts", integer(engine).to_owned()));
    columns.extend(["created_at", at].map(|name| column(name, moment.clone())));
    columns.push(column("error", text(engine)));
    Table { name: name.into(), columns }
}

/// Every statement, in the order in which they run.
pub(super) fn statements(app: &'static AppDef, engine: Engine) -> Vec<String> {
    let mut all = Vec::new();
    let mut later = Vec::new();
    for table in tables(app, engine) {
        let entity = app.entities.iter().copied().find(|entity| entity.table == table.name);
        let mut lines: Vec<String> = table.columns.iter().map(|column| column_line(column, entity, engine)).collect();
        match entity {
            Some(entity) => entity_constraints(entity, app, engine, &mut lines, &mut later),
            None => lines.extend(system_constraints(&table.name, app)),
        }
        let end = if engine == Engine::Sqlite { ") STRICT" } else { ")" };
        all.push(format!("CREATE TABLE \"{}\" (\n  {}\n{end}", table.name, lines.join(",\n  ")));
    }
    all.append(&mut later);
    for entity in app.entities {
        all.extend(indexes(entity, app, engine));
        all.extend(timed_indexes(entity));
    }
    all.push("CREATE INDEX \"dz_outbox[row]\" ON \"dz_outbox\" (\"subscriber\", \"entity\", \"row_id\", \"seq\")".into());
    all.push("CREATE INDEX \"dz_outbox[retry_at]\" ON \"dz_outbox\" (\"retry_at\")".into());
    all.push("CREATE INDEX \"dz_idempotency[expires_at]\" ON \"dz_idempotency\" (\"expires_at\")".into());
    for table in ["dz_sessions", "dz_tokens"] {
        all.push(format!("CREATE INDEX \"{table}[account]\" ON \"{table}\" (\"account\")"));
    }
    // By what a link in a mail says.
    for field in ["email_verify_token", "password_reset_token"] {
        if app.account().find(field).is_some() {
            let table = app.account().table;
            all.push(format!("CREATE INDEX \"{}\" ON \"{table}\" (\"{field}\")", name(format!("{table}[{field}]"))));
        }
    }
    all
}

/// What the schema is, in one word that changes with it.
pub(super) fn fingerprint(app: &'static AppDef, engine: Engine) -> String {
    hex(&Sha256::digest(statements(app, engine).join(";\n").as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn text(engine: Engine) -> String {
    if engine == Engine::Sqlite { "TEXT".into() } else { "text".into() }
}

fn integer(engine: Engine) -> &'static str {
    if engine == Engine::Sqlite { "INTEGER" } else { "bigint" }
}

/// The type as the database itself reports it.
fn column_type(kind: Kind, app: &'static AppDef, engine: Engine) -> String {
    if let Kind::Ref(entity) = kind {
        return column_type(app.entity(entity).key().kind, app, engine);
    }
    match engine {
        Engine::Sqlite => match kind {
            Kind::Uuid => "BLOB",
            Kind::Int | Kind::Bool => "INTEGER",
            Kind::Float => "REAL",
            Kind::Decimal { precision, .. } if precision <= INTEGER_DIGITS => "INTEGER",
            _ => "TEXT",
        }
        .into(),
        Engine::Postgres => match kind {
            Kind::Uuid => "uuid".into(),
            Kind::Int => "bigint".into(),
            Kind::Bool => "boolean".into(),
            Kind::Float => "double precision".into(),
            Kind::Decimal { precision, scale } => format!("numeric({precision},{scale})"),
            Kind::Date => "date".into(),
            Kind::DateTime => "timestamp with time zone".into(),
            Kind::Json => "jsonb".into(),
            _ => match max_length(kind) {
                Some(length) => format!("character varying({length})"),
                None => "text".into(),
            },
        },
    }
}

/// The most code points of a text.
fn max_length(kind: Kind) -> Option<u32> {
    match kind {
        Kind::Str(length) => Some(length),
        Kind::Email => Some(254),
        Kind::Url => Some(2_048),
        _ => None,
    }
}

fn column_line(column: &Column, entity: Option<&'static EntityDef>, engine: Engine) -> String {
    let mut line = format!("\"{}\" {}", column.name, column.ty);
    if engine == Engine::Postgres && (column.ty == "text" || column.ty.starts_with("character varying")) {
        line.push_str(" COLLATE \"C\"");
    }
    if column.required {
        line.push_str(" NOT NULL");
    }
    let counts = match entity {
        Some(entity) => matches!(entity.key().kind, Kind::Int) && entity.key().name == column.name,
        None => column.name == "seq",
    };
    if counts {
        line.push_str(if engine == Engine::Sqlite { " PRIMARY KEY" } else { " GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY" });
    } else if entity.is_some_and(|entity| entity.key().name == column.name) {
        line.push_str(" PRIMARY KEY");
    }
    if column.name == "dz_version" {
        line.push_str(" DEFAULT 1");
    }
    line
}

/// A name for a constraint or index, shortened where PostgreSQL would shorten it.
fn name(full: String) -> String {
    if full.len() <= NAME_BYTES {
        return full;
    }
    let hash = hex(&Sha256::digest(full.as_bytes()));
    let (hash, _) = hash.split_at(12);
    let mut kept = NAME_BYTES - hash.len() - 1;
    while !full.is_char_boundary(kept) {
        kept -= 1;
    }
    // Without the brackets, so that nobody reads half a field from it.
    let kept = full.split_at(kept).0.split('(').next().unwrap_or_default();
    format!("{kept} {hash}")
}

fn entity_constraints(entity: &'static EntityDef, app: &'static AppDef, engine: Engine, lines: &mut Vec<String>, later: &mut Vec<String>) {
    for field in entity.fields.iter().filter(|field| field.is_stored()) {
        let of_field = format!("{}({})", entity.table, field.name);
        if field.unique && field.name != entity.key().name && !entity.soft_delete {
            lines.push(format!("CONSTRAINT \"{}\" UNIQUE (\"{}\")", name(of_field.clone()), field.name));
        }
        if let Some(check) = check(field, engine) {
            lines.push(format!("CONSTRAINT \"{}\" CHECK ({check})", name(format!("{of_field} check"))));
        }
        if let Kind::Ref(target) = field.kind {
            let target = app.entity(target);
            let reference = format!(
                "CONSTRAINT \"{}\" FOREIGN KEY (\"{}\") REFERENCES \"{}\" (\"{}\") ON DELETE RESTRICT",
                name(format!("{of_field} reference")),
                field.name,
                target.table,
                target.key().name
            );
            match engine {
                Engine::Sqlite => lines.push(reference),
                // Only now do all tables exist, also where they refer to each other in a circle.
                Engine::Postgres => later.push(format!("ALTER TABLE \"{}\" ADD {reference}", entity.table)),
            }
        }
    }
    for index in entity.indexes.iter().filter(|index| index.unique && !entity.soft_delete) {
        let fields: Vec<_> = index.columns.iter().map(|column| entity.field(column.field).name).collect();
        lines.push(format!(
            "CONSTRAINT \"{}\" UNIQUE (\"{}\")",
            name(format!("{}({})", entity.table, fields.join(", "))),
            fields.join("\", \"")
        ));
    }
}

fn check(field: &'static FieldDef, engine: Engine) -> Option<String> {
    let column = field.name;
    match (field.kind, engine) {
        (Kind::Enum(of), _) => {
            let values: Vec<_> = of.values.iter().map(|value| literal(value.name)).collect();
            Some(format!("\"{column}\" IN ({})", values.join(", ")))
        }
        (Kind::Bool, Engine::Sqlite) => Some(format!("\"{column}\" IN (0, 1)")),
        (Kind::Uuid, Engine::Sqlite) => Some(format!("length(\"{column}\") = 16")),
        (Kind::Json, Engine::Sqlite) => Some(format!("json_valid(\"{column}\")")),
        (kind, Engine::Sqlite) => max_length(kind).map(|length| format!("length(\"{column}\") <= {length}")),
        (_, Engine::Postgres) => None,
    }
}

/// A text as an SQL literal.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn system_constraints(table: &str, app: &'static AppDef) -> Vec<String> {
    let account = app.account();
    let reference = format!("FOREIGN KEY (\"account\") REFERENCES \"{}\" (\"{}\") ON DELETE CASCADE", account.table, account.key().name);
    match table {
        // Its number is the key.
        "dz_outbox" => Vec::new(),
        "dz_dead_letters" => vec!["PRIMARY KEY (\"id\", \"subscriber\")".into()],
        "dz_held" => vec!["PRIMARY KEY (\"entity\", \"row_id\", \"state\")".into()],
        "dz_roles" => vec!["PRIMARY KEY (\"account\", \"role\")".into(), reference],
        "dz_sessions" | "dz_tokens" => vec!["PRIMARY KEY (\"token_hash\")".into(), reference],
        "dz_idempotency" => vec!["PRIMARY KEY (\"scope\")".into()],
        _ => vec!["PRIMARY KEY (\"key\")".into()],
    }
}

/// One index per state that the system moves rows out of, in the order in which they will be due.
fn timed_indexes(entity: &'static EntityDef) -> Vec<String> {
    let Some(states) = entity.states else { return Vec::new() };
    let field = entity.field(states.field);
    let Kind::Enum(of) = field.kind else { return Vec::new() };
    let mut from: Vec<u16> = states.timed().iter().map(|(from, ..)| *from).collect();
    from.sort_unstable();
    from.dedup();
    let index = |at: u16| {
        let state = of.values.get(usize::from(at))?.name;
        let (table, column) = (entity.table, field.name);
        let name = name(format!("{table}[{STATE_SINCE}: {state}]"));
        Some(format!("CREATE INDEX \"{name}\" ON \"{table}\" (\"{STATE_SINCE}\") WHERE \"{column}\" = {}", literal(state)))
    };
    from.into_iter().filter_map(index).collect()
}

/// Indexes: on refs, declared ones, and one for the order of every list.
fn indexes(entity: &'static EntityDef, app: &'static AppDef, engine: Engine) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut add = |parts: Vec<String>| {
        let columns = parts.join(", ");
        if !all.contains(&columns) {
            all.push(columns);
        }
    };
    for index in entity.indexes.iter().filter(|index| !index.unique) {
        let part = |column: &crate::def::IndexColumn| {
            format!("\"{}\"{}", entity.field(column.field).name, if column.descending { " DESC" } else { "" })
        };
        add(index.columns.iter().map(part).collect());
    }
    for field in entity.fields.iter().filter(|field| !field.unique) {
        if matches!(field.kind, Kind::Ref(_)) || field.indexed {
            add(vec![format!("\"{}\"", field.name)]);
        }
    }
    for surface in app.surfaces.iter().filter(|surface| surface.entity == entity.ix && surface.mode == Mode::List) {
        let stored = |sort: &crate::def::SortDef| sort.path.hops.is_empty() && entity.field(sort.path.field).is_stored();
        let direct = surface.ux.sort.iter().all(stored);
        if direct && !surface.ux.sort.is_empty() {
            let keys = surface.ux.sort.iter().flat_map(|sort| {
                let field = entity.field(sort.path.field);
                emit::order(engine, field.kind, &format!("\"{}\"", field.name), sort.descending)
            });
            add(keys.chain([format!("\"{}\"", entity.key().name)]).collect());
        }
    }
    let table = entity.table;
    let unique = unique_among_live(entity);
    let statement = |columns: String| {
        let name = name(format!("{table}[{}]", columns.replace('"', "").replace('(', "<").replace(')', ">")));
        format!("CREATE INDEX \"{name}\" ON \"{table}\" ({columns})")
    };
    all.into_iter().map(statement).chain(unique).collect()
}

/// What is unique among the rows that are not marked as deleted; the index is called as the constraint would be.
fn unique_among_live(entity: &'static EntityDef) -> Vec<String> {
    if !entity.soft_delete {
        return Vec::new();
    }
    let fields = entity.fields.iter().filter(|field| field.unique && field.name != entity.key().name).map(|field| vec![field.name]);
    let declared = entity.indexes.iter().filter(|index| index.unique);
    let declared = declared.map(|index| index.columns.iter().map(|column| entity.field(column.field).name).collect());
    let statement = |fields: Vec<&str>| {
        let name = name(format!("{}({})", entity.table, fields.join(", ")));
        let columns = fields.join("\", \"");
        format!("CREATE UNIQUE INDEX \"{name}\" ON \"{}\" (\"{columns}\") WHERE \"{DELETED_AT}\" IS NULL", entity.table)
    };
    fields.chain(declared).map(statement).collect()
}
