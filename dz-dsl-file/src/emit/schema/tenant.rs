//! What the database itself knows of tenants and of entities with one row.
//!
//! On PostgreSQL the rows of tenants have policies, the second fence behind the condition that every statement of the
//! application carries. Each transaction says which tenant it is for, by `set_config('dz.tenant', …, true)`: `=` and the
//! key, or `*` for the work of the system that is about all of them, such as migrations. Where nothing is said there is no row.

use super::{Engine, Extra, names, sql};
use crate::model::{Archetype, Entity};

/// Which tenant a transaction is for.
pub const SETTING: &str = "dz.tenant";
/// The same for the rows that say who is a member of what, which administrators of the whole system see everywhere.
pub const MEMBERS: &str = "dz.members";

/// Lets a script see the rows of every tenant, until its transaction ends.
pub(super) const EVERYWHERE: &str = "SET LOCAL dz.tenant = '*';\nSET LOCAL dz.members = '*';\n";

/// True for a statement that makes a policy.
pub(super) fn is_policy(extra: &Extra) -> bool {
    extra.create.starts_with("CREATE POLICY ")
}

/// The statements that belong to the table of an entity.
pub(super) fn extras(entity: &Entity) -> Vec<Extra> {
    let mut all = Vec::new();
    if let Some(tenant) = entity.tenant {
        let setting = if entity.kind == Some(Archetype::UserMembership) { MEMBERS } else { SETTING };
        all.extend(fence(&entity.table, &entity.fields[tenant.0].name, setting));
    }
    if entity.kind == Some(Archetype::Settings) {
        all.extend(only_row(&entity.table));
    }
    all
}

/// The statements that keep the rows of a table to their tenant, by what a transaction says in `setting`.
pub fn fence(table: &str, tenant: &str, setting: &str) -> [Extra; 3] {
    let extra = |create: String, drop: String| Extra { engine: Engine::Postgres, create, drop };
    let (name, quoted) = (sql::quoted(&names::extra(table, "tenant_policy")), sql::quoted(table));
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

/// An index that two rows cannot be in: every row has the same place in it.
fn only_row(table: &str) -> [Extra; 2] {
    let name = sql::quoted(&names::extra(table, "dz_only_row_key"));
    [Engine::Sqlite, Engine::Postgres].map(|engine| Extra {
        engine,
        create: format!("CREATE UNIQUE INDEX {name} ON {} (({}))", sql::quoted(table), sql::boolean(true, engine)),
        drop: format!("DROP INDEX {name}"),
    })
}
