//! What becomes of services, processes, schedules and language models: the model, line by line.

use std::fmt::Write;

use dz_dsl_file::{
    Severity, SourceMap, analyse,
    model::{
        Answer, DataPath, DataRoot, Duration, Effect, Expr, Flow, LlmIntent, Model, Path, Process, PromptPart, Retry, Rows, Runs, Schedule,
        Service, Step, StepAction, Target, TargetKind, Trigger, ValueField, ValueType, When, WhichRows, Word,
    },
    render,
};
use expect_test::{Expect, expect};

const ORDER: &str = r#"entity Order:
  id: uuid pk
  total: decimal(8,2) = 0
  owner: ref User required
  note: text
  status: enum[open, "on hold", done] = open
  permit:
    list: true
    read: true
surface orders:
  uses entity Order
  mode: view
persona boss
service price:
  input:
    order: ref Order required
    tax: int = 1
  output:
    sum: decimal(8,2) required
  stub: rust
"#;

/// Everything that a text declares besides the order, or what is wrong with it.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let files = SourceMap::single("t", format!("{ORDER}{text}"));
    let analysis = analyse(files);
    let mut shown = String::new();
    for found in analysis.diagnostics.iter().filter(|it| it.severity < Severity::Lint) {
        let _ = writeln!(shown, "{}", render::short(&analysis.files, found).trim_start_matches("t:"));
    }
    if let Some(model) = &analysis.model {
        let it = Show { model };
        model.services.iter().skip(1).for_each(|service| it.service(service, &mut shown));
        model.processes.iter().for_each(|process| it.process(process, &mut shown));
        model.schedules.iter().for_each(|schedule| it.schedule(schedule, &mut shown));
        for llm in &model.llm_models {
            let keys = (&llm.base_url, &llm.api_key_env, &llm.cost_per_1k_input, &llm.cost_per_1k_output);
            let (provider, tier) = (llm.provider.word(), llm.tier.word());
            let _ = writeln!(shown, "model {} {:?} {provider} {} {tier} {:?} {keys:?}", llm.name, llm.title, llm.model_id, llm.max_tokens);
        }
        model.llm_intents.iter().for_each(|intent| it.intent(intent, &mut shown));
    }
    expected.assert_eq(&shown);
}

struct Show<'m> {
    model: &'m Model,
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

    fn service(&self, service: &Service, out: &mut String) {
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

    fn process(&self, process: &Process, out: &mut String) {
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
        process.emits.iter().for_each(|it| line(out, format!("  {:?} emits {}", it.moment, it.signal.name)));
        self.flow(&process.flow, out);
    }

    fn trigger(&self, trigger: &Trigger) -> String {
        let entity = trigger.entity_event().map(|(entity, event)| format!("{} {}", self.model.entity(entity).name, event.word()));
        match trigger {
            Trigger::Manual => "manual".to_owned(),
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

    fn schedule(&self, schedule: &Schedule, out: &mut String) {
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

    fn intent(&self, intent: &LlmIntent, out: &mut String) {
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

#[test]
fn services_have_typed_inputs_and_outputs() {
    check(
        r#"
service a "A":
  kind: validation
  input:
    name: str
    code: str(3) required sensitive
    state: enum[on, off] = on
    tags: list[list[int]] = []
    who: ref User
  output:
    ok: bool required
  guarantees:
    - "Fast"
    - "Sure"
  stub: python
service b:
  spec: "https://api.example.com/spec"
  auth_profile: oauth2_pkce scopes="a b" realm=x
  owner: finance
service c:
  spec: inline "openapi: 3"
"#,
        expect![[r#"
            service a "A" validation python ["Fast", "Sure"]
              in name: Text
              in code: Str(3) required sensitive
              in state: Enum(EnumId(2)) = on
              in tags: list[list[Int { wide: false }]] = []
              in who: Ref(EntityId(1))
              out ok: Bool required
            service b "B" integration no stub []
              adapter Some(("url", "https://api.example.com/spec")) Some(("oauth2_pkce", [("scopes", "a b"), ("realm", "x")])) Some("finance")
            service c "C" integration no stub []
              adapter Some(("inline", "openapi: 3")) None None
        "#]],
    );
}

#[test]
fn every_form_of_a_trigger_is_known() {
    const TRIGGERS: &[&str] = &[
        "entity Order created",
        "entity Order updated",
        "entity Order deleted",
        "entity Order status open -> done",
        "entity Order status -> \"on hold\"",
        "entity Order status * -> done",
        "entity Order state -> done",
        "manual",
        "signal paid",
        "process q completed",
        "process q",
        "cron \"5 4 1-2 jan,mar 0\"",
        "cron 5 4 * * *",
        "entity Order",
        "sometimes",
        "\n    when: entity Order created",
    ];
    let mut shown = String::new();
    for trigger in TRIGGERS {
        let steps = "  steps:\n    step a:\n      wait: 1h\n";
        let text = format!("{ORDER}process q:\n{steps}process p:\n  trigger: {trigger}\n{steps}");
        let analysis = analyse(SourceMap::single("t", text));
        let found = analysis.diagnostics.iter().find(|it| it.severity < Severity::Lint).map(|it| it.message.clone());
        let known = analysis.model.as_ref().and_then(|model| Some(Show { model }.trigger(&model.processes.get(1)?.trigger)));
        let _ = writeln!(shown, "{}: {}", trigger.trim(), found.or(known).unwrap_or_default());
    }
    expect![[r#"
        entity Order created: Order created
        entity Order updated: Order updated
        entity Order deleted: Order deleted
        entity Order status open -> done: Order updated: status Some(0) -> 2
        entity Order status -> "on hold": Order updated: status None -> 1
        entity Order status * -> done: Order updated: status None -> 2
        entity Order state -> done: `Order` has no enum field `state`
        manual: manual
        signal paid: signal paid
        process q completed: after q
        process q: expected `completed`, but the line ends
        cron "5 4 1-2 jan,mar 0": cron "5 4 1-2 jan,mar 0" 20 10 6 a 1
        cron 5 4 * * *: expected a text in quotes, but found `5`
        entity Order: expected `created`, `updated`, `deleted` or a change such as `status -> done`, but the line ends
        sometimes: `sometimes` starts no process
        when: entity Order created: Order created
    "#]]
    .assert_eq(&shown);
}

#[test]
fn inputs_come_from_what_starts_a_process() {
    check(
        r#"
process p:
  trigger: entity Order created
  input:
    order: ref Order required
    order_id: uuid
    total: decimal(8,2) required
    note: str
    day: date = today
    other: int
  output:
    order: uuid = input.order
    sum: decimal(8,2)
  steps:
    - step a:
        service: price
        inputs: input.order -> order
process q:
  trigger: process p completed
  input:
    sum: decimal(8,2)
    x: int = 3
  steps:
    - step a:
        condition: trigger.output.order != null and input.sum > 3
        on_false: fail
"#,
        expect![[r#"
            process p "P" 0 stories timeout none, overlap allow
              trigger Order created
              in order: Ref(EntityId(0)) required <- row
              in order_id: Uuid <- row.id
              in total: Decimal { precision: 8, scale: 2 } required <- row.total
              in note: Text <- row.note?
              in day: Date = Today
              in other: Int { wide: false }
              out order: Uuid <- input#0
              out sum: Decimal { precision: 8, scale: 2 } <- step0#0
              0 a: service price
                input#0 -> 0
                next complete, on failure fail
            process q "Q" 0 stories timeout none, overlap allow
              trigger after p
              in sum: Decimal { precision: 8, scale: 2 } <- before#1?
              in x: Int { wide: false } = 3
              0 a: if (before#0? Ne Null and input#0? Gt 3) then complete else fail
                next complete, on failure fail
        "#]],
    );
}

#[test]
fn values_of_a_process_have_several_spellings() {
    check(
        r#"
process p:
  trigger: entity Order status -> done
  input:
    total: decimal(8,2)
  steps:
    - step a:
        service: price
        inputs: trigger.entity -> order
        output: priced
    - step b:
        service: price
        inputs:
          - Order.id -> order
    - step c:
        condition: a.sum > 1 and steps.a.sum > 1 and priced.sum > 1 and a.output.sum > 1 and steps.b.sum > total + input.total
        on_false: fail
    - step d:
        human_task:
          assignee: owner
          outcomes:
            - yes "Yes":
                confirm: true
                sets: Order.status -> "on hold", trigger.entity.note -> d.outcome, entity.owner -> d.by
            - no
    - step e:
        wait: paid
        output: payment
    - step f:
        condition: d.outcome in [yes, no] and d.at > now and d.by.email != note and not status = open
        on_true: complete
        on_false: fail
"#,
        expect![[r#"
            36:20: warning[redundant-condition]: the condition of step `c` says the same condition twice
            process p "P" 0 stories timeout none, overlap allow
              trigger Order updated: status None -> 2
              in total: Decimal { precision: 8, scale: 2 } <- row.total
              0 a: service price
                row -> 0
                next b, on failure fail, gives priced
              1 b: service price
                row.id -> 0
                next c, on failure fail
              2 c: if (step0#0 Gt 1 and step0#0 Gt 1 and step0#0 Gt 1 and step0#0 Gt 1 and step1#0 Gt (total Add input#0?)) then d else fail
                next d, on failure fail
              3 d: task None Order Some("row") by None Some("owner") within None as PDOutcome
                yes "Yes" -> e ["status := on hold", "note := step3.outcome", "owner := step3.by"] Some("Yes?")
                no "No" -> e [] None
                next e, on failure fail
              4 e: wait for paid
                next f, on failure fail, gives payment
              5 f: if (step3.outcome in [yes, no] and step3.at Gt Now and step3.by.email Ne note and not status Eq open) then complete else fail
                next complete, on failure fail
        "#]],
    );
}

#[test]
fn steps_go_on_where_they_say() {
    check(
        r#"
process p:
  timeout: 2 weeks
  overlap: cancel_previous
  emits: x, y
  step a:
    service: price
    inputs: input.o -> order, 2 -> tax
    timeout: 90s
    retry:
      max_attempts: 4
      backoff: fixed
      interval: 2 minutes
    on_success: c
    on_failure: b
    compensate: undo
  step b:
    wait: 1 month
    goto: fail
  parallel c:
    steps:
      - step d:
          wait: 1h
      - step e:
          wait: signal ok
          timeout: 1d
          on_failure: complete
    on_any_failure: wait_all
    goto: f
  step f:
    subprocess: q
    inputs: input.o.owner -> who
    retry: 2
  input:
    o: ref Order required
  compensations:
    - compensate undo:
        effects:
          - update input.o: status: open, note: null
          - emit x
process q:
  emits:
    on_start: s
    on_failure: t
    - u
  input:
    who: ref User required
  steps:
    - step g:
        effects:
          - create Order:
              owner: input.who
    - step h:
        wait: 1h
"#,
        expect![[r#"
            process p "P" 0 stories timeout 1209600s, overlap cancel_previous
              trigger manual
              in o: Ref(EntityId(0)) required
              Complete emits x
              Complete emits y
              0 a: service price
                input#0 -> 0
                2 -> 1
                next c, on failure b, timeout 90s, 4 times fixed after 120s, undone by undo
              1 b: wait 1 months
                next fail, on failure fail
              2 c: side by side ["d", "e"] wait_all
                next f, on failure fail
              3 d in c: wait 3600s
                next complete, on failure fail
              4 e in c: wait for ok
                next complete, on failure complete, timeout 86400s
              5 f: process q
                input#0.owner -> 0
                next complete, on failure fail, 2 times exponential after 1s
              undo undo: effects
                update Order input#0 ["status := open", "note := Null"]
                emit x
            process q "Q" 0 stories timeout none, overlap allow
              trigger manual
              in who: Ref(EntityId(1)) required
              Start emits s
              Failure emits t
              Complete emits u
              0 g: effects
                create Order ["owner := input#0"]
                next h, on failure fail
              1 h: wait 3600s
                next complete, on failure fail
        "#]],
    );
}

#[test]
fn effects_name_their_rows() {
    check(
        r#"
process p:
  trigger: entity Order created
  steps:
    - step a:
        effects:
          - create Order: owner: owner, total: total * 2
          - update Order:
              where: status = done and owner = trigger.entity.owner and id != trigger.entity.id
              set:
                - note -> "done"
                status -> open
          - delete trigger.entity
          - delete Order: where: total = 0
          - emit x
"#,
        expect![[r#"
            23:19: warning[endless-trigger]: `p` starts itself again: it is started by a row that is created, as its own are
            process p "P" 0 stories timeout none, overlap allow
              trigger Order created
              0 a: effects
                create Order ["owner := owner", "total := (total Mul 2)"]
                update Order where (status Eq done and owner Eq row.owner and id Ne row.id) ["note := \"done\"", "status := open"]
                delete Order row
                delete Order where total Eq 0
                emit x
                next complete, on failure fail
        "#]],
    );
}

#[test]
fn schedules_run_a_process_or_steps() {
    check(
        r#"
app shop:
  timezone: "Europe/Berlin"
process p:
  input:
    day: date = today
  steps:
    - step a:
        wait: 1h
schedule a:
  cron: "@daily"
  timezone: Asia/Tokyo
  catch_up: true
  overlap: queue
  process: p
schedule b:
  interval: 90min
  steps:
    - step a:
        subprocess: p
        inputs: today -> day
"#,
        expect![[r#"
            process p "P" 0 stories timeout none, overlap allow
              trigger manual
              in day: Date = Today
              0 a: wait 3600s
                next complete, on failure fail
            schedule a at "@daily" in Asia/Tokyo catch up true, overlap queue
              runs p
            schedule b every 5400s in Europe/Berlin catch up false, overlap skip
              0 a: process p
                Today -> 0
                next complete, on failure fail
        "#]],
    );
}

#[test]
fn language_models_are_asked_by_events_and_by_steps() {
    check(
        r#"
llm_model m "M":
  provider: openai
  model_id: gpt-4.1-mini-2025
  tier: quality
  max_tokens: 100
  base_url: "http://localhost:8080/v1"
  api_key_env: KEY_1
  cost_per_1k_input: 0.10
llm_intent a:
  model: m
  prompt: 'Sum up {{input.note}}, {{ input.note }}.'
  timeout: 1 minute
  retry: 3
  pii: reject
  trigger:
    on_entity: Order
    on_event: updated
    when: status = done or entity.total > 3
    input_map:
      note: note
    write_back:
      note: output
      output -> status
llm_intent b:
  model: m
  input:
    order: ref Order required
  prompt: """
    Of {{ input.order.owner.email }}:
    {{ input.order }}
    """
  output_schema: Order
process p:
  trigger: entity Order created
  steps:
    - step a:
        llm_intent: b
        inputs: trigger.entity -> order
    - step b:
        llm_intent: a
        inputs: a.total -> note
        output: words
    - step c:
        effects:
          - update trigger.entity: note: words, owner: a.owner
"#,
        expect![[r#"
            process p "P" 0 stories timeout none, overlap allow
              trigger Order created
              0 a: intent b
                row -> 0
                next b, on failure fail
              1 b: intent a
                step0.answer#1 -> 0
                next c, on failure fail, gives words
              2 c: effects
                update Order row ["note := step1.text", "owner := step0.answer#2"]
                next complete, on failure fail
            model m "M" openai gpt-4.1-mini-2025 quality Some(100) (Some("http://localhost:8080/v1"), Some("KEY_1"), Some("0.10"), None)
            intent a asks m for None within Some("60s") Some("3 times exponential after 1s"), Some("reject")
              in note: anything required
              "Sum up "
              <0>
              ", "
              <0>
              "."
              on Order updated when Some("(status Eq done or row.total Gt 3)")
              note -> 0
              all -> note
              all -> status
            intent b asks m for Some("Order") within None None, None
              in order: Ref(EntityId(0)) required
              "Of "
              <0.owner.email>
              ":\n"
              <0>
        "#]],
    );
}
