//! The first check of a rule: whether the roles of a caller exclude an action for every row.
//!
//! Only roles and sign-in decide; every other condition counts as possible. A rule that these cannot exclude is decided row by row.

use dz_dsl_file::model::{Entity, Expr, Model};

use crate::names;

/// A condition on the caller alone.
#[derive(Debug, Clone, PartialEq)]
enum Gate {
    Fixed(bool),
    Test(String),
    All(Vec<Gate>),
    Any(Vec<Gate>),
}

/// Rust code that is false for callers for whom a rule can never be true.
pub(crate) fn possible(model: &Model, entity: &Entity, permit: &Expr, scope: Option<&Expr>, forbid: Option<&Expr>) -> String {
    let mut parts = vec![bound(model, entity, permit, true)];
    parts.extend(scope.map(|scope| bound(model, entity, scope, true)));
    parts.extend(forbid.map(|forbid| negate(bound(model, entity, forbid, false))));
    code(&simplify(Gate::All(parts)), false)
}

/// Rust code for a condition on the caller alone; `None` for one that depends on the row.
pub(crate) fn exact(model: &Model, entity: &Entity, condition: &Expr) -> Option<String> {
    let [most, least] = [true, false].map(|upper| code(&simplify(bound(model, entity, condition, upper)), false));
    (most == least).then_some(most)
}

/// With `upper`: not certainly false. Without: certainly true.
fn bound(model: &Model, entity: &Entity, expr: &Expr, upper: bool) -> Gate {
    let parts = |parts: &[Expr]| parts.iter().map(|part| bound(model, entity, part, upper)).collect();
    match expr {
        Expr::Bool(value) => Gate::Fixed(*value),
        Expr::Anyone => Gate::Fixed(true),
        Expr::SignedIn => Gate::Test("caller.is_signed_in()".to_owned()),
        Expr::Role(roles) => {
            let roles: Vec<String> = roles.iter().map(|it| format!("Role::{}", names::role(&model.personas[it.0].name))).collect();
            Gate::Test(format!("caller.{}(&[{}])", names::role_check(model, entity), roles.join(", ")))
        }
        Expr::Not(inner) => negate(bound(model, entity, inner, !upper)),
        Expr::And(items) => Gate::All(parts(items)),
        Expr::Or(items) => Gate::Any(parts(items)),
        _ => Gate::Fixed(upper),
    }
}

fn negate(gate: Gate) -> Gate {
    match gate {
        Gate::Fixed(value) => Gate::Fixed(!value),
        Gate::Test(test) => Gate::Test(match test.strip_prefix('!') {
            Some(plain) => plain.to_owned(),
            None => format!("!{test}"),
        }),
        Gate::All(parts) => Gate::Any(parts.into_iter().map(negate).collect()),
        Gate::Any(parts) => Gate::All(parts.into_iter().map(negate).collect()),
    }
}

fn simplify(gate: Gate) -> Gate {
    let join = |parts: Vec<Gate>, neutral: bool, rebuild: fn(Vec<Gate>) -> Gate| {
        let mut kept: Vec<Gate> = Vec::new();
        for part in parts.into_iter().map(simplify) {
            match part {
                Gate::Fixed(value) if value == neutral => {}
                Gate::Fixed(value) => return Gate::Fixed(value),
                part @ (Gate::Test(_) | Gate::All(_) | Gate::Any(_)) => {
                    if !kept.contains(&part) {
                        kept.push(part);
                    }
                }
            }
        }
        match kept.len() {
            0 => Gate::Fixed(neutral),
            1 => kept.remove(0),
            _ => rebuild(kept),
        }
    };
    match gate {
        Gate::All(parts) => join(parts, true, Gate::All),
        Gate::Any(parts) => join(parts, false, Gate::Any),
        other @ (Gate::Fixed(_) | Gate::Test(_)) => other,
    }
}

fn code(gate: &Gate, inside: bool) -> String {
    let join = |parts: &[Gate], word: &str| {
        let joined = parts.iter().map(|part| code(part, true)).collect::<Vec<_>>().join(word);
        if inside { format!("({joined})") } else { joined }
    };
    match gate {
        Gate::Fixed(value) => value.to_string(),
        Gate::Test(test) => test.clone(),
        Gate::All(parts) => join(parts, " && "),
        Gate::Any(parts) => join(parts, " || "),
    }
}
