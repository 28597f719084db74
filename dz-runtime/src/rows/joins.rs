//! Fields reached over refs: joins with the target's read condition, so that what a caller may not read is
//! null in every column, filter, search and sort.

use super::select::{ROW, column};
use crate::{
    access::{self, Action as _},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
    },
    def::{EntityDef, FieldAt, FieldDef, Path},
    label::Name,
};

/// The joins of a statement, each made once.
pub(super) struct Joins<'a> {
    emit: &'a Emit<'a>,
    root: &'static EntityDef,
    made: Vec<Join>,
}

struct Join {
    refs: Vec<FieldAt>,
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
    /// The condition under which the sensitive fields of the path show.
    pub(super) shown: Condition,
    /// True when a field of the path is sensitive, so that it may not shape a list.
    pub(super) is_sensitive: bool,
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

    /// The field at the end of a path from a row of the root; `None` when no row of a target may be read, or the field is not
    /// to be seen at all.
    pub(super) fn reach(&mut self, path: Path) -> Option<Reached> {
        self.follow(&path.steps(self.emit.app))
    }

    /// The value that names the row that the ref at the end of a path refers to.
    pub(super) fn label(&mut self, path: Path) -> Option<Reached> {
        let app = self.emit.app;
        let mut steps = path.steps(app);
        let target = steps.last()?.target(app)?;
        steps.extend(Name::of(app, target).path.steps(app));
        self.follow(&steps)
    }

    /// The key of the row that the ref at the end of a path refers to: null where the caller does not see it.
    pub(super) fn key(&mut self, path: Path) -> Option<Reached> {
        let mut steps = path.steps(self.emit.app);
        let target = steps.last()?.target(self.emit.app)?;
        steps.push(FieldAt::new(target.ix, target.pk));
        self.follow(&steps)
    }

    fn follow(&mut self, steps: &[FieldAt]) -> Option<Reached> {
        let app = self.emit.app;
        let (end, refs) = steps.split_last()?;
        steps.first()?.of(self.root)?;
        let mut alias = ROW.to_owned();
        let mut shown = Condition::Always;
        for depth in 1..=refs.len() {
            let (refs, last) = (refs.get(..depth)?, depth == refs.len());
            shown = shown.and(self.shows(refs.last()?, &alias));
            let names_it = last && end.entity(app).account && (end.is_label(app) || end.is_key(app));
            alias = self.join(&alias, refs, if names_it { Sees::Nameable } else { Sees::Readable })?;
        }
        let (entity, field) = (end.entity(app), end.field(app));
        if field.secret || !field.has_value() {
            return None;
        }
        let shown = shown.and(self.shows(end, &alias));
        let mut held = self.emit.held_by(entity, field, &alias);
        if field.computed.is_some() && !refs.is_empty() {
            held = of_row(entity, &alias, held);
        }
        let is_sensitive = steps.iter().any(|step| step.field(app).sensitive);
        Some(Reached { held, field, shown, is_sensitive })
    }

    /// The condition under which the caller sees a field of the row under an alias.
    fn shows(&self, at: &FieldAt, alias: &str) -> Condition {
        let app = self.emit.app;
        match at.field(app).sensitive {
            true => access::rows(self.emit, at.entity(app), access::Update::NAME, alias),
            false => Condition::Always,
        }
    }

    /// The alias of a join that is there or is made now; `None` when it would show no row.
    fn join(&mut self, from_alias: &str, refs: &[FieldAt], sees: Sees) -> Option<String> {
        if let Some(join) = self.made.iter().find(|join| join.refs == refs && join.sees == sees) {
            return Some(join.alias.clone());
        }
        let reference = refs.last()?;
        let target = reference.target(self.emit.app)?;
        let alias = format!("j{}", self.made.len() + 1);
        let condition = match sees {
            Sees::Readable => access::rows(self.emit, target, access::Read::NAME, &alias),
            Sees::Nameable => access::named(self.emit, target, &alias),
        };
        let mut sql = Statement::new();
        sql.push(" LEFT JOIN ").append(self.emit.live(target)).push(" AS ").ident(&alias).push(" ON ");
        sql.push(&column(&alias, target.key().name)).push(" = ").push(&column(from_alias, reference.field(self.emit.app).name));
        match condition {
            Condition::Never => return None,
            Condition::Always => {}
            Condition::Rows(readable) => {
                sql.push(" AND ").append(readable);
            }
        }
        self.made.push(Join { refs: refs.to_vec(), sees, alias: alias.clone(), sql });
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
