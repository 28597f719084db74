//! Applies events to a run and executes the commands of the engine, all in one transaction.

use std::collections::VecDeque;

use chrono::TimeDelta;
use serde_json::{Map, Value as Json, json};

use super::{
    attempts::ChangedAttempts,
    calls,
    core::{
        advance,
        event::{Attempt, Command, Event, Failure},
        state::{RunStatus, Unit},
    },
    data,
    definition::{ActionDef, Definition, GONE, Processes, StepDef},
    effects, ending,
    expr::MaybeBound,
    messages::{CallJob, MessageJob},
    start::{self, NewRun},
    store::{self, QUEUED, Run},
    tasks, value_type,
};
use crate::{
    Caller, Error, Result, Tx,
    blocking::catch_panic,
    db::{Work, is_collision},
    output::log_event,
};

/// The largest number of steps that one transaction starts.
pub(super) const STEPS: usize = 20;

/// What a transaction does if work of a step is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusals {
    /// It ends, and is repeated with savepoints. Few steps are refused, and a savepoint costs two statements.
    End,
    /// It reverts the work to a savepoint, and stores the refusal as the failure of the step.
    Store,
}

/// The code of the error that ends a transaction whose work was refused; no caller sees it.
const REFUSED: &str = "STEP_REFUSED";

/// Runs a transaction without savepoints, and repeats it with savepoints if work of it is refused.
pub(crate) fn repeat_refused<T>(mut transaction: impl FnMut(Refusals) -> Result<T>) -> Result<T> {
    match transaction(Refusals::End) {
        Err(error) if error.code == REFUSED => transaction(Refusals::Store),
        done => done,
    }
}

/// The error that ends a transaction so that it is repeated with savepoints; others concern the whole transaction.
pub(super) fn end_refused(error: Error) -> Error {
    match error.status == 503 || is_collision(&error) {
        true => error,
        false => Error::new(500, REFUSED, "A step was refused"),
    }
}

/// Applies an event, and starts at most `steps` steps that are ready. The caller has locked the run.
pub(super) fn handle(tx: &mut Tx<'_>, run: &mut Run, event: Event, steps: usize) -> Result<()> {
    handle_with(tx, run, event, steps, Refusals::Store)
}

/// As [`handle`], in a transaction that a refusal can end.
pub(super) fn handle_with(tx: &mut Tx<'_>, run: &mut Run, event: Event, steps: usize, refusals: Refusals) -> Result<()> {
    let caller = Caller { request_id: tx.caller.request_id.clone(), ..Caller::system(tx.app, tx.caller.now) };
    tx.for_caller(caller.for_tenant(run.tenant.clone()), |tx| {
        let process = match tx.state::<Processes>()?.version(&run.process, &run.version, &run.flow) {
            Err(error) if error.code == GONE && matches!(event, Event::Cancel) => return abandon(tx, run),
            found => found?,
        };
        data::refresh_trigger_row(tx, run)?;
        Drive { process: &process, run, attempts: ChangedAttempts::default(), refusals }.handle(tx, event, steps)
    })
}

/// Cancels a run whose description cannot be read, without compensations.
fn abandon(tx: &mut Tx<'_>, run: &mut Run) -> Result<()> {
    run.saved.run.abandon();
    (run.status, run.ended_at, run.due_at) = (RunStatus::Cancelled.name().to_owned(), Some(tx.caller.now), None);
    tasks::close_all(tx.conn, run.id)?;
    store::save(tx.conn, run)
}

struct Drive<'d> {
    process: &'d Definition,
    run: &'d mut Run,
    attempts: ChangedAttempts,
    refusals: Refusals,
}

impl Drive<'_> {
    fn handle(&mut self, tx: &mut Tx<'_>, event: Event, steps: usize) -> Result<()> {
        let mut events = VecDeque::from([event]);
        let mut steps_left = steps;
        loop {
            while let Some(event) = events.pop_front() {
                let before = self.run.saved.run.clone();
                let (after, commands) = advance(&self.process.flow, before.clone(), event, tx.caller.now);
                self.attempts.note(self.process, &before, &after, tx.caller.now)?;
                self.run.saved.run = after;
                for command in commands {
                    events.extend(self.execute(tx, command)?);
                }
            }
            if steps_left == 0 || self.run.saved.run.next_ready().is_none() {
                return self.save(tx);
            }
            steps_left -= 1;
            events.push_back(Event::Tick);
        }
    }

    fn save(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        let now = tx.caller.now;
        let state = &self.run.saved.run;
        let status = state.status();
        // A queued run can keep signals, and begins only after the runs before it.
        if self.run.status != QUEUED || !state.is_new() || status.is_ended() {
            self.run.status = status.name().to_owned();
            self.run.ended_at = status.is_ended().then(|| self.run.ended_at.unwrap_or(now));
            self.run.due_at = if state.next_ready().is_some() { Some(now) } else { state.next_time() };
        }
        self.attempts.store(tx.conn, self.run.id)?;
        store::save(tx.conn, self.run)?;
        if self.run.due_at.is_some() {
            tx.conn.request_wake(Work::Runs);
        }
        Ok(())
    }

    /// Runs work of a step that can be refused.
    fn attempt<T>(&self, tx: &mut Tx<'_>, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<Result<T, Failure>> {
        match self.refusals {
            Refusals::Store => attempt_in(tx, work),
            Refusals::End => catch_panic(|| work(tx)).map(Ok).map_err(end_refused),
        }
    }

    /// As [`attempt`](Drive::attempt), for the evaluation of values: without a savepoint if it executes no statement.
    fn evaluate<'v, T>(
        &self,
        tx: &mut Tx<'_>,
        values: impl IntoIterator<Item = &'v MaybeBound>,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T>,
    ) -> Result<Result<T, Failure>> {
        if values.into_iter().any(data::reads_rows) { self.attempt(tx, work) } else { settle(catch_panic(|| work(tx))) }
    }

    fn step(&self, unit: Unit) -> Result<&StepDef> {
        let found = match unit {
            Unit::Step(at) => self.process.steps.get(at),
            Unit::Undo(at) => {
                let undo = self.run.saved.run.undo.get(at);
                undo.and_then(|undo| self.process.compensations.get(undo.compensation))
            }
        };
        found.ok_or_else(|| Error::internal("a run is at a step that its process does not have"))
    }

    /// Executes a command; the result is an event that follows at once.
    fn execute(&mut self, tx: &mut Tx<'_>, command: Command) -> Result<Option<Event>> {
        match command {
            Command::Call(attempt) => self.call(tx, attempt),
            Command::StartChild(attempt) => self.start_child(tx, attempt),
            Command::CancelChild(attempt) => start::cancel_child(tx, self.run.id, &attempt).map(|()| None),
            Command::OpenTask(attempt) => self.open_task(tx, attempt),
            Command::CloseTask(attempt) => tasks::close(tx.conn, self.run.id, &attempt).map(|()| None),
            Command::Choose(attempt) => {
                let ActionDef::Condition(condition) = &self.step(attempt.unit)?.action else { return Ok(None) };
                let result = self.evaluate(tx, [condition], |tx| data::evaluate(tx, self.run, condition))?;
                Ok(Some(Event::Chosen { attempt, result: result.map(|value| value == crate::Value::Bool(true)) }))
            }
            Command::Apply(attempt) => {
                let step = self.step(attempt.unit)?;
                let result = self.attempt(tx, |tx| effects::apply(tx, self.run, &step.effects))?;
                if let (ActionDef::LlmIntent(_), Err(failure)) = (&step.action, &result) {
                    calls::refuse(tx.conn, self.run.id, &step.name, failure)?;
                }
                Ok(Some(Event::Done { attempt, result: result.map(|()| Json::Null) }))
            }
            Command::End(status) => self.end(tx, status).map(|()| None),
        }
    }

    /// Evaluates the inputs of a step and stores them with the attempt.
    fn inputs(&mut self, tx: &mut Tx<'_>, attempt: &Attempt) -> Result<Result<Map<String, Json>, Failure>> {
        let step = self.step(attempt.unit)?;
        let values = step.inputs.iter().map(|(_, value)| value);
        let inputs = self.evaluate(tx, values, |tx| {
            let inputs = data::evaluate_members(tx, self.run, &step.inputs)?;
            let typed = |(name, json): (String, Json)| {
                let currency = currency_of_input(tx, &step.action, &name);
                (name, value_type::with_currency(currency, json))
            };
            Ok(inputs.into_iter().map(typed).collect::<Map<_, _>>())
        })?;
        if let (Ok(inputs), Some(state)) = (&inputs, self.run.saved.run.unit(attempt.unit)) {
            self.attempts.note_input(attempt.unit, state, &json!(inputs))?;
        }
        Ok(inputs)
    }

    fn call(&mut self, tx: &mut Tx<'_>, attempt: Attempt) -> Result<Option<Event>> {
        let input = match self.inputs(tx, &attempt)? {
            Ok(input) => input,
            Err(failure) => return Ok(Some(Event::Done { attempt, result: Err(failure) })),
        };
        let (service, is_intent) = match &self.step(attempt.unit)?.action {
            ActionDef::Service(name) => (name.clone(), false),
            ActionDef::LlmIntent(name) => (name.clone(), true),
            ActionDef::Subprocess(_) | ActionDef::Task(_) | ActionDef::Condition(_) | ActionDef::Other => return Ok(None),
        };
        let deadline = self.run.saved.run.unit(attempt.unit).and_then(|it| it.deadline);
        let (step, key) = (self.step(attempt.unit)?.name.clone(), self.key(&attempt));
        let job = CallJob { run: self.run.id, attempt, key, service, step, is_intent, input: Json::Object(input), deadline };
        tx.spawn_job(&job)?;
        Ok(None)
    }

    /// The idempotency key: equal for all attempts of one step of one run.
    fn key(&self, attempt: &Attempt) -> String {
        let (run, visit) = (self.run.id, attempt.visit);
        let again = if visit > 1 { format!(":{visit}") } else { String::new() };
        match attempt.unit {
            Unit::Step(_) => format!("{run}:{}{again}", self.step(attempt.unit).map_or("", |step| &step.name)),
            Unit::Undo(at) => {
                let step = self.run.saved.run.undo.get(at).and_then(|undo| self.process.steps.get(undo.step));
                format!("{run}:undo:{}{again}", step.map_or("", |step| &step.name))
            }
        }
    }

    fn start_child(&mut self, tx: &mut Tx<'_>, attempt: Attempt) -> Result<Option<Event>> {
        let input = match self.inputs(tx, &attempt)? {
            Ok(input) => Json::Object(input),
            Err(failure) => return Ok(Some(Event::Done { attempt, result: Err(failure) })),
        };
        let ActionDef::Subprocess(name) = &self.step(attempt.unit)?.action else { return Ok(None) };
        let (run, name) = (self.run.id, name.clone());
        let cause = format!("{run} {}", serde_json::to_string(&attempt).map_err(Error::internal)?);
        let started = self.attempt(tx, |tx| {
            let processes = tx.state::<Processes>()?;
            let process = processes.find(&name).ok_or_else(|| data::gone(&format!("the process `{name}` no longer exists")))?;
            let new = NewRun { cause: cause.clone(), parent: Some((run, attempt)), ..NewRun::by_process(&self.run.process) };
            start::start(tx, process, &input, new)
        })?;
        let failed = match started {
            Ok(Some(_)) => return Ok(None),
            Ok(None) => Failure::new("OVERLAP", "The process is already running, and cannot run twice at a time"),
            Err(failure) => failure,
        };
        Ok(Some(Event::Done { attempt, result: Err(failed) }))
    }

    fn open_task(&mut self, tx: &mut Tx<'_>, attempt: Attempt) -> Result<Option<Event>> {
        let (run, process) = (&*self.run, self.process);
        let opened = self.attempt(tx, |tx| tasks::open(tx, run, process, &attempt))?;
        Ok(opened.err().map(|failure| Event::Refused { attempt, failure }))
    }

    fn end(&mut self, tx: &mut Tx<'_>, status: RunStatus) -> Result<()> {
        let mut output = Map::new();
        if status == RunStatus::Completed {
            for (field, value) in &self.process.output {
                let value = match value {
                    Some(value) => self.evaluate(tx, [value], |tx| data::evaluate_json(tx, self.run, value))?.unwrap_or_else(|failure| {
                        let (run, name) = (self.run.id, field.ty.name());
                        log_event!(warn, target: "dz::process", run = %run, output = name, why = %failure.detail, "an output of a run is null");
                        Json::Null
                    }),
                    None => Json::Null,
                };
                output.insert(field.ty.name().to_owned(), field.ty.normal_form(tx.app, value));
            }
        }
        self.run.saved.output = (status == RunStatus::Completed).then_some(output);
        ending::end(tx, self.run, self.process, status)
    }
}

/// The currency of an input of a step, if it is an amount.
fn currency_of_input(tx: &Tx<'_>, action: &ActionDef, name: &str) -> Option<&'static str> {
    let app = tx.app;
    let input = match action {
        ActionDef::Service(service) => app.services.iter().find(|it| it.name == service)?.input,
        ActionDef::LlmIntent(intent) => app.llm.intents.iter().find(|it| it.name == intent)?.input,
        ActionDef::Subprocess(process) => {
            let processes = tx.state::<Processes>().ok()?;
            return processes.find(process)?.input.iter().find(|(field, ..)| field.ty.name() == name)?.0.ty.currency();
        }
        ActionDef::Task(_) | ActionDef::Condition(_) | ActionDef::Other => return None,
    };
    input.iter().find(|it| it.name() == name && !it.is_list())?.field.currency
}

/// Runs `work` in a savepoint: a refusal or a panic is a failure of the step, while an unavailable database ends the transaction.
pub(super) fn attempt_in<T>(tx: &mut Tx<'_>, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<Result<T, Failure>> {
    settle(tx.savepoint(|tx| catch_panic(|| work(tx))))
}

fn settle<T>(done: Result<T>) -> Result<Result<T, Failure>> {
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(error) if error.status == 503 || is_collision(&error) => Err(error),
        Err(error) => {
            if let Some(why) = &error.internal {
                log_event!(warn, target: "dz::process", why = %why, "a step failed");
            }
            Ok(Err(data::failure(&error)))
        }
    }
}

/// Sends an event to another run, in a transaction of its own.
pub(super) fn send(tx: &mut Tx<'_>, run: uuid::Uuid, event: Event) -> Result<()> {
    tx.spawn_job(&MessageJob { run, event }).map(drop)
}

/// The delay before a run that cannot be continued is tried again.
pub(super) fn postponement(failures: i64) -> TimeDelta {
    crate::job::default_delay(u32::try_from(failures).unwrap_or(u32::MAX))
}
