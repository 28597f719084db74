//! The engine without a database.

mod interpreter;
mod model;
mod random;
mod simulation;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value as Json, json};

use super::{
    advance,
    event::{Attempt, Command, Event, Failure},
    flow::{Action, Compensation, Delay, FailurePolicy, Flow, Step, Target},
    retry::Retry,
    state::{Phase, RunState, RunStatus, Unit},
};
use crate::def::Backoff;

fn step(action: Action, next: Target) -> Step {
    Step { action, parent: None, has_effects: false, timeout: None, retry: None, next, on_failure: Target::Fail, compensate: None }
}

/// Steps that call, one after the other.
fn calls(count: usize) -> Flow {
    let next = |at| if at + 1 < count { Target::Step(at + 1) } else { Target::Complete };
    Flow { steps: (0..count).map(|at| step(Action::Call, next(at))).collect(), ..Flow::default() }
}

fn undo() -> Compensation {
    Compensation { action: Action::Call, has_effects: false, timeout: None, retry: None }
}

/// A run with its clock.
struct Bench {
    flow: Flow,
    state: RunState,
    now: DateTime<Utc>,
}

impl Bench {
    fn start(flow: Flow) -> Bench {
        let mut bench = Bench { flow, state: RunState::default(), now: DateTime::UNIX_EPOCH };
        bench.send(Event::Start);
        bench
    }

    fn send(&mut self, event: Event) -> Vec<Command> {
        let (state, commands) = advance(&self.flow, std::mem::take(&mut self.state), event, self.now);
        self.state = state;
        commands
    }

    /// Ticks until nothing is ready.
    fn settle(&mut self) -> Vec<Command> {
        let mut all = self.send(Event::Tick);
        while self.state.next_ready().is_some() {
            all.extend(self.send(Event::Tick));
        }
        all
    }

    fn answer(&mut self, attempt: Attempt, result: Result<Json, Failure>) -> Vec<Command> {
        let mut all = self.send(Event::Done { attempt, result });
        all.extend(self.settle());
        all
    }
}

fn called(commands: &[Command]) -> Vec<Attempt> {
    commands.iter().filter_map(|it| if let Command::Call(attempt) = it { Some(*attempt) } else { None }).collect()
}

fn failed() -> Failure {
    Failure::new("DOWN", "The service is down")
}

#[test]
fn steps_follow_each_other_and_a_late_result_changes_nothing() {
    let mut bench = Bench::start(calls(2));
    let first = called(&bench.settle())[0];
    let second = called(&bench.answer(first, Ok(json!({ "a": 1 }))))[0];
    assert_eq!((first.unit, second.unit), (Unit::Step(0), Unit::Step(1)));
    let before = bench.state.clone();
    assert!(bench.send(Event::Done { attempt: first, result: Err(failed()) }).is_empty());
    assert_eq!(bench.state, before, "the first step has ended");
    assert_eq!(bench.answer(second, Ok(Json::Null)), [Command::End(RunStatus::Completed)]);
    assert_eq!(bench.state.steps[&0].output, json!({ "a": 1 }));
}

#[test]
fn a_failed_attempt_is_repeated_after_its_delay_and_then_the_run_is_compensated_in_reverse_order() {
    let mut flow = calls(3);
    flow.compensations = vec![undo(), undo()];
    (flow.steps[0].compensate, flow.steps[1].compensate) = (Some(0), Some(1));
    flow.steps[2].retry = Some(Retry { max_attempts: 2, backoff: Backoff::Exponential, interval: Delay { months: 0, seconds: 4 } });
    let mut bench = Bench::start(flow);
    for _ in 0..2 {
        let attempt = bench.state.attempt(if bench.state.steps.contains_key(&1) { Unit::Step(1) } else { Unit::Step(0) });
        let attempt = called(&bench.settle()).pop().unwrap_or(attempt);
        bench.send(Event::Done { attempt, result: Ok(Json::Null) });
    }
    let attempt = called(&bench.settle())[0];
    assert!(called(&bench.answer(attempt, Err(failed()))).is_empty());
    assert_eq!((bench.state.status(), bench.state.steps[&2].phase), (RunStatus::Waiting, Phase::Retrying));
    assert_eq!(bench.state.next_time(), Some(bench.now + TimeDelta::seconds(4)));
    bench.now += TimeDelta::seconds(4);
    let again = called(&bench.settle())[0];
    assert_eq!(again, Attempt { number: 2, ..attempt });
    let undo = called(&bench.answer(again, Err(failed())));
    assert_eq!((bench.state.status(), bench.state.undo[0].step), (RunStatus::Compensating, 1), "the last completed step first");
    let undo = called(&bench.answer(undo[0], Ok(Json::Null)));
    assert_eq!(bench.state.undo[1].step, 0);
    assert_eq!(bench.answer(undo[0], Ok(Json::Null)), [Command::End(RunStatus::Failed)]);
}

fn parallel(policy: FailurePolicy) -> Flow {
    let mut flow = calls(3);
    flow.steps[0].action = Action::Parallel { branches: vec![1, 2], on_any_failure: policy };
    flow.steps[0].next = Target::Complete;
    for at in [1, 2] {
        (flow.steps[at].parent, flow.steps[at].next, flow.steps[at].compensate) = (Some(0), Target::Complete, Some(0));
    }
    flow.compensations = vec![undo()];
    flow
}

#[test]
fn the_three_ways_to_treat_a_failed_branch() {
    for (policy, other) in
        [(FailurePolicy::FailFast, Phase::Cancelled), (FailurePolicy::WaitAll, Phase::Acting), (FailurePolicy::Rollback, Phase::Cancelled)]
    {
        let mut bench = Bench::start(parallel(policy));
        let both = called(&bench.settle());
        assert_eq!(both.len(), 2, "{policy:?}");
        let after = called(&bench.answer(both[0], Err(failed())));
        assert_eq!(bench.state.steps[&2].phase, other, "{policy:?}");
        let end = match policy {
            FailurePolicy::FailFast => Vec::new(),
            FailurePolicy::WaitAll => bench.answer(both[1], Ok(Json::Null)),
            // The effect of the cancelled call is unknown, so it is reverted.
            FailurePolicy::Rollback => bench.answer(after[0], Ok(Json::Null)),
        };
        if policy == FailurePolicy::WaitAll {
            bench.answer(called(&end)[0], Ok(Json::Null));
        }
        assert_eq!(bench.state.status(), RunStatus::Failed, "{policy:?}");
        assert_eq!(bench.state.undo.len(), usize::from(policy != FailurePolicy::FailFast), "{policy:?}");
    }
}

#[test]
fn a_rollback_reverts_only_the_branches_of_its_round() {
    let mut flow = parallel(FailurePolicy::Rollback);
    // The condition goes back to the `parallel`, and after the second round the run fails.
    flow.steps.push(step(Action::Condition { on_true: Target::Fail, on_false: Target::Step(0) }, Target::Complete));
    (flow.steps[0].next, flow.steps[0].on_failure) = (Target::Step(3), Target::Step(3));
    let mut bench = Bench::start(flow);
    let choose = |bench: &mut Bench, visit, holds| {
        let mut all = bench.settle();
        all.extend(bench.send(Event::Chosen { attempt: Attempt { unit: Unit::Step(3), visit, number: 1 }, result: Ok(holds) }));
        all.extend(bench.settle());
        all
    };
    for attempt in called(&bench.settle()) {
        bench.answer(attempt, Ok(Json::Null));
    }
    let second = called(&choose(&mut bench, 1, false));
    bench.answer(second[0], Ok(Json::Null));
    let undo = called(&bench.answer(second[1], Err(failed())));
    assert_eq!(bench.state.undo.iter().map(|undo| undo.step).collect::<Vec<_>>(), [1], "the completed branch of the second round");
    bench.answer(undo[0], Ok(Json::Null));
    let mut undo = called(&choose(&mut bench, 2, true));
    while let Some(attempt) = undo.pop() {
        undo = called(&bench.answer(attempt, Ok(Json::Null)));
    }
    assert_eq!(bench.state.undo.iter().map(|undo| undo.step).collect::<Vec<_>>(), [1, 2, 1], "then the first round, in reverse order");
    assert_eq!(bench.state.status(), RunStatus::Failed);
}

#[test]
fn a_repeated_parallel_has_its_timeout_again() {
    let mut flow = parallel(FailurePolicy::FailFast);
    flow.compensations.clear();
    flow.steps.iter_mut().for_each(|step| step.compensate = None);
    flow.steps[0].timeout = Some(Delay { months: 0, seconds: 30 });
    flow.steps[2].action = Action::WaitSignal("paid".to_owned());
    let mut bench = Bench::start(flow);
    let call = called(&bench.settle())[0];
    bench.answer(call, Err(failed()));
    assert_eq!(bench.state.status(), RunStatus::Failed);
    bench.now += TimeDelta::hours(1);
    bench.send(Event::Retry);
    let call = called(&bench.settle())[0];
    assert!(bench.answer(call, Ok(Json::Null)).is_empty(), "the other branch waits for its signal");
    bench.now += TimeDelta::seconds(30);
    assert_eq!(bench.settle(), [Command::End(RunStatus::Failed)]);
    assert_eq!(bench.state.error.as_ref().map(|it| it.failure.code.as_str()), Some("TIMEOUT"));
}

#[test]
fn a_timeout_fails_an_attempt_and_a_repeated_run_continues_there() {
    let mut flow = calls(2);
    flow.steps[1].timeout = Some(Delay { months: 0, seconds: 30 });
    let mut bench = Bench::start(flow);
    let first = called(&bench.settle())[0];
    let second = called(&bench.answer(first, Ok(Json::Null)))[0];
    bench.now += TimeDelta::seconds(30);
    assert_eq!(bench.settle(), [Command::End(RunStatus::Failed)]);
    assert_eq!(bench.state.error.as_ref().map(|it| it.failure.code.as_str()), Some("TIMEOUT"));
    bench.send(Event::Retry);
    let again = called(&bench.settle());
    assert_eq!(again, [Attempt { number: 2, ..second }], "the same visit, so that the idempotency key is the same");
    assert_eq!(bench.answer(again[0], Ok(Json::Null)), [Command::End(RunStatus::Completed)]);
}

#[test]
fn a_kept_signal_satisfies_one_wait() {
    let mut flow = calls(3);
    flow.steps[1].action = Action::WaitSignal("paid".to_owned());
    flow.steps[2].action = Action::WaitSignal("paid".to_owned());
    let mut bench = Bench::start(flow);
    let first = called(&bench.settle())[0];
    bench.send(Event::Signal { name: "paid".to_owned(), payload: json!(7), keep: true });
    bench.answer(first, Ok(Json::Null));
    assert_eq!((bench.state.status(), &bench.state.steps[&1].output), (RunStatus::Waiting, &json!({ "payload": 7 })));
    bench.send(Event::Signal { name: "other".to_owned(), payload: Json::Null, keep: false });
    assert_eq!(bench.state.status(), RunStatus::Waiting);
    let end = bench.send(Event::Signal { name: "paid".to_owned(), payload: Json::Null, keep: false });
    assert_eq!(end, [Command::End(RunStatus::Completed)]);
}

#[test]
fn a_step_completed_twice_is_compensated_twice_with_different_keys_and_a_final_failure_is_not_repeated() {
    let mut flow = calls(3);
    flow.compensations = vec![undo()];
    flow.steps[0].compensate = Some(0);
    // The condition goes back once.
    flow.steps[1].action = Action::Condition { on_true: Target::Step(2), on_false: Target::Step(0) };
    flow.steps[2].retry = Some(Retry { max_attempts: 5, backoff: Backoff::Fixed, interval: Delay { months: 0, seconds: 1 } });
    let mut bench = Bench::start(flow);
    for (visit, holds) in [(1, false), (2, true)] {
        let first = called(&bench.settle()).pop().unwrap_or(Attempt { unit: Unit::Step(0), visit, number: 1 });
        bench.answer(first, Ok(Json::Null));
        bench.send(Event::Chosen { attempt: Attempt { unit: Unit::Step(1), visit, number: 1 }, result: Ok(holds) });
    }
    let last = called(&bench.settle())[0];
    let undo = called(&bench.answer(last, Err(Failure::new("PII", "The request contains personal data"))));
    assert_eq!(bench.state.steps[&2].failures, 1);
    assert_eq!(bench.state.undo.iter().map(|undo| (undo.step, undo.unit.visit)).collect::<Vec<_>>(), [(0, 1), (0, 2)]);
    let undo = called(&bench.answer(undo[0], Ok(Json::Null)));
    assert_eq!(bench.answer(undo[0], Ok(Json::Null)), [Command::End(RunStatus::Failed)]);
}
