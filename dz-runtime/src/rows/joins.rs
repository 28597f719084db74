//! Fields at the end of reference paths: joins with the read condition of the target, so that a value that the caller may not read
//! is null in every column, filter, search and sort.

use super::select::{ROW, column};
use crate::{
    access::{self, Action as _},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
    },
    def::{EntityDef, FieldAt, FieldDef, Path},
    label::RowLabel,
};

/// The joins of a statement, without duplicates.
pub(super) struct Joins<'a> {
    emit: &'a Emit<'a>,
    root: &'static EntityDef,
    joins: Vec<Join>,
}

struct Join {
    refs: Vec<FieldAt>,
    visibility: Visibility,
    alias: String,
    sql: Statement,
}

/// Which rows of the target a join contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visibility {
    /// Rows that the caller may read.
    Readable,
    /// In addition the accounts that the caller may refer to; only for the key and the label.
    Nameable,
}

/// The value at the end of a path.
pub(super) struct JoinedField {
    /// Its SQL: a column, or the expression of a computed field.
    pub(super) sql: Statement,
    /// The field.
    pub(super) field: &'static FieldDef,
    /// The condition under which the sensitive fields of the path are visible.
    pub(super) condition: Condition,
    /// True if a field of the path is sensitive, and can therefore not be filtered, sorted or searched.
    pub(super) is_sensitive: bool,
}

impl<'a> Joins<'a> {
    pub(super) fn new(emit: &'a Emit<'a>, root: &'static EntityDef) -> Joins<'a> {
        Joins { emit, root, joins: Vec::new() }
    }

    /// The entity of the rows.
    pub(super) fn entity(&self) -> &'static EntityDef {
        self.root
    }

    /// The number of joins.
    pub(super) fn len(&self) -> usize {
        self.joins.len()
    }

    /// The first `count` joins as SQL.
    pub(super) fn sql(&self, count: usize) -> Statement {
        let mut all = Statement::new();
        for join in self.joins.iter().take(count) {
            all.append(join.sql.clone());
        }
        all
    }

    /// The field at the end of a path; `None` if no row of a target is readable, or the field is secret.
    pub(super) fn join_field(&mut self, path: Path) -> Option<JoinedField> {
        self.join_path(&path.steps(self.emit.app))
    }

    /// The label of the row that the reference at the end of a path refers to.
    pub(super) fn join_label(&mut self, path: Path) -> Option<JoinedField> {
        let app = self.emit.app;
        let mut steps = path.steps(app);
        let target = steps.last()?.target(app)?;
        steps.extend(RowLabel::without_sensitive(app, target).path.steps(app));
        self.join_path(&steps)
    }

    /// The key of the row that the reference at the end of a path refers to; null if the row is not visible to the caller.
    pub(super) fn join_key(&mut self, path: Path) -> Option<JoinedField> {
        let mut steps = path.steps(self.emit.app);
        let target = steps.last()?.target(self.emit.app)?;
        steps.push(FieldAt::new(target.ix, target.pk));
        self.join_path(&steps)
    }

    fn join_path(&mut self, steps: &[FieldAt]) -> Option<JoinedField> {
        let app = self.emit.app;
        let (end, refs) = steps.split_last()?;
        steps.first()?.position_in(self.root)?;
        let mut alias = ROW.to_owned();
        let mut condition = Condition::Always;
        for depth in 1..=refs.len() {
            let (refs, last) = (refs.get(..depth)?, depth == refs.len());
            condition = condition.and(self.sensitive_condition(refs.last()?, &alias));
            let is_name = last && end.entity(app).account && (end.is_label(app) || end.is_key(app));
            alias = self.join(&alias, refs, if is_name { Visibility::Nameable } else { Visibility::Readable })?;
        }
        let (entity, field) = (end.entity(app), end.field(app));
        if field.secret || !field.has_value() {
            return None;
        }
        let condition = condition.and(self.sensitive_condition(end, &alias));
        let mut sql = self.emit.field_value(entity, field, &alias);
        if field.computed.is_some() && !refs.is_empty() {
            sql = null_without_row(entity, &alias, sql);
        }
        let is_sensitive = steps.iter().any(|step| step.field(app).sensitive);
        Some(JoinedField { sql, field, condition, is_sensitive })
    }

    /// The condition under which a field of a row is visible to the caller.
    fn sensitive_condition(&self, at: &FieldAt, alias: &str) -> Condition {
        let app = self.emit.app;
        match at.field(app).sensitive {
            true => access::row_condition(self.emit, at.entity(app), access::Update::NAME, alias),
            false => Condition::Always,
        }
    }

    /// The alias of the join, which is added if it is missing; `None` if it would contain no row.
    fn join(&mut self, from_alias: &str, refs: &[FieldAt], visibility: Visibility) -> Option<String> {
        if let Some(join) = self.joins.iter().find(|join| join.refs == refs && join.visibility == visibility) {
            return Some(join.alias.clone());
        }
        let reference = refs.last()?;
        let target = reference.target(self.emit.app)?;
        let alias = format!("j{}", self.joins.len() + 1);
        let condition = match visibility {
            Visibility::Readable => access::row_condition(self.emit, target, access::Read::NAME, &alias),
            Visibility::Nameable => access::reference_condition(self.emit, target, &alias),
        };
        let mut sql = Statement::new();
        sql.push(" LEFT JOIN ").append(self.emit.visible_rows(target)).push(" AS ").ident(&alias).push(" ON ");
        sql.push(&column(&alias, target.key().name)).push(" = ").push(&column(from_alias, reference.field(self.emit.app).name));
        match condition {
            Condition::Never => return None,
            Condition::Always => {}
            Condition::Rows(readable) => {
                sql.push(" AND ").append(readable);
            }
        }
        self.joins.push(Join { refs: refs.to_vec(), visibility, alias: alias.clone(), sql });
        Some(alias)
    }
}

/// A computed value of a joined row, null without a row. The expression alone could have a value without a row.
pub(crate) fn null_without_row(entity: &'static EntityDef, alias: &str, value: Statement) -> Statement {
    let mut sql = Statement::new();
    sql.push("CASE WHEN ").push(&column(alias, entity.key().name)).push(" IS NOT NULL THEN ").append(value).push(" END");
    sql
}

impl JoinedField {
    /// The column for a `SELECT`, and how to decode it.
    pub(super) fn into_column(self, emit: &Emit<'_>) -> Option<(Statement, BindKind)> {
        let kind = BindKind::from_kind(self.field.kind, emit.app)?;
        let mut sql = Statement::new();
        match self.condition {
            Condition::Always => sql.append(self.sql),
            Condition::Never => return None,
            Condition::Rows(condition) => sql.push("CASE WHEN ").append(condition).push(" THEN ").append(self.sql).push(" END"),
        };
        Some((sql, kind))
    }
}
