//! dz's own tables and columns, which every application has.
//!
//! New ones are added only here; migrations and the comparison at start follow from it.

mod audit;
mod edges;
mod experiences;
mod jobs;
mod processes;

use super::{Column, ColumnType, EngineSql, OnDelete, Table};
use crate::model::{Entity, Model};

/// The hidden column that counts the versions of a row.
pub const VERSION: &str = "dz_version";
/// The hidden column with the time at which a row entered its state.
pub const STATE_SINCE: &str = "dz_state_since";
/// The hidden column with the time of the soft deletion.
pub const DELETED_AT: &str = "deleted_at";
/// The column of dz's own tables with the tenant of a session, a token, a file or a record of the audit log, in
/// applications with tenants.
pub const TENANT: &str = "tenant";

/// The constructs with tables of their own that an application uses.
#[derive(Debug, Clone, Copy)]
pub struct Needs {
    /// Processes.
    pub processes: bool,
    /// Experiences.
    pub experiences: bool,
    /// Edges of a graph.
    pub edges: bool,
}

impl Needs {
    /// The constructs of a model.
    pub fn of_model(model: &Model) -> Needs {
        let has_edges = model.entities.iter().any(|entity| entity.edge.is_some());
        Needs { processes: model.has_runs(), experiences: !model.experiences.is_empty(), edges: has_edges }
    }
}

/// dz's own tables. They may reference the tables of entities, such as that of the accounts.
/// `needs` adds those of constructs that the application uses.
pub fn tables(account: &Table, tenant: Option<&Table>, needs: Needs) -> Vec<Table> {
    use ColumnType::{DateTime, Int, Text, Uuid};
    let tenant_key = tenant.and_then(|tenant| tenant.column(tenant.primary.first()?)).map(|key| key.ty);
    // Not a reference: a session remains when its tenant is deleted, and then has no tenant.
    let in_tenant = |table: Table| match tenant_key {
        Some(ty) => table.optional(TENANT, ty),
        None => table,
    };
    let key = account.primary.first().and_then(|key| account.column(key));
    let (key, account_key) = key.map_or(("id", ColumnType::Uuid), |key| (key.name.as_str(), key.ty));
    let of_account = |table: Table| table.required("account", account_key).reference("account", &account.name, key, OnDelete::Cascade);
    let tables = vec![
        // Pending events, in the order in which they happened.
        event_columns(Table::new("dz_outbox").required("seq", Int).counted(), "retry_at")
            .index(&["subscriber", "entity", "row_id", "seq"])
            .index(&["retry_at"]),
        // Dead letters.
        event_columns(Table::new("dz_dead_letters"), "died_at").key(&["id", "subscriber"]),
        // Rows with a timed transition that is due and fails.
        Table::new("dz_held")
            .required("entity", Text(None))
            .required("row_id", Text(None))
            .required("state", Text(None))
            .required("since", DateTime)
            .required("attempts", Int)
            .required("retry_at", DateTime)
            .key(&["entity", "row_id", "state"]),
        // Jobs of the application, and the last evaluated time of each of its schedules.
        in_tenant(jobs::queue()),
        jobs::schedules(),
        // Facts about the database itself, such as the fingerprint of its schema.
        Table::new("dz_meta").required("key", Text(None)).required("value", Text(None)).key(&["key"]),
        of_account(Table::new("dz_roles")).required("role", Text(None)).key(&["account", "role"]),
        in_tenant(of_account(Table::new("dz_sessions").required("token_hash", Text(None)).required("id", Uuid)))
            .required("device", Text(None))
            .required("created_at", DateTime)
            .required("seen_at", DateTime)
            .required("expires_at", DateTime)
            .key(&["token_hash"])
            .index(&["account"]),
        in_tenant(of_account(Table::new("dz_tokens").required("token_hash", Text(None)).required("id", Uuid)))
            .required("scope", Text(None))
            .optional("roles", Text(None))
            .required("created_at", DateTime)
            .required("seen_at", DateTime)
            .required("expires_at", DateTime)
            .key(&["token_hash"])
            .index(&["account"]),
        // The identity of an account at an external provider.
        of_account(Table::new("dz_identities").required("issuer", Text(None)).required("subject", Text(None)))
            .required("created_at", DateTime)
            .key(&["issuer", "subject"])
            .index(&["account"]),
        // The second factor of an account, with its recovery codes.
        of_account(Table::new("dz_factors").required("secret", Text(None)))
            .optional("confirmed_at", DateTime)
            .required("last_step", Int)
            .required("created_at", DateTime)
            .key(&["account"]),
        of_account(Table::new("dz_recovery_codes").required("code_hash", Text(None))).key(&["account", "code_hash"]),
        // Sign-ins with a correct password that still need the second factor.
        of_account(Table::new("dz_second_steps").required("token_hash", Text(None)))
            .required("next_page", Text(None))
            .required("expires_at", DateTime)
            .key(&["token_hash"])
            .index(&["account"]),
        // The kinds of device from which an account was used.
        of_account(Table::new("dz_devices").required("device_hash", Text(None)))
            .required("seen_at", DateTime)
            .key(&["account", "device_hash"]),
        // The choices of an account for its pages, as JSON.
        of_account(Table::new("dz_preferences").required("value", Text(None))).key(&["account"]),
        // Saved filters of lists: of one account, or shared with a role.
        in_tenant(of_account(Table::new("dz_filters").required("id", Uuid)))
            .required("surface", Text(None))
            .required("name", Text(None))
            .required("query", Text(None))
            .optional("role", Text(None))
            .key(&["id"])
            .unique(if tenant_key.is_some() { &["account", "tenant", "surface", "name"] } else { &["account", "surface", "name"] })
            .index(&["surface"]),
        // Limits that instances share: for each kind and slot a count, and two times in microseconds.
        Table::new("dz_limits")
            .required("kind", Text(None))
            .required("slot", Int)
            .required("count", Int)
            .required("free_at", Int)
            .required("used_at", Int)
            .key(&["kind", "slot"]),
        // The running instances.
        Table::new("dz_instances")
            .required("id", Uuid)
            .required("host", Text(None))
            .required("process", Int)
            .required("version", Text(None))
            .required("schema", Text(None))
            .required("started_at", DateTime)
            .required("seen_at", DateTime)
            .key(&["id"]),
        // Hashes of single-use values that were used.
        Table::new("dz_spent").required("hash", Text(None)).required("expires_at", DateTime).key(&["hash"]),
        // Writes with an `Idempotency-Key`.
        Table::new("dz_idempotency")
            .required("scope", Text(None))
            .required("body", Text(None))
            .required("status", Int)
            .required("row_key", Text(None))
            .required("answer", Text(None))
            .required("expires_at", DateTime)
            .key(&["scope"])
            .index(&["expires_at"]),
        // Stored files, from the upload until no row uses them.
        in_tenant(Table::new("dz_files").required("id", Uuid).required("stored", Text(None)))
            .required("entity", Text(None))
            .required("field", Text(None))
            // Not a reference: the file remains when the account is deleted.
            .optional("account", account_key)
            .required("name", Text(None))
            .required("size", Int)
            .required("type", Text(None))
            .required("state", Text(None))
            .required("since", DateTime)
            .key(&["id"])
            .unique(&["stored"])
            .index(&["state", "since"])
            .index(&["account", "state"]),
        audit::log(account_key, tenant_key),
        // The time before which records were removed.
        Table::new("dz_audit_horizon").required("kept_from", DateTime).key(&["kept_from"]),
    ];
    let invited = tenant.zip(tenant_key).map(|(tenant, key_of)| {
        invitations(tenant, key_of).optional("invited_by", account_key).reference("invited_by", &account.name, key, OnDelete::Cascade)
    });
    let processes = if needs.processes { processes::tables(account_key, tenant_key) } else { Vec::new() };
    let experiences = needs.experiences.then(|| experiences::states(of_account(Table::new("dz_experiences")), tenant.zip(tenant_key)));
    let edges = needs.edges.then(edges::changes);
    tables.into_iter().chain(invited).chain(processes).chain(experiences).chain(edges).collect()
}

/// Invitations to a tenant, for addresses that may have no account; each address once.
fn invitations(tenant: &Table, key: ColumnType) -> Table {
    let target = tenant.primary.first().map_or("id", String::as_str);
    Table::new("dz_invitations")
        .required("id", ColumnType::Uuid)
        .required("token_hash", ColumnType::Text(None))
        .required(TENANT, key)
        .reference(TENANT, &tenant.name, target, OnDelete::Cascade)
        .required("email", ColumnType::Text(None))
        .required("personas", ColumnType::Json)
        // The further fields of the membership, with the values of the inviter.
        .optional("membership", ColumnType::Json)
        .required("invited_at", ColumnType::DateTime)
        .required("expires_at", ColumnType::DateTime)
        .key(&["id"])
        .unique(&["token_hash"])
        .unique(&[TENANT, "email"])
        .index(&["invited_by"])
}

/// The columns of an event for a subscriber; `at` is the column with the time of its next or last attempt.
fn event_columns(table: Table, at: &str) -> Table {
    let texts = ["subscriber", "event", "entity", "row_id", "payload"];
    let table = texts.iter().fold(table.required("id", ColumnType::Uuid), |table, name| table.required(name, ColumnType::Text(None)));
    let table = table.required("attempts", ColumnType::Int).required("created_at", ColumnType::DateTime);
    table.required(at, ColumnType::DateTime).required("error", ColumnType::Text(None))
}

/// dz's own columns of an entity's table.
pub(super) fn columns(entity: &Entity) -> Vec<Column> {
    hidden_columns(entity.states.is_some(), entity.soft_delete)
}

/// dz's own columns of the table of an entity, with or without a state machine and soft deletion.
pub fn hidden_columns(has_states: bool, soft_delete: bool) -> Vec<Column> {
    let mut columns =
        vec![Column { default: Some("1".to_owned()), fill: Some(EngineSql::both("1")), ..Column::new(VERSION, ColumnType::Int, true) }];
    if has_states {
        // The time at which existing rows entered their state is unknown; their timers start at the migration.
        columns.push(Column { fill: Some(super::backfill::current_time()), ..Column::new(STATE_SINCE, ColumnType::DateTime, true) });
    }
    if soft_delete {
        columns.push(Column::new(DELETED_AT, ColumnType::DateTime, false));
    }
    columns
}
