//! The engine in a simulated world: time, calls, decisions, signals and crashes. One seed is one run.

use std::collections::{BTreeMap, VecDeque};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value as Json, json};

use super::{
    super::{
        advance,
        event::{Attempt, Command, Event, Failure},
        flow::{Action, Flow},
        state::{RunState, Unit},
    },
    interpreter::History,
    random::{Work, World, signal_of},
};

/// An event that comes from outside at its time.
type Due = (i64, u64);

pub(super) struct Simulation<'f> {
    flow: &'f Flow,
    world: World,
    state: RunState,
    now: i64,
    due: BTreeMap<Due, Event>,
    /// Results that were delivered, which a crash delivers again.
    delivered: Vec<Event>,
    number: u64,
    trace: Vec<(i64, String)>,
    /// The number of transactions so far, and the one after which the process is killed.
    pub transactions: u32,
    crash_after: Option<u32>,
}

/// Runs a process in the engine; with `crash_after` it is killed after that transaction. The result is its history and the number of
/// its transactions.
pub(super) fn simulate(flow: &Flow, world: World, crash_after: Option<u32>) -> (History, u32) {
    let mut it = Simulation {
        flow,
        world,
        state: RunState::default(),
        now: 0,
        due: BTreeMap::new(),
        delivered: Vec::new(),
        number: 0,
        trace: Vec::new(),
        transactions: 0,
        crash_after,
    };
    for step in 0..flow.steps.len() {
        if matches!(flow.steps[step].action, Action::WaitSignal(_)) {
            let signal = Event::Signal { name: signal_of(step), payload: Json::Null, keep: true };
            world.signals(step).into_iter().for_each(|at| it.schedule(at, signal.clone()));
        }
    }
    if let Some(at) = world.cancel() {
        it.schedule(at, Event::Cancel);
    }
    it.transaction(Event::Start);
    it.run();
    let transactions = it.transactions;
    (it.history(), transactions)
}

impl Simulation<'_> {
    fn time(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::microseconds(self.now)
    }

    fn schedule(&mut self, at: i64, event: Event) {
        self.number += 1;
        self.due.insert((at, self.number), event);
    }

    fn run(&mut self) {
        for _ in 0..10_000 {
            while self.state.next_ready().is_some() {
                self.transaction(Event::Tick);
            }
            if self.state.status().is_ended() {
                return;
            }
            let timer = self.state.next_time().map(|at| (at - DateTime::UNIX_EPOCH).num_microseconds().unwrap_or(i64::MAX));
            let outside = self.due.first_key_value().map(|((at, _), _)| *at);
            match (timer, outside) {
                (Some(timer), at) if at.is_none_or(|at| timer <= at) => {
                    self.now = timer;
                    self.transaction(Event::Tick);
                }
                (_, Some(at)) => {
                    self.now = at;
                    let Some((_, event)) = self.due.pop_first() else { return };
                    self.delivered.extend(is_result(&event).then(|| event.clone()));
                    self.transaction(event);
                }
                // It waits for a signal that is never sent.
                (_, None) => return,
            }
        }
        panic!("seed {}: the run does not end", self.world.seed);
    }

    /// One transaction: an event, and those that follow from it at once. The state is stored and read again.
    fn transaction(&mut self, event: Event) {
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            let (state, commands) = advance(self.flow, self.state.clone(), event.clone(), self.time());
            assert_eq!((&state, &commands), (&advance(self.flow, self.state.clone(), event, self.time()).0, &commands), "it is a function");
            self.state = state;
            for command in commands {
                events.extend(self.execute(command));
            }
        }
        let stored = serde_json::to_string(&self.state).expect("text");
        self.state = serde_json::from_str(&stored).expect("a state");
        self.transactions += 1;
        if self.crash_after == Some(self.transactions) {
            self.crash();
        }
    }

    /// The calls under way are made again, with the same key and the same result; and every earlier result arrives once more.
    fn crash(&mut self) {
        let under_way: Vec<(i64, Event)> =
            self.due.iter().filter(|(_, event)| is_result(event)).map(|((at, _), it)| (*at, it.clone())).collect();
        under_way.into_iter().for_each(|(at, event)| self.schedule(at, event));
        let late = self.now + 1;
        std::mem::take(&mut self.delivered).into_iter().for_each(|event| self.schedule(late, event));
    }

    fn work(&self, attempt: &Attempt) -> Work {
        match attempt.unit {
            Unit::Step(at) => Work::Step(at, attempt.visit),
            Unit::Undo(at) => Work::Undo(self.state.undo[at].step, attempt.visit),
        }
    }

    fn execute(&mut self, command: Command) -> Option<Event> {
        let failed = || Err(Failure::new("DOWN", "It is down"));
        match command {
            Command::Call(attempt) | Command::StartChild(attempt) => {
                let work = self.work(&attempt);
                let (duration, ok) = self.world.call(work, attempt.number);
                self.trace.push((self.now, format!("call {work:?} {}", attempt.number)));
                let result = if ok { Ok(json!({})) } else { failed() };
                self.schedule(self.now + duration, Event::Done { attempt, result });
                None
            }
            Command::OpenTask(attempt) => {
                let Unit::Step(step) = attempt.unit else { return None };
                let Action::Task(outcomes) = &self.flow.steps[step].action else { return None };
                let (duration, outcome) = self.world.decision(self.work(&attempt), attempt.number, outcomes.len());
                let decided = Event::Decided { step, visit: attempt.visit, outcome, output: json!({ "number": attempt.number }) };
                self.schedule(self.now + duration, decided);
                None
            }
            // A task that was withdrawn is not decided.
            Command::CloseTask(attempt) => {
                self.due.retain(|_, event| !matches!(event, Event::Decided { step, .. } if Unit::Step(*step) == attempt.unit));
                None
            }
            Command::Choose(attempt) => {
                let Unit::Step(step) = attempt.unit else { return None };
                Some(Event::Chosen { attempt, result: Ok(self.world.condition(step, attempt.visit)) })
            }
            Command::Apply(attempt) => {
                let work = self.work(&attempt);
                let accepted = self.world.accepts(work, attempt.number);
                if accepted {
                    self.trace.push((self.now, format!("rows {work:?} {}", attempt.number)));
                }
                Some(Event::Done { attempt, result: if accepted { Ok(Json::Null) } else { failed() } })
            }
            Command::CancelChild(_) | Command::End(_) => None,
        }
    }

    fn history(mut self) -> History {
        self.trace.sort();
        let steps = self.state.steps.iter().map(|(at, it)| (*at, (it.phase.status(), it.visit, it.attempt)));
        let undone = self.state.undo.iter().filter(|undo| undo.unit.attempt > 0);
        History {
            status: self.state.status().name().to_owned(),
            steps: steps.collect(),
            undone: undone.map(|undo| (undo.step, undo.unit.phase.status() == "completed")).collect(),
            trace: self.trace,
        }
    }
}

/// A decision is not repeated: it is a part of the transaction that closes its task.
fn is_result(event: &Event) -> bool {
    matches!(event, Event::Done { .. })
}
