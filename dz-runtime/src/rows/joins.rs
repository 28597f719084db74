//! Fields reached over refs: joins with the target's read condition, so that what a caller may not read is
//! null in every column, filter, search and sort.

use super::{
    label::Name,
    select::{ROW, column},
};
use crate::{
    access::{self, Action as _},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
    },
    def::{EntityDef, FieldDef, FieldIx, Kind},
};

/// The joins of a statement, each made once.
pub(super) struct Joins<'a> {
    emit: &'a Emit<'a>,
    root: &'static EntityDef,
    made: Vec<Join>,
}

struct Join {
    hops: Vec<FieldIx>,
    sees: Sees,
    alias: String,
    sql: Statement,
}

/// Which rows of a target a join shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sees {
    /// Those that may be read.
    Readable,
    /// Of accounts also those that may be named: only for the key and the label.
    Nameable,
}

/// A column at the end of a path.
pub(super) struct Reached {
    /// What the field holds: its column, or what it is computed from.
    pub(super) held: Statement,
    /// Its field.
    pub(super) field: &'static FieldDef,
    /// The condition under which a sensitive field shows.
    pub(super) shown: Condition,
}

impl<'a> Joins<'a> {
    pub(super) fn new(emit: &'a Emit<'a>, root: &'static EntityDef) -> Joins<'a> {
        Joins { emit, root, made: Vec::new() }
    }

    /// How many joins there are.
    pub(super) fn len(&self) -> usize {
        self.made.len()
    }

    /// The first `count` joins as SQL.
    pub(super) fn sql(&self, count: usize) -> Statement {
        let mut all = Statement::new();
        for join in self.made.iter().take(count) {
            all.append(join.sql.clone());
        }
        all
    }

    /// The field at the end of a path; `None` when no row of a target may be read, or the field is not to be
    /// seen at all.
    pub(super) fn reach(&mut self, hops: &[FieldIx], field: FieldIx) -> Option<Reached> {
        let (mut entity, mut alias) = (self.root, ROW.to_owned());
        for depth in 1..=hops.len() {
            let (hops, last) = (hops.get(..depth)?, depth == hops.len());
            let Kind::Ref(target) = entity.fields.get(usize::from(*hops.last()?))?.kind else { return None };
            let target = self.emit.app.entity(target);
            let names_it = last && target.account && (Some(field) == target.label.own() || field == target.pk);
            let sees = if names_it { Sees::Nameable } else { Sees::Readable };
            alias = self.join(entity, &alias, hops, target, sees)?;
            entity = target;
        }
        let field = entity.fields.get(usize::from(field))?;
        if field.secret || !field.has_value() {
            return None;
        }
        let shown = match field.sensitive {
            true => access::rows(self.emit, entity, access::Update::NAME, &alias),
            false => Condition::Always,
        };
        let mut held = self.emit.held_by(entity, field, &alias);
        if field.computed.is_some() && !hops.is_empty() {
            held = of_row(entity, &alias, held);
        }
        Some(Reached { held, field, shown })
    }

    /// The value that names the row to which a ref leads.
    pub(super) fn label(&mut self, hops: &[FieldIx], reference: FieldIx) -> Option<Reached> {
        let name = Name::of(self.emit.app, self.target(hops, reference)?);
        let hops: Vec<_> = hops.iter().copied().chain([reference]).chain(name.hops.iter().copied()).collect();
        self.reach(&hops, name.at)
    }

    /// The key of the row to which a ref leads: null where the caller does not see it.
    pub(super) fn key(&mut self, hops: &[FieldIx], reference: FieldIx) -> Option<Reached> {
        let key = self.target(hops, reference)?.pk;
        let hops: Vec<_> = hops.iter().copied().chain([reference]).collect();
        self.reach(&hops, key)
    }

    fn target(&self, hops: &[FieldIx], reference: FieldIx) -> Option<&'static EntityDef> {
        let mut entity = self.root;
        for hop in hops.iter().chain([&reference]) {
            let Kind::Ref(target) = entity.fields.get(usize::from(*hop))?.kind else { return None };
            entity = self.emit.app.entity(target);
        }
        Some(entity)
    }

    /// The alias of a join that is there or is made now; `None` when it would show no row.
    fn join(
        &mut self,
        from: &'static EntityDef,
        from_alias: &str,
        hops: &[FieldIx],
        target: &'static EntityDef,
        sees: Sees,
    ) -> Option<String> {
        if let Some(join) = self.made.iter().find(|join| join.hops == hops && join.sees == sees) {
            return Some(join.alias.clone());
        }
        let alias = format!("j{}", self.made.len() + 1);
        let condition = match sees {
            Sees::Readable => access::rows(self.emit, target, access::Read::NAME, &alias),
            Sees::Nameable => access::named(self.emit, target, &alias),
        };
        let reference = from.field(*hops.last()?);
        let mut sql = Statement::new();
        sql.push(" LEFT JOIN ").append(self.emit.live(target)).push(" AS ").ident(&alias).push(" ON ");
        sql.push(&column(&alias, target.key().name)).push(" = ").push(&column(from_alias, reference.name));
        match condition {
            Condition::Never => return None,
            Condition::Always => {}
            Condition::Rows(readable) => {
                sql.push(" AND ").append(readable);
            }
        }
        self.made.push(Join { hops: hops.to_vec(), sees, alias: alias.clone(), sql });
        Some(alias)
    }
}

/// What is computed of a joined row: null where the join shows none, though it may be made of nothing.
pub(crate) fn of_row(entity: &'static EntityDef, alias: &str, held: Statement) -> Statement {
    let mut sql = Statement::new();
    sql.push("CASE WHEN ").push(&column(alias, entity.key().name)).push(" IS NOT NULL THEN ").append(held).push(" END");
    sql
}

impl Reached {
    /// As a column of an answer, and how it is read.
    pub(super) fn selected(self, emit: &Emit<'_>) -> Option<(Statement, BindKind)> {
        let kind = BindKind::of(self.field.kind, emit.app)?;
        let mut sql = Statement::new();
        match self.shown {
            Condition::Always => sql.append(self.held),
            Condition::Never => return None,
            Condition::Rows(shown) => sql.push("CASE WHEN ").append(shown).push(" THEN ").append(self.held).push(" END"),
        };
        Some((sql, kind))
    }
}
