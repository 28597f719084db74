//! The tenant filter, and the exclusion of soft-deleted rows.

use crate::{
    Engine,
    caller::TenantScope,
    db::{
        BindKind, Statement,
        emit::{Emit, NEVER},
        probe,
    },
    def::EntityDef,
};

/// The hidden column with the time of a soft deletion.
pub(crate) const DELETED_AT: &str = "deleted_at";

/// The rows of an entity without tenants, for a `FROM` or `JOIN`; an alias must follow.
pub(crate) fn rows_without_tenant(entity: &EntityDef) -> Statement {
    debug_assert!(entity.tenancy.tenant.is_none(), "rows of {} belong to tenants", entity.name);
    let mut rows = Statement::new();
    match entity.soft_delete {
        true => rows.push("(SELECT * FROM ").ident(entity.table).push(" WHERE ").ident(DELETED_AT).push(" IS NULL)"),
        false => rows.ident(entity.table),
    };
    rows
}

impl Emit<'_> {
    /// The rows of an entity in the tenant scope of the caller, for a `FROM` or `JOIN`; an alias must follow.
    #[cfg_attr(debug_assertions, track_caller)]
    pub(crate) fn visible_rows(&self, entity: &EntityDef) -> Statement {
        self.visible_columns(entity, "*")
    }

    /// True if [`visible_rows`](Emit::visible_rows) are all rows of the table.
    #[cfg_attr(debug_assertions, track_caller)]
    pub(crate) fn shows_all_rows(&self, entity: &EntityDef) -> bool {
        self.tenant_condition(entity, None).is_none() && !entity.soft_delete
    }

    /// The same rows, with the name of a column that identifies a row: SQLite's row number, which every index contains and by which
    /// a row is found without the index of the key, or the key.
    #[cfg_attr(debug_assertions, track_caller)]
    pub(crate) fn identified_rows(&self, entity: &'static EntityDef) -> (Statement, &'static str) {
        match self.row_number(entity) {
            Some(name) => (self.visible_columns(entity, &format!("{name}, *")), name),
            None => (self.visible_rows(entity), entity.key().name),
        }
    }

    /// A name of SQLite's row number that no field has.
    fn row_number(&self, entity: &EntityDef) -> Option<&'static str> {
        let is_field = |name: &str| entity.fields.iter().any(|field| field.name.eq_ignore_ascii_case(name));
        (self.engine == Engine::Sqlite).then(|| ["_rowid_", "rowid", "oid"].into_iter().find(|name| !is_field(name)))?
    }

    #[cfg_attr(debug_assertions, track_caller)]
    fn visible_columns(&self, entity: &EntityDef, columns: &str) -> Statement {
        let mut rows = Statement::new();
        let own = self.tenant_condition(entity, None);
        if own.is_none() && !entity.soft_delete {
            rows.ident(entity.table);
            return rows;
        }
        rows.push("(SELECT ").push(columns).push(" FROM ").ident(entity.table).push(" WHERE ");
        let marked = entity.soft_delete;
        if marked {
            rows.ident(DELETED_AT).push(" IS NULL");
        }
        if let Some(own) = own {
            rows.push(if marked { " AND " } else { "" }).append(own);
        }
        rows.push(")");
        rows
    }

    /// The condition that a row belongs to the caller's tenant; `None` for an entity without tenants, and for a caller with access
    /// to all tenants.
    #[cfg_attr(debug_assertions, track_caller)]
    pub(crate) fn tenant_condition(&self, entity: &EntityDef, alias: Option<&str>) -> Option<Statement> {
        let field = entity.fields.get(usize::from(entity.tenancy.tenant?))?;
        let mut own = Statement::new();
        match (self.caller.tenant_scope_of(entity), BindKind::from_kind(field.kind, self.app)) {
            (TenantScope::All, _) => return None,
            (TenantScope::One(tenant), Some(kind)) => {
                if let Some(alias) = alias {
                    own.ident(alias).push(".");
                }
                own.ident(field.name).push(" = ").bind(tenant, kind);
            }
            (TenantScope::One(_) | TenantScope::None, _) => {
                own.push(NEVER);
            }
        }
        (!probe::sees_all_tenants(self.app, entity)).then_some(own)
    }
}
