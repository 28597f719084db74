//! Hops of a list: joins whose ON clause carries the target's read condition, so that what the caller may
//! not read is null everywhere and no sort or filter is an oracle.

use super::columns::column;
use crate::{
    Tx, access,
    db::{BindKind, Statement, emit::Condition},
    def::{EntityDef, FieldDef, FieldIx, Kind, Path},
};

/// The joins that a statement needs so far.
#[derive(Default)]
pub(super) struct Joins {
    reached: Vec<Reached>,
    pub sql: Statement,
}

struct Reached {
    hops: Vec<FieldIx>,
    names_only: bool,
    alias: String,
}

/// A column that a path leads to.
pub(super) struct Target {
    pub alias: String,
    pub field: &'static FieldDef,
    pub kind: BindKind,
}

impl Joins {
    pub fn new() -> Self {
        Joins { reached: Vec::new(), sql: Statement::new() }
    }

    /// Follows a path from the main row `t`; `None` when it leads to no column.
    pub fn follow(&mut self, tx: &Tx<'_>, path: &Path) -> Option<Target> {
        let mut entity = tx.app.entity(path.from);
        let mut alias = "t".to_owned();
        for at in 0..path.hops.len() {
            let field = entity.field(path.hops[at]);
            let Kind::Ref(next) = field.kind else { return None };
            let target = tx.app.entity(next);
            let shown = if at + 1 == path.hops.len() { path.field } else { path.hops[at + 1] };
            alias = self.join(tx, &alias, field, target, &path.hops[..=at], Some(shown));
            entity = target;
        }
        let field = entity.field(path.field);
        let kind = BindKind::of(field.kind, tx.app).filter(|_| !field.secret)?;
        Some(Target { alias, field, kind })
    }

    /// The label of the row that the ref at the end of a path points to.
    pub fn label(&mut self, tx: &Tx<'_>, path: &Path) -> Option<Target> {
        let holder = self.follow(tx, path)?;
        let Kind::Ref(next) = holder.field.kind else { return None };
        let target = tx.app.entity(next);
        let label = target.label.unwrap_or(target.pk);
        let hops: Vec<FieldIx> = path.hops.iter().copied().chain([path.field]).collect();
        let alias = self.join(tx, &holder.alias, holder.field, target, &hops, Some(label));
        let field = target.field(label);
        let kind = BindKind::of(field.kind, tx.app)?;
        Some(Target { alias, field, kind })
    }

    fn join(&mut self, tx: &Tx<'_>, from: &str, field: &FieldDef, target: &'static EntityDef, hops: &[FieldIx], shown: Option<FieldIx>) -> String {
        let names_only = target.account && (shown == target.label || shown == Some(target.pk));
        if let Some(found) = self.reached.iter().find(|it| it.hops == hops && it.names_only == names_only) {
            return found.alias.clone();
        }
        let alias = format!("j{}", self.reached.len() + 1);
        let sql = &mut self.sql;
        sql.push(" LEFT JOIN ").ident(target.table).push(" AS ").ident(&alias).push(" ON ");
        column(sql, &alias, target.key().name);
        sql.push(" = ");
        column(sql, from, field.name);
        match access::shown(&tx.emit(), target, shown, &alias) {
            Condition::Always => {}
            Condition::Never => {
                sql.push(" AND 1 = 0");
            }
            Condition::Rows(rows) => {
                sql.push(" AND ").append(rows);
            }
        }
        self.reached.push(Reached { hops: hops.to_vec(), names_only, alias: alias.clone() });
        alias
    }
}
