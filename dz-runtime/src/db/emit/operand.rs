//! Expressions as SQL values: columns, reference paths, aggregates and operators.

use super::{Condition, Constant, Emit, NEVER, Scope, constant, fill};
use crate::{
    Engine, Value,
    db::{BindKind, Statement, signature},
    def::{Aggregate, AppDef, Arithmetic, EntityDef, EnumDef, Expr, FieldAt, FieldDef, Function, Kind, Path, Relation, Type, Via},
};

/// An SQL value with its properties.
#[derive(Debug, Clone)]
pub(super) struct Operand {
    pub(super) sql: Statement,
    pub(super) ty: Type,
    /// The precision and the scale of the column, for a decimal in its stored form.
    pub(super) stored: Option<(u8, u8)>,
    pub(super) nullable: bool,
    /// True if the SQL is cheap enough to be evaluated twice.
    pub(super) plain: bool,
    /// The ordered enumeration of its values.
    pub(super) ordered: Option<&'static EnumDef>,
    /// The value of a constant.
    pub(super) known: Option<Value>,
}

impl Operand {
    /// The result of a computation.
    pub(super) fn computed(sql: Statement, ty: Type) -> Operand {
        Operand { sql, ty, stored: None, nullable: true, plain: false, ordered: None, known: None }
    }

    /// Whether a condition holds; never null. The SQL of a condition can begin with `NOT` or end with `IS NULL`, which bind more loosely
    /// than the operators around an operand, so it is enclosed.
    pub(super) fn from_condition(condition: Condition) -> Operand {
        Operand { nullable: false, ..Operand::computed(fill("({})", [condition.into_sql()]), Type::Bool) }
    }

    /// The kind to bind and decode it; `None` for the literal null.
    pub(super) fn kind(&self) -> Option<BindKind> {
        Some(match self.ty {
            Type::Bool => BindKind::Bool,
            Type::Int | Type::Duration => BindKind::Int,
            Type::Float => BindKind::Float,
            Type::Decimal => {
                let (precision, scale) = self.stored.unwrap_or((28, 28));
                BindKind::Decimal { precision, scale }
            }
            Type::Text => BindKind::Text,
            Type::Date => BindKind::Date,
            Type::DateTime => BindKind::DateTime,
            Type::Uuid => BindKind::Uuid,
            Type::Json => BindKind::Json,
            Type::List | Type::Null => return None,
        })
    }
}

/// The type of the values of a field.
pub(super) fn column_type(kind: Kind, app: &'static AppDef) -> Type {
    match BindKind::from_kind(kind, app) {
        Some(BindKind::Bool) => Type::Bool,
        Some(BindKind::Int) => Type::Int,
        Some(BindKind::Float) => Type::Float,
        Some(BindKind::Decimal { .. }) => Type::Decimal,
        Some(BindKind::Text) => Type::Text,
        Some(BindKind::Uuid) => Type::Uuid,
        Some(BindKind::Date) => Type::Date,
        Some(BindKind::DateTime) => Type::DateTime,
        Some(BindKind::Json) => Type::Json,
        None => Type::Null,
    }
}

/// The operand for a column of a kind.
pub(super) fn column_operand(sql: Statement, kind: Kind, nullable: bool, app: &'static AppDef) -> Operand {
    let ordered = kind.enumeration().filter(|of| of.ordered);
    Operand { sql, ty: column_type(kind, app), stored: kind.digits(), nullable, plain: true, ordered, known: None }
}

/// The field at the end of a path.
pub(super) fn target(path: Path, app: &'static AppDef) -> &'static FieldDef {
    path.end(app).field(app)
}

pub(super) fn column(alias: &str, name: &str) -> Statement {
    let mut sql = Statement::new();
    sql.ident(alias).push(".").ident(name);
    sql
}

impl Emit<'_> {
    /// Writes `expr` as an operand.
    pub(super) fn operand(&self, expr: &Expr, scope: Scope<'_>) -> Operand {
        if let Some(known) = constant::fold(expr, self.caller, self.app) {
            let value = match known {
                Constant::Value(value) => value,
                Constant::Duration { months, seconds } => {
                    let micros = Value::Int(constant::duration_micros(months, seconds));
                    return Operand { ty: Type::Duration, ..self.constant_operand(micros) };
                }
                Constant::List(_) => Value::Null,
            };
            let ordered = match expr {
                Expr::EnumValue(of, _) if of.ordered => Some(*of),
                _ => None,
            };
            return Operand { ordered, ..self.constant_operand(value) };
        }
        match expr {
            Expr::Path(path) => {
                debug_assert_eq!(path.origin_ix(), scope.entity, "a path begins in the entity of its scope");
                self.path_operand(*path, scope.alias)
            }
            Expr::This(path) => self.this_operand(*path, scope),
            Expr::Arithmetic(op, left, right, ty) => self.arithmetic_expr(expr, *op, left, right, *ty, scope),
            Expr::Negate(inner) => {
                let inner = self.operand(inner, scope);
                let (zero, ty) = match inner.ty {
                    Type::Float => (Value::Float(0.0), Type::Float),
                    Type::Decimal => (Value::Int(0), Type::Decimal),
                    other @ (Type::Bool
                    | Type::Int
                    | Type::Text
                    | Type::Date
                    | Type::DateTime
                    | Type::Duration
                    | Type::Uuid
                    | Type::Json
                    | Type::List
                    | Type::Null) => (Value::Int(0), other),
                };
                self.arithmetic(Arithmetic::Sub, self.constant_operand(zero), inner, ty, 0)
            }
            Expr::Call(function, arguments, ty) => self.call(*function, arguments, *ty, scope),
            Expr::Aggregate { kind, relation, value, condition } => self.aggregate(*kind, *relation, *value, *condition, scope),
            Expr::If(branches, otherwise) if self.branch_type(branches, otherwise, scope) != Type::Bool => {
                self.choice(branches, otherwise, scope)
            }
            condition => Operand::from_condition(self.condition(condition, scope, false)),
        }
    }

    /// A constant as a parameter.
    pub(super) fn constant_operand(&self, value: Value) -> Operand {
        let mut sql = Statement::new();
        let ty = match &value {
            Value::Null => Type::Null,
            Value::Bool(_) => Type::Bool,
            Value::Int(_) => Type::Int,
            Value::Float(_) => Type::Float,
            Value::Decimal(_) => Type::Decimal,
            Value::Text(_) => Type::Text,
            Value::Uuid(_) => Type::Uuid,
            Value::Date(_) => Type::Date,
            Value::DateTime(_) => Type::DateTime,
            Value::Json(_) => Type::Json,
        };
        let mut operand = Operand { nullable: value.is_null(), plain: true, ..Operand::computed(Statement::new(), ty) };
        match (&value, self.engine, operand.kind()) {
            (Value::Decimal(decimal), Engine::Sqlite, _) => {
                sql.bind(Value::Text(signature::decimal_text(*decimal)), BindKind::Text);
            }
            (_, _, Some(kind)) => {
                sql.bind(value.clone(), kind);
            }
            _ => {
                sql.push("NULL");
            }
        }
        operand.sql = sql;
        operand.known = Some(value);
        operand
    }

    /// The field at the end of a path from the row with the alias.
    pub(super) fn path_operand(&self, path: Path, alias: &str) -> Operand {
        let app = self.app;
        let steps = path.steps(app);
        let Some((end, refs)) = steps.split_last() else { return self.constant_operand(Value::Null) };
        let (entity, field) = (end.entity(app), end.field(app));
        let mut nullable = !field.required && !end.is_key(app);
        let Some(first) = refs.first().map(|first| first.field(app)) else {
            return self.field(entity, field, nullable, alias);
        };
        if refs.len() == 1 && end.is_key(app) {
            nullable |= !first.required;
            // The key of the target is the value of the reference.
            return column_operand(column(alias, first.name), field.kind, nullable, app);
        }
        // The alias contains the depth, so that an inner row does not hide an outer one.
        let name = |depth: usize| format!("{alias}_{depth}");
        let mut sql = Statement::new();
        let held = self.field(entity, field, nullable, &name(refs.len()));
        sql.push("(SELECT ").append(held.sql).push(" FROM ");
        for (depth, (reference, next)) in refs.iter().zip(steps.iter().skip(1)).enumerate() {
            let next = next.entity(app);
            if depth > 0 {
                sql.push(" JOIN ");
            }
            sql.append(self.visible_rows(next)).push(" ").ident(&name(depth + 1));
            if depth > 0 {
                sql.push(" ON ").append(column(&name(depth + 1), next.key().name)).push(" = ");
                sql.append(column(&name(depth), reference.field(app).name));
            }
        }
        let second = steps.get(1).map_or(entity, |second| second.entity(app));
        sql.push(" WHERE ").append(column(&name(1), second.key().name)).push(" = ");
        sql.append(column(alias, first.name)).push(")");
        // The target of a required reference can be soft-deleted, or missing before the reference is checked.
        Operand { plain: false, ..column_operand(sql, field.kind, true, app) }
    }

    fn this_operand(&self, path: Option<Path>, scope: Scope<'_>) -> Operand {
        match (path, scope.outer) {
            (Some(path), Some((_, alias))) => self.path_operand(path, alias),
            (None, Some((entity, alias))) => {
                let key = self.app.entity(entity).key();
                column_operand(column(alias, key.name), key.kind, false, self.app)
            }
            (_, None) => self.constant_operand(Value::Null),
        }
    }

    fn arithmetic_expr(&self, expr: &Expr, op: Arithmetic, left: &Expr, right: &Expr, ty: Type, scope: Scope<'_>) -> Operand {
        let duration = |expr: &Expr| match constant::fold(expr, self.caller, self.app) {
            Some(Constant::Duration { months, seconds }) => Some((months, seconds)),
            _ => None,
        };
        let operands = match (duration(left), duration(right)) {
            (None, Some(by)) => Some((left, by)),
            (Some(by), None) => Some((right, by)),
            _ => None,
        };
        if let (Some((at, (months, seconds))), Type::Date | Type::DateTime) = (operands, ty) {
            let sign = if op == Arithmetic::Sub { -1 } else { 1 };
            return self.shift(self.operand(at, scope), months.saturating_mul(sign), seconds.saturating_mul(sign), ty);
        }
        self.arithmetic(op, self.operand(left, scope), self.operand(right, scope), ty, super::decimal_places(expr, self.app))
    }

    fn shift(&self, at: Operand, months: i64, seconds: i64, ty: Type) -> Operand {
        Operand::computed(
            match self.engine {
                Engine::Sqlite => self.shift_sqlite(at, months, seconds, ty),
                Engine::Postgres => super::postgres::shift(at, months, seconds, ty),
            },
            ty,
        )
    }

    fn arithmetic(&self, op: Arithmetic, left: Operand, right: Operand, ty: Type, places: u32) -> Operand {
        // The duration can be the first operand.
        let (left, right) = if ty == Type::DateTime && left.ty == Type::Duration { (right, left) } else { (left, right) };
        Operand::computed(
            match self.engine {
                Engine::Sqlite => self.arithmetic_sqlite(op, left, right, ty, places),
                Engine::Postgres => super::postgres::arithmetic(op, left, right, ty, places),
            },
            ty,
        )
    }

    fn call(&self, function: Function, arguments: &[Expr], ty: Type, scope: Scope<'_>) -> Operand {
        let mut operands = arguments.iter().map(|argument| self.operand(argument, scope));
        let Some(first) = operands.next() else { return self.constant_operand(Value::Null) };
        let apply = |first: Operand, second: Option<Operand>| {
            let sql = match self.engine {
                Engine::Sqlite => self.call_sqlite(function, first, second, ty),
                Engine::Postgres => self.call_postgres(function, first, second, ty),
            };
            Operand::computed(sql, ty)
        };
        match function {
            Function::DaysSince | Function::DaysUntil => apply(first, Some(self.constant_operand(Value::Date(self.caller.today)))),
            Function::HoursSince | Function::MinutesSince => apply(first, Some(self.constant_operand(Value::DateTime(self.caller.now)))),
            Function::Min | Function::Max | Function::Coalesce | Function::Concat => {
                operands.fold(first, |left, right| apply(left, Some(right)))
            }
            _ => apply(first, operands.next()),
        }
    }

    /// The condition that a text column contains (`contains`) or starts with (`starts_with`) a text from a client; ignoring case if
    /// `fold` is `lower`.
    pub(crate) fn match_text(&self, function: Function, fold: Option<Function>, column: Statement, needle: &str) -> Condition {
        let apply = |function: Function, first: Operand, second: Option<Operand>, ty: Type| {
            let sql = match self.engine {
                Engine::Sqlite => self.call_sqlite(function, first, second, ty),
                Engine::Postgres => self.call_postgres(function, first, second, ty),
            };
            Operand::computed(sql, ty)
        };
        let folded = |operand: Operand| match fold {
            Some(fold) => apply(fold, operand, None, Type::Text),
            None => operand,
        };
        let (left, right) = (column_operand(column, Kind::Text, true, self.app), self.constant_operand(Value::Text(needle.to_owned())));
        Condition::Rows(fill(&format!("COALESCE({{}}, {NEVER})"), [apply(function, folded(left), Some(folded(right)), Type::Bool).sql]))
    }

    fn branch_type(&self, branches: &[(Expr, Expr)], otherwise: &Expr, scope: Scope<'_>) -> Type {
        let types = branches.iter().map(|(_, result)| result).chain([otherwise]).map(|result| self.operand(result, scope).ty);
        types.fold(Type::Null, |all, ty| match (all, ty) {
            (Type::Null, ty) | (ty, Type::Null) => ty,
            (Type::Int, Type::Decimal) => Type::Decimal,
            (all, _) => all,
        })
    }

    fn choice(&self, branches: &[(Expr, Expr)], otherwise: &Expr, scope: Scope<'_>) -> Operand {
        let ty = self.branch_type(branches, otherwise, scope);
        let result = |expr: &Expr| {
            let operand = self.operand(expr, scope);
            match (self.engine, ty) {
                // The branches can have different stored forms.
                (Engine::Sqlite, Type::Decimal) => self.call_sqlite(Function::Coalesce, operand.clone(), Some(operand), Type::Decimal),
                _ => operand.sql,
            }
        };
        let mut sql = Statement::new();
        sql.push("(CASE");
        for (test, value) in branches {
            sql.push(" WHEN ").append(self.condition(test, scope, false).into_sql()).push(" THEN ").append(result(value));
        }
        sql.push(" ELSE ").append(result(otherwise)).push(" END)");
        Operand::computed(sql, ty)
    }

    /// The child rows of a relation, as ` FROM child WHERE …`, with the alias and the entity of the child.
    fn children(
        &self,
        relation: FieldAt,
        condition: Option<&Expr>,
        scope: Scope<'_>,
        unknown: bool,
        negated: bool,
    ) -> Option<(Statement, String, &'static EntityDef)> {
        let owner = self.app.entity(scope.entity);
        let Relation { entity, via, .. } = owner.field(relation.position_in(owner)?).kind.relation()?;
        let child = self.app.entity(entity);
        let alias = format!("{}_c", scope.alias);
        let inner = Scope { entity: child.ix, alias: &alias, outer: Some((scope.entity, scope.alias)) };
        let own = column(scope.alias, owner.key().name);
        let mut sql = Statement::new();
        sql.push(" FROM ").append(self.visible_rows(child)).push(" ").ident(&alias).push(" WHERE ");
        match via {
            Via::Ref(via) => sql.append(column(&alias, via.field(self.app).name)).push(" = ").append(own),
            Via::Junction(through) => {
                let (near, far) = (through.near().field(self.app), through.far().field(self.app));
                let between = format!("{}_j", scope.alias);
                sql.append(column(&alias, child.key().name)).push(" IN (SELECT ").append(column(&between, far.name)).push(" FROM ");
                sql.append(self.visible_rows(through.entity(self.app))).push(" ").ident(&between).push(" WHERE ");
                sql.append(column(&between, near.name)).push(" = ").append(own).push(")")
            }
        };
        if let Some(condition) = condition {
            let condition = self.condition(condition, inner, unknown);
            sql.push(" AND ").append(if negated { condition.negate() } else { condition }.into_sql());
        } else if negated {
            sql.push(" AND ").push(NEVER);
        }
        Some((sql, alias, child))
    }

    /// `any` and `all` over a relation.
    pub(super) fn exists(
        &self,
        kind: Aggregate,
        relation: FieldAt,
        condition: Option<&Expr>,
        scope: Scope<'_>,
        unknown: bool,
    ) -> Condition {
        let all = kind == Aggregate::All;
        match self.children(relation, condition, scope, unknown, all) {
            Some((rows, ..)) => Condition::Rows(fill(if all { "NOT EXISTS (SELECT 1{})" } else { "EXISTS (SELECT 1{})" }, [rows])),
            None => Condition::Never,
        }
    }

    fn aggregate(&self, kind: Aggregate, relation: FieldAt, value: Option<Path>, condition: Option<&Expr>, scope: Scope<'_>) -> Operand {
        if matches!(kind, Aggregate::Any | Aggregate::All) {
            return Operand::from_condition(self.exists(kind, relation, condition, scope, false));
        }
        let Some((rows, alias, _)) = self.children(relation, condition, scope, false, false) else {
            return self.constant_operand(Value::Null);
        };
        if kind == Aggregate::Count {
            return Operand { nullable: false, ..Operand::computed(fill("(SELECT COUNT(*){})", [rows]), Type::Int) };
        }
        let Some(path) = value else { return self.constant_operand(Value::Null) };
        let item = self.path_operand(path, &alias);
        let (ty, stored) = match kind {
            Aggregate::Min | Aggregate::Max => (item.ty, item.stored),
            Aggregate::Avg if item.ty == Type::Int => (Type::Decimal, None),
            Aggregate::Count | Aggregate::Any | Aggregate::All | Aggregate::Sum | Aggregate::Avg => (item.ty, None),
        };
        let places = u32::from(item.stored.map_or(0, |(_, scale)| scale)).max(crate::db::ops::DIVISION_PLACES);
        let item = match self.engine {
            Engine::Sqlite => self.fold_sqlite(kind, item, ty, places),
            Engine::Postgres => super::postgres::aggregate(kind, item, ty, places),
        };
        Operand { stored, ..Operand::computed(fill("(SELECT {}{})", [item, rows]), ty) }
    }
}
