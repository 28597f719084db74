//! The addresses of an entity.

use dz_dsl_file::model::{Archetype, Auto, Entity, EntityId, FieldId, GraphEdge, Model, StateMachine, Via};

use super::{files, timers::timed};
use crate::{Refusal, condition::column, names};

/// The text of the routes; words in capitals are replaced.
const ROUTES: &str = include_str!("../../template/routes.rs.txt");
/// The additional text of rows that are edges, nodes, and nodes with addresses of their own.
const EDGES: &str = include_str!("../../template/graph_edges.rs.txt");
const NODES: &str = include_str!("../../template/graph_nodes.rs.txt");
const GRAPHS: &str = include_str!("../../template/graph_routes.rs.txt");
/// The additional text of the routes of an entity with states.
const STATES: &str = include_str!("../../template/transition.rs.txt");
/// The additional text of the entity of the accounts.
const ACCOUNTS: &str = include_str!("../../template/account.rs.txt");
/// The additional text of settings, which have one row.
const SINGLES: &str = include_str!("../../template/single.rs.txt");
/// The additional text of an entity whose state changes by itself.
const TIMED: &str = include_str!("../../template/timed.rs.txt");

pub(super) fn write(model: &Model, id: EntityId) -> Result<String, Refusal> {
    let entity = model.entity(id);
    let mut text = ROUTES.to_owned();
    for (extra, keep) in [
        (STATES, entity.states.is_some()),
        (TIMED, !timed(entity).is_empty()),
        (ACCOUNTS, entity.account),
        (SINGLES, is_single(entity)),
        (EDGES, entity.edge.is_some()),
        (NODES, is_node(model, id)),
        (GRAPHS, entity.node.is_some()),
        (files::ROUTES, files::has(entity)),
    ] {
        text.push_str(if keep { extra } else { "" });
    }
    text.push_str(&files::routes(entity));
    text = text.replace("%TABLE%::", &format!("{}::", table_module(entity)));
    for (name, keep) in parts(model, id) {
        text = choose(&text, &format!("/*IF {name}*/"), &format!("/*END {name}*/"), keep);
    }
    let words = [graph_words(model, id), state_words(model, entity), time_words(model, entity), files::words(entity), words(model, entity)]
        .concat();
    for (word, value) in words {
        text = text.replace(&format!("%{word}%"), &value);
    }
    Ok(text)
}

/// The parts of the templates that depend on the entity.
fn parts(model: &Model, id: EntityId) -> Vec<(&'static str, bool)> {
    let entity = model.entity(id);
    let has_personas = names::personas(entity).is_some();
    let reaches_all = model.tenant.is_some() && entity.tenant.is_none();
    vec![
        ("STATES", entity.states.is_some()),
        ("NO STATES", entity.states.is_none()),
        ("TIMED", !timed(entity).is_empty()),
        ("KEPT", entity.soft_delete),
        ("SUPPLIED", names::key_type(entity) == "String"),
        ("NO SUPPLIED", names::key_type(entity) != "String"),
        ("NUMBERED", names::key_type(entity) == "i64"),
        ("MUTABLE", names::key_type(entity) == "i64" || files::has(entity)),
        ("FILES", files::has(entity)),
        ("SINGLE", is_single(entity)),
        ("NO SINGLE", !is_single(entity)),
        ("AUDIT", !entity.access.audits.is_empty()),
        ("ACCOUNT", entity.account),
        ("EXPAND", !expansions(model, entity).is_empty()),
        ("ACYCLIC", is_acyclic(entity)),
        ("TOTALS", super::validators::reads_totals(model, entity)),
        ("EDGE", entity.edge.is_some()),
        ("NODE", entity.node.is_some()),
        ("GRAPH", entity.edge.is_some() || is_node(model, id)),
        ("TENANT", entity.tenant.is_some() && !has_personas),
        ("MEMBERS", has_personas),
        ("MEMBERSHIP", super::memberships(model).is_some_and(|member| std::ptr::eq(member, entity))),
        ("EVERYWHERE", reaches_all),
        ("TENANCY", reaches_all || has_personas),
    ]
}

/// True for settings, which have one row, or one in each tenant.
fn is_single(entity: &Entity) -> bool {
    matches!(entity.kind, Some(Archetype::Settings | Archetype::TenantSettings))
}

/// A word of a template, with what replaces it.
type Word = (&'static str, String);

/// The words about the times that a change sets.
fn time_words(model: &Model, entity: &Entity) -> Vec<Word> {
    let times: Vec<(String, &str)> = entity
        .fields
        .iter()
        .filter(|field| field.auto == Auto::Update)
        .map(|field| {
            let now = if super::columns::types(model, field).rust == "NaiveDate" { "today" } else { "now" };
            (names::ident(&field.name), now)
        })
        .collect();
    let update = times.iter().map(|(name, now)| format!("row.{name} = caller.{now};\n")).collect();
    let restore = times.iter().map(|(name, now)| format!("{name}: caller.{now},")).collect();
    vec![("UPDATE_TIMES", update), ("RESTORE_TIMES", restore)]
}

/// The words about the states.
fn state_words(model: &Model, entity: &Entity) -> Vec<Word> {
    let Some(states) = &entity.states else { return vec![("SQL", "Sql, one_of".to_owned()), ("STATE_NAMES", String::new())] };
    let field = &entity.fields[states.field.0];
    let is_needed = |name: &str| states.rows.iter().any(|row| row.requires.iter().any(|(at, _)| entity.fields[at.0].name == name));
    let is_set = names::row_fields(entity)
        .filter(|field| is_needed(&field.name))
        .map(|field| match super::columns::is_required(entity, field) {
            true => format!("{:?} => true,\n", field.name),
            false => format!("{:?} => row.{}.is_some(),\n", field.name, names::ident(&field.name)),
        })
        .collect();
    let ty = field.ty.enumeration().map(|of| names::choice(model, &model.enums[of.0])).unwrap_or_default();
    vec![
        ("SQL", "Sql, all, one_of".to_owned()),
        ("STATE_NAMES", state_names(model, entity, states)),
        ("IS_SET", is_set),
        ("STATE_FIELD", names::ident(&field.name)),
        ("STATE_TYPE", ty),
        ("STATE_NAME", field.name.clone()),
    ]
}

/// The other words.
fn words(model: &Model, entity: &Entity) -> Vec<Word> {
    let own = match entity.tenant {
        Some(tenant) => {
            let column = column(&entity.table, &entity.fields[tenant.0].name);
            format!("crate::tenancy::own_rows(caller, {})", names::literal(&column))
        }
        None => "crate::sql::constant(true)".to_owned(),
    };
    let caller = if names::role_check(model, entity) == "has_role" { "caller" } else { "&caller.for_system()" };
    vec![
        ("EXPANSIONS", expansions(model, entity)),
        ("KEY_TYPE", names::key_type(entity).to_owned()),
        ("KEY_KIND", names::key_kind(entity).to_owned()),
        ("KEY_USES", key_uses(entity)),
        ("KEY_COLUMN", entity.fields[entity.pk.0].name.clone()),
        ("KEY_NAME", names::literal(&entity.fields[entity.pk.0].name)),
        ("VERB", names::literal(if has_transition_rule(entity) { "transition" } else { "change" })),
        ("LABEL_NAME", names::literal(&super::label_of(entity).name)),
        ("OWN", own),
        ("IN_TENANT", in_tenant(entity)),
        ("ROLES_CALLER", caller.to_owned()),
        ("OLD_PERSONAS", personas_of(entity, "before")),
        ("NEW_PERSONAS", personas_of(entity, "row")),
        ("SOFT", entity.soft_delete.to_string()),
        ("ROWS_TITLE", super::rows(entity)),
        ("ROW_TITLE", names::title(entity)),
        ("MEMBER_TENANT", entity.tenant.map(|at| names::ident(&entity.fields[at.0].name)).unwrap_or_default()),
        ("MODULE", names::module(entity)),
        ("TABLE_IMPORT", table_import(entity)),
        ("TABLE", entity.table.clone()),
        ("ENTITY_NAME", entity.name.clone()),
        ("ENTITY", names::row(entity)),
        ("KEY", names::ident(&entity.fields[entity.pk.0].name)),
    ]
}

/// The modules that the routes of an entity use, by their names there.
const MODULES: &[&str] = &[
    "access",
    "audit",
    "bulk",
    "csv",
    "deletion",
    "edge",
    "events",
    "expand",
    "graph",
    "guard",
    "import",
    "input",
    "schemas",
    "store",
    "tenancy",
    "timers",
    "validators",
];

/// The module of the table in the routes: a table can have the name of a module.
fn table_module(entity: &Entity) -> String {
    if MODULES.contains(&entity.table.as_str()) { format!("{}_table", entity.table) } else { names::table(entity) }
}

/// The import of the module of the table.
fn table_import(entity: &Entity) -> String {
    match (names::table(entity), table_module(entity)) {
        (table, module) if module == table => module,
        (table, module) => format!("{table} as {module}"),
    }
}

/// The types that the module uses.
fn key_uses(entity: &Entity) -> String {
    match (names::key_type(entity) == "Id", timed(entity).is_empty()) {
        (true, true) => "{Id, RowKey}",
        (true, false) => "{Id, RowKey, Timestamp}",
        (false, true) => "RowKey",
        (false, false) => "{RowKey, Timestamp}",
    }
    .to_owned()
}

/// What gives the caller of a change that happens by itself the tenant of the row.
fn in_tenant(entity: &Entity) -> String {
    let Some(tenant) = entity.tenant.map(|at| &entity.fields[at.0]) else { return String::new() };
    let field = format!("before.{}", names::ident(&tenant.name));
    if super::columns::is_required(entity, tenant) { format!(".in_tenant(Some({field}))") } else { format!(".in_tenant({field})") }
}

/// True if changes of the state have a rule of their own.
fn has_transition_rule(entity: &Entity) -> bool {
    entity.access.permissions.iter().any(|rule| rule.action.name() == "transition")
}

/// The references and relations that `expand` accepts.
fn expansions(model: &Model, entity: &Entity) -> String {
    let load = |of: &Entity| format!("super::{}::rows_by", names::module(of));
    let key = |of: &Entity| names::literal(&of.fields[of.pk.0].name);
    let mut rows = String::new();
    for field in entity.fields.iter().filter(|field| !field.secret && !field.sensitive) {
        let is_single = field.ty.is_single();
        let source = match (field.ty.target(), field.ty.relation()) {
            (Some(target), _) => {
                let target = model.entity(target);
                let sensitive: Vec<String> =
                    target.fields.iter().filter(|field| field.sensitive).map(|field| names::literal(&field.name)).collect();
                let load = if target.account { load(target).replace("rows_by", "accounts_by") } else { load(target) };
                format!("Reference {{ load: {load}, key: {}, sensitive: &[{}] }}", key(target), sensitive.join(", "))
            }
            (None, Some((child, Via::Ref(via)))) => {
                let (column, child) = (&model.field(child, via).name, model.entity(child));
                format!("Children {{ load: {}, table: {:?}, column: {column:?}, is_single: {is_single} }}", load(child), child.table)
            }
            (None, Some((child, Via::Junction(through)))) => {
                let (between, child) = (model.entity(through.entity), model.entity(child));
                let name = |at: FieldId| names::literal(&between.fields[at.0].name);
                format!(
                    "Junction {{ between: {}, near: {}, far: {}, load: {}, key: {} }}",
                    load(between),
                    name(through.near),
                    name(through.far),
                    load(child),
                    key(child)
                )
            }
            (None, None) => continue,
        };
        rows.push_str(&format!("Expansion {{ name: {:?}, source: Source::{source} }},\n", field.name));
    }
    rows
}

/// True for rows at the end of an edge.
fn is_node(model: &Model, id: EntityId) -> bool {
    model.entities.iter().any(|entity| ends(entity).contains(&Some(id)))
}

/// True for edges that must not close a cycle; directed edges from one entity to another close none.
fn is_acyclic(entity: &Entity) -> bool {
    let [source, target] = ends(entity);
    source == target && entity.edge.as_ref().is_some_and(|edge| edge.acyclic.is_some())
}

/// The entities of the nodes at the ends of an edge.
fn ends(entity: &Entity) -> [Option<EntityId>; 2] {
    let end = |of: fn(&GraphEdge) -> FieldId| entity.edge.as_ref().and_then(|edge| entity.fields[of(edge).0].ty.target());
    [end(|edge| edge.source), end(|edge| edge.target)]
}

/// The words of the templates of graphs.
fn graph_words(model: &Model, id: EntityId) -> Vec<Word> {
    let entity = model.entity(id);
    let mut words = Vec::new();
    if let Some(edge) = &entity.edge {
        let name = |at: FieldId| names::ident(&entity.fields[at.0].name);
        let option = |at: Option<FieldId>| at.map_or("None".to_owned(), |at| format!("Some({:?})", entity.fields[at.0].name));
        let [source, target] = ends(entity);
        let mut nodes: Vec<EntityId> = source.into_iter().chain(target).collect();
        nodes.dedup();
        let load = |node: &EntityId| {
            format!("    nodes.extend(super::{}::load_nodes(connection, caller, is_collection)?);\n", names::module(model.entity(*node)))
        };
        words.extend([
            ("TARGET_NAME", names::literal(&entity.fields[edge.target.0].name)),
            (
                "KEPT_EDGES",
                if entity.soft_delete { format!(".filter({}::deleted_at.is_null())", table_module(entity)) } else { String::new() },
            ),
            ("DIRECTED", edge.directed.to_string()),
            ("HETEROGENEOUS", (source != target).to_string()),
            ("KIND", option(edge.kind)),
            ("WEIGHT", option(edge.weight)),
            ("SOURCE", name(edge.source)),
            ("TARGET", name(edge.target)),
            ("LOAD_NODES", nodes.iter().map(load).collect()),
        ]);
    }
    let display = entity.node.as_ref().and_then(|node| node.display).map(|at| &entity.fields[at.0]);
    words.push(("LABEL", display.unwrap_or_else(|| super::label_of(entity)).name.clone()));
    if let Some(node) = &entity.node {
        words.push(("EDGES_MODULE", names::module(model.entity(node.edges))));
    }
    words
}

/// The names of the states as literals.
fn state_names(model: &Model, entity: &Entity, states: &StateMachine) -> String {
    let of = entity.fields[states.field.0].ty.enumeration().map(|id| &model.enums[id.0]);
    let names: Vec<String> = of.iter().flat_map(|of| &of.values).map(|value| names::literal(&value.name)).collect();
    names.join(", ")
}

/// The roles of a membership, as an option.
fn personas_of(entity: &Entity, row: &str) -> String {
    match names::personas(entity) {
        Some(field) if super::columns::is_required(entity, field) => format!("Some(&{row}.personas)"),
        _ => format!("{row}.personas.as_ref()"),
    }
}

/// Keeps or removes the parts between two delimiters.
pub(crate) fn choose(text: &str, start: &str, end: &str, keep: bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(start) {
        let (inside, after) = after.split_once(end).unwrap_or((after, ""));
        out.push_str(before);
        if keep {
            out.push_str(inside);
        }
        rest = after;
    }
    out + rest
}

/// All routes, in the module of the folder.
pub(super) fn all(model: &Model) -> String {
    let lists: String = model.entities.iter().map(|entity| format!("{}::routes(),\n", names::module(entity))).collect();
    format!(
        "\n/// All addresses of the API.\npub fn all() -> Vec<::rocket::Route> {{\nlet routes = [\n{lists}];\n\
         routes.into_iter().flatten().collect()\n}}\n"
    )
}
