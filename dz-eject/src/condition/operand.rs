//! Values in conditions: columns, literals, values of the caller, the time.

use dz_dsl_file::model::{Arithmetic, Comparison, Duration, EnumId, Expr, FieldType, Function, Model, Path, Type};

use super::{Conditions, Emitted, Piece, column};
use crate::names;

/// A value in SQL.
#[derive(Debug, Clone)]
pub(crate) struct Operand {
    pub piece: Piece,
    /// True if it can be null.
    pub nullable: bool,
    /// The digits after the point of an exact number.
    scale: Option<u8>,
    /// A number that is written in the declaration.
    number: Option<String>,
    /// The enumeration of a value whose order is that of its positions.
    ordered: Option<(EnumId, Vec<String>)>,
    /// The position of a literal value of an ordered enumeration.
    position: Option<usize>,
}

impl Operand {
    fn new(piece: Piece, nullable: bool) -> Operand {
        Operand { piece, nullable, scale: None, number: None, ordered: None, position: None }
    }

    fn value(code: String) -> Operand {
        Operand::new(Piece { text: "?".to_owned(), values: vec![code], needs: Vec::new() }, false)
    }

    /// The value of a caller; without it the comparison is unknown.
    fn of_caller(name: &str, option: String, value: &str) -> Operand {
        let piece = Piece { text: "?".to_owned(), values: vec![value.replace("{}", name)], needs: vec![(name.to_owned(), option)] };
        Operand::new(piece, false)
    }

    /// A literal number beside an exact number becomes a parameter with its scale, which is how SQLite stores such numbers.
    pub fn beside(self, other: impl Beside, of: &Conditions<'_>) -> Emitted<Operand> {
        let Some(digits) = self.number.clone() else { return Ok(self) };
        let Some(scale) = other.scale(of)? else { return Ok(self) };
        let places = digits.split_once('.').map_or(0, |(_, places)| places.trim_end_matches('0').len());
        if places > usize::from(scale) {
            return Err(of.refuse(&Expr::Decimal(digits), "it has more places than the field that it is compared with"));
        }
        Ok(Operand { number: Some(digits.clone()), ..Operand::value(format!("number({}, {scale})", names::literal(&digits))) })
    }

    /// Values of an ordered enumeration are compared by position.
    pub fn for_order(self, how: Comparison) -> Operand {
        if matches!(how, Comparison::Eq | Comparison::Ne) {
            return self;
        }
        match (&self.ordered, self.position) {
            (Some(_), Some(at)) => Operand::new(Piece::text(at.to_string()), false),
            (Some((_, values)), None) => {
                let cases: String = values.iter().enumerate().map(|(at, name)| format!(" WHEN {} THEN {at}", quoted(name))).collect();
                Operand::new(Piece::fill(&format!("(CASE {{}}{cases} END)"), [&self.piece]), self.nullable)
            }
            (None, _) => self,
        }
    }
}

/// The other side of a comparison.
pub(crate) trait Beside {
    /// Its digits after the point, if it is a stored exact number.
    fn scale(self, of: &Conditions<'_>) -> Emitted<Option<u8>>;
}

impl Beside for &Expr {
    fn scale(self, of: &Conditions<'_>) -> Emitted<Option<u8>> {
        match self {
            Expr::Path(path) | Expr::CurrentUserPath(path) | Expr::This(Some(path)) => {
                let (entity, field) = path.end(&of.model.entities);
                Ok(of.model.field(entity, field).ty.digits().map(|(_, scale)| scale))
            }
            _ => Ok(None),
        }
    }
}

/// Writes an expression as a value.
pub(super) fn write(of: &Conditions<'_>, expr: &Expr, row: &str, depth: usize) -> Emitted<Operand> {
    let model = of.model;
    match expr {
        Expr::Path(path) => Ok(path_from(model, path, row, depth)),
        Expr::CurrentUser => Ok(Operand::of_caller("me", "caller.id()".to_owned(), "Value::Id(Some({}))")),
        Expr::CurrentUserPath(path) if path.hops.is_empty() => {
            let field = model.field(path.from, path.field);
            let name = names::ident(&field.name);
            let value = parameter(model, field.ty, "{}", true);
            let mut operand = Operand::of_caller(&name, format!("caller.{name}()"), &value);
            operand.scale = field.ty.digits().map(|(_, scale)| scale);
            Ok(operand)
        }
        Expr::Int(value) => Ok(Operand { number: Some(value.to_string()), ..Operand::new(Piece::text(value.to_string()), false) }),
        Expr::Decimal(digits) => Ok(Operand { number: Some(digits.clone()), ..Operand::new(Piece::text(digits.clone()), false) }),
        Expr::Float(value) => Ok(Operand::value(format!("Value::Float(Some({value:?}))"))),
        Expr::Bool(value) => Ok(Operand::new(Piece::text(if *value { "TRUE" } else { "FALSE" }), false)),
        Expr::Text(text) => Ok(text_literal(text)),
        Expr::EnumValue(id, at) => {
            let of = &model.enums[id.0];
            let values: Vec<String> = of.values.iter().map(|value| value.name.clone()).collect();
            let name = values.get(*at).cloned().unwrap_or_default();
            let ordered = of.ordered.then_some((*id, values));
            Ok(Operand { ordered, position: Some(*at), ..text_literal(&name) })
        }
        Expr::Typed(Type::Date, text) => Ok(Operand::value(format!("date({})", names::literal(text)))),
        Expr::Typed(Type::Uuid | Type::Ref(_), text) => Ok(Operand::value(format!("Value::Id(Id::parse({}))", names::literal(text)))),
        Expr::Today => Ok(Operand::value("Value::Date(Some(caller.today))".to_owned())),
        Expr::Now => Ok(Operand::value("Value::Timestamp(Some(caller.now))".to_owned())),
        Expr::Arithmetic(how, left, right, _) => match time(left, *how, right) {
            Some((true, code)) => Ok(Operand::value(format!("Value::Date(Some({code}))"))),
            Some((false, code)) => Ok(Operand::value(format!("Value::Timestamp(Some({code}))"))),
            None => Err(of.refuse(expr, "the ejected conditions compute only with `today` and `now`")),
        },
        Expr::Call(Function::Length, arguments, _) if arguments.len() == 1 => {
            let text = write(of, &arguments[0], row, depth)?;
            Ok(Operand::new(Piece::fill("length({})", [&text.piece]), text.nullable))
        }
        Expr::Aggregate { kind: dz_dsl_file::model::Aggregate::Count, relation, condition, .. } => {
            let rows = of.related(expr, relation, condition.as_deref(), row, depth, true)?;
            Ok(Operand::new(Piece::fill("(SELECT count(*){})", [&rows]), false))
        }
        Expr::Not(_) | Expr::And(_) | Expr::Or(_) | Expr::Compare(..) | Expr::In(..) => {
            let condition = of.sql(expr, row, depth, true)?;
            Ok(Operand::new(Piece::fill("({})", [&condition]), true))
        }
        Expr::CurrentUserPath(_) => Err(of.refuse(expr, "values that the account reaches over references are not ejected")),
        other => Err(of.refuse(other, "this kind of expression is not ejected")),
    }
}

/// A field of the row, or of a row that it refers to.
fn path_from(model: &Model, path: &Path, row: &str, depth: usize) -> Operand {
    let (entity, at) = path.end(&model.entities);
    let field = model.field(entity, at);
    let mut operand = match path.hops.as_slice() {
        [] => Operand::new(Piece::text(column(row, &field.name)), !field.required && at != model.entity(entity).pk),
        [first, rest @ ..] => {
            // The rows on the way, joined from the first one.
            let mut owner = path.from;
            let mut from = String::new();
            let mut last = String::new();
            let mut condition = String::new();
            for (step, hop) in [first].into_iter().chain(rest).enumerate() {
                let reference = model.field(owner, *hop);
                let Some(target) = reference.ty.target() else { continue };
                let (alias, target) = (format!("p{depth}_{step}"), (target, model.entity(target)));
                let key = column(&alias, &target.1.fields[target.1.pk.0].name);
                if step == 0 {
                    from = format!("{} AS {alias}", target.1.table);
                    condition = format!("{key} = {}", column(row, &reference.name));
                } else {
                    from.push_str(&format!(" JOIN {} AS {alias} ON {key} = {}", target.1.table, column(&last, &reference.name)));
                }
                (last, owner) = (alias, target.0);
            }
            let text = format!("(SELECT {} FROM {from} WHERE {condition})", column(&last, &field.name));
            Operand::new(Piece::text(text), true)
        }
    };
    operand.scale = field.ty.digits().map(|(_, scale)| scale);
    if let Some(id) = field.ty.enumeration() {
        let of = &model.enums[id.0];
        operand.ordered = of.ordered.then(|| (id, of.values.iter().map(|value| value.name.clone()).collect()));
    }
    operand
}

fn text_literal(text: &str) -> Operand {
    // A `?` would be taken for a parameter, and a brace for a part of the format.
    match text.contains(['?', '{', '}', '\\', '"']) {
        true => Operand::value(format!("Value::Text(Some({}.to_owned()))", names::literal(text))),
        false => Operand::new(Piece::text(quoted(text)), false),
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A value of a field as a parameter; `some` if `code` is the value itself and not an option.
pub(crate) fn parameter(model: &Model, ty: FieldType, code: &str, some: bool) -> String {
    let whole = if some { format!("Some({code})") } else { code.to_owned() };
    let text = || format!("Value::Text({whole})");
    match ty {
        FieldType::Uuid | FieldType::Ref(_) => format!("Value::Id({whole})"),
        FieldType::Int { .. } => format!("Value::Int({whole})"),
        FieldType::Float => format!("Value::Float({whole})"),
        FieldType::Bool => format!("Value::Bool({whole})"),
        FieldType::Date => format!("Value::Date({whole})"),
        FieldType::DateTime => format!("Value::Timestamp({whole})"),
        FieldType::Decimal { scale, .. } => match some {
            true => format!("Value::number(Some({code}.0), {scale})"),
            false => format!("Value::number({code}.map(|it| it.0), {scale})"),
        },
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
        // Refused, or without a column.
        FieldType::Money(_) | FieldType::HasMany { .. } | FieldType::HasOne { .. } | FieldType::ManyToMany { .. } => {
            let _ = model;
            text()
        }
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
