//! The audit log's tables, and the triggers that make it one to which things are only added.

use super::{Column, Table, column_type, integer, text};
use crate::{
    Engine,
    def::{AppDef, Kind},
};

/// The log, and from where on it is kept while old records go.
pub(super) fn tables(
    app: &'static AppDef,
    engine: Engine,
    column: &dyn Fn(&str, &str) -> Column,
    optional: &dyn Fn(&str, &str) -> Column,
) -> Vec<Table> {
    let kind = |kind| column_type(kind, app, engine);
    let (moment, text) = (kind(Kind::DateTime), text(engine));
    let log = vec![
        column("id", &kind(Kind::Uuid)),
        column("at", &moment),
        // Not a reference: the record outlives the account.
        optional("account", &kind(app.account().key().kind)),
        column("action", &text),
        column("entity", &text),
        optional("row_id", &text),
        column("decision", &text),
        column("rule", &text),
        optional("changes", &kind(Kind::Json)),
        column("times", integer(engine)),
        column("request_id", &text),
    ];
    vec![
        Table { name: "dz_audit_log".into(), columns: log },
        Table { name: "dz_audit_horizon".into(), columns: vec![column("kept_from", &moment)] },
    ]
}

/// Indexes, and the triggers: nothing is changed, and nothing goes that is younger than the horizon says.
pub(super) fn statements(engine: Engine) -> Vec<String> {
    let mut all: Vec<String> = ["at", "entity\", \"row_id"]
        .iter()
        .map(|columns| {
            let name = columns.replace("\", \"", ", ");
            format!("CREATE INDEX \"dz_audit_log[{name}]\" ON \"dz_audit_log\" (\"{columns}\")")
        })
        .collect();
    let triggers: &[&str] = match engine {
        Engine::Sqlite => &[
            "CREATE TRIGGER \"dz_audit_log unchanged\" BEFORE UPDATE ON \"dz_audit_log\" BEGIN SELECT RAISE(ABORT, 'records of the \
             audit log do not change'); END",
            "CREATE TRIGGER \"dz_audit_log kept\" BEFORE DELETE ON \"dz_audit_log\" WHEN NOT EXISTS (SELECT 1 FROM \
             \"dz_audit_horizon\" WHERE OLD.\"at\" < \"kept_from\") BEGIN SELECT RAISE(ABORT, 'records of the audit log are kept'); END",
        ],
        Engine::Postgres => &[
            "CREATE FUNCTION \"dz_audit_log_guard\"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF TG_OP = 'DELETE' THEN IF EXISTS \
             (SELECT 1 FROM \"dz_audit_horizon\" WHERE OLD.\"at\" < \"kept_from\") THEN RETURN OLD; END IF; END IF; RAISE EXCEPTION 'records \
             of the audit log are kept as they are'; END $$",
            "CREATE TRIGGER \"dz_audit_log unchanged\" BEFORE UPDATE OR DELETE ON \"dz_audit_log\" FOR EACH ROW EXECUTE FUNCTION \
             \"dz_audit_log_guard\"()",
            "CREATE TRIGGER \"dz_audit_log kept\" BEFORE TRUNCATE ON \"dz_audit_log\" FOR EACH STATEMENT EXECUTE FUNCTION \
             \"dz_audit_log_guard\"()",
        ],
    };
    all.extend(triggers.iter().map(|text| (*text).to_owned()));
    all
}
