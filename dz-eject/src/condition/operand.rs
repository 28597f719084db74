//! Values in conditions: columns, literals, values of the caller, the time.

use dz_dsl_file::model::{Aggregate, Archetype, Arithmetic, Comparison, Duration, Entity, EnumId, Expr, FieldType, Model, Path, Type};

use super::{Conditions, Emitted, Engine, Piece, Scope, calculation, column};
use crate::names;

/// A value in SQL.
#[derive(Debug, Clone)]
pub(super) struct Operand {
    pub piece: Piece,
    /// True if it can be null.
    pub nullable: bool,
    pub ty: Type,
    /// The digits of an exact number in its stored form: all, and after the point.
    pub stored: Option<(u8, u8)>,
    /// A number that is written in the declaration.
    pub number: Option<String>,
    /// The enumeration of a value whose order is that of its positions.
    pub ordered: Option<(EnumId, Vec<String>)>,
    /// A text literal.
    pub literal: Option<String>,
}

impl Operand {
    pub fn new(piece: Piece, ty: Type, nullable: bool) -> Operand {
        Operand { piece, nullable, ty, stored: None, number: None, ordered: None, literal: None }
    }

    /// The result of a calculation.
    pub fn calculated(piece: Piece, ty: Type) -> Operand {
        Operand::new(piece, ty, true)
    }

    pub fn value(code: String, ty: Type) -> Operand {
        Operand::new(Piece { text: "?".to_owned(), values: vec![code], needs: Vec::new() }, ty, false)
    }

    fn number(digits: String, ty: Type) -> Operand {
        Operand { number: Some(digits.clone()), ..Operand::new(Piece::text(digits), ty, false) }
    }

    /// The value of a caller; without it the comparison is unknown.
    fn of_caller(name: &str, option: String, value: &str, ty: Type) -> Operand {
        let piece = Piece { text: "?".to_owned(), values: vec![value.replace("{}", name)], needs: vec![(name.to_owned(), option)] };
        Operand::new(piece, ty, false)
    }

    pub fn is_exact(&self) -> bool {
        matches!(self.ty, Type::Decimal | Type::Money(_))
    }

    /// True if SQLite cannot compare both as they are: exact numbers with different stored forms, or as text between operations.
    pub fn differs_in_form(&self, other: &Operand) -> bool {
        let numbers = [self, other].iter().all(|it| it.is_exact() || it.ty == Type::Int);
        numbers && (self.is_exact() || other.is_exact()) && (self.stored.is_none() || self.stored != other.stored)
    }

    /// A literal number takes the form of the other side.
    pub fn beside(self, other: &Operand, engine: Engine) -> Operand {
        let Some(digits) = self.number.clone() else { return self };
        if other.ty == Type::Float {
            return Operand::value(
                format!("Value::Float(Some({}))", if digits.contains('.') { digits } else { format!("{digits}.0") }),
                Type::Float,
            );
        }
        let Some((precision, scale)) = other.stored else { return self };
        let (whole, places) = digits.trim_start_matches('-').split_once('.').unwrap_or((digits.trim_start_matches('-'), ""));
        let fits = places.trim_end_matches('0').len() <= usize::from(scale) && whole.len() <= usize::from(precision - scale);
        match fits && (engine == Engine::Sqlite || self.ty == Type::Decimal) {
            true => {
                let code = format!("number({}, ({precision}, {scale}))", names::literal(&digits));
                Operand { stored: other.stored, ..Operand::value(code, Type::Decimal) }
            }
            false => self,
        }
    }

    /// Values of an ordered enumeration are compared by position.
    pub fn for_order(self, how: Comparison, other: &Operand) -> Operand {
        if matches!(how, Comparison::Eq | Comparison::Ne) || self.ty == Type::Int {
            return self;
        }
        let Some((_, values)) = self.ordered.as_ref().or(other.ordered.as_ref()) else { return self };
        if let Some(at) = self.literal.as_ref().and_then(|text| values.iter().position(|value| value == text)) {
            return Operand::new(Piece::text(at.to_string()), Type::Int, false);
        }
        let cases: String = values.iter().enumerate().map(|(at, name)| format!(" WHEN {} THEN {at}", quoted(name))).collect();
        Operand::new(Piece::fill(&format!("(CASE {{}}{cases} END)"), [&self.piece]), Type::Int, self.nullable)
    }
}

/// The rows of an entity in a `FROM`: without those that are deleted, and those of other tenants.
pub(super) fn rows(entity: &Entity) -> Piece {
    let mut conditions = Vec::new();
    let mut values = Vec::new();
    if entity.soft_delete {
        conditions.push("deleted_at IS NULL".to_owned());
    }
    if let Some(tenant) = entity.tenant {
        let name = names::quoted_in_sql(&entity.fields[tenant.0].name);
        values.push("Value::Id(caller.tenant())".to_owned());
        conditions.push(match entity.kind == Some(Archetype::UserMembership) {
            true => {
                values.push("Value::Bool(Some(caller.is_system_admin()))".to_owned());
                format!("({name} = ? OR ?)")
            }
            false => format!("{name} = ?"),
        });
    }
    let text = match conditions.is_empty() {
        true => entity.table.clone(),
        false => format!("(SELECT * FROM {} WHERE {})", entity.table, conditions.join(" AND ")),
    };
    Piece { text, values, needs: Vec::new() }
}

/// Writes an expression as a value.
pub(super) fn write(of: &Conditions<'_>, expr: &Expr, scope: Scope<'_>) -> Emitted<Operand> {
    match expr {
        Expr::Path(path) => path_from(of, path, scope),
        Expr::This(path) => match (path, scope.outer) {
            (Some(path), Some((_, row))) => path_from(of, path, Scope { row, outer: None, ..scope }),
            (None, Some((entity, row))) => {
                let key = &of.model.entity(entity).fields[of.model.entity(entity).pk.0];
                Ok(Operand::new(Piece::text(column(row, &key.name)), type_of(of.model, key.ty), false))
            }
            (_, None) => Err(of.refuse(expr, "`this` has no row here")),
        },
        Expr::CurrentUser => Ok(Operand::of_caller("me", "caller.id()".to_owned(), "Value::Id(Some({}))", Type::Uuid)),
        Expr::CurrentTenant => Ok(Operand::of_caller("tenant", "caller.tenant()".to_owned(), "Value::Id(Some({}))", Type::Uuid)),
        Expr::CurrentUserPath(path) => {
            let (entity, at) = path.end(&of.model.entities);
            let ty = of.model.field(entity, at).ty;
            let name = caller_value(of.model, path);
            let operand =
                Operand::of_caller(&name, format!("caller.{name}()"), &parameter(of.model, ty, "{}", true), type_of(of.model, ty));
            Ok(Operand { stored: ty.digits(), ordered: ordered(of.model, ty), ..operand })
        }
        Expr::Int(value) => Ok(Operand::number(value.to_string(), Type::Int)),
        Expr::Decimal(digits) => Ok(Operand::number(digits.clone(), Type::Decimal)),
        Expr::Float(value) => Ok(Operand::value(format!("Value::Float(Some({value:?}))"), Type::Float)),
        Expr::Bool(value) => Ok(Operand::new(Piece::text(if *value { "TRUE" } else { "FALSE" }), Type::Bool, false)),
        Expr::Text(text) => Ok(text_literal(text)),
        Expr::EnumValue(id, at) => {
            let found = &of.model.enums[id.0];
            let name = found.values.get(*at).map(|value| value.name.clone()).unwrap_or_default();
            Ok(Operand { ordered: ordered(of.model, FieldType::Enum(*id)), literal: Some(name.clone()), ..text_literal(&name) })
        }
        Expr::Typed(Type::Date, text) => Ok(Operand::value(format!("date({})", names::literal(text)), Type::Date)),
        Expr::Typed(Type::DateTime, text) => Ok(Operand::value(format!("time({})", names::literal(text)), Type::DateTime)),
        Expr::Typed(Type::Uuid | Type::Ref(_), text) => {
            Ok(Operand::value(format!("Value::Id(Id::parse({}))", names::literal(text)), Type::Uuid))
        }
        Expr::Today => Ok(Operand::value("Value::Date(Some(caller.today))".to_owned(), Type::Date)),
        Expr::Now => Ok(Operand::value("Value::Timestamp(Some(caller.now))".to_owned(), Type::DateTime)),
        Expr::Duration(Duration { months, seconds }) => {
            let seconds = seconds.saturating_add(months.saturating_mul(30 * 86_400));
            Ok(Operand::new(Piece::text(seconds.saturating_mul(1_000_000).to_string()), Type::Duration, false))
        }
        Expr::Null => Ok(Operand::new(Piece::text("NULL"), Type::Null, true)),
        Expr::Arithmetic(how, left, right, ty) => match time(left, *how, right) {
            Some((true, code)) => Ok(Operand::value(format!("Value::Date(Some({code}))"), Type::Date)),
            Some((false, code)) => Ok(Operand::value(format!("Value::Timestamp(Some({code}))"), Type::DateTime)),
            None => calculation::arithmetic(of, expr, (*how, left, right), ty, scope),
        },
        Expr::Negate(inner) => {
            calculation::arithmetic(of, expr, (Arithmetic::Sub, &Expr::Int(0), inner), &calculation::negated(of, inner, scope)?, scope)
        }
        Expr::Call(function, arguments, ty) => calculation::call(of, *function, arguments, ty, scope),
        Expr::Aggregate { kind: Aggregate::Any | Aggregate::All, .. }
        | Expr::Not(_)
        | Expr::And(_)
        | Expr::Or(_)
        | Expr::Compare(..)
        | Expr::In(..)
        | Expr::Role(_)
        | Expr::SignedIn
        | Expr::Anyone => Ok(Operand::new(Piece::fill("COALESCE(({}), FALSE)", [&of.sql(expr, scope, true)?]), Type::Bool, false)),
        Expr::Aggregate { kind, relation, value, condition } => {
            calculation::aggregate(of, expr, *kind, (relation, value.as_ref(), condition.as_deref()), scope)
        }
        Expr::If(branches, rest) => calculation::choice(of, branches, rest, scope),
        other => Err(of.refuse(other, "this kind of expression is not ejected")),
    }
}

/// The methods that every caller has, and the fields of its account.
const METHODS: &[&str] = &[
    "check",
    "check_in_tenant",
    "check_members",
    "check_recent_sign_in",
    "check_system_admin",
    "check_tenant",
    "for_system",
    "has_role",
    "has_system_role",
    "id",
    "in_tenant",
    "is_signed_in",
    "is_system_admin",
    "is_tenant_admin",
    "new",
    "own_roles",
    "role_names",
    "signed_in",
    "signed_in_at",
    "tenant",
    "with_memberships",
    "with_token",
];

/// The method with the value of the caller at the end of a path.
pub(crate) fn caller_value(model: &Model, path: &Path) -> String {
    if path.hops.is_empty() && path.field == model.entity(model.account).pk {
        return "id".to_owned();
    }
    let joined = path.fields(&model.entities).map(|field| field.name.as_str()).collect::<Vec<_>>().join("_");
    let is_field = !path.hops.is_empty() && model.entity(model.account).fields.iter().any(|field| field.name == joined);
    let taken = is_field || METHODS.contains(&joined.as_str());
    names::ident(&if taken { format!("{joined}_") } else { joined })
}

/// The type of the values of a field.
pub(super) fn type_of(model: &Model, ty: FieldType) -> Type {
    match names::column_type(model, ty) {
        FieldType::Uuid | FieldType::Ref(_) => Type::Uuid,
        FieldType::Int { .. } => Type::Int,
        FieldType::Float => Type::Float,
        FieldType::Decimal { .. } | FieldType::Money(_) => Type::Decimal,
        FieldType::Bool => Type::Bool,
        FieldType::Date => Type::Date,
        FieldType::DateTime => Type::DateTime,
        FieldType::Json | FieldType::File { .. } => Type::Json,
        FieldType::Enum(_)
        | FieldType::Str(_)
        | FieldType::Text
        | FieldType::Email
        | FieldType::Url
        | FieldType::Timezone
        | FieldType::Slug
        | FieldType::Currency { .. }
        | FieldType::HasMany { .. }
        | FieldType::HasOne { .. }
        | FieldType::ManyToMany { .. } => Type::Text,
    }
}

fn ordered(model: &Model, ty: FieldType) -> Option<(EnumId, Vec<String>)> {
    let id = ty.enumeration()?;
    let of = &model.enums[id.0];
    of.ordered.then(|| (id, of.values.iter().map(|value| value.name.clone()).collect()))
}

/// A field of the row, or of a row that it refers to.
pub(super) fn path_from(of: &Conditions<'_>, path: &Path, scope: Scope<'_>) -> Emitted<Operand> {
    let model = of.model;
    let (entity, at) = path.end(&model.entities);
    let field = model.field(entity, at);
    // The rows on the way, joined from the first one.
    let (mut owner, mut last) = (path.from, scope.row.to_owned());
    let (mut from, mut condition) = (Piece::default(), String::new());
    for (step, hop) in path.hops.iter().enumerate() {
        let reference = model.field(owner, *hop);
        let Some(id) = reference.ty.target() else { continue };
        let (alias, target) = (format!("p{}_{step}", scope.depth), model.entity(id));
        let on = format!("{} = {}", column(&alias, &target.fields[target.pk.0].name), column(&last, &reference.name));
        match step {
            0 => (from, condition) = (Piece::fill(&format!("{{}} AS {alias}"), [&rows(target)]), on),
            _ => from = Piece::fill(&format!("{{}} JOIN {{}} AS {alias} ON {on}"), [&from, &rows(target)]),
        }
        (last, owner) = (alias, id);
    }
    let held = match &field.computed {
        Some(expr) => {
            let inner = Scope { row: &last, depth: scope.depth + 1, outer: None, engine: scope.engine };
            calculation::field(of, expr, field.ty, inner)?
        }
        None => {
            let nullable = !field.required && at != model.entity(entity).pk;
            Operand {
                stored: field.ty.digits(),
                ..Operand::new(Piece::text(column(&last, &field.name)), type_of(model, field.ty), nullable)
            }
        }
    };
    let held = Operand { ordered: ordered(model, field.ty), ..held };
    match path.hops.is_empty() {
        true => Ok(held),
        false => {
            let piece = Piece::fill("(SELECT {} FROM {} WHERE {})", [&held.piece, &from, &Piece::text(condition)]);
            Ok(Operand { piece, nullable: true, ..held })
        }
    }
}

fn text_literal(text: &str) -> Operand {
    // A `?` would be taken for a parameter, and a brace for a part of the format.
    match text.contains(['?', '{', '}', '\\', '"']) {
        true => Operand::value(format!("Value::Text(Some({}.to_owned()))", names::literal(text)), Type::Text),
        false => Operand::new(Piece::text(quoted(text)), Type::Text, false),
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A value of a field as a parameter; `some` if `code` is the value itself and not an option.
pub(crate) fn parameter(model: &Model, ty: FieldType, code: &str, some: bool) -> String {
    let ty = names::column_type(model, ty);
    let whole = if some { format!("Some({code})") } else { code.to_owned() };
    let text = || format!("Value::Text({whole})");
    match ty {
        FieldType::Uuid | FieldType::Ref(_) => format!("Value::Id({whole})"),
        FieldType::Int { .. } => format!("Value::Int({whole})"),
        FieldType::Float => format!("Value::Float({whole})"),
        FieldType::Bool => format!("Value::Bool({whole})"),
        FieldType::Date => format!("Value::Date({whole})"),
        FieldType::DateTime => format!("Value::Timestamp({whole})"),
        FieldType::Decimal { .. } | FieldType::Money(_) => {
            let (precision, scale) = ty.digits().unwrap_or_default();
            match some {
                true => format!("Value::number(Some({code}.0), ({precision}, {scale}))"),
                false => format!("Value::number({code}.map(|it| it.0), ({precision}, {scale}))"),
            }
        }
        FieldType::Enum(_) => match some {
            true => format!("Value::Text(Some({code}.as_str().to_owned()))"),
            false => format!("Value::Text({code}.map(|it| it.as_str().to_owned()))"),
        },
        FieldType::Json | FieldType::File { .. } => format!("Value::Document({whole})"),
        FieldType::Str(_)
        | FieldType::Text
        | FieldType::Email
        | FieldType::Url
        | FieldType::Timezone
        | FieldType::Slug
        | FieldType::Currency { .. } => text(),
        // Without a column.
        FieldType::HasMany { .. } | FieldType::HasOne { .. } | FieldType::ManyToMany { .. } => text(),
    }
}

/// `today` or `now` with a duration, as Rust code; true for a date.
pub(crate) fn time(left: &Expr, how: Arithmetic, right: &Expr) -> Option<(bool, String)> {
    let (base, Expr::Duration(Duration { months, seconds })) = (left, right) else { return None };
    let negative = match how {
        Arithmetic::Add => false,
        Arithmetic::Sub => true,
        Arithmetic::Mul | Arithmetic::Div | Arithmetic::Rem => return None,
    };
    let sign = |number: i64| if negative { -number } else { number };
    match base {
        Expr::Today if seconds % 86_400 == 0 => {
            Some((true, format!("days_after(caller.today, {}, {})", sign(*months), sign(seconds / 86_400))))
        }
        Expr::Now if *months == 0 => Some((false, format!("seconds_after(caller.now, {})", sign(*seconds)))),
        _ => None,
    }
}
