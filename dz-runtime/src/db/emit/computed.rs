//! The value of a field: its column, or the expression of a computed field.

use super::{
    Emit, Scope, constant, fill,
    operand::{Operand, column, column_operand, column_type},
};
use crate::{
    Engine,
    db::{
        BindKind, Statement, ops,
        signature::{Operation, signature},
    },
    def::{Aggregate, AppDef, EntityDef, Expr, FieldDef, Kind, Path, Reads, Type},
};

impl Emit<'_> {
    /// The value of a field of the row with the alias, as SQL of the field's type.
    pub(crate) fn field_value(&self, entity: &'static EntityDef, field: &'static FieldDef, alias: &str) -> Statement {
        self.field(entity, field, true, alias).sql
    }

    /// As [`field_value`](Emit::field_value), as an operand.
    pub(super) fn field(&self, entity: &'static EntityDef, field: &'static FieldDef, nullable: bool, alias: &str) -> Operand {
        let Some(expr) = field.computed else { return column_operand(column(alias, field.name), field.kind, nullable, self.app) };
        let value = self.operand(expr, Scope { entity: entity.ix, alias, outer: None });
        self.field_operand(self.cast_to_kind(value, field.kind), field)
    }

    /// The sum of a field over the rows of a statement, with the kind to decode it; the sum of no rows is zero.
    pub(crate) fn sum(&self, entity: &'static EntityDef, field: &'static FieldDef, alias: &str) -> (Statement, Option<BindKind>) {
        let item = self.field(entity, field, true, alias);
        let ty = item.ty;
        let sql = match self.engine {
            Engine::Sqlite => self.fold_sqlite(Aggregate::Sum, item, ty, ops::DIVISION_PLACES),
            Engine::Postgres => super::postgres::aggregate(Aggregate::Sum, item, ty, ops::DIVISION_PLACES),
        };
        let sum = Operand::computed(sql, ty);
        let kind = sum.kind();
        (sum.sql, kind)
    }

    /// An operand for SQL that has the value of a field.
    pub(super) fn field_operand(&self, sql: Statement, field: &'static FieldDef) -> Operand {
        Operand { plain: field.computed.is_none(), ..column_operand(sql, field.kind, true, self.app) }
    }

    /// Converts a computed value to the stored form of a column, so that it is read, compared and sorted like one; null if such a
    /// column could not store it.
    fn cast_to_kind(&self, value: Operand, kind: Kind) -> Statement {
        match (self.engine, kind.digits()) {
            (Engine::Sqlite, Some((precision, scale))) => self.stored_sqlite(value, precision, scale),
            (Engine::Postgres, Some((precision, scale))) => {
                let beyond = format!("1{}", "0".repeat(usize::from(precision.saturating_sub(scale))));
                let fitting =
                    format!("(SELECT CASE WHEN abs(dz.x) < {beyond} THEN dz.x END FROM (SELECT round({{}}::numeric, {scale}) AS x) dz)");
                super::postgres::bind_once(&fitting, [value.sql])
            }
            (Engine::Postgres, None) if kind.is_float() && value.ty != Type::Float => fill("{}::float8", [value.sql]),
            // The collation of text columns.
            (Engine::Postgres, None) if column_type(kind, self.app) == Type::Text => fill("({} COLLATE \"C\")", [value.sql]),
            (Engine::Sqlite | Engine::Postgres, None) => value.sql,
        }
    }

    fn stored_sqlite(&self, value: Operand, precision: u8, scale: u8) -> Statement {
        let keep = Operation::Keep { precision };
        let code = super::sqlite::code(&value);
        let signature = signature(keep, &code, Type::Decimal, scale.into(), constant::zone(self.app));
        fill(&format!("dz_call('{signature}', {{}})"), [value.sql])
    }
}

/// True if the value depends only on the row itself.
pub(crate) fn is_local(expr: &Expr, app: &'static AppDef) -> bool {
    !expr.any(|part| match part.reads() {
        Reads::Relation(..) => true,
        Reads::Row(path) => !path.is_own_field() || path.first().field(app).computed.is_some_and(|inner| !is_local(inner, app)),
        Reads::Nothing | Reads::Outer(_) | Reads::Caller(_) => false,
    })
}

/// True if the value depends on the rows of a relation of the row, also through its computed fields.
pub(crate) fn reads_relation(expr: &Expr, app: &'static AppDef) -> bool {
    expr.any(|part| match part.reads() {
        Reads::Relation(..) => true,
        Reads::Row(path) => path.is_own_field() && path.first().field(app).computed.is_some_and(|inner| reads_relation(inner, app)),
        Reads::Nothing | Reads::Outer(_) | Reads::Caller(_) => false,
    })
}

/// True if the value depends on a total of a referenced row, such as `lot.balance` with `balance: computed sum(entries.amount)`: the row
/// can be one of those that are totalled.
pub(crate) fn reads_totals(expr: &Expr, app: &'static AppDef) -> bool {
    total_paths(expr, app).next().is_some()
}

/// The paths to totals of referenced rows, also those of computed fields of the row itself.
pub(crate) fn total_paths(expr: &Expr, app: &'static AppDef) -> impl Iterator<Item = Path> + use<> {
    let mut found = Vec::new();
    expr.visit(&mut |part| {
        let Reads::Row(path) = part.reads() else { return };
        match path.end(app).field(app).computed {
            Some(inner) if path.is_own_field() => found.extend(total_paths(inner, app)),
            Some(inner) if reads_relation(inner, app) || reads_totals(inner, app) => found.push(path),
            Some(_) | None => {}
        }
    });
    found.into_iter()
}
