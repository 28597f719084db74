//! The audit log, and the triggers that make it append-only.

use super::TENANT;
use crate::emit::schema::{ColumnType, Engine, Extra, Table};

/// The log: no record changes, and no record younger than the horizon is removed. With tenants, each record has the tenant of
/// the action, by which administrators of the tenant find it.
pub(super) fn log(account: ColumnType, tenant: Option<ColumnType>) -> Table {
    use ColumnType::{DateTime, Int, Json, Text, Uuid};
    let mut log = Table::new("dz_audit_log")
        .required("id", Uuid)
        .required("at", DateTime)
        // Not a reference: the record remains when the account is deleted.
        .optional("account", account)
        .required("action", Text(None))
        .required("entity", Text(None))
        .optional("row_id", Text(None))
        .required("decision", Text(None))
        .required("rule", Text(None))
        .optional("changes", Json)
        .required("times", Int)
        .required("request_id", Text(None))
        .key(&["id"])
        .index(&["at"])
        .index(&["entity", "row_id"]);
    log.extras = triggers();
    match tenant {
        // Not a reference either, and not backfilled: records that are older than the column have no tenant.
        Some(key) => log.optional(TENANT, key).index(&[TENANT, "id"]),
        None => log,
    }
}

fn triggers() -> Vec<Extra> {
    let extra = |engine, create: &str, drop: &str| Extra { engine, create: create.to_owned(), drop: drop.to_owned() };
    vec![
        extra(
            Engine::Sqlite,
            "CREATE TRIGGER \"dz_audit_log_unchanged\" BEFORE UPDATE ON \"dz_audit_log\" BEGIN SELECT RAISE(ABORT, 'records of the \
             audit log do not change'); END",
            "DROP TRIGGER \"dz_audit_log_unchanged\"",
        ),
        extra(
            Engine::Sqlite,
            "CREATE TRIGGER \"dz_audit_log_kept\" BEFORE DELETE ON \"dz_audit_log\" WHEN NOT EXISTS (SELECT 1 FROM \
             \"dz_audit_horizon\" WHERE OLD.\"at\" < \"kept_from\") BEGIN SELECT RAISE(ABORT, 'records of the audit log are kept'); END",
            "DROP TRIGGER \"dz_audit_log_kept\"",
        ),
        extra(
            Engine::Postgres,
            "CREATE FUNCTION \"dz_audit_log_guard\"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF TG_OP = 'DELETE' THEN IF EXISTS \
             (SELECT 1 FROM \"dz_audit_horizon\" WHERE OLD.\"at\" < \"kept_from\") THEN RETURN OLD; END IF; END IF; RAISE EXCEPTION 'records \
             of the audit log are kept as they are'; END $$",
            // The triggers that call the function are dropped with it.
            "DROP FUNCTION \"dz_audit_log_guard\"() CASCADE",
        ),
        extra(
            Engine::Postgres,
            "CREATE TRIGGER \"dz_audit_log_unchanged\" BEFORE UPDATE OR DELETE ON \"dz_audit_log\" FOR EACH ROW EXECUTE FUNCTION \
             \"dz_audit_log_guard\"()",
            "DROP TRIGGER IF EXISTS \"dz_audit_log_unchanged\" ON \"dz_audit_log\"",
        ),
        extra(
            Engine::Postgres,
            "CREATE TRIGGER \"dz_audit_log_kept\" BEFORE TRUNCATE ON \"dz_audit_log\" FOR EACH STATEMENT EXECUTE FUNCTION \
             \"dz_audit_log_guard\"()",
            "DROP TRIGGER IF EXISTS \"dz_audit_log_kept\" ON \"dz_audit_log\"",
        ),
    ]
}
