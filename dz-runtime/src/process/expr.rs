//! Stored expressions as expressions of the runtime. The values of the running process that an expression reads have positions in a
//! list, which is evaluated first.

use dz_vocabulary::{Aggregate, Vocabulary};

use super::{
    stored::{self, Root, ValueKind},
    value_type::ValueType,
};
use crate::def::{AppDef, EntityDef, EnumDef, EnumValueDef, Expr, FieldAt, Path, Type};

/// An expression, and the values of the running process that it reads.
#[derive(Debug)]
pub(crate) struct Bound {
    /// The expression; `Expr::Data(n)` is the value of `data[n]`.
    pub expr: Expr,
    /// The values that it reads.
    pub data: Vec<DataRef>,
}

/// A value of a running process.
#[derive(Debug)]
pub(crate) struct DataRef {
    /// The root.
    pub root: Root,
    /// The type of the root.
    pub ty: ValueType,
    /// The path from the row that the root references.
    pub path: Option<Path>,
}

/// An expression that can be evaluated, or a sentence about what the application no longer has.
pub(crate) type MaybeBound = Result<Bound, String>;

/// Resolves a stored expression. Expressions are `'static`; each version of a process is resolved once, so what is leaked is bounded.
pub(super) fn resolve(app: &'static AppDef, expr: &stored::Expr) -> MaybeBound {
    let mut resolve = Resolve { app, data: Vec::new() };
    let expr = resolve.expr(expr)?;
    Ok(Bound { expr, data: resolve.data })
}

/// As [`resolve`], for a condition that reads no values of the process.
pub(super) fn resolve_condition(app: &'static AppDef, expr: &stored::Expr) -> Result<&'static Expr, String> {
    Resolve { app, data: Vec::new() }.one(expr)
}

struct Resolve {
    app: &'static AppDef,
    data: Vec<DataRef>,
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn leak_text(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

impl Resolve {
    fn one(&mut self, expr: &stored::Expr) -> Result<&'static Expr, String> {
        self.expr(expr).map(leak)
    }

    fn all(&mut self, items: &[stored::Expr]) -> Result<&'static [Expr], String> {
        let items = items.iter().map(|item| self.expr(item)).collect::<Result<Vec<_>, _>>()?;
        Ok(Box::leak(items.into_boxed_slice()))
    }

    fn expr(&mut self, expr: &stored::Expr) -> Result<Expr, String> {
        Ok(match expr {
            stored::Expr::Null => Expr::Null,
            stored::Expr::Bool(value) => Expr::Bool(*value),
            stored::Expr::Int(value) => Expr::Int(*value),
            stored::Expr::Decimal(digits) => Expr::Decimal(leak_text(digits)),
            stored::Expr::Float(value) => Expr::Float(*value),
            stored::Expr::Text(text) => Expr::Text(leak_text(text)),
            stored::Expr::Typed(kind, text) => Expr::Typed(type_of(*kind), leak_text(text)),
            stored::Expr::Value { values, at, ordered } => enum_value(values, *at, *ordered),
            stored::Expr::Duration(months, seconds) => Expr::Duration { months: *months, seconds: *seconds },
            stored::Expr::Today => Expr::Today,
            stored::Expr::Now => Expr::Now,
            stored::Expr::Path(path) => Expr::Path(self.path(path)?),
            stored::Expr::This(path) => Expr::This(path.as_ref().map(|path| self.path(path)).transpose()?),
            stored::Expr::Data(data) => self.add_data(data)?,
            stored::Expr::List(items) => Expr::List(self.all(items)?),
            stored::Expr::Not(inner) => Expr::Not(self.one(inner)?),
            stored::Expr::And(items) => Expr::And(self.all(items)?),
            stored::Expr::Or(items) => Expr::Or(self.all(items)?),
            stored::Expr::Compare(op, left, right) => Expr::Compare(named(op)?, self.one(left)?, self.one(right)?),
            stored::Expr::In(item, list) => Expr::In(self.one(item)?, self.one(list)?),
            stored::Expr::Arithmetic(op, left, right, kind) => {
                Expr::Arithmetic(named(op)?, self.one(left)?, self.one(right)?, type_of(*kind))
            }
            stored::Expr::Negate(inner) => Expr::Negate(self.one(inner)?),
            stored::Expr::Call(function, arguments, kind) => Expr::Call(named(function)?, self.all(arguments)?, type_of(*kind)),
            stored::Expr::Aggregate { kind, relation, value, condition } => {
                let kind: Aggregate = named(kind)?;
                let relation = self.path(relation)?.first();
                let value = value.as_ref().map(|path| self.path(path)).transpose()?;
                let condition = condition.as_ref().map(|condition| self.one(condition)).transpose()?;
                Expr::Aggregate { kind, relation, value, condition }
            }
            stored::Expr::If(branches, rest) => {
                let branches = branches.iter().map(|(test, value)| Ok((self.expr(test)?, self.expr(value)?)));
                let branches = branches.collect::<Result<Vec<_>, String>>()?;
                Expr::If(Box::leak(branches.into_boxed_slice()), self.one(rest)?)
            }
        })
    }

    fn add_data(&mut self, data: &stored::Data) -> Result<Expr, String> {
        let ty = ValueType::resolve(self.app, &data.ty)?;
        let path = data.path.as_ref().map(|path| self.path(path)).transpose()?;
        self.data.push(DataRef { root: data.root.clone(), ty, path });
        let at = u16::try_from(self.data.len() - 1).map_err(|_| "an expression reads too many values".to_owned())?;
        Ok(Expr::Data(at))
    }

    /// A path: the name of its entity, then those of its fields.
    fn path(&self, names: &[String]) -> Result<Path, String> {
        let [entity, fields @ ..] = names else { return Err("a path without an entity".to_owned()) };
        let mut entity = find_entity(self.app, entity)?;
        let mut steps = Vec::with_capacity(fields.len());
        for name in fields {
            let (at, field) = entity.find(name).ok_or_else(|| format!("`{}` no longer has the field `{name}`", entity.name))?;
            steps.push(FieldAt::new(entity.ix, at));
            if let Some(target) = field.kind.target() {
                entity = self.app.entity(target);
            }
        }
        Path::from_fields(&steps).ok_or_else(|| "a path without a field".to_owned())
    }
}

/// Finds an entity by its name.
pub(super) fn find_entity(app: &'static AppDef, name: &str) -> Result<&'static EntityDef, String> {
    app.entities.iter().copied().find(|entity| entity.name == name).ok_or_else(|| format!("the entity `{name}` no longer exists"))
}

/// A value of a vocabulary by its name.
fn named<V: Vocabulary>(name: &str) -> Result<V, String> {
    V::ALL.iter().copied().find(|value| value.variant() == name).ok_or_else(|| format!("the operation `{name}` no longer exists"))
}

fn enum_value(values: &[String], at: usize, ordered: bool) -> Expr {
    let Some(value) = values.get(at) else { return Expr::Null };
    if !ordered {
        return Expr::Text(leak_text(value));
    }
    let defs = values.iter().map(|name| EnumValueDef { name: leak_text(name), title: "" });
    let values = Box::leak(defs.collect::<Vec<_>>().into_boxed_slice());
    Expr::EnumValue(leak(EnumDef { name: "", values, ordered }), u16::try_from(at).unwrap_or(u16::MAX))
}

fn type_of(kind: ValueKind) -> Type {
    match kind {
        ValueKind::Bool => Type::Bool,
        ValueKind::Int => Type::Int,
        ValueKind::Float => Type::Float,
        ValueKind::Decimal => Type::Decimal,
        ValueKind::Text => Type::Text,
        ValueKind::Date => Type::Date,
        ValueKind::DateTime => Type::DateTime,
        ValueKind::Duration => Type::Duration,
        ValueKind::Uuid => Type::Uuid,
        ValueKind::Json => Type::Json,
        ValueKind::List => Type::List,
        ValueKind::Null => Type::Null,
    }
}
