//! Conditions of the declaration as Rust code that builds SQL.
//!
//! A comparison with a value of the caller that is unknown is neither true nor false, so `not` cannot simply invert the SQL. The
//! negation is therefore written at the comparisons: [`Conditions::holds`] writes when a condition is true, [`Conditions::fails`] when
//! it is false.

mod calculation;
mod operand;

pub(crate) use operand::{caller_value, parameter, time};

use dz_dsl_file::{
    Span,
    emit::expression,
    model::{Aggregate, Comparison, EntityId, Expr, FieldType, Model, Path, Via},
};

use crate::{Refusal, names};
use operand::Operand;

/// The engine for which SQL is written. Where both texts are the same, the code contains one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

/// The rows that an expression can refer to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// The name of the row.
    pub row: &'a str,
    /// The number of rows around it, for names that do not hide outer ones.
    pub depth: usize,
    /// The row around it, for `this`.
    pub outer: Option<(EntityId, &'a str)>,
    pub engine: Engine,
}

/// Writes the conditions of one place of a declaration.
pub(crate) struct Conditions<'m> {
    pub model: &'m Model,
    /// The entity of the row.
    pub entity: EntityId,
    /// What the conditions belong to, for refusals.
    pub place: String,
    /// Where it is declared.
    pub span: Span,
}

/// SQL with `?` for parameters, as the text of a format string in which `{row}` is the name of the row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Piece {
    pub text: String,
    /// The parameters, as Rust code.
    pub values: Vec<String>,
    /// Values of the caller without which the condition is unknown: the variable, and the option that holds it.
    pub needs: Vec<(String, String)>,
}

impl Piece {
    fn text(text: impl Into<String>) -> Piece {
        Piece { text: text.into(), ..Piece::default() }
    }

    /// Replaces each `{}` of a template by a piece.
    fn fill<const N: usize>(template: &str, parts: [&Piece; N]) -> Piece {
        let mut filled = Piece::default();
        let mut texts = template.split("{}");
        filled.text.push_str(texts.next().unwrap_or_default());
        for (part, text) in parts.into_iter().zip(texts) {
            filled.text.push_str(&part.text);
            filled.values.extend(part.values.iter().cloned());
            for need in &part.needs {
                if !filled.needs.contains(need) {
                    filled.needs.push(need.clone());
                }
            }
            filled.text.push_str(text);
        }
        filled
    }
}

type Emitted<T> = Result<T, Refusal>;

impl Conditions<'_> {
    /// Rust code for the rows for which the condition is true.
    pub fn holds(&self, expr: &Expr) -> Emitted<String> {
        self.write(expr, true)
    }

    /// Rust code for the rows for which the condition is false.
    pub fn fails(&self, expr: &Expr) -> Emitted<String> {
        self.write(expr, false)
    }

    fn write(&self, expr: &Expr, wanted: bool) -> Emitted<String> {
        let parts = |parts: &[Expr], all: bool| -> Emitted<String> {
            let codes = parts.iter().map(|part| self.write(part, wanted)).collect::<Emitted<Vec<_>>>()?;
            // `not (a and b)` is `not a or not b`.
            Ok(format!("{}([{}])", if all == wanted { "all" } else { "any" }, codes.join(", ")))
        };
        match expr {
            Expr::And(items) => parts(items, true),
            Expr::Or(items) => parts(items, false),
            Expr::Not(inner) => self.write(inner, !wanted),
            Expr::Bool(value) => Ok(format!("constant({})", *value == wanted)),
            Expr::Anyone => Ok(format!("constant({wanted})")),
            Expr::SignedIn => Ok(format!("constant({}caller.is_signed_in())", if wanted { "" } else { "!" })),
            Expr::Role(roles) => {
                let has = names::role_check(self.model, self.model.entity(self.entity));
                let roles: Vec<String> = roles.iter().map(|it| format!("Role::{}", names::role(&self.model.personas[it.0].name))).collect();
                Ok(format!("constant({}caller.{has}(&[{}]))", if wanted { "" } else { "!" }, roles.join(", ")))
            }
            Expr::If(branches, rest) => {
                let mut code = self.write(rest, wanted)?;
                for (test, value) in branches.iter().rev() {
                    let (is, not, value) = (self.write(test, true)?, self.write(test, false)?, self.write(value, wanted)?);
                    code = format!("any([all([{is}, {value}]), all([{not}, {code}])])");
                }
                Ok(code)
            }
            Expr::Compare(how, left, right) => match self.caller_is_null(*how, left, right)? {
                Some(code) => Ok(format!("constant({}({code}))", if wanted { "" } else { "!" })),
                None => self.atom(expr, wanted),
            },
            other => self.atom(other, wanted),
        }
    }

    /// `current_user.x = null` needs no row.
    fn caller_is_null(&self, how: Comparison, left: &Expr, right: &Expr) -> Emitted<Option<String>> {
        let of_caller = |expr: &Expr| matches!(expr, Expr::CurrentUser | Expr::CurrentUserPath(_) | Expr::CurrentTenant);
        let other = match (left, right) {
            (Expr::Null, other) | (other, Expr::Null) if of_caller(other) => other,
            _ => return Ok(None),
        };
        let operand = operand::write(self, other, self.scope(Engine::Sqlite))?;
        let Some((_, option)) = operand.piece.needs.first() else { return Ok(None) };
        match how {
            Comparison::Eq => Ok(Some(format!("{option}.is_none()"))),
            Comparison::Ne => Ok(Some(format!("{option}.is_some()"))),
            Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge => Err(self.refuse(left, "null has no order")),
        }
    }

    fn atom(&self, expr: &Expr, wanted: bool) -> Emitted<String> {
        let of = |engine| self.sql(expr, self.scope(engine), wanted);
        Ok(code(&of(Engine::Sqlite)?, &of(Engine::Postgres)?))
    }

    /// Rust code for an expression as a value, which a field stores or shows.
    pub fn value(&self, expr: &Expr, of: FieldType) -> Emitted<String> {
        let of = |engine| calculation::field(self, expr, of, self.scope(engine)).map(|it| it.piece);
        Ok(code(&of(Engine::Sqlite)?, &of(Engine::Postgres)?))
    }

    fn scope(&self, engine: Engine) -> Scope<'static> {
        Scope { row: "{row}", depth: 0, outer: None, engine }
    }

    /// A condition as SQL.
    fn sql(&self, expr: &Expr, scope: Scope<'_>, wanted: bool) -> Emitted<Piece> {
        let join = |items: &[Expr], word: &str| -> Emitted<Piece> {
            let mut joined = Piece::text("(");
            for (at, item) in items.iter().enumerate() {
                let item = self.sql(item, scope, wanted)?;
                joined = Piece::fill(if at == 0 { "{}{}" } else { word }, [&joined, &item]);
            }
            joined.text.push(')');
            Ok(joined)
        };
        match expr {
            Expr::And(items) => join(items, if wanted { "{} AND {}" } else { "{} OR {}" }),
            Expr::Or(items) => join(items, if wanted { "{} OR {}" } else { "{} AND {}" }),
            Expr::Not(inner) => self.sql(inner, scope, !wanted),
            Expr::Bool(value) => Ok(Piece::text(if *value == wanted { "TRUE" } else { "FALSE" })),
            Expr::Anyone => Ok(Piece::text(if wanted { "TRUE" } else { "FALSE" })),
            Expr::SignedIn | Expr::Role(_) => {
                let code = self.write(expr, wanted)?;
                let held = code.trim_start_matches("constant(").strip_suffix(')').unwrap_or(&code).to_owned();
                Ok(Piece { text: "?".to_owned(), values: vec![format!("Value::Bool(Some({held}))")], needs: Vec::new() })
            }
            Expr::Compare(how, left, right) => self.compare(*how, (left, right), scope, wanted),
            Expr::In(item, list) => self.contains(item, list, scope, wanted),
            Expr::Aggregate { kind: kind @ (Aggregate::Any | Aggregate::All), relation, condition, .. } => {
                let each = *kind == Aggregate::All;
                let of = self.related(expr, relation, condition.as_deref(), scope, !each)?.0;
                // `all` is true if there is no row for which the condition fails.
                Ok(Piece::fill(if wanted == each { "NOT EXISTS (SELECT 1{})" } else { "EXISTS (SELECT 1{})" }, [&of]))
            }
            Expr::If(branches, rest) => {
                let mut whole = self.sql(rest, scope, wanted)?;
                for (test, value) in branches.iter().rev() {
                    let (is, not, value) = (self.sql(test, scope, true)?, self.sql(test, scope, false)?, self.sql(value, scope, wanted)?);
                    whole = Piece::fill("(({} AND {}) OR ({} AND {}))", [&is, &value, &not, &whole]);
                }
                Ok(whole)
            }
            other => {
                let operand = operand::write(self, other, scope)?;
                Ok(Piece::fill(if wanted { "{}" } else { "NOT COALESCE({}, FALSE)" }, [&operand.piece]))
            }
        }
    }

    fn compare(&self, how: Comparison, (left, right): (&Expr, &Expr), scope: Scope<'_>, wanted: bool) -> Emitted<Piece> {
        let null = match (left, right) {
            (Expr::Null, other) | (other, Expr::Null) => Some(other),
            _ => None,
        };
        if let Some(other) = null {
            let operand = operand::write(self, other, scope)?;
            let is_null = matches!(how, Comparison::Eq) == wanted;
            return match how {
                Comparison::Eq | Comparison::Ne => Ok(Piece::fill(if is_null { "{} IS NULL" } else { "{} IS NOT NULL" }, [&operand.piece])),
                Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge => Err(self.refuse(other, "null has no order")),
            };
        }
        let (left, right) = (operand::write(self, left, scope)?, operand::write(self, right, scope)?);
        Ok(self.compare_operands(how, left, right, scope, wanted))
    }

    fn compare_operands(&self, how: Comparison, left: Operand, right: Operand, scope: Scope<'_>, wanted: bool) -> Piece {
        let (left, right) = (left.clone().for_order(how, &right), right.for_order(how, &left));
        let (left, right) = (left.clone().beside(&right, scope.engine), right.beside(&left, scope.engine));
        if scope.engine == Engine::Sqlite && left.differs_in_form(&right) {
            return calculation::compare(self, how, left, right, wanted);
        }
        let both = [&left.piece, &right.piece];
        let certain = !left.nullable && !right.nullable;
        match (how, wanted) {
            (Comparison::Eq, true) | (Comparison::Ne, false) if !left.nullable || !right.nullable => Piece::fill("{} = {}", both),
            (Comparison::Eq, true) | (Comparison::Ne, false) => Piece::fill("{} IS NOT DISTINCT FROM {}", both),
            (Comparison::Ne, true) | (Comparison::Eq, false) if certain => Piece::fill("{} <> {}", both),
            (Comparison::Ne, true) | (Comparison::Eq, false) => Piece::fill("{} IS DISTINCT FROM {}", both),
            (how, true) => Piece::fill(&format!("{{}} {} {{}}", symbol(how)), both),
            (how, false) => Piece::fill(&format!("NOT COALESCE({{}} {} {{}}, FALSE)", symbol(how)), both),
        }
    }

    fn contains(&self, item: &Expr, list: &Expr, scope: Scope<'_>, wanted: bool) -> Emitted<Piece> {
        let Expr::List(items) = list else { return Err(self.refuse(list, "a list must be written out")) };
        let held = operand::write(self, item, scope)?;
        let others = items.iter().filter(|it| !matches!(it, Expr::Null)).map(|it| operand::write(self, it, scope));
        let others = others.collect::<Emitted<Vec<_>>>()?;
        let others: Vec<Operand> = others.into_iter().map(|other| other.beside(&held, scope.engine)).collect();
        if others.is_empty() {
            return Ok(Piece::text(if wanted { "FALSE" } else { "TRUE" }));
        }
        if scope.engine == Engine::Sqlite && others.iter().any(|other| other.differs_in_form(&held)) {
            let mut joined = Piece::text("(");
            for (at, other) in others.into_iter().enumerate() {
                let one = self.compare_operands(Comparison::Eq, held.clone(), other, scope, true);
                joined = Piece::fill(if at == 0 { "{}{}" } else { "{} OR {}" }, [&joined, &one]);
            }
            return Ok(Piece::fill(if wanted { "{})" } else { "NOT {})" }, [&joined]));
        }
        let mut joined = Piece::fill("{} IN (", [&held.piece]);
        for (at, other) in others.iter().enumerate() {
            joined = Piece::fill(if at == 0 { "{}{}" } else { "{}, {}" }, [&joined, &other.piece]);
        }
        joined.text.push(')');
        Ok(match (wanted, held.nullable) {
            (true, _) => joined,
            (false, false) => Piece::fill("NOT ({})", [&joined]),
            (false, true) => Piece::fill("NOT COALESCE({}, FALSE)", [&joined]),
        })
    }

    /// ` FROM child WHERE …`: the rows of a relation, with their name.
    fn related(&self, whole: &Expr, relation: &Path, condition: Option<&Expr>, scope: Scope<'_>, wanted: bool) -> Emitted<(Piece, String)> {
        let (owner, field) = relation.end(&self.model.entities);
        let Some((entity, via)) = self.model.field(owner, field).ty.relation() else {
            return Err(self.refuse(whole, "it is not a relation"));
        };
        let child = self.model.entity(entity);
        let key = |of: EntityId| self.model.entity(of).fields[self.model.entity(of).pk.0].name.as_str();
        let (alias, own) = (format!("r{}", scope.depth), column(scope.row, key(owner)));
        let held = match via {
            Via::Ref(via) => Piece::text(format!("{} = {own}", column(&alias, &self.model.field(entity, via).name))),
            Via::Junction(through) => {
                let between = format!("j{}", scope.depth);
                let name = |at| column(&between, &self.model.field(through.entity, at).name);
                let text = format!(
                    "{} IN (SELECT {} FROM {{}} AS {between} WHERE {} = {own})",
                    column(&alias, key(entity)),
                    name(through.far),
                    name(through.near)
                );
                Piece::fill(&text, [&operand::rows(self.model.entity(through.entity))])
            }
        };
        let from = Piece::fill(&format!(" FROM {{}} AS {alias} WHERE {{}}"), [&operand::rows(child), &held]);
        let place = Conditions { model: self.model, entity, place: self.place.clone(), span: self.span };
        let inner = Scope { row: &alias, depth: scope.depth + 1, outer: Some((owner, scope.row)), engine: scope.engine };
        let piece = match condition {
            Some(condition) => Piece::fill("{} AND {}", [&from, &place.sql(condition, inner, wanted)?]),
            // Without a condition, `all` is true.
            None if !wanted => Piece::fill("{} AND FALSE", [&from]),
            None => from,
        };
        Ok((piece, alias))
    }

    /// The refusal of an expression.
    pub fn refuse(&self, expr: &Expr, reason: &str) -> Refusal {
        let text = expression::text(self.model, self.entity, expr);
        Refusal::new(format!("`{text}` in {}", self.place), reason, self.span)
    }
}

/// Rust code for a piece, which depends on the engine if the texts differ.
fn code(sqlite: &Piece, postgres: &Piece) -> String {
    let one = |piece: &Piece| {
        let text = match piece.text.contains("{row}") {
            true => format!("format!({})", names::long_literal(&piece.text)),
            false => names::long_literal(&piece.text.replace("{{", "{").replace("}}", "}")),
        };
        match piece.values.is_empty() {
            true => format!("Sql::text({text})"),
            false => format!("Sql::new({text}, [{}])", piece.values.join(", ")),
        }
    };
    let (first, second) = (one(sqlite), one(postgres));
    let code = match first == second {
        true => first,
        false => format!("if cfg!(feature = \"postgres\") {{ {second} }} else {{ {first} }}"),
    };
    sqlite.needs.iter().rev().fold(code, |code, (name, option)| format!("if_known({option}, |{name}| {code})"))
}

/// A column of a row.
pub(crate) fn column(row: &str, name: &str) -> String {
    format!("{row}.{}", names::quoted_in_sql(name))
}

fn symbol(how: Comparison) -> &'static str {
    match how {
        Comparison::Eq => "=",
        Comparison::Ne => "<>",
        Comparison::Lt => "<",
        Comparison::Le => "<=",
        Comparison::Gt => ">",
        Comparison::Ge => ">=",
    }
}
