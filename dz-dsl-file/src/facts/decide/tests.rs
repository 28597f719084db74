//! Compares the procedure with brute force: every combination of values of a small entity, and every path of random state machines.

use proptest::prelude::*;

use super::{Caller, Fact, Question, own_path};
use crate::{
    SourceMap, analyse,
    facts::machine,
    model::{Comparison, EntityId, EnumId, Expr, FieldId, Model, Path, RoleId},
};

const TEXT: &str = "persona r0\npersona r1\npersona r2\nentity T:\n  id: uuid pk\n  a: enum[x, y, z]\n  b: enum[p, q] = p\n  c: text\n  d: bool\n  e: int\n  permit:\n    list: role(r0, r1, r2)\n    read: true\n";

fn model(text: &str) -> Model {
    let analysis = analyse(SourceMap::single("app.dsl", text));
    analysis.model.unwrap_or_else(|| panic!("{text}\n{:?}", analysis.diagnostics))
}

fn field(at: usize) -> Path {
    own_path(0, FieldId(at))
}

/// One row and one caller.
#[derive(Debug, Clone)]
struct World {
    a: Option<usize>,
    b: usize,
    c: Option<&'static str>,
    d: bool,
    e: Option<i64>,
    roles: u8,
    signed_in: bool,
}

fn worlds(caller: Caller) -> Vec<World> {
    let mut worlds = Vec::new();
    for a in [None, Some(0), Some(1), Some(2)] {
        for b in 0..2 {
            for c in [None, Some("k"), Some("other")] {
                for d in [false, true] {
                    // The conditions compare with 0 and 2, so that there is a number between and beside them.
                    for e in [None, Some(-1), Some(0), Some(1), Some(2), Some(3)] {
                        let roles = if caller == Caller::Account { 0..8 } else { 0..1 };
                        worlds.extend(roles.map(|roles| World { a, b, c, d, e, roles, signed_in: caller == Caller::Account }));
                    }
                }
            }
        }
    }
    worlds
}

/// The meaning of the language, implemented again without the procedure.
fn holds(expr: &Expr, world: &World) -> bool {
    match expr {
        Expr::Bool(value) => *value,
        Expr::SignedIn => world.signed_in,
        Expr::Anyone => true,
        Expr::Role(roles) => roles.iter().any(|role| world.roles & (1 << role.0) != 0),
        Expr::Not(inner) => !holds(inner, world),
        Expr::And(parts) => parts.iter().all(|part| holds(part, world)),
        Expr::Or(parts) => parts.iter().any(|part| holds(part, world)),
        Expr::If(branches, rest) => match branches.iter().find(|(condition, _)| holds(condition, world)) {
            Some((_, value)) => holds(value, world),
            None => holds(rest, world),
        },
        Expr::Path(_) => world.d,
        Expr::In(_, list) => match &**list {
            Expr::List(items) => items.iter().any(|item| match item {
                Expr::EnumValue(_, at) => world.a == Some(*at),
                Expr::Int(number) => world.e == Some(*number),
                _ => false,
            }),
            _ => false,
        },
        Expr::Compare(op, left, right) => {
            let Expr::Path(path) = &**left else { return false };
            if let (5, Expr::Int(number)) = (path.field.0, &**right) {
                return match op {
                    Comparison::Eq => world.e == Some(*number),
                    Comparison::Ne => world.e != Some(*number),
                    Comparison::Lt => world.e.is_some_and(|it| it < *number),
                    Comparison::Le => world.e.is_some_and(|it| it <= *number),
                    Comparison::Gt => world.e.is_some_and(|it| it > *number),
                    Comparison::Ge => world.e.is_some_and(|it| it >= *number),
                };
            }
            let equal = match (path.field.0, &**right) {
                (1, Expr::Null) => world.a.is_none(),
                (1, Expr::EnumValue(_, at)) => world.a == Some(*at),
                (2, Expr::EnumValue(_, at)) => world.b == *at,
                (3, Expr::Null) => world.c.is_none(),
                (3, Expr::Text(text)) => world.c == Some(text),
                _ => false,
            };
            equal == (*op == Comparison::Eq)
        }
        _ => false,
    }
}

fn atom() -> impl Strategy<Value = Expr> {
    let op = || prop_oneof![Just(Comparison::Eq), Just(Comparison::Ne)];
    let order = || prop_oneof![op(), Just(Comparison::Lt), Just(Comparison::Le), Just(Comparison::Gt), Just(Comparison::Ge)];
    let compare = |op, at, right| Expr::Compare(op, Box::new(Expr::Path(field(at))), Box::new(right));
    prop_oneof![
        (op(), 0..3usize).prop_map(move |(op, at)| compare(op, 1, Expr::EnumValue(EnumId(0), at))),
        (op(), 0..2usize).prop_map(move |(op, at)| compare(op, 2, Expr::EnumValue(EnumId(1), at))),
        op().prop_map(move |op| compare(op, 1, Expr::Null)),
        op().prop_map(move |op| compare(op, 3, Expr::Null)),
        op().prop_map(move |op| compare(op, 3, Expr::Text("k".to_owned()))),
        (order(), prop_oneof![Just(0), Just(2)]).prop_map(move |(op, number)| compare(op, 5, Expr::Int(number))),
        proptest::collection::vec(prop_oneof![Just(0), Just(2)], 1..3).prop_map(|numbers| {
            Expr::In(Box::new(Expr::Path(field(5))), Box::new(Expr::List(numbers.into_iter().map(Expr::Int).collect())))
        }),
        proptest::collection::vec(0..3usize, 0..3).prop_map(|values| {
            let items = values.into_iter().map(|at| Expr::EnumValue(EnumId(0), at)).collect();
            Expr::In(Box::new(Expr::Path(field(1))), Box::new(Expr::List(items)))
        }),
        proptest::collection::vec(0..3usize, 1..3).prop_map(|roles| Expr::Role(roles.into_iter().map(RoleId).collect())),
        Just(Expr::Path(field(4))),
        Just(Expr::SignedIn),
        Just(Expr::Anyone),
        any::<bool>().prop_map(Expr::Bool),
    ]
}

fn condition() -> impl Strategy<Value = Expr> {
    atom().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|it| Expr::Not(Box::new(it))),
            proptest::collection::vec(inner.clone(), 2..4).prop_map(Expr::And),
            proptest::collection::vec(inner.clone(), 2..4).prop_map(Expr::Or),
            (inner.clone(), inner.clone(), inner).prop_map(|(c, a, b)| Expr::If(vec![(c, a)], Box::new(b))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_procedure_agrees_with_brute_force(condition in condition(), known in proptest::option::of(0..3usize), system in any::<bool>()) {
        let model = model(TEXT);
        let caller = if system { Caller::System } else { Caller::Account };
        let mut question = Question::new(&model, caller);
        if let Some(at) = known {
            question = question.with_fact(field(1), Fact::Value(at));
        }
        let fits = |world: &World| known.is_none_or(|at| world.a == Some(at));
        let tried = || worlds(caller).into_iter().filter(fits);
        prop_assert_eq!(question.can_hold(&[&condition]), tried().any(|world| holds(&condition, &world)));
        prop_assert_eq!(question.can_fail(&condition), tried().any(|world| !holds(&condition, &world)));
    }

    #[test]
    fn reachable_states_agree_with_brute_force(
        rows in proptest::collection::vec((0..5usize, 0..5usize, 0..6usize), 1..8),
        first in 0..5usize,
    ) {
        const GUARDS: [&str; 6] = [
            "", "s = s0 or role(r0)", "s != s1 and s != s2", "flag = on and flag = off", "role(r1) and not role(r1)", "flag = on and s in [s2, s3]",
        ];
        let mut text = format!("persona r0\npersona r1\nentity T:\n  id: uuid pk\n  s: enum[s0, s1, s2, s3, s4] = s{first}\n  flag: enum[on, off] = on\n  transitions:\n");
        let mut pairs = Vec::new();
        for (from, to, guard) in rows {
            if from == to || pairs.iter().any(|(f, t, _)| (*f, *t) == (from, to)) {
                continue;
            }
            pairs.push((from, to, guard));
            text.push_str(&format!("    s{from} -> s{to}{}\n", if GUARDS[guard].is_empty() { String::new() } else { format!(":\n      guard: {}", GUARDS[guard]) }));
        }
        prop_assume!(!pairs.is_empty());
        text.push_str("  permit:\n    read: role(r0, r1)\n    update: true\n");
        let model = model(&text);
        let machine = model.entities[0].states.as_ref().expect("a machine");
        let reached = machine::reachable_states(&model, 0, machine);
        // The expected result, written by hand: which guards some flag and some roles can satisfy in a state.
        let opens = |guard: usize, s: usize| match guard {
            0 | 1 => true,
            2 => s != 1 && s != 2,
            5 => s == 2 || s == 3,
            _ => false,
        };
        let mut walked = [false; 5];
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut walked[at], true) {
                open.extend(pairs.iter().filter(|(from, _, guard)| *from == at && opens(*guard, at)).map(|(_, to, _)| *to));
            }
        }
        for (at, walked) in walked.iter().enumerate() {
            prop_assert_eq!(reached.get(at).copied().unwrap_or(false), *walked, "s{} in\n{}", at, text);
        }
    }
}

#[test]
fn literals_that_are_known_are_compared() {
    let model = model("entity T:\n  id: uuid pk\n  n: int = 3\n  permit:\n    list: true\n    read: true\n");
    let n = Path { from: EntityId(0), hops: Vec::new(), field: FieldId(1) };
    let question = Question::new(&model, Caller::System).with_fact(n.clone(), Fact::Literal(Expr::Int(3)));
    let compare = |op, value| Expr::Compare(op, Box::new(Expr::Path(n.clone())), Box::new(Expr::Int(value)));
    assert!(question.can_hold(&[&compare(Comparison::Gt, 2)]));
    assert!(!question.can_hold(&[&compare(Comparison::Gt, 3)]));
    assert!(!question.can_hold(&[&compare(Comparison::Ne, 3)]));
}

#[test]
fn a_large_question_has_the_safe_answer() {
    let fields: String = (0..24).map(|n| format!("  f{n}: bool\n")).collect();
    let rule: Vec<String> = (0..24).map(|n| format!("(f{n} or f{} != true)", (n + 7) % 24)).collect();
    let text = format!("entity T:\n  id: uuid pk\n{fields}  permit:\n    list: true\n    read: {}\n", rule.join(" and "));
    let found = analyse(SourceMap::single("app.dsl", text)).diagnostics;
    assert!(found.is_empty(), "{found:?}");
}
