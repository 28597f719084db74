//! Database objects for tenants and for entities with one row.
//!
//! On PostgreSQL the rows of tenants have policies (row-level security), in addition to the tenant filter of every statement
//! of the application. Each transaction sets its tenant with `set_config('dz.tenant', …, true)`: `=` and the key, or `*` for
//! work of the system on all tenants, such as migrations. Without a setting no row is visible.

use super::{Engine, Extra, names, sql};
use crate::model::{Archetype, Entity};

/// The setting with the tenant of a transaction.
pub const SETTING: &str = "dz.tenant";
/// The setting for memberships, which administrators of the whole system see in every tenant.
pub const MEMBERS: &str = "dz.members";

/// Makes the rows of every tenant visible to a script, until its transaction ends.
pub(super) const EVERYWHERE: &str = "SET LOCAL dz.tenant = '*';\nSET LOCAL dz.members = '*';\n";

/// True for a statement that creates a policy.
pub(super) fn is_policy(extra: &Extra) -> bool {
    extra.create.starts_with("CREATE POLICY ")
}

/// The statements that belong to the table of an entity.
pub(super) fn extras(entity: &Entity) -> Vec<Extra> {
    let mut all = Vec::new();
    if let Some(tenant) = entity.tenant {
        let setting = if entity.kind == Some(Archetype::UserMembership) { MEMBERS } else { SETTING };
        all.extend(policies(&entity.table, &entity.fields[tenant.0].name, setting));
    }
    if entity.kind == Some(Archetype::Settings) {
        all.extend(single_row_index(&entity.table));
    }
    all
}

/// The row-level security of a table: the tenant of its rows must be that of the `setting` of the transaction.
pub fn policies(table: &str, tenant: &str, setting: &str) -> [Extra; 3] {
    let extra = |create: String, drop: String| Extra { engine: Engine::Postgres, create, drop };
    let (name, quoted) = (sql::quoted(&names::extra_name(table, "tenant_policy")), sql::quoted(table));
    let column = sql::quoted(tenant);
    [
        extra(format!("ALTER TABLE {quoted} ENABLE ROW LEVEL SECURITY"), format!("ALTER TABLE {quoted} DISABLE ROW LEVEL SECURITY")),
        extra(format!("ALTER TABLE {quoted} FORCE ROW LEVEL SECURITY"), format!("ALTER TABLE {quoted} NO FORCE ROW LEVEL SECURITY")),
        extra(
            format!("CREATE POLICY {name} ON {quoted} USING (current_setting('{setting}', true) IN ('*', '=' || {column}::text))"),
            format!("DROP POLICY {name} ON {quoted}"),
        ),
    ]
}

/// An index with the same key for every row, so that the table has at most one.
fn single_row_index(table: &str) -> [Extra; 2] {
    let name = sql::quoted(&names::extra_name(table, "dz_only_row_key"));
    [Engine::Sqlite, Engine::Postgres].map(|engine| Extra {
        engine,
        create: format!("CREATE UNIQUE INDEX {name} ON {} (({}))", sql::quoted(table), sql::boolean(true, engine)),
        drop: format!("DROP INDEX {name}"),
    })
}
