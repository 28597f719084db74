//! The text of services, processes, schedules and questions of a model, line by line.

use std::fmt::Write;

use dz_dsl_file::model::{
    Answer, DataPath, DataRoot, Duration, Effect, Expr, Flow, LlmIntent, Model, Path, Process, PromptPart, Retry, Rows, Runs, Schedule,
    Service, Step, StepAction, Target, TargetKind, Trigger, ValueField, ValueType, When, WhichRows, Word,
};

/// Prints a model.
pub struct Show<'m> {
    /// The whole model.
    pub model: &'m Model,
}

impl Show<'_> {
    fn ty(&self, ty: &ValueType) -> String {
        match ty {
            ValueType::One(ty) => format!("{ty:?}"),
            ValueType::List(inner) => format!("list[{}]", self.ty(inner)),
            ValueType::Printable => "anything".to_owned(),
        }
    }

    fn field(&self, field: &ValueField) -> String {
        let required = if field.required { " required" } else { "" };
        let default = field.default.as_ref().map_or_else(String::new, |value| format!(" = {}", self.expr(value)));
        let sensitive = if field.sensitive { " sensitive" } else { "" };
        format!("{}: {}{required}{sensitive}{default}", field.name, self.ty(&field.ty))
    }

    pub fn service(&self, service: &Service, out: &mut String) {
        let stub = service.stub.map_or("no stub", Word::word);
        let _ = writeln!(out, "service {} {:?} {} {stub} {:?}", service.name, service.title, service.kind.word(), service.guarantees);
        service.input.iter().for_each(|field| line(out, format!("  in {}", self.field(field))));
        service.output.iter().for_each(|field| line(out, format!("  out {}", self.field(field))));
        if let Some(adapter) = &service.adapter {
            let auth = adapter.auth.as_ref().map(|auth| (auth.kind.word(), &auth.options));
            let spec = adapter.spec.as_ref().map(|spec| (spec.form.word(), &spec.text));
            let _ = writeln!(out, "  adapter {spec:?} {auth:?} {:?}", adapter.owner);
        }
    }

    pub fn process(&self, process: &Process, out: &mut String) {
        let stories = process.implements.len();
        let timeout = process.timeout.map_or("none".to_owned(), length);
        let _ = writeln!(
            out,
            "process {} {:?} {stories} stories timeout {timeout}, overlap {}",
            process.name,
            process.title,
            process.overlap.word()
        );
        let _ = writeln!(out, "  trigger {}", self.trigger(&process.trigger));
        for input in &process.input {
            let from = input.from_trigger.as_ref().map_or_else(String::new, |value| format!(" <- {}", self.expr(value)));
            let _ = writeln!(out, "  in {}{from}", self.field(&input.field));
        }
        for output in &process.output {
            let from = output.value.as_ref().map_or_else(String::new, |value| format!(" <- {}", self.expr(value)));
            let _ = writeln!(out, "  out {}{from}", self.field(&output.field));
        }
        process.emits.iter().for_each(|it| line(out, format!("  {:?} emits {}", it.event, it.signal.name)));
        self.flow(&process.flow, out);
    }

    pub fn trigger(&self, trigger: &Trigger) -> String {
        let entity = trigger.entity_event().map(|(entity, event)| format!("{} {}", self.model.entity(entity).name, event.word()));
        match trigger {
            Trigger::Manual(roles) => {
                let roles: Vec<&str> = roles.iter().map(|role| self.model.personas[role.it.0].name.as_str()).collect();
                if roles.is_empty() { "manual".to_owned() } else { format!("manual {}", roles.join(", ")) }
            }
            Trigger::Entity { .. } => entity.unwrap_or_default(),
            Trigger::Change { entity: of, field, from, to } => {
                let field = &self.model.field(of.it, field.it).name;
                format!("{}: {field} {:?} -> {}", entity.unwrap_or_default(), from.map(|from| from.it), to.it)
            }
            Trigger::Signal(signal) => format!("signal {}", signal.name),
            Trigger::Completed(process) => format!("after {}", self.model.processes[process.it.0].name),
            Trigger::Cron(cron) => {
                format!("cron {:?} {:x} {:x} {:x} {:x} {:x}", cron.text, cron.minutes, cron.hours, cron.days, cron.months, cron.weekdays)
            }
        }
    }

    fn flow(&self, flow: &Flow, out: &mut String) {
        for (at, step) in flow.steps.iter().enumerate() {
            let inside = step.parent.map_or_else(String::new, |parent| format!(" in {}", flow.step(parent).name));
            let _ = writeln!(out, "  {at} {}{inside}: {}", step.name, self.action(&step.action, flow));
            self.step(step, flow, out);
        }
        for undo in &flow.compensations {
            let _ = writeln!(out, "  undo {}: {}", undo.name, self.action(&undo.action, flow));
            undo.inputs.iter().for_each(|it| line(out, format!("    {} -> {}", self.expr(&it.value), it.input.it)));
            undo.effects.iter().for_each(|it| line(out, format!("    {}", self.effect(it))));
        }
    }

    fn step(&self, step: &Step, flow: &Flow, out: &mut String) {
        step.inputs.iter().for_each(|it| line(out, format!("    {} -> {}", self.expr(&it.value), it.input.it)));
        if let Some(task) = step.task() {
            for outcome in &task.outcomes {
                let sets: Vec<String> = outcome
                    .sets
                    .iter()
                    .map(|(field, value)| format!("{} := {}", self.model.field(task.entity.it, field.it).name, self.expr(value)))
                    .collect();
                let goto = target(&outcome.goto, flow);
                let _ = writeln!(out, "    {} {:?} -> {goto} {sets:?} {:?}", outcome.name, outcome.title, outcome.confirm);
            }
        }
        step.effects.iter().for_each(|it| line(out, format!("    {}", self.effect(it))));
        let timeout = step.timeout.map_or_else(String::new, |it| format!(", timeout {}", length(it)));
        let retry = step.retry.map_or_else(String::new, |it| format!(", {}", tried(it)));
        let named = step.output.as_ref().map_or_else(String::new, |it| format!(", gives {}", it.name));
        let undo = step.compensate.map_or_else(String::new, |it| format!(", undone by {}", flow.compensations[it.it.0].name));
        let _ = writeln!(
            out,
            "    next {}, on failure {}{timeout}{retry}{named}{undo}",
            target(&step.next, flow),
            target(&step.on_failure, flow)
        );
    }

    fn action(&self, action: &StepAction, flow: &Flow) -> String {
        match action {
            StepAction::Service(it) => format!("service {}", self.model.services[it.it.0].name),
            StepAction::Subprocess(it) => format!("process {}", self.model.processes[it.it.0].name),
            StepAction::LlmIntent(it) => format!("intent {}", self.model.llm_intents[it.it.0].name),
            StepAction::HumanTask(task) => {
                let surface = task.surface.map(|surface| self.model.surfaces[surface.it.0].name.as_str());
                let role = task.assignee_role.map(|role| self.model.personas[role.it.0].name.as_str());
                let person = task.assignee.as_ref().map(|it| self.expr(it));
                let row = task.row.as_ref().map(|it| self.expr(it));
                let outcomes = &self.model.enums[task.outcome_enum.0];
                let entity = &self.model.entity(task.entity.it).name;
                let timeout = task.timeout.map(length);
                format!("task {surface:?} {entity} {row:?} by {role:?} {person:?} within {timeout:?} as {}", outcomes.name)
            }
            StepAction::WaitFor(it) => format!("wait {}", length(*it)),
            StepAction::WaitSignal(signal) => format!("wait for {}", signal.name),
            StepAction::Condition { condition, on_true, on_false } => {
                format!("if {} then {} else {}", self.expr(&condition.it), target(on_true, flow), target(on_false, flow))
            }
            StepAction::Parallel { branches, on_any_failure } => {
                let names: Vec<&str> = branches.iter().map(|id| flow.step(*id).name.as_str()).collect();
                format!("side by side {names:?} {}", on_any_failure.word())
            }
            StepAction::Effects => "effects".to_owned(),
        }
    }

    fn rows(&self, rows: &Rows) -> String {
        let entity = &self.model.entity(rows.entity.it).name;
        match &rows.which {
            WhichRows::Row(row) => format!("{entity} {}", self.expr(row)),
            WhichRows::Where(filter) => format!("{entity} where {}", self.expr(&filter.it)),
        }
    }

    fn effect(&self, effect: &Effect) -> String {
        let (what, entity, values) = match effect {
            Effect::Create { entity, values } => (format!("create {}", self.model.entity(entity.it).name), entity.it, values.as_slice()),
            Effect::Update { rows, values } => (format!("update {}", self.rows(rows)), rows.entity.it, values.as_slice()),
            Effect::Delete { rows } => return format!("delete {}", self.rows(rows)),
            Effect::Emit(signal) => return format!("emit {}", signal.name),
        };
        let value = |(field, value): &(dz_dsl_file::model::Placed<dz_dsl_file::model::FieldId>, Expr)| {
            format!("{} := {}", self.model.field(entity, field.it).name, self.expr(value))
        };
        format!("{what} {:?}", values.iter().map(value).collect::<Vec<_>>())
    }

    pub fn schedule(&self, schedule: &Schedule, out: &mut String) {
        let when = match &schedule.when {
            When::Cron(cron) => format!("at {:?}", cron.text),
            When::Every(it) => format!("every {}", length(*it)),
        };
        let (catch_up, overlap) = (schedule.catch_up, schedule.overlap.word());
        let _ = writeln!(out, "schedule {} {when} in {} catch up {catch_up}, overlap {overlap}", schedule.name, schedule.timezone);
        match &schedule.runs {
            Runs::Process(process) => line(out, format!("  runs {}", self.model.processes[process.it.0].name)),
            Runs::Flow(flow) => self.flow(flow, out),
        }
    }

    pub fn intent(&self, intent: &LlmIntent, out: &mut String) {
        let model = &self.model.llm_models[intent.model.it.0].name;
        let schema = intent.output_schema.map(|schema| self.model.entity(schema.it).name.as_str());
        let (timeout, retry) = (intent.timeout.map(length), intent.retry.map(tried));
        let pii = intent.pii.map(Word::word);
        let _ = writeln!(out, "intent {} asks {model} for {schema:?} within {timeout:?} {retry:?}, {pii:?}", intent.name);
        intent.input.iter().for_each(|field| line(out, format!("  in {}", self.field(field))));
        for part in &intent.prompt {
            let _ = match part {
                PromptPart::Text(text) => writeln!(out, "  {text:?}"),
                PromptPart::Input(at, None) => writeln!(out, "  <{at}>"),
                PromptPart::Input(at, Some(path)) => writeln!(out, "  <{at}.{}>", self.path(path)),
            };
        }
        let Some(trigger) = &intent.trigger else { return };
        let when = trigger.when.as_ref().map(|when| self.expr(&when.it));
        let entity = self.model.entity(trigger.entity.it);
        let _ = writeln!(out, "  on {} {} when {when:?}", entity.name, trigger.event.word());
        trigger.input_map.iter().for_each(|(at, path)| line(out, format!("  {} -> {}", self.path(path), at.it)));
        for (field, answer) in &trigger.write_back {
            let from = match (answer, intent.output_schema) {
                (Answer::Field(at), Some(schema)) => self.model.field(schema.it, *at).name.clone(),
                _ => "all".to_owned(),
            };
            let _ = writeln!(out, "  {from} -> {}", self.model.field(trigger.entity.it, field.it).name);
        }
    }

    fn path(&self, path: &Path) -> String {
        let mut entity = path.from;
        let mut names = Vec::new();
        for field in path.hops.iter().chain([&path.field]) {
            let field = self.model.field(entity, *field);
            names.push(field.name.as_str());
            if let dz_dsl_file::model::FieldType::Ref(target) = field.ty {
                entity = target;
            }
        }
        names.join(".")
    }

    fn data(&self, data: &DataPath) -> String {
        let root = match data.root {
            DataRoot::TriggerRow => "row".to_owned(),
            DataRoot::TriggerOutput(at) => format!("before#{at}"),
            DataRoot::TriggerPayload => "payload".to_owned(),
            DataRoot::Input(at) => format!("input#{at}"),
            DataRoot::Output(step, at) => format!("step{}#{at}", step.0),
            DataRoot::Answer(step, field) => format!("step{}.answer#{}", step.0, field.0),
            DataRoot::AnswerText(step) => format!("step{}.text", step.0),
            DataRoot::Outcome(step) => format!("step{}.outcome", step.0),
            DataRoot::DecidedBy(step) => format!("step{}.by", step.0),
            DataRoot::DecidedAt(step) => format!("step{}.at", step.0),
            DataRoot::Payload(step) => format!("step{}.payload", step.0),
        };
        let rest = data.rest.as_ref().map_or_else(String::new, |path| format!(".{}", self.path(path)));
        let optional = if data.optional { "?" } else { "" };
        format!("{root}{rest}{optional}")
    }

    fn expr(&self, expr: &Expr) -> String {
        let list = |items: &[Expr], sign: &str| items.iter().map(|it| self.expr(it)).collect::<Vec<_>>().join(sign);
        match expr {
            Expr::Data(data) => self.data(data),
            Expr::Path(path) => self.path(path),
            Expr::EnumValue(id, at) => self.model.enums[id.0].values[*at].name.clone(),
            Expr::Text(text) => format!("{text:?}"),
            Expr::Int(number) => number.to_string(),
            Expr::And(items) => format!("({})", list(items, " and ")),
            Expr::Or(items) => format!("({})", list(items, " or ")),
            Expr::List(items) => format!("[{}]", list(items, ", ")),
            Expr::In(value, items) => format!("{} in {}", self.expr(value), self.expr(items)),
            Expr::Not(inner) => format!("not {}", self.expr(inner)),
            Expr::Compare(op, left, right) => format!("{} {op:?} {}", self.expr(left), self.expr(right)),
            Expr::Arithmetic(op, left, right, _) => format!("({} {op:?} {})", self.expr(left), self.expr(right)),
            other => format!("{other:?}"),
        }
    }
}

fn line(out: &mut String, text: String) {
    out.push_str(&text);
    out.push('\n');
}

fn target(target: &Target, flow: &Flow) -> String {
    match target.to {
        TargetKind::Step(id) => flow.step(id).name.clone(),
        TargetKind::Complete => "complete".to_owned(),
        TargetKind::Fail => "fail".to_owned(),
    }
}

fn length(it: Duration) -> String {
    match (it.months, it.seconds) {
        (0, seconds) => format!("{seconds}s"),
        (months, _) => format!("{months} months"),
    }
}

fn tried(retry: Retry) -> String {
    format!("{} times {} after {}", retry.max_attempts, retry.backoff.word(), length(retry.interval))
}
