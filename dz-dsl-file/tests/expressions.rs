//! The expression grammar: precedence, synonyms, errors.

use dz_dsl_file::{
    SourceMap, render,
    syntax::{
        Item,
        expr::{Arg, Expr, ExprKind},
        parse,
    },
};
use expect_test::{Expect, expect};

/// Parses an access rule, and prints it with all parentheses, or its findings.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let source = format!("entity T:\n permit:\n  read: {text}\n");
    let files = SourceMap::single("t", source);
    let (parsed, out) = parse(&files);
    let mut shown = String::new();
    for item in parsed.iter().flat_map(|file| &file.items) {
        let Item::Entity(entity) = item else { continue };
        for rule in &entity.body.rules {
            show(&rule.condition, &mut shown);
            assert!(!files.text(rule.condition.span).is_empty(), "an expression stands somewhere");
        }
    }
    for found in out.into_sorted() {
        let found = render::short(&files, &found);
        shown.push_str(&format!("\n{}", found.trim_start_matches("t:3:")));
    }
    expected.assert_eq(shown.trim_start());
}

fn show(expr: &Expr, out: &mut String) {
    let list = |items: &[Expr], out: &mut String| {
        for (at, item) in items.iter().enumerate() {
            out.push_str(if at == 0 { "" } else { ", " });
            show(item, out);
        }
    };
    match &expr.kind {
        ExprKind::Null => out.push_str("NULL"),
        ExprKind::Number(number) => out.push_str(number),
        ExprKind::Duration(amount, unit) => out.push_str(&format!("{amount}{unit}")),
        ExprKind::Text(text) => out.push_str(&format!("{text:?}")),
        ExprKind::Path(path) => out.push_str(&path.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(".")),
        ExprKind::EmptyObject => out.push_str("{}"),
        ExprKind::Object(members) => {
            for (at, (name, value)) in members.iter().enumerate() {
                out.push_str(if at == 0 { "{" } else { ", " });
                out.push_str(&format!("{}: ", name.text));
                show(value, out);
            }
            out.push('}');
        }
        ExprKind::List(items) => {
            out.push('[');
            list(items, out);
            out.push(']');
        }
        ExprKind::Call(name, args) => {
            out.push_str(&format!("{}(", name.text));
            for (at, arg) in args.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                match arg {
                    Arg::Star(_) => out.push('*'),
                    Arg::Value(value, None) => show(value, out),
                    Arg::Value(value, Some(condition)) => {
                        show(value, out);
                        out.push_str(" where ");
                        show(condition, out);
                    }
                }
            }
            out.push(')');
        }
        ExprKind::Not(inner) => wrapped(out, |out| {
            out.push_str("not ");
            show(inner, out);
        }),
        ExprKind::Negate(inner) => wrapped(out, |out| {
            out.push('-');
            show(inner, out);
        }),
        ExprKind::Binary(op, left, right) => wrapped(out, |out| {
            show(left, out);
            out.push_str(&format!(" {op} "));
            show(right, out);
        }),
        ExprKind::In(left, right, negated) => wrapped(out, |out| {
            show(left, out);
            out.push_str(if *negated { " not in " } else { " in " });
            show(right, out);
        }),
        ExprKind::IsNull(inner, negated) => wrapped(out, |out| {
            show(inner, out);
            out.push_str(if *negated { " is not NULL" } else { " is NULL" });
        }),
        ExprKind::If(branches, last) => wrapped(out, |out| {
            for (condition, value) in branches {
                out.push_str("if ");
                show(condition, out);
                out.push_str(": ");
                show(value, out);
                out.push(' ');
            }
            out.push_str("else: ");
            show(last, out);
        }),
    }
}

fn wrapped(out: &mut String, inner: impl FnOnce(&mut String)) {
    out.push('(');
    inner(out);
    out.push(')');
}

#[test]
fn operators_bind_in_the_documented_order() {
    check("a or b and c or d", expect!["((a or (b and c)) or d)"]);
    check("not a and not b = c", expect!["((not a) and (not (b = c)))"]);
    check("not not a", expect!["(not (not a))"]);
    check("a + b * c - d / e % f = -g + 1", expect!["(((a + (b * c)) - ((d / e) % f)) = ((-g) + 1))"]);
    check("--a - -1", expect!["((-(-a)) - (-1))"]);
    check("(a or b) and c", expect!["((a or b) and c)"]);
    check("a - b - c", expect!["((a - b) - c)"]);
}

#[test]
fn comparisons_of_every_kind() {
    check("a = 1 and b != 2 and c < 3", expect!["(((a = 1) and (b != 2)) and (c < 3))"]);
    check("a <= 1 or b > 2 or c >= 3", expect!["(((a <= 1) or (b > 2)) or (c >= 3))"]);
    check("a in [x, 'y', 3,] and b not in c.d", expect![[r#"((a in [x, "y", 3]) and (b not in c.d))"#]]);
    check("a is null or not b is not null", expect!["((a is NULL) or (not (b is not NULL)))"]);
    check("a in []", expect!["(a in [])"]);
}

#[test]
fn synonyms_mean_the_first_form() {
    check("a == 1 AND NOT b OR c", expect!["(((a = 1) and (not b)) or c)"]);
    check("a IS NOT NULL and b NOT IN [1] and c IN [2]", expect!["(((a is not NULL) and (b not in [1])) and (c in [2]))"]);
    check("a = None or b is None", expect!["((a = NULL) or (b is NULL))"]);
    check("count(T WHERE a) > 1", expect!["(count(T where a) > 1)"]);
}

#[test]
fn atoms() {
    check("role(a, b) and current_user.team.lead = this.x", expect!["(role(a, b) and (current_user.team.lead = this.x))"]);
    check("due < today + 7d - 2 weeks and at > now - 1 hour", expect!["((due < ((today + 7d) - 2w)) and (at > (now - 1h)))"]);
    check("count(*) + sum(lines.n where n > 1 and ok) > 1.5", expect!["((count(*) + sum(lines.n where ((n > 1) and ok))) > 1.5)"]);
    check("f() = {} or g (1, [2])", expect!["((f() = {}) or g(1, [2]))"]);
    check("a = true or b = false", expect!["((a = true) or (b = false))"]);
}

#[test]
fn an_if_ends_with_its_else() {
    check("if a: b else: c", expect!["(if a: b else: c)"]);
    check("if a = 1: b or c elif d: e elif f: g else: not h", expect!["(if (a = 1): (b or c) if d: e if f: g else: (not h))"]);
    check("(if a: 1 else: 2) = 1 and x", expect!["(((if a: 1 else: 2) = 1) and x)"]);
    check("max(if a: 1 else: 2, 3) = 1", expect!["(max((if a: 1 else: 2), 3) = 1)"]);
    check("if a: b", expect!["16: error[unexpected-token]: expected `elif` or `else`, but the line ends"]);
}

#[test]
fn no_word_is_reserved() {
    check("not = 1 and and and x or if = 2", expect!["((((not = 1) and and) and x) or (if = 2))"]);
    check("not if and not (not) or f(if, not)", expect!["(((not if) and (not not)) or f(if, not))"]);
    check("true.x = false.y and is = in and where = elif", expect!["(((true.x = false.y) and (is = in)) and (where = elif))"]);
}

#[test]
fn comparisons_do_not_chain() {
    check(
        "(1 < a < 3 < 4) and b",
        expect![[r#"
        ((1 < a) and b)
        16: error[chained-comparison]: comparisons cannot be chained"#]],
    );
    check(
        "a = b = c",
        expect![[r#"
        (a = b)
        15: error[chained-comparison]: comparisons cannot be chained"#]],
    );
    check(
        "a in b = c",
        expect![[r#"
        (a in b)
        16: error[chained-comparison]: comparisons cannot be chained"#]],
    );
}

#[test]
fn invalid_expressions_are_errors_and_no_empty_rules() {
    check("", expect!["8: error[unexpected-token]: expected an expression after `:`, but the line ends"]);
    check("a and", expect!["14: error[unexpected-token]: expected an expression after `and`, but the line ends"]);
    check("= 1", expect!["9: error[unexpected-token]: expected an expression after `:`, but found `=`"]);
    check("a b", expect!["11: error[unexpected-token]: `b` has no meaning here"]);
    check("a.", expect!["11: error[unexpected-token]: expected a field after `.`, but the line ends"]);
    check("a is 3", expect!["14: error[unexpected-token]: expected `null`, but found `3`"]);
    check("f(a b)", expect!["13: error[unexpected-token]: expected `)`, but found `b`"]);
    check("[a b]", expect!["12: error[unexpected-token]: expected `]`, but found `b`"]);
    check("a = @b", expect!["13: error[unexpected-token]: expected an expression after `=`, but found `@`"]);
}
