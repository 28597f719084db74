//! Conditions of the declaration as Rust code that builds SQL.
//!
//! A comparison with a value of the caller that is unknown is neither true nor false, so `not` cannot simply invert the SQL. The
//! negation is therefore written at the comparisons: [`Conditions::holds`] writes when a condition is true, [`Conditions::fails`] when
//! it is false.

mod operand;

pub(crate) use operand::{parameter, time};

use dz_dsl_file::{
    Span,
    emit::expression,
    model::{Aggregate, Comparison, EntityId, Expr, Model, Via},
};

use crate::{Refusal, names};
use operand::Operand;

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
                let roles: Vec<String> = roles.iter().map(|it| format!("Role::{}", names::role(&self.model.personas[it.0].name))).collect();
                Ok(format!("constant({}caller.has_role(&[{}]))", if wanted { "" } else { "!" }, roles.join(", ")))
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
        let of_caller = |expr: &Expr| matches!(expr, Expr::CurrentUser | Expr::CurrentUserPath(_));
        let other = match (left, right) {
            (Expr::Null, other) | (other, Expr::Null) if of_caller(other) => other,
            _ => return Ok(None),
        };
        let operand = self.operand(other, "{row}", 0)?;
        let Some((_, option)) = operand.piece.needs.first() else { return Ok(None) };
        match how {
            Comparison::Eq => Ok(Some(format!("{option}.is_none()"))),
            Comparison::Ne => Ok(Some(format!("{option}.is_some()"))),
            Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge => Err(self.refuse(left, "null has no order")),
        }
    }

    fn atom(&self, expr: &Expr, wanted: bool) -> Emitted<String> {
        let piece = self.sql(expr, "{row}", 0, wanted)?;
        let text = names::literal(&piece.text);
        let text = match piece.text.contains("{row}") {
            true => format!("format!({text})"),
            false => names::literal(&piece.text.replace("{{", "{").replace("}}", "}")),
        };
        let code = match piece.values.is_empty() {
            true => format!("Sql::text({text})"),
            false => format!("Sql::new({text}, [{}])", piece.values.join(", ")),
        };
        Ok(piece.needs.iter().rev().fold(code, |code, (name, option)| format!("if_known({option}, |{name}| {code})")))
    }

    /// A condition as SQL; `depth` counts the rows around the row `row`.
    fn sql(&self, expr: &Expr, row: &str, depth: usize, wanted: bool) -> Emitted<Piece> {
        let join = |items: &[Expr], word: &str| -> Emitted<Piece> {
            let mut joined = Piece::text("(");
            for (at, item) in items.iter().enumerate() {
                let item = self.sql(item, row, depth, wanted)?;
                joined = Piece::fill(if at == 0 { "{}{}" } else { word }, [&joined, &item]);
            }
            joined.text.push(')');
            Ok(joined)
        };
        match expr {
            Expr::And(items) => join(items, if wanted { "{} AND {}" } else { "{} OR {}" }),
            Expr::Or(items) => join(items, if wanted { "{} OR {}" } else { "{} AND {}" }),
            Expr::Not(inner) => self.sql(inner, row, depth, !wanted),
            Expr::Bool(value) => Ok(Piece::text(if *value == wanted { "TRUE" } else { "FALSE" })),
            Expr::Anyone => Ok(Piece::text(if wanted { "TRUE" } else { "FALSE" })),
            Expr::SignedIn | Expr::Role(_) => {
                let code = self.write(expr, wanted)?;
                let held = code.trim_start_matches("constant(").strip_suffix(')').unwrap_or(&code).to_owned();
                Ok(Piece { text: "?".to_owned(), values: vec![format!("Value::Bool(Some({held}))")], needs: Vec::new() })
            }
            Expr::Compare(how, left, right) => self.compare(*how, (left, right), row, depth, wanted),
            Expr::In(item, list) => self.contains(item, list, row, depth, wanted),
            Expr::Aggregate { kind: kind @ (Aggregate::Any | Aggregate::All), relation, condition, .. } => {
                let each = *kind == Aggregate::All;
                let of = self.related(expr, relation, condition.as_deref(), row, depth, !each)?;
                // `all` is true if there is no row for which the condition fails.
                Ok(Piece::fill(if wanted == each { "NOT EXISTS (SELECT 1{})" } else { "EXISTS (SELECT 1{})" }, [&of]))
            }
            other => {
                let operand = self.operand(other, row, depth)?;
                Ok(Piece::fill(if wanted { "{}" } else { "NOT COALESCE({}, FALSE)" }, [&operand.piece]))
            }
        }
    }

    fn compare(&self, how: Comparison, (left, right): (&Expr, &Expr), row: &str, depth: usize, wanted: bool) -> Emitted<Piece> {
        let null = match (left, right) {
            (Expr::Null, other) | (other, Expr::Null) => Some(other),
            _ => None,
        };
        if let Some(other) = null {
            let operand = self.operand(other, row, depth)?;
            let is_null = matches!(how, Comparison::Eq) == wanted;
            return match how {
                Comparison::Eq | Comparison::Ne => Ok(Piece::fill(if is_null { "{} IS NULL" } else { "{} IS NOT NULL" }, [&operand.piece])),
                Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge => Err(self.refuse(other, "null has no order")),
            };
        }
        let (left, right) = (self.operand(left, row, depth)?.beside(right, self)?, self.operand(right, row, depth)?.beside(left, self)?);
        let (left, right) = (left.for_order(how), right.for_order(how));
        let both = [&left.piece, &right.piece];
        let certain = !left.nullable && !right.nullable;
        Ok(match (how, wanted) {
            (Comparison::Eq, true) | (Comparison::Ne, false) if !left.nullable || !right.nullable => Piece::fill("{} = {}", both),
            (Comparison::Eq, true) | (Comparison::Ne, false) => Piece::fill("{} IS NOT DISTINCT FROM {}", both),
            (Comparison::Ne, true) | (Comparison::Eq, false) if certain => Piece::fill("{} <> {}", both),
            (Comparison::Ne, true) | (Comparison::Eq, false) => Piece::fill("{} IS DISTINCT FROM {}", both),
            (how, true) => Piece::fill(&format!("{{}} {} {{}}", symbol(how)), both),
            (how, false) => Piece::fill(&format!("NOT COALESCE({{}} {} {{}}, FALSE)", symbol(how)), both),
        })
    }

    fn contains(&self, item: &Expr, list: &Expr, row: &str, depth: usize, wanted: bool) -> Emitted<Piece> {
        let Expr::List(items) = list else { return Err(self.refuse(list, "a list must be written out")) };
        let held = self.operand(item, row, depth)?;
        let mut joined = Piece::fill("{} IN (", [&held.piece]);
        for (at, other) in items.iter().filter(|it| !matches!(it, Expr::Null)).enumerate() {
            let other = self.operand(other, row, depth)?.beside(item, self)?;
            joined = Piece::fill(if at == 0 { "{}{}" } else { "{}, {}" }, [&joined, &other.piece]);
        }
        joined.text.push(')');
        Ok(match (wanted, held.nullable) {
            (true, _) => joined,
            (false, false) => Piece::fill("NOT ({})", [&joined]),
            (false, true) => Piece::fill("NOT COALESCE({}, FALSE)", [&joined]),
        })
    }

    /// ` FROM child WHERE …`: the rows of a relation.
    fn related(
        &self,
        whole: &Expr,
        relation: &dz_dsl_file::model::Path,
        condition: Option<&Expr>,
        row: &str,
        depth: usize,
        wanted: bool,
    ) -> Emitted<Piece> {
        let (owner, field) = relation.end(&self.model.entities);
        let Some((entity, Via::Ref(via))) = self.model.field(owner, field).ty.relation() else {
            return Err(self.refuse(whole, "relations over a junction are not ejected"));
        };
        if !relation.hops.is_empty() {
            return Err(self.refuse(whole, "relations of another row are not ejected"));
        }
        let child = self.model.entity(entity);
        let alias = format!("r{depth}");
        let (key, via) = (&self.model.entity(owner).fields[self.model.entity(owner).pk.0].name, &self.model.field(entity, via).name);
        let from = format!(" FROM {} AS {alias} WHERE {} = {}", child.table, column(&alias, via), column(row, key));
        let inner = Conditions { model: self.model, entity, place: self.place.clone(), span: self.span };
        match condition {
            Some(condition) => {
                let condition = inner.sql(condition, &alias, depth + 1, wanted)?;
                Ok(Piece::fill(&format!("{from} AND {{}}"), [&condition]))
            }
            // Without a condition, `all` is true.
            None if !wanted => Ok(Piece::text(format!("{from} AND FALSE"))),
            None => Ok(Piece::text(from)),
        }
    }

    /// The refusal of an expression.
    pub fn refuse(&self, expr: &Expr, reason: &str) -> Refusal {
        let text = expression::text(self.model, self.entity, expr);
        Refusal::new(format!("`{text}` in {}", self.place), reason, self.span)
    }

    fn operand(&self, expr: &Expr, row: &str, depth: usize) -> Emitted<Operand> {
        operand::write(self, expr, row, depth)
    }
}

/// A column of a row.
fn column(row: &str, name: &str) -> String {
    match names::is_plain_in_sql(name) {
        true => format!("{row}.{name}"),
        false => format!("{row}.\"{name}\""),
    }
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
