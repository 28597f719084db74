//! The text of an expression of the model in the language.

use crate::model::{Arithmetic, Comparison, Duration, EntityId, Expr, Model, Path};

/// The precedence of operators; an operand of lower precedence is written in brackets.
#[derive(PartialEq, PartialOrd, Clone, Copy)]
enum Level {
    Or,
    And,
    Not,
    Compare,
    Sum,
    Product,
    Atom,
}

/// The text of an expression about rows of `scope`.
pub fn text(model: &Model, scope: EntityId, expr: &Expr) -> String {
    match expr {
        Expr::Null => "null".to_owned(),
        Expr::Bool(value) => value.to_string(),
        Expr::Int(value) => value.to_string(),
        Expr::Decimal(digits) => digits.clone(),
        Expr::Float(value) => value.to_string(),
        Expr::Text(text) | Expr::Typed(_, text) => quoted(text),
        Expr::EnumValue(id, at) => model.enums[id.0].values.get(*at).map_or(String::new(), |value| enum_word(&value.name)),
        Expr::Duration(it) => duration(*it),
        Expr::Today => "today".to_owned(),
        Expr::Now => "now".to_owned(),
        Expr::CurrentUser => "current_user".to_owned(),
        Expr::CurrentTenant => "current_user.tenant".to_owned(),
        Expr::CurrentUserPath(it) => format!("current_user.{}", path(model, it)),
        Expr::CurrentUserRoles => "current_user.roles".to_owned(),
        Expr::Role(roles) => {
            let names: Vec<&str> = roles.iter().map(|role| model.personas[role.0].name.as_str()).collect();
            format!("role({})", names.join(", "))
        }
        Expr::SignedIn => "authenticated".to_owned(),
        Expr::Anyone => "anonymous".to_owned(),
        Expr::Path(it) => path(model, it),
        Expr::This(Some(it)) => format!("this.{}", path(model, it)),
        Expr::This(None) => "this".to_owned(),
        Expr::List(items) => format!("[{}]", join_items(model, scope, items)),
        Expr::Not(inner) => match inner.as_ref() {
            Expr::In(left, right) => {
                format!("{} not in {}", text_at_level(model, scope, left, Level::Sum), text_at_level(model, scope, right, Level::Sum))
            }
            inner => format!("not {}", text_at_level(model, scope, inner, Level::Not)),
        },
        Expr::And(parts) => parts.iter().map(|part| text_at_level(model, scope, part, Level::Not)).collect::<Vec<_>>().join(" and "),
        Expr::Or(parts) => parts.iter().map(|part| text_at_level(model, scope, part, Level::And)).collect::<Vec<_>>().join(" or "),
        Expr::Compare(how, left, right) => {
            format!(
                "{} {} {}",
                text_at_level(model, scope, left, Level::Sum),
                comparison(*how),
                text_at_level(model, scope, right, Level::Sum)
            )
        }
        Expr::In(left, right) => {
            format!("{} in {}", text_at_level(model, scope, left, Level::Sum), text_at_level(model, scope, right, Level::Sum))
        }
        Expr::Arithmetic(how, left, right, _) => arithmetic(model, scope, *how, left, right),
        Expr::Negate(inner) => format!("-{}", text_at_level(model, scope, inner, Level::Atom)),
        Expr::Call(function, arguments, _) => format!("{}({})", function.word(), join_items(model, scope, arguments)),
        Expr::Aggregate { kind, relation, value, condition } => {
            let field = model.field(relation.from, relation.field);
            let child = field.ty.children().unwrap_or(scope);
            let mut inner = field.name.clone();
            if let Some(value) = value {
                inner.push_str(&format!(".{}", path(model, value)));
            }
            if let Some(condition) = condition {
                inner.push_str(&format!(" where {}", text(model, child, condition)));
            }
            format!("{}({inner})", kind.word())
        }
        Expr::EntityAggregate { kind, entity, .. } => format!("{}({})", kind.word(), model.entities[entity.0].name),
        Expr::If(arms, last) => {
            let arms: Vec<String> =
                arms.iter().map(|(when, then)| format!("if {}: {}", text(model, scope, when), text(model, scope, then))).collect();
            format!("{} else: {}", arms.join(" "), text(model, scope, last))
        }
        Expr::Data(_) | Expr::Context(..) | Expr::Metric(_) => "…".to_owned(),
    }
}

fn text_at_level(model: &Model, scope: EntityId, expr: &Expr, least: Level) -> String {
    let text = text(model, scope, expr);
    if level(expr) < least { format!("({text})") } else { text }
}

fn level(expr: &Expr) -> Level {
    match expr {
        Expr::Or(_) | Expr::If(..) => Level::Or,
        Expr::And(_) => Level::And,
        Expr::Not(_) => Level::Not,
        Expr::Compare(..) | Expr::In(..) => Level::Compare,
        Expr::Arithmetic(Arithmetic::Add | Arithmetic::Sub, ..) => Level::Sum,
        Expr::Arithmetic(..) => Level::Product,
        _ => Level::Atom,
    }
}

fn arithmetic(model: &Model, scope: EntityId, how: Arithmetic, left: &Expr, right: &Expr) -> String {
    let (sign, here, next) = match how {
        Arithmetic::Add => ("+", Level::Sum, Level::Product),
        Arithmetic::Sub => ("-", Level::Sum, Level::Product),
        Arithmetic::Mul => ("*", Level::Product, Level::Atom),
        Arithmetic::Div => ("/", Level::Product, Level::Atom),
        Arithmetic::Rem => ("%", Level::Product, Level::Atom),
    };
    format!("{} {sign} {}", text_at_level(model, scope, left, here), text_at_level(model, scope, right, next))
}

fn join_items(model: &Model, scope: EntityId, items: &[Expr]) -> String {
    items.iter().map(|item| text(model, scope, item)).collect::<Vec<_>>().join(", ")
}

/// The text of a path, from the entity at which it starts.
fn path(model: &Model, path: &Path) -> String {
    path.fields(&model.entities).map(|field| field.name.as_str()).collect::<Vec<_>>().join(".")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The text of an enum value, which needs quotation marks unless it is one word.
pub(crate) fn enum_word(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit());
    if plain && !name.is_empty() { name.to_owned() } else { quoted(name) }
}

/// A duration with the units of the language.
pub fn duration(it: Duration) -> String {
    let mut parts = Vec::new();
    if it.months != 0 {
        parts.push(format!("{}mo", it.months));
    }
    match it.seconds {
        0 if it.months != 0 => {}
        seconds if seconds % 86_400 == 0 => parts.push(format!("{}d", seconds / 86_400)),
        seconds if seconds % 3_600 == 0 => parts.push(format!("{}h", seconds / 3_600)),
        seconds if seconds % 60 == 0 => parts.push(format!("{}min", seconds / 60)),
        seconds => parts.push(format!("{seconds}s")),
    }
    parts.join(" + ")
}

fn comparison(how: Comparison) -> &'static str {
    match how {
        Comparison::Eq => "=",
        Comparison::Ne => "!=",
        Comparison::Lt => "<",
        Comparison::Le => "<=",
        Comparison::Gt => ">",
        Comparison::Ge => ">=",
    }
}
