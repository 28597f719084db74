//! Calls: `role()`, functions, aggregates over relations.

mod usage;

pub(crate) use usage::{aggregates, functions};
use usage::{arguments, usage};

use super::{Position, Typed, Typer};
use crate::{
    Diagnostic, Span,
    cursor::Name,
    dialect,
    model::{Aggregate, EntityId, Expr, FieldId, Function, Path, Type},
    syntax::{
        entity,
        expr::{self as written, Arg, ExprKind},
    },
};

/// The parameters and the result of a function.
enum Shape {
    /// Parameters of these types, and a result of this type.
    Fixed(&'static [ParameterType], ResultType),
    /// One or more parameters of one type, and a result of that type.
    Same(usize),
}

/// The type of a parameter.
#[derive(Clone, Copy)]
enum ParameterType {
    Number,
    Text,
    Time,
    DateTime,
    OptionalInt,
}

/// The type of a result.
#[derive(Clone, Copy)]
enum ResultType {
    Int,
    Bool,
    Text,
    Date,
    /// The type of the first argument.
    First,
    /// Decimal for a float, else the type of the argument.
    Rounded,
}

const FUNCTIONS: &[(Function, Shape)] = &[
    (Function::DaysSince, Shape::Fixed(&[ParameterType::Time], ResultType::Int)),
    (Function::DaysUntil, Shape::Fixed(&[ParameterType::Time], ResultType::Int)),
    (Function::HoursSince, Shape::Fixed(&[ParameterType::DateTime], ResultType::Int)),
    (Function::MinutesSince, Shape::Fixed(&[ParameterType::DateTime], ResultType::Int)),
    (Function::Abs, Shape::Fixed(&[ParameterType::Number], ResultType::First)),
    (Function::Round, Shape::Fixed(&[ParameterType::Number, ParameterType::OptionalInt], ResultType::Rounded)),
    (Function::Floor, Shape::Fixed(&[ParameterType::Number], ResultType::First)),
    (Function::Ceil, Shape::Fixed(&[ParameterType::Number], ResultType::First)),
    (Function::Min, Shape::Same(2)),
    (Function::Max, Shape::Same(2)),
    (Function::Coalesce, Shape::Same(2)),
    (Function::Nullif, Shape::Same(2)),
    (Function::Length, Shape::Fixed(&[ParameterType::Text], ResultType::Int)),
    (Function::Lower, Shape::Fixed(&[ParameterType::Text], ResultType::Text)),
    (Function::Upper, Shape::Fixed(&[ParameterType::Text], ResultType::Text)),
    (Function::Trim, Shape::Fixed(&[ParameterType::Text], ResultType::Text)),
    (Function::Concat, Shape::Same(1)),
    (Function::Contains, Shape::Fixed(&[ParameterType::Text, ParameterType::Text], ResultType::Bool)),
    (Function::StartsWith, Shape::Fixed(&[ParameterType::Text, ParameterType::Text], ResultType::Bool)),
    (Function::Year, Shape::Fixed(&[ParameterType::Time], ResultType::Int)),
    (Function::Month, Shape::Fixed(&[ParameterType::Time], ResultType::Int)),
    (Function::Day, Shape::Fixed(&[ParameterType::Time], ResultType::Int)),
    (Function::Weekday, Shape::Fixed(&[ParameterType::Time], ResultType::Int)),
    (Function::Date, Shape::Fixed(&[ParameterType::DateTime], ResultType::Date)),
];

impl Typer<'_, '_> {
    pub(super) fn call(&mut self, name: &Name, args: &[Arg], expected: Option<&Type>) -> Typed {
        if name.text == "role" {
            return self.role(name, args);
        }
        let aggregate = Aggregate::from_word(&name.text);
        if let (Position::Metric, Some(kind)) = (self.position, aggregate) {
            // `min` and `max` of several values are functions.
            if !matches!(kind, Aggregate::Min | Aggregate::Max) || args.len() == 1 {
                return self.entity_aggregate(kind, name, args);
            }
        }
        let over_rows =
            |it: &Self| it.is_relation(args) || (args.len() == 1 && (it.entity_named(args).is_some() || it.is_unknown_path(args)));
        if let Some(kind) = aggregate.filter(|_| !matches!(name.text.as_str(), "min" | "max") || over_rows(self)) {
            return self.aggregate(kind, name, args);
        }
        let Some((function, shape)) = FUNCTIONS.iter().find(|(function, _)| function.word() == name.text) else {
            self.unknown_function(name, args);
            return None;
        };
        let mut values = Vec::new();
        for arg in args {
            match arg {
                Arg::Value(value, None) => values.push(value),
                Arg::Value(value, Some(_)) => {
                    return self.wrong(value.span, &format!("`{}` takes no `where`", name.text), &usage(&name.text, shape));
                }
                Arg::Star(span) => return self.wrong(*span, &format!("`{}` takes no `*`", name.text), &usage(&name.text, shape)),
            }
        }
        match shape {
            Shape::Fixed(takes, gives) => self.fixed(name, *function, (takes, *gives, &usage(&name.text, shape)), &values, expected),
            Shape::Same(least) => self.same(name, *function, (*least, &usage(&name.text, shape)), &values, expected),
        }
    }

    fn unknown_function(&mut self, name: &Name, args: &[Arg]) {
        let found = Diagnostic::error("unknown-function", name.span, format!("unknown function `{}`", name.text));
        let role = matches!(args, [Arg::Value(written::Expr { kind: ExprKind::Path(path), .. }, None), ..]
            if path.len() == 1 && self.it.roles.contains_key(&path[0].text));
        if role {
            let found = found.help("test roles with `role`");
            // `role: update(keeper)`: the two words are transposed.
            let action = entity::ACTIONS.contains(&name.text.as_str()) || name.text == "write";
            return self.it.out.push(if action { found } else { found.replace(name.span, "role") });
        }
        if args.is_empty() && matches!(name.text.as_str(), "today" | "now" | "current_user" | "authenticated" | "anonymous") {
            return self.it.out.push(found.help(format!("write `{}` without parentheses", name.text)));
        }
        let mut known: Vec<&str> = FUNCTIONS.iter().map(|(function, _)| function.word()).chain(aggregates()).collect();
        known.push("role");
        known.sort_unstable();
        known.dedup();
        let all: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
        self.it.out.push(found.help(format!("functions are {}", all.join(", "))).suggest_near(
            name.span,
            &name.text,
            known.into_iter().chain(["not"]),
        ));
    }

    pub(super) fn wrong<T>(&mut self, span: Span, message: &str, help: &str) -> Option<T> {
        self.it.out.push(Diagnostic::error("wrong-arguments", span, message.to_owned()).help(help));
        None
    }

    fn fixed(
        &mut self,
        name: &Name,
        function: Function,
        (takes, gives, usage): (&[ParameterType], ResultType, &str),
        values: &[&written::Expr],
        expected: Option<&Type>,
    ) -> Typed {
        let least = takes.iter().filter(|take| !matches!(take, ParameterType::OptionalInt)).count();
        if values.len() < least || values.len() > takes.len() {
            return self.wrong(name.span, &format!("`{}` takes {}, not {}", name.text, arguments(least), values.len()), usage);
        }
        let mut lowered = Vec::new();
        let mut first = Type::Null;
        for (at, (value, take)) in values.iter().zip(takes).enumerate() {
            let hint = if matches!(take, ParameterType::Number) { expected } else { None };
            let (expr, ty) = self.typed(value, hint)?;
            let fits = ty == Type::Null
                || match take {
                    ParameterType::Number => matches!(ty, Type::Int | Type::Decimal | Type::Float),
                    ParameterType::Text => matches!(ty, Type::Text | Type::Enum(_)),
                    ParameterType::Time => matches!(ty, Type::Date | Type::DateTime),
                    ParameterType::DateTime => ty == Type::DateTime,
                    ParameterType::OptionalInt => ty == Type::Int,
                };
            if !fits {
                let shown = self.describe_type(&ty);
                let wanted = match take {
                    ParameterType::Number => "a number",
                    ParameterType::Text => "text",
                    ParameterType::Time => "a date or a datetime",
                    ParameterType::DateTime => "a datetime",
                    ParameterType::OptionalInt => "a whole number",
                };
                return self.wrong(value.span, &format!("`{}` needs {wanted} here, but this is {shown}", name.text), usage);
            }
            if at == 0 {
                first = ty;
            }
            lowered.push(expr);
        }
        let ty = match gives {
            ResultType::Int => Type::Int,
            ResultType::Bool => Type::Bool,
            ResultType::Text => Type::Text,
            ResultType::Date => Type::Date,
            ResultType::First => first,
            ResultType::Rounded if first == Type::Float => Type::Decimal,
            ResultType::Rounded => first,
        };
        Some((Expr::Call(function, lowered, ty.clone()), ty))
    }

    fn same(
        &mut self,
        name: &Name,
        function: Function,
        (least, usage): (usize, &str),
        values: &[&written::Expr],
        expected: Option<&Type>,
    ) -> Typed {
        if values.len() < least || (function == Function::Nullif && values.len() > 2) {
            return self.wrong(name.span, &format!("`{}` takes {}, not {}", name.text, arguments(least), values.len()), usage);
        }
        let (lowered, ty) = if function == Function::Concat {
            let mut lowered = Vec::new();
            for value in values {
                let (expr, found) = self.typed(value, Some(&Type::Text))?;
                if !self.assignable(&found, &Type::Text) {
                    let message = format!("`concat` joins texts, but this is {}", self.describe_type(&found));
                    self.it.out.push(Diagnostic::error("type-mismatch", value.span, message).help(super::NO_TEXT));
                    return None;
                }
                lowered.push(expr);
            }
            (lowered, Type::Text)
        } else {
            self.alike(values, expected)?
        };
        if ty == Type::Money(None) && matches!(function, Function::Min | Function::Max) {
            return self.wrong(name.span, &format!("`{}` cannot compare amounts of any currency", name.text), super::SEVERAL_CURRENCIES);
        }
        Some((Expr::Call(function, lowered, ty.clone()), ty))
    }

    fn role(&mut self, name: &Name, args: &[Arg]) -> Typed {
        if matches!(
            self.position,
            Position::Default
                | Position::Value
                | Position::Demo
                | Position::Computed
                | Position::Invariant
                | Position::Index
                | Position::Metric
                | Position::Process
        ) {
            return self.not_allowed(name.span, "`role`");
        }
        let mut roles = Vec::new();
        for arg in args {
            let word = match arg {
                Arg::Value(written::Expr { kind: ExprKind::Path(path), .. }, None) if path.len() == 1 => &path[0],
                Arg::Value(written::Expr { kind: ExprKind::Path(path), span }, None)
                    if path.iter().all(|name| self.it.roles.contains_key(&name.text)) =>
                {
                    let names: Vec<&str> = path.iter().map(|name| name.text.as_str()).collect();
                    let found = Diagnostic::error("wrong-arguments", *span, "`role` takes names of personas, with commas");
                    let names = names.join(", ");
                    self.it.out.push(found.help(format!("write `role({names})`")).replace(*span, names));
                    return None;
                }
                Arg::Value(value, _) => return self.wrong(value.span, "`role` takes names of personas", ROLE),
                Arg::Star(span) => return self.wrong(*span, "`role` takes names of personas", ROLE),
            };
            roles.push(self.it.role(word)?);
        }
        if roles.is_empty() {
            return self.wrong(name.span, "`role` needs at least one persona", ROLE);
        }
        Some((Expr::Role(roles), Type::Bool))
    }

    /// The relations of an entity, for messages.
    fn relations(&self, scope: EntityId) -> Vec<String> {
        let fields = self.it.entities[scope.0].fields.iter();
        fields.filter(|field| !field.ty.is_stored()).map(|field| format!("`{}`", field.name)).collect()
    }

    /// True if the first argument starts with a relation of the row in scope.
    fn is_relation(&self, args: &[Arg]) -> bool {
        let Some(scope) = self.scope else { return false };
        matches!(args, [Arg::Value(written::Expr { kind: ExprKind::Path(path), .. }, _)]
            if self.it.field_names[scope.0].get(&path[0].text).is_some_and(|at| !self.it.entities[scope.0].fields[*at].ty.is_stored()))
    }

    /// True if the argument is a path that begins with no field of the row: probably a misspelt relation.
    fn is_unknown_path(&self, args: &[Arg]) -> bool {
        let Some(scope) = self.scope else { return false };
        matches!(args, [Arg::Value(written::Expr { kind: ExprKind::Path(path), .. }, _)]
            if path.len() > 1 && !self.it.field_names[scope.0].contains_key(&path[0].text))
    }

    fn aggregate(&mut self, kind: Aggregate, name: &Name, args: &[Arg]) -> Typed {
        let Some(scope) = self.scope else {
            return self.not_allowed(name.span, &format!("`{}`", name.text));
        };
        if self.position == Position::Access && !matches!(kind, Aggregate::Any | Aggregate::Count) {
            return self.not_allowed(name.span, &format!("`{}`", name.text));
        }
        if self.position == Position::Index {
            return self.not_allowed(name.span, &format!("`{}`", name.text));
        }
        if matches!(self.position, Position::Filter | Position::Scope | Position::When) {
            return self.refuse_aggregate(name);
        }
        let [Arg::Value(written::Expr { kind: ExprKind::Path(path), span }, condition)] = args else {
            let help = format!("write `{}(relation where condition)`", name.text);
            let place = misplaced(args).unwrap_or(name.span);
            return self.wrong(place, &format!("`{}` takes one relation", name.text), &help);
        };
        let (field, child) = self.relation(scope, &path[0])?;
        let (value, ty) = self.aggregated(kind, child, &path[1..], *span)?;
        let condition = match condition {
            None => None,
            Some(condition) => {
                let (outer, scope) = (self.outer, self.scope);
                (self.outer, self.scope) = (scope, Some(child));
                let lowered = self.condition(condition);
                (self.outer, self.scope) = (outer, scope);
                Some(Box::new(lowered?))
            }
        };
        Some((Expr::Aggregate { kind, relation: Path::own(scope, FieldId(field)), value, condition }, ty))
    }

    /// Reports an aggregate in a filter or another position that only compares the row's own fields.
    fn refuse_aggregate<T>(&mut self, name: &Name) -> Option<T> {
        let place = self.place();
        self.it.out.push(
            Diagnostic::error("not-allowed-here", name.span, format!("`{}` is not allowed in {place}", name.text))
                .help("declare a `computed` field for it, and compare that field"),
        );
        None
    }

    fn relation(&mut self, scope: EntityId, name: &Name) -> Option<(usize, EntityId)> {
        if let Some(at) = self.it.field_names[scope.0].get(&name.text).copied() {
            return match self.it.entities[scope.0].fields[at].ty.children() {
                Some(entity) => {
                    self.it.field_used(name.span, scope, at);
                    Some((at, entity))
                }
                None => {
                    if let Some(target) = self.it.entities[scope.0].fields[at].ty.target() {
                        return self.ref_for_relation(scope, target, name);
                    }
                    let known = self.relations(scope);
                    let help = if known.is_empty() {
                        format!("`{}` has no relation; declare one: `items: has_many Item`", self.scope_name(scope))
                    } else {
                        format!("relations of `{}` are {}", self.scope_name(scope), known.join(", "))
                    };
                    self.wrong(name.span, &format!("`{}` is not a relation", name.text), &help)
                }
            };
        }
        if let Some(entity) = self.it.entity_names.get(&name.text).copied() {
            return self.entity_for_relation(scope, entity, name);
        }
        self.it.unknown_field("unknown-field", scope, name, |field| !field.ty.is_stored());
        None
    }

    /// Reports a ref in place of a relation; the author usually means a relation of the referenced row.
    fn ref_for_relation<T>(&mut self, scope: EntityId, target: EntityId, name: &Name) -> Option<T> {
        let (own, other) = (self.scope_name(scope), self.it.entities[target.0].name.clone());
        let found =
            Diagnostic::error("wrong-arguments", name.span, format!("`{}` is a ref, and a relation of `{own}` is needed here", name.text));
        let help = if self.position == Position::Access {
            format!(
                "compare what the row behind it has itself, as in `{0}.leader = current_user`; or connect the two by an entity of their own, \
                 `teams: has_many {other} via {own}{other}`, and write `any(teams where any(members where user = current_user))`",
                name.text
            )
        } else {
            // Other positions know no caller, or compare values of rows.
            format!(
                "declare the value as a computed field of `{other}`, such as `total: computed sum(items.amount)`, and write `{}.total`",
                name.text
            )
        };
        self.it.out.push(found.help(help));
        None
    }

    /// The entity that is written in place of a relation.
    fn entity_named(&self, args: &[Arg]) -> Option<EntityId> {
        let [Arg::Value(written::Expr { kind: ExprKind::Path(path), .. }, _)] = args else { return None };
        let scope = self.scope.filter(|scope| !self.it.field_names[scope.0].contains_key(&path[0].text));
        scope.and_then(|_| self.it.entity_names.get(&path[0].text).copied())
    }

    /// Reports an entity in place of a relation, with the only relation to that entity.
    fn entity_for_relation<T>(&mut self, scope: EntityId, entity: EntityId, name: &Name) -> Option<T> {
        let fields = self.it.entities[scope.0].fields.iter();
        let mut leading = fields.filter(|field| field.ty.children() == Some(entity)).map(|field| field.name.clone());
        let one = leading.next().filter(|_| leading.next().is_none());
        let phrase = dialect::phrase("rows-of-an-entity");
        let found = Diagnostic::error("unknown-field", name.span, format!("`{}` is an entity, and no relation of this row", name.text));
        let known = self.relations(scope);
        self.it.out.push(match one {
            Some(one) => found.help(format!("{}: `{one}`", phrase.help)).replace(name.span, phrase.replacement(one, true)),
            None if known.is_empty() => found.help(format!("declare a relation: `rows: has_many {}`", name.text)),
            None => found.help(format!("{}: {}", phrase.help, known.join(", "))),
        });
        None
    }

    /// Reports an aggregate over amounts of several currencies.
    pub(super) fn any_currency<T>(&mut self, span: Span, kind: Aggregate) -> Option<T> {
        let made = if matches!(kind, Aggregate::Sum | Aggregate::Avg) { "added up" } else { "compared" };
        self.wrong(span, &format!("amounts of any currency cannot be {made}"), super::SEVERAL_CURRENCIES)
    }

    fn aggregated(&mut self, kind: Aggregate, child: EntityId, rest: &[Name], span: Span) -> Option<(Option<Path>, Type)> {
        match kind {
            Aggregate::Count if rest.is_empty() => Some((None, Type::Int)),
            Aggregate::Any | Aggregate::All if rest.is_empty() => Some((None, Type::Bool)),
            Aggregate::Count | Aggregate::Any | Aggregate::All => {
                self.wrong(span, "the relation is named here without a field", "write `any(relation where condition)` or `count(relation)`")
            }
            _ if rest.is_empty() => self.wrong(span, "a field of the relation is needed here", "write `sum(items.price)`"),
            Aggregate::Sum | Aggregate::Avg | Aggregate::Min | Aggregate::Max => {
                let path = self.resolve(child, rest)?;
                let (entity, field) = self.end(&path);
                if !super::super::computed::ensure(self.it, entity, field) {
                    return None;
                }
                let ty = super::type_of(self.it.entities[entity.0].fields[field.0].ty);
                let number = super::is_number(&ty);
                match kind {
                    _ if ty == Type::Money(None) => self.any_currency(span, kind),
                    Aggregate::Sum | Aggregate::Avg if !number => {
                        self.wrong(span, "only numbers can be added up", "name a number, or count the rows: `count(relation)`")
                    }
                    Aggregate::Avg if ty == Type::Int => Some((Some(path), Type::Decimal)),
                    Aggregate::Count
                    | Aggregate::Any
                    | Aggregate::All
                    | Aggregate::Sum
                    | Aggregate::Avg
                    | Aggregate::Min
                    | Aggregate::Max => Some((Some(path), ty)),
                }
            }
        }
    }
}

const ROLE: &str = "write `role(persona)`, or `role(one, other)` for any of several";

/// The first argument that is not a name, or the second one.
pub(super) fn misplaced(args: &[Arg]) -> Option<Span> {
    let span = |arg: &Arg| match arg {
        Arg::Star(span) => *span,
        Arg::Value(value, _) => value.span,
    };
    let other = |arg: &&Arg| !matches!(arg, Arg::Value(written::Expr { kind: ExprKind::Path(_), .. }, _));
    args.iter().find(other).or_else(|| args.get(1)).map(span)
}

/// True for the name of a function.
pub(super) fn is_function(name: &str) -> bool {
    Function::from_word(name).is_some()
}
