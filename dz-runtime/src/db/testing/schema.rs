//! The schema of a hand-written description: it is converted for the language, which writes the SQL of every schema.

use dz_dsl_file::emit::schema as language;
use language::{Column, ColumnType, EngineSql, Index, Order, Part, Reference, Schema, Table};

use crate::{
    Engine,
    def::{AppDef, Archetype, EntityDef, FieldDef, Kind, Mode, SchemaDef, SortOrder},
};

/// The schema of `app`. It is leaked, as the description is.
pub(crate) fn build_schema(app: &'static AppDef, engine: Engine) -> &'static SchemaDef {
    let mut tables: Vec<Table> = app.entities.iter().map(|entity| table(app, entity)).collect();
    let tenant = app.tenant().map(|tenant| &tables[usize::from(tenant.ix)]);
    let processes = !app.processes.is_empty() || !app.llm.intents.is_empty();
    let edges = app.entities.iter().any(|entity| entity.edge.is_some());
    let needs = language::framework::Needs { processes, experiences: !app.experiences.is_empty(), edges };
    let own = language::framework::tables(&tables[usize::from(app.account)], tenant, needs);
    tables.extend(own);
    let schema = Schema::with(tables);
    let engine = match engine {
        Engine::Sqlite => language::Engine::Sqlite,
        Engine::Postgres => language::Engine::Postgres,
    };
    Box::leak(Box::new(SchemaDef {
        sql: schema.sql(engine).leak(),
        columns: schema.columns(engine).leak(),
        constraints: schema.constraints().leak(),
        indexes: "",
        fingerprint: schema.fingerprint(engine).leak(),
    }))
}

fn table(app: &'static AppDef, entity: &'static EntityDef) -> Table {
    let stored = || entity.fields.iter().filter(|field| field.is_stored());
    let mut columns: Vec<Column> = stored().map(|field| column(app, entity, field)).collect();
    columns.extend(language::framework::hidden_columns(entity.states.is_some(), entity.soft_delete));
    let reference = |field: &'static FieldDef| {
        let target = field.kind.target()?;
        let target = app.entity(target);
        let (columns, targets) = (vec![field.name.to_owned()], vec![target.key().name.to_owned()]);
        Some(Reference { columns, table: target.table.to_owned(), targets, on_delete: language::OnDelete::Restrict })
    };
    Table {
        columns,
        primary: vec![entity.key().name.to_owned()],
        references: stored().filter_map(reference).collect(),
        indexes: indexes(app, entity),
        extras: extras(entity),
        ..Table::new(entity.table)
    }
}

fn extras(entity: &'static EntityDef) -> Vec<language::Extra> {
    let setting = match entity.tenancy.archetype {
        Some(Archetype::UserMembership) => language::tenant::MEMBERS,
        _ => language::tenant::SETTING,
    };
    let tenant = entity.tenancy.tenant.map(|at| entity.field(at).name);
    tenant.into_iter().flat_map(|tenant| language::tenant::policies(entity.table, tenant, setting)).collect()
}

fn column(app: &'static AppDef, entity: &'static EntityDef, field: &'static FieldDef) -> Column {
    let is_key = std::ptr::eq(field, entity.key());
    let values = field.kind.enumeration().map_or_else(Vec::new, |of| of.values.iter().map(|value| value.name.to_owned()).collect());
    let counted = is_key && field.kind.is_int();
    Column { values, counted, ..Column::new(field.name, column_type(app, field.kind), field.required || is_key) }
}

fn column_type(app: &'static AppDef, kind: Kind) -> ColumnType {
    match kind {
        Kind::Uuid => ColumnType::Uuid,
        Kind::Str(length) => ColumnType::Text(Some(length)),
        Kind::Email => ColumnType::Text(Some(254)),
        Kind::Url => ColumnType::Text(Some(2_048)),
        Kind::Currency { .. } => ColumnType::Text(Some(3)),
        Kind::Text | Kind::Timezone | Kind::Slug | Kind::Enum(_) => ColumnType::Text(None),
        Kind::Int => ColumnType::Int,
        Kind::Float => ColumnType::Float,
        Kind::Decimal { precision, scale } => ColumnType::Decimal(precision, scale),
        Kind::Bool => ColumnType::Bool,
        Kind::Date => ColumnType::Date,
        Kind::DateTime => ColumnType::DateTime,
        Kind::Ref(target) => column_type(app, app.entity(target).key().kind),
        Kind::Json | Kind::File { .. } | Kind::HasMany { .. } | Kind::HasOne { .. } | Kind::ManyToMany { .. } => ColumnType::Json,
    }
}

fn indexes(app: &'static AppDef, entity: &'static EntityDef) -> Vec<Index> {
    let mut indexes = Vec::new();
    let rows =
        |unique: bool| (unique && entity.soft_delete).then(|| EngineSql::both(format!("\"{}\" IS NULL", language::framework::DELETED_AT)));
    for index in entity.indexes {
        let columns: Vec<&str> = index.columns.iter().map(|column| entity.field(column.field).name).collect();
        indexes.push(Index { rows: rows(index.unique), ..Index::plain(&columns, index.unique) });
    }
    for field in entity.fields.iter().filter(|field| field.unique && !std::ptr::eq(*field, entity.key())) {
        indexes.push(Index { rows: rows(true), ..Index::plain(&[field.name], true) });
    }
    for surface in app.surfaces.iter().filter(|surface| surface.entity == entity.ix && surface.mode == Mode::List) {
        let stored = |sort: &crate::def::SortDef| sort.path.own_field().is_some_and(|at| entity.field(at).is_stored());
        if surface.ux.sort.iter().all(stored) && !surface.ux.sort.is_empty() {
            let part = |sort: &crate::def::SortDef| Part {
                column: sort.path.first().field(app).name.to_owned(),
                descending: sort.descending,
                order: order(sort.path.first().field(app).kind),
            };
            indexes.push(Index { parts: surface.ux.sort.iter().map(part).collect(), unique: false, rows: None, distinct: false });
        }
    }
    indexes
}

fn order(kind: Kind) -> Order {
    match kind.sort_order() {
        SortOrder::Declared(of) => Order::Positions(of.values.iter().map(|value| value.name.to_owned()).collect()),
        SortOrder::IgnoringCase => Order::Text,
        SortOrder::Plain => Order::List,
    }
}
