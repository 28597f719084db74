//! The values in a running process, and whether their types fit where they are used.

use std::collections::HashMap;

use crate::{
    Diagnostic, Near, Span,
    cursor::Name,
    diagnostic::near_word,
    lower::{
        Lowering,
        expr::{Position, Typed, Typer, misfit, type_of},
        values,
    },
    model::{DataPath, DataRoot, EntityId, EnumId, Expr, Path, Placed, ProcessId, ServiceId, StepId, Trigger, Type, ValueField, ValueType},
    suggestion::Replacement,
    syntax::expr::{self as written, ExprKind},
};

/// The values in scope of a process, a schedule or the condition of an event.
pub(crate) struct DataScope {
    trigger: TriggerScope,
    process: Option<ProcessId>,
    /// Results by the name of the step, and by the name of its `output`.
    pub(super) results: HashMap<String, StepResult>,
}

/// The trigger of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TriggerScope {
    /// A trigger without data.
    Nothing,
    /// A row.
    Row(EntityId),
    /// The completion of another process.
    Completed(ProcessId),
    /// A signal.
    Signal,
    /// A trigger that is reported as wrong, so that nothing is known about its data.
    Unknown,
}

/// The result of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepResult {
    pub step: StepId,
    /// The place of its name.
    pub place: Span,
    pub kind: ResultKind,
}

/// The kind of a result.
#[derive(Debug, Clone, Copy)]
pub(super) enum ResultKind {
    Service(ServiceId),
    Process(ProcessId),
    Schema(EntityId),
    Text,
    Task(EnumId),
    Payload,
    Nothing,
    /// The called construct is unknown, which is reported.
    Unknown,
}

impl DataScope {
    pub fn new(trigger: TriggerScope) -> Self {
        DataScope { trigger, process: None, results: HashMap::new() }
    }

    /// The scope of a process with a known trigger.
    pub fn of_process(it: &Lowering<'_>, id: ProcessId) -> Self {
        let trigger = match &it.processes[id.0].trigger {
            Trigger::Entity { entity, .. } | Trigger::Change { entity, .. } => TriggerScope::Row(entity.it),
            Trigger::Completed(process) => TriggerScope::Completed(process.it),
            Trigger::Signal(_) => TriggerScope::Signal,
            Trigger::Manual(_) | Trigger::Cron(_) => TriggerScope::Nothing,
        };
        DataScope { trigger, process: Some(id), results: HashMap::new() }
    }

    /// The same scope with a trigger of which nothing is known.
    pub fn with_unknown_trigger(self) -> Self {
        DataScope { trigger: TriggerScope::Unknown, ..self }
    }

    /// The entity of the row that started the process.
    pub fn row(&self) -> Option<EntityId> {
        match self.trigger {
            TriggerScope::Row(entity) => Some(entity),
            TriggerScope::Nothing | TriggerScope::Completed(_) | TriggerScope::Signal | TriggerScope::Unknown => None,
        }
    }
}

fn typer<'l, 'a>(it: &'l mut Lowering<'a>, scope: Option<EntityId>) -> Typer<'l, 'a> {
    Typer::new(it, Position::Process, scope)
}

/// Types a condition over the fields of `scope` and the values of the process.
pub(in crate::lower) fn condition(it: &mut Lowering<'_>, scope: Option<EntityId>, expr: &written::Expr) -> Option<Placed<Expr>> {
    if let ExprKind::Text(text) = &expr.kind {
        let found = Diagnostic::error("not-a-condition", expr.span, "a condition is written without quotes");
        it.out.push(found.help("remove the quotes").replace(expr.span, text.clone()));
        return None;
    }
    Some(Placed { it: typer(it, scope).condition(expr)?, span: expr.span })
}

/// Types a value; `expected` gives words and texts their type.
pub(super) fn typed(it: &mut Lowering<'_>, expr: &written::Expr, expected: Option<&Type>) -> Typed {
    let scope = it.data.as_ref().and_then(DataScope::row);
    typer(it, scope).typed(expr, expected)
}

/// Types a value for an input of type `ty`.
pub(super) fn value(it: &mut Lowering<'_>, ty: &ValueType, expr: &written::Expr) -> Option<Expr> {
    let expected = values::type_of(ty);
    let (value, found) = typed(it, expr, expected.as_ref().filter(|_| is_literal(expr)))?;
    if !fits(it, expected.as_ref(), &found) {
        let expected = expected.map_or_else(|| "something that can be written as text".to_owned(), |ty| describe_type(it, &ty));
        let found = describe_type(it, &found);
        it.out.push(Diagnostic::error("type-mismatch", expr.span, format!("expected {expected}, but this is {found}")));
        return None;
    }
    if let ValueType::One(ty) = ty
        && let Some(help) = misfit(*ty, &value)
    {
        it.out.push(Diagnostic::error("type-mismatch", expr.span, "this value does not fit the field").help(help));
        return None;
    }
    Some(value)
}

/// True if the type of an expression depends on its context: texts, numbers, words, and lists of them.
pub(super) fn is_literal(expr: &written::Expr) -> bool {
    match &expr.kind {
        ExprKind::Path(path) => path.len() == 1,
        ExprKind::Call(..) | ExprKind::Binary(..) => false,
        _ => true,
    }
}

/// True if a value of type `from` can be used as `to`: values of an enum become text or values of an enum that has them all, and
/// everything becomes JSON.
pub(in crate::lower) fn takes(it: &mut Lowering<'_>, from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Enum(_), Type::Text) | (_, Type::Json) => true,
        (Type::Enum(from), Type::Enum(to)) => {
            let has = |name: &str| it.enums[to.0].values.iter().any(|value| value.name == name);
            from == to || it.enums[from.0].values.iter().all(|value| has(&value.name))
        }
        (Type::List(from), Type::List(to)) => takes(it, from, to),
        _ => typer(it, None).assignable(from, to),
    }
}

fn fits(it: &mut Lowering<'_>, expected: Option<&Type>, found: &Type) -> bool {
    match expected {
        Some(expected) => takes(it, found, expected),
        None => !matches!(found, Type::List(_)),
    }
}

/// The name of a type in messages.
pub(in crate::lower) fn describe_type(it: &mut Lowering<'_>, ty: &Type) -> String {
    typer(it, None).describe_type(ty)
}

/// True if an input accepts a value of this type; otherwise it is reported.
pub(in crate::lower) fn accepts(it: &mut Lowering<'_>, field: &ValueField, found: &Type, span: Span) -> bool {
    let expected = values::type_of(&field.ty);
    if fits(it, expected.as_ref(), found) || it.callable.lost.contains(&field.span) {
        return true;
    }
    let expected = expected.map_or_else(|| "something that can be written as text".to_owned(), |ty| describe_type(it, &ty));
    let found = describe_type(it, found);
    let message = format!("`{}` is {expected}, but this is {found}", field.name);
    let mut report = Diagnostic::error("input-mismatch", span, message);
    if span != field.span {
        report = report.label(field.span, "declared here");
    }
    it.out.push(report.help("give another value, or change the type of the field"));
    false
}

impl Typer<'_, '_> {
    /// Resolves a name or path in a process: its trigger, its inputs, results of steps, else a field of the row in scope.
    pub(in crate::lower) fn process_data(&mut self, path: &[Name], span: Span) -> Typed {
        let [first, rest @ ..] = path else { return None };
        let Some(data) = &self.it.data else {
            return self.not_allowed(span, &format!("the name `{}`", first.text));
        };
        let (trigger, process) = (data.trigger, data.process);
        let named = data.results.get(&first.text).copied();
        let field = self.scope.is_some_and(|scope| self.it.field_names[scope.0].contains_key(&first.text));
        match (first.text.as_str(), rest) {
            ("trigger", [what, rest @ ..]) => self.trigger_data(trigger, first, what, rest, span),
            ("input", [name, rest @ ..]) => self.input_data(process, first, name, rest, span),
            ("steps" | "step", [name, rest @ ..]) if named.is_none() && !field => match self.it.data.as_ref()?.results.get(&name.text) {
                Some(result) => {
                    let result = *result;
                    self.step_data(result, name, rest, span)
                }
                None => self.unknown_step(name),
            },
            (_, []) if field => {
                let path = self.resolve(self.scope?, path)?;
                self.typed_path(path, span)
            }
            _ => match (named, trigger) {
                (Some(result), _) => self.step_data(result, first, rest, span),
                _ if field => {
                    let path = self.resolve(self.scope?, path)?;
                    self.typed_path(path, span)
                }
                (None, TriggerScope::Row(entity))
                    if !rest.is_empty() && (first.text == "entity" || first.text == self.it.entities[entity.0].name) =>
                {
                    self.row_data(DataRoot::TriggerRow, entity, false, rest, span)
                }
                _ => self.unknown_data(first),
            },
        }
    }

    /// Adds what to write in place of a name that `trigger` does not have.
    fn correct_trigger(&self, entity: EntityId, what: &Name, found: Diagnostic) -> Diagnostic {
        let fields = &self.it.field_names[entity.0];
        if fields.contains_key(&what.text) {
            let help = format!("`trigger.entity` is the row: write `trigger.entity.{}`", what.text);
            return found.help(help).replace(what.span, format!("entity.{}", what.text));
        }
        if let Some(near) = near_word(&what.text, ["entity"]) {
            return found.help(format!("did you mean `trigger.{near}`?")).replace(what.span, near);
        }
        let mut names: Vec<&str> = fields.keys().map(String::as_str).collect();
        names.sort_unstable();
        match near_word(&what.text, names) {
            Some(near) => {
                let near = near.spelled_as(|name| format!("entity.{name}"));
                found.help(format!("did you mean `trigger.{near}`?")).replace(what.span, near)
            }
            None => found.help("`trigger.entity` is the row: write `trigger.entity.FIELD`"),
        }
    }

    fn trigger_data(&mut self, trigger: TriggerScope, word: &Name, what: &Name, rest: &[Name], span: Span) -> Typed {
        match trigger {
            TriggerScope::Unknown => None,
            TriggerScope::Nothing => {
                let found = Diagnostic::error("unknown-field", word.span, "what starts this brings no values");
                self.it.out.push(found.help("a process knows `trigger` when a row, another process or a signal starts it"));
                None
            }
            TriggerScope::Row(entity) if what.text == "entity" => self.row_data(DataRoot::TriggerRow, entity, false, rest, span),
            TriggerScope::Row(entity) => {
                let found = Diagnostic::error("unknown-field", what.span, format!("`trigger` has no `{}`", what.text));
                let found = self.correct_trigger(entity, what, found);
                self.it.out.push(found);
                None
            }
            TriggerScope::Completed(process) => {
                let named = |it: &Lowering<'_>, name: &str| it.processes[process.0].output.iter().position(|it| it.field.name == name);
                let (what, rest) = match rest.split_first() {
                    Some((name, rest)) if what.text == "output" && named(self.it, "output").is_none() => (name, rest),
                    _ => (what, rest),
                };
                let Some(at) = named(self.it, &what.text) else {
                    let known: Vec<String> = self.it.processes[process.0].output.iter().map(|it| it.field.name.clone()).collect();
                    let name = self.it.processes[process.0].name.clone();
                    return self.no_such(what, &format!("process `{name}`"), "output", &known);
                };
                let field = self.it.processes[process.0].output[at].field.clone();
                self.field_data(DataRoot::TriggerOutput(at), &field, what, rest, span)
            }
            TriggerScope::Signal if what.text == "payload" => {
                let path = DataPath { root: DataRoot::TriggerPayload, rest: None, optional: true, span };
                self.ends(what, rest)?;
                Some((Expr::Data(path), Type::Json))
            }
            TriggerScope::Signal => self.no_such(what, "a signal", "part", &["payload".to_owned()]),
        }
    }

    fn input_data(&mut self, process: Option<ProcessId>, word: &Name, name: &Name, rest: &[Name], span: Span) -> Typed {
        let Some(process) = process else {
            let found = Diagnostic::error("unknown-field", word.span, "a schedule has no inputs");
            self.it.out.push(found.help("no caller is present to give them when it runs"));
            return None;
        };
        let Some(at) = self.it.processes[process.0].input.iter().position(|it| it.field.name == name.text) else {
            if values::any_name(self.it.processes[process.0].input.iter().map(|input| &input.field)) {
                return None;
            }
            let known: Vec<String> = self.it.processes[process.0].input.iter().map(|it| it.field.name.clone()).collect();
            let process = self.it.processes[process.0].name.clone();
            return self.no_such(name, &format!("process `{process}`"), "input", &known);
        };
        let field = self.it.processes[process.0].input[at].field.clone();
        self.field_data(DataRoot::Input(at), &field, name, rest, span)
    }

    fn step_data(&mut self, result: StepResult, step: &Name, rest: &[Name], span: Span) -> Typed {
        let id = result.step;
        self.it.used(step.span, result.place);
        let whole = |root, ty| Some((Expr::Data(DataPath { root, rest: None, optional: false, span }), ty));
        match result.kind {
            ResultKind::Unknown => None,
            ResultKind::Service(service) => {
                let fields = self.it.services[service.0].output.clone();
                self.output_data(id, &fields, step, rest, span)
            }
            ResultKind::Process(process) => {
                let fields: Vec<ValueField> = self.it.processes[process.0].output.iter().map(|it| it.field.clone()).collect();
                self.output_data(id, &fields, step, rest, span)
            }
            ResultKind::Schema(entity) => {
                let Some((name, rest)) = without_output(rest, |name| self.it.field_names[entity.0].contains_key(name)).split_first() else {
                    return self.say_which(step, self.it.entities[entity.0].fields.first().map(|field| field.name.clone()));
                };
                let path = self.resolve(entity, std::slice::from_ref(name))?;
                self.typed_path(path.clone(), name.span)?;
                let field = self.it.entities[entity.0].fields[path.field.0].clone();
                let root = DataRoot::Answer(id, path.field);
                self.resolve_rest(root, Some(type_of(field.ty)), !field.required, name, rest, span)
            }
            ResultKind::Text => match without_output(rest, |_| false) {
                [] => whole(DataRoot::AnswerText(id), Type::Text),
                [text] if text.text == "text" => whole(DataRoot::AnswerText(id), Type::Text),
                [name, ..] => self.no_such(name, "an answer without `output_schema`", "part", &["text".to_owned()]),
            },
            ResultKind::Payload => match rest {
                [] => whole(DataRoot::Payload(id), Type::Json),
                [payload] if payload.text == "payload" => whole(DataRoot::Payload(id), Type::Json),
                [name, ..] => self.no_such(name, "a signal", "part", &["payload".to_owned()]),
            },
            ResultKind::Task(outcomes) => match rest {
                [outcome] if outcome.text == "outcome" => whole(DataRoot::Outcome(id), Type::Enum(outcomes)),
                [at] if at.text == "at" => whole(DataRoot::DecidedAt(id), Type::DateTime),
                [by, rest @ ..] if by.text == "by" => {
                    let account = self.it.account;
                    self.resolve_rest(DataRoot::DecidedBy(id), Some(Type::Ref(account)), false, by, rest, span)
                }
                [] => self.say_which(step, Some("outcome".to_owned())),
                [name, ..] => self.no_such(name, "a human task", "part", &["outcome".to_owned(), "by".to_owned(), "at".to_owned()]),
            },
            ResultKind::Nothing => {
                let found = Diagnostic::error("unknown-field", step.span, format!("step `{}` has no result", step.text));
                self.it.out.push(found.help("services, subprocesses, language models, human tasks and signals have results"));
                None
            }
        }
    }

    /// Resolves a field of the output of a service or process.
    fn output_data(&mut self, id: StepId, fields: &[ValueField], step: &Name, rest: &[Name], span: Span) -> Typed {
        let position = |name: &str| fields.iter().position(|field| field.name == name);
        let Some((name, rest)) = without_output(rest, |name| position(name).is_some()).split_first() else {
            return self.say_which(step, fields.first().map(|field| field.name.clone()));
        };
        let Some(at) = position(&name.text) else {
            if values::any_name(fields.iter()) {
                return None;
            }
            let known: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
            return self.no_such(name, &format!("the result of `{}`", step.text), "field", &known);
        };
        self.field_data(DataRoot::Output(id, at), &fields[at], name, rest, span)
    }

    fn field_data(&mut self, root: DataRoot, field: &ValueField, name: &Name, rest: &[Name], span: Span) -> Typed {
        if self.it.callable.lost.contains(&field.span) {
            return None;
        }
        self.it.used(name.span, field.span);
        let optional = !field.required && field.default.is_none();
        self.resolve_rest(root, values::type_of(&field.ty), optional, name, rest, span)
    }

    /// Resolves a value, or a field of the row that it references.
    fn resolve_rest(&mut self, root: DataRoot, ty: Option<Type>, optional: bool, name: &Name, rest: &[Name], span: Span) -> Typed {
        match ty {
            Some(Type::Ref(entity)) if !rest.is_empty() => self.row_data(root, entity, optional, rest, span),
            ty => {
                self.ends(name, rest)?;
                Some((Expr::Data(DataPath { root, rest: None, optional, span }), ty.unwrap_or(Type::Text)))
            }
        }
    }

    fn row_data(&mut self, root: DataRoot, entity: EntityId, optional: bool, rest: &[Name], span: Span) -> Typed {
        if rest.is_empty() {
            return Some((Expr::Data(DataPath { root, rest: None, optional, span }), Type::Ref(entity)));
        }
        let path = self.resolve(entity, rest)?;
        let (_, ty) = self.typed_path(path.clone(), span)?;
        let optional = optional || can_be_null(self.it, &path);
        Some((Expr::Data(DataPath { root, rest: Some(path), optional, span }), ty))
    }

    fn ends(&mut self, name: &Name, rest: &[Name]) -> Option<()> {
        let Some(next) = rest.first() else { return Some(()) };
        let message = format!("`{}` is not a reference, so it has no `{}`", name.text, next.text);
        self.it.out.push(Diagnostic::error("hop-through-non-ref", name.span, message).help("only references can be followed"));
        None
    }

    fn no_such<T>(&mut self, name: &Name, owner: &str, what: &str, known: &[String]) -> Option<T> {
        let found = Diagnostic::error("unknown-field", name.span, format!("{owner} has no {what} `{}`", name.text));
        let found = found.suggest(name.span, &name.text, known.iter().map(String::as_str));
        self.it.out.push(if known.is_empty() { found.help(format!("it has no {what} at all")) } else { found });
        None
    }

    fn say_which<T>(&mut self, step: &Name, example: Option<String>) -> Option<T> {
        let found = Diagnostic::error("type-mismatch", step.span, format!("the result of `{}` has fields; name one", step.text));
        self.it.out.push(match example {
            Some(field) => found.help(format!("for example `{}.{field}`", step.text)),
            None => found.help("it declares no output"),
        });
        None
    }

    fn unknown_step<T>(&mut self, name: &Name) -> Option<T> {
        super::unknown(self.it, "unknown-step", "step", name, |it| it.data.iter().flat_map(|data| data.results.keys()).cloned().collect());
        None
    }

    /// The full name of an input, or of an output of the completed process.
    fn find_full_name(&self, name: &Name) -> Option<String> {
        let data = self.it.data.as_ref()?;
        let has_input = data.process.is_some_and(|id| self.it.processes[id.0].input.iter().any(|it| it.field.name == name.text));
        if has_input {
            return Some(format!("input.{}", name.text));
        }
        match data.trigger {
            TriggerScope::Completed(id) if self.it.processes[id.0].output.iter().any(|it| it.field.name == name.text) => {
                Some(format!("trigger.{}", name.text))
            }
            TriggerScope::Nothing | TriggerScope::Row(_) | TriggerScope::Completed(_) | TriggerScope::Signal | TriggerScope::Unknown => {
                None
            }
        }
    }

    fn unknown_data<T>(&mut self, name: &Name) -> Option<T> {
        if self.scope.is_some_and(|scope| self.it.unreadable.has_field(scope, &name.text)) {
            return None;
        }
        let scope = self.scope.map(|scope| &self.it.entities[scope.0]);
        let fields = scope.iter().flat_map(|entity| &entity.fields).filter(|field| !field.secret).map(|field| field.name.as_str());
        let results = self.it.data.iter().flat_map(|data| data.results.keys()).map(String::as_str);
        let near = near_word(&name.text, fields.chain(results).chain(["trigger", "input"])).map(Near::into_owned);
        let near = self.find_full_name(name).map(Replacement::from).or(near.map(Replacement::from));
        let found = Diagnostic::error("unknown-field", name.span, format!("there is no value `{}`", name.text));
        self.it.out.push(match near {
            Some(near) => found.help(format!("did you mean `{}`?", near.text())).replace(name.span, near),
            None => found.help("known are `input.…`, `trigger.entity.…`, results of steps such as `review.outcome`, and texts in quotes"),
        });
        None
    }
}

/// Skips a redundant `output` between a step and a field of its result, unless a field has this name.
fn without_output(rest: &[Name], is_field: impl Fn(&str) -> bool) -> &[Name] {
    match rest {
        [first, rest @ ..] if first.text == "output" && !is_field("output") => rest,
        _ => rest,
    }
}

/// True if the value of a path can be null, because a field on it is optional.
fn can_be_null(it: &Lowering<'_>, path: &Path) -> bool {
    path.fields(&it.entities).any(|field| !field.required)
}
