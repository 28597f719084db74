//! Operators and functions on SQLite: native ones with the same meaning, or else the registered function of dz.

use super::{Emit, constant, fill, operand::Operand};
use crate::{
    db::{
        Statement,
        signature::{Operation, signature, type_code},
    },
    def::{Aggregate, Arithmetic, Function, Type},
    value::storage,
};

/// The type code of an operand for the registered functions.
pub(super) fn code(operand: &Operand) -> String {
    match (operand.ty, operand.stored, &operand.known) {
        (Type::Decimal, Some((_, scale)), None) => scale.to_string(),
        (ty, ..) => type_code(ty).to_owned(),
    }
}

impl Emit<'_> {
    fn call_registered(&self, operation: Operation, operands: Vec<Operand>, ty: Type, places: u32) -> Statement {
        let codes: Vec<_> = operands.iter().map(code).collect();
        let signature = signature(operation, &codes.join(","), ty, places, constant::zone(self.app));
        let mut sql = Statement::new();
        sql.push(&format!("dz_call('{signature}'"));
        for operand in operands {
            sql.push(", ").append(operand.sql);
        }
        sql.push(")");
        sql
    }

    /// The comparison of two numbers: -1, 0, 1, or null.
    pub(super) fn order_sqlite(&self, left: Operand, right: Operand) -> Statement {
        self.call_registered(Operation::Compare, vec![left, right], Type::Int, 0)
    }

    pub(super) fn shift_sqlite(&self, at: Operand, months: i64, seconds: i64, ty: Type) -> Statement {
        self.call_registered(Operation::Shift { months, seconds }, vec![at], ty, 0)
    }

    pub(super) fn arithmetic_sqlite(&self, op: Arithmetic, left: Operand, right: Operand, ty: Type, places: u32) -> Statement {
        if ty == Type::Text {
            fill("({} || {})", [left.sql, right.sql])
        } else {
            self.call_registered(Operation::Arithmetic(op), vec![left, right], ty, places)
        }
    }

    pub(super) fn call_sqlite(&self, function: Function, first: Operand, second: Option<Operand>, ty: Type) -> Statement {
        match (function, second) {
            (Function::Concat, Some(second)) => fill("({} || {})", [first.sql, second.sql]),
            (Function::Coalesce, Some(second)) if ty != Type::Decimal => fill("COALESCE({}, {})", [first.sql, second.sql]),
            (_, second) => self.call_registered(Operation::Call(function), [Some(first), second].into_iter().flatten().collect(), ty, 0),
        }
    }

    /// The aggregate of an operand over the rows of a group.
    pub(super) fn fold_sqlite(&self, kind: Aggregate, item: Operand, ty: Type, places: u32) -> Statement {
        let name = match kind {
            Aggregate::Min => return fill("MIN({})", [item.sql]),
            Aggregate::Max => return fill("MAX({})", [item.sql]),
            Aggregate::Avg => "avg",
            Aggregate::Count | Aggregate::Any | Aggregate::All | Aggregate::Sum => "sum",
        };
        if kind == Aggregate::Sum && is_stored_as_integer(&item) {
            return total(&item, ty);
        }
        let mut sql = Statement::new();
        sql.push(&format!("dz_fold('{name}:{}:{}:{places}', ", code(&item), type_code(ty))).append(item.sql.clone()).push(")");
        if kind == Aggregate::Avg {
            return sql;
        }
        // SQLite does not call the function without a row.
        fill(&format!("CASE COUNT({{}}) WHEN 0 THEN {} ELSE {{}} END", zero(ty)), [item.sql, sql])
    }
}

/// The sum of no rows.
fn zero(ty: Type) -> &'static str {
    match ty {
        Type::Decimal => "'n0'",
        Type::Float => "0.0",
        Type::Bool
        | Type::Int
        | Type::Text
        | Type::Date
        | Type::DateTime
        | Type::Duration
        | Type::Uuid
        | Type::Json
        | Type::List
        | Type::Null => "0",
    }
}

/// True for whole numbers, and for decimals that SQLite stores as whole numbers.
fn is_stored_as_integer(item: &Operand) -> bool {
    match item.ty {
        Type::Int => true,
        Type::Decimal => item.known.is_none() && item.stored.is_some_and(|(precision, _)| precision <= storage::INTEGER_DIGITS),
        Type::Bool
        | Type::Float
        | Type::Text
        | Type::Date
        | Type::DateTime
        | Type::Duration
        | Type::Uuid
        | Type::Json
        | Type::List
        | Type::Null => false,
    }
}

/// The exact sum of whole numbers. SQLite's own sum fails if it exceeds 64 bits, so the upper and the lower half of each number are summed
/// up, and dz adds both sums once: a call of a registered function for each row takes several times as long.
fn total(item: &Operand, ty: Type) -> Statement {
    let template = format!(
        "CASE WHEN SUM({{}} & 4294967295) IS NULL THEN {} ELSE dz_call('total:{}:{}:0:UTC', SUM({{}} >> 32), SUM({{}} & 4294967295)) END",
        zero(ty),
        code(item),
        type_code(ty)
    );
    fill(&template, [item.sql.clone(), item.sql.clone(), item.sql.clone()])
}
