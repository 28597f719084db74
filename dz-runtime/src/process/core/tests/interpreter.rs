//! A simple interpreter of processes: it computes the whole history of a step at once, and cuts it where the step is cancelled.

use std::collections::BTreeMap;

use super::{
    super::{
        flow::{Action, Delay, FailurePolicy, Flow, Target},
        retry::Retry,
    },
    random::{Work, World},
};

/// A time in microseconds, and a position that orders what happens at the same time.
type Stamp = (i64, usize);
const END: Stamp = (i64::MAX, usize::MAX);

/// The result of a run, for the comparison.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct History {
    pub status: String,
    /// The status, the visit, and the attempts of the last visit of each step that was reached.
    pub steps: BTreeMap<usize, (&'static str, u32, u32)>,
    /// The compensations that were begun, with their success.
    pub undone: Vec<(usize, bool)>,
    /// Every attempt and every change of rows with its time.
    pub trace: Vec<(i64, String)>,
}

/// How a step ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Done(Option<Target>),
    Failed,
}

/// A step from its start to its end, as if nothing cancelled it.
struct Line {
    begins: Vec<i64>,
    /// The times at which it received a signal.
    signals: Vec<i64>,
    trace: Vec<(i64, String)>,
    end: i64,
    ending: Ending,
}

impl Line {
    fn attempts_before(&self, cut: Stamp, place: usize) -> u32 {
        u32::try_from(self.begins.iter().filter(|at| (**at, place) < cut).count()).unwrap_or_default()
    }
}

struct Limits {
    has_effects: bool,
    timeout: Option<Delay>,
    retry: Option<Retry>,
}

pub(super) struct Interpreter<'f> {
    flow: &'f Flow,
    world: World,
    history: History,
    /// Completed steps with a compensation, in the order of their completion.
    completed: Vec<(Stamp, usize)>,
    signals_used: BTreeMap<usize, usize>,
    /// The number of compensations of each step so far.
    undo_count: BTreeMap<usize, u32>,
    /// The time at which the run is cancelled or has used up its time.
    limit: i64,
    limit_status: &'static str,
}

fn micros(delay: Delay) -> i64 {
    delay.seconds * 1_000_000
}

/// Runs a process.
pub(super) fn interpret(flow: &Flow, world: World) -> History {
    let cancel = world.cancel().unwrap_or(i64::MAX);
    let deadline = flow.timeout.map_or(i64::MAX, micros);
    let limit_status = if cancel < deadline { "cancelled" } else { "failed" };
    let mut it = Interpreter {
        flow,
        world,
        history: History::default(),
        completed: Vec::new(),
        signals_used: BTreeMap::new(),
        undo_count: BTreeMap::new(),
        limit: cancel.min(deadline),
        limit_status,
    };
    let (status, at) = it.steps();
    it.end(status, at);
    it.history.trace.sort();
    it.history
}

impl Interpreter<'_> {
    /// Runs the steps; the result is the status before compensations, and its time.
    fn steps(&mut self) -> (&'static str, i64) {
        let (mut at, mut now) = (0, 0);
        loop {
            let visit = self.history.steps.get(&at).map_or(1, |(_, visit, _)| visit + 1);
            let limit = (self.limit, 0);
            let (end, ending) = match &self.flow.steps[at].action {
                Action::Parallel { branches, on_any_failure } => match self.parallel(at, visit, branches, *on_any_failure, now) {
                    Some(ended) => ended,
                    None => return (self.limit_status, self.limit),
                },
                _ => {
                    let line = self.line(Work::Step(at, visit), now);
                    if !self.record(at, visit, &line, limit, 0) {
                        return (self.limit_status, self.limit);
                    }
                    (line.end, line.ending)
                }
            };
            now = end;
            let step = &self.flow.steps[at];
            let target = match ending {
                Ending::Done(goto) => {
                    // After its branches.
                    self.note_completion(at, (end, usize::MAX));
                    goto.unwrap_or(step.next)
                }
                Ending::Failed => step.on_failure,
            };
            match target {
                Target::Step(next) => at = next,
                Target::Complete => return ("completed", now),
                Target::Fail => return ("failed", now),
            }
        }
    }

    fn note_completion(&mut self, at: usize, stamp: Stamp) {
        if self.flow.steps[at].compensate.is_some() {
            self.completed.push((stamp, at));
        }
    }

    /// Records a line up to a cut; false if the cut cancels it.
    fn record(&mut self, at: usize, visit: u32, line: &Line, cut: Stamp, place: usize) -> bool {
        let ended = (line.end, place) < cut;
        let attempts = line.attempts_before(cut, place);
        self.history.trace.extend(line.trace.iter().filter(|(time, _)| (*time, place) < cut).cloned());
        let status = match (ended, line.ending) {
            (false, _) => "cancelled",
            (true, Ending::Done(_)) => "completed",
            (true, Ending::Failed) => "failed",
        };
        *self.signals_used.entry(at).or_default() += line.signals.iter().filter(|time| (**time, place) < cut).count();
        self.history.steps.insert(at, (status, visit, attempts));
        ended
    }

    fn limits(&self, work: Work) -> Limits {
        match work {
            Work::Step(at, _) => {
                let step = &self.flow.steps[at];
                Limits { has_effects: step.has_effects, timeout: step.timeout, retry: step.retry }
            }
            Work::Undo(at, _) => {
                let undo = &self.flow.compensations[self.flow.steps[at].compensate.unwrap_or_default()];
                Limits { has_effects: undo.has_effects, timeout: undo.timeout, retry: undo.retry }
            }
        }
    }

    fn action(&self, work: Work) -> &Action {
        match work {
            Work::Step(at, _) => &self.flow.steps[at].action,
            Work::Undo(at, _) => &self.flow.compensations[self.flow.steps[at].compensate.unwrap_or_default()].action,
        }
    }

    /// The end of an attempt that begins at `now`, after `taken` signals.
    fn attempt(&self, work: Work, number: u32, now: i64, taken: usize) -> (i64, Ending) {
        let result = |ok: bool| if ok { Ending::Done(None) } else { Ending::Failed };
        match (self.action(work), work) {
            (Action::Call | Action::Subprocess, _) => {
                let (duration, ok) = self.world.call(work, number);
                (now + duration, result(ok))
            }
            (Action::Effects, _) => (now, result(self.world.accepts(work, number))),
            (Action::WaitFor(time), _) => (now + micros(*time), Ending::Done(None)),
            (Action::WaitSignal(_), Work::Step(at, _)) => {
                let used = self.signals_used.get(&at).copied().unwrap_or_default() + taken;
                let sent = self.world.signals(at).get(used).copied();
                (sent.map_or(i64::MAX, |sent| sent.max(now)), Ending::Done(None))
            }
            (Action::Task(outcomes), _) => {
                let (duration, outcome) = self.world.decision(work, number, outcomes.len());
                (now + duration, Ending::Done(Some(outcomes[outcome])))
            }
            (Action::Condition { on_true, on_false }, Work::Step(at, visit)) => {
                let goto = if self.world.condition(at, visit) { *on_true } else { *on_false };
                (now, Ending::Done(Some(goto)))
            }
            (Action::WaitSignal(_) | Action::Condition { .. } | Action::Parallel { .. }, _) => (now, Ending::Done(None)),
        }
    }

    /// All attempts of a unit, from `now`.
    fn line(&self, work: Work, mut now: i64) -> Line {
        let limits = self.limits(work);
        let mut line = Line { begins: Vec::new(), signals: Vec::new(), trace: Vec::new(), end: now, ending: Ending::Failed };
        let most = limits.retry.map_or(1, |retry| retry.max_attempts);
        for number in 1..=most {
            line.begins.push(now);
            if matches!(self.action(work), Action::Call | Action::Subprocess) {
                line.trace.push((now, format!("call {work:?} {number}")));
            }
            let deadline = limits.timeout.map_or(i64::MAX, |timeout| now.saturating_add(micros(timeout)));
            let (end, ending) = self.attempt(work, number, now, line.signals.len());
            if matches!(self.action(work), Action::WaitSignal(_)) && end < deadline {
                line.signals.push(end);
            }
            let (end, ending) = if end >= deadline { (deadline, Ending::Failed) } else { (end, ending) };
            let changes = limits.has_effects || matches!(self.action(work), Action::Effects);
            let accepted = self.world.accepts(work, number);
            if changes && matches!(ending, Ending::Done(_)) && accepted {
                line.trace.push((end, format!("rows {work:?} {number}")));
            }
            let is_refused = limits.has_effects && !accepted;
            (line.end, line.ending) = (end, if is_refused { Ending::Failed } else { ending });
            if matches!(line.ending, Ending::Done(_)) || end == i64::MAX {
                return line;
            }
            if let Some(retry) = limits.retry.filter(|_| number < most) {
                now = end + delay(&retry, number);
            }
        }
        line
    }

    /// True if the end of a branch fails its `parallel`.
    fn fails(&self, branch: usize, line: &Line) -> bool {
        match line.ending {
            Ending::Failed => self.flow.steps[branch].on_failure == Target::Fail,
            Ending::Done(goto) => goto == Some(Target::Fail),
        }
    }

    /// A `parallel`: its end, or nothing if the run ends before.
    fn parallel(&mut self, at: usize, visit: u32, branches: &[usize], policy: FailurePolicy, now: i64) -> Option<(i64, Ending)> {
        // The branches of each round are entered with their `parallel`.
        let lines: Vec<(usize, Line)> = branches.iter().map(|branch| (*branch, self.line(Work::Step(*branch, visit), now))).collect();
        let failing = lines.iter().filter(|(branch, line)| self.fails(*branch, line));
        let failure = failing.map(|(branch, line)| (line.end, *branch)).min();
        let last = lines.iter().map(|(_, line)| line.end).max().unwrap_or(now);
        let join = match (policy, failure) {
            (FailurePolicy::FailFast | FailurePolicy::Rollback, Some(failure)) => failure,
            _ => (last, usize::MAX),
        };
        let timeout = self.flow.steps[at].timeout.map_or(i64::MAX, |timeout| now + micros(timeout));
        let limit = self.limit.min(timeout);
        let is_late = join.0 >= limit;
        let cut = match is_late {
            true => (limit, 0),
            false if failure == Some(join) => (join.0, join.1 + 1),
            false => END,
        };
        let (ended, called) = self.branches(&lines, visit, cut);
        let status = |it: &mut Self, status| it.history.steps.insert(at, (status, visit, 1));
        if !is_late && failure.is_some() && policy == FailurePolicy::Rollback {
            let undone = called.into_iter().chain(ended.iter().rev().map(|(_, branch)| *branch));
            let undone = undone.filter(|branch| self.flow.steps[*branch].compensate.is_some()).collect();
            let (end, all) = self.undo(undone, join.0);
            if all && end < self.limit {
                status(self, "failed");
                return Some((end, Ending::Failed));
            }
            // After a failed compensation, and at the limit, the run ends.
            status(self, "cancelled");
            if !all {
                self.limit_status = "failed";
            }
            self.limit = end;
            return None;
        }
        ended.into_iter().for_each(|(stamp, branch)| self.note_completion(branch, stamp));
        if is_late {
            status(self, if self.limit <= timeout { "cancelled" } else { "failed" });
            return (timeout < self.limit).then_some((timeout, Ending::Failed));
        }
        let accepted = failure.is_none() && (!self.flow.steps[at].has_effects || self.world.accepts(Work::Step(at, visit), 1));
        if accepted && self.flow.steps[at].has_effects {
            self.history.trace.push((join.0, format!("rows {:?} 1", Work::Step(at, visit))));
        }
        status(self, if accepted { "completed" } else { "failed" });
        Some((join.0, if accepted { Ending::Done(None) } else { Ending::Failed }))
    }

    /// Records the branches up to a cut: the completed ones with their ends, in order, and those whose call the cut interrupts.
    fn branches(&mut self, lines: &[(usize, Line)], visit: u32, cut: Stamp) -> (Vec<(Stamp, usize)>, Vec<usize>) {
        let (mut ended, mut called) = (Vec::new(), Vec::new());
        for (branch, line) in lines {
            let has_ended = self.record(*branch, visit, line, cut, *branch);
            if has_ended && self.fails(*branch, line) {
                self.history.steps.entry(*branch).and_modify(|it| it.0 = "failed");
            } else if has_ended && matches!(line.ending, Ending::Done(_)) {
                ended.push(((line.end, *branch), *branch));
            } else if !has_ended && line.attempts_before(cut, *branch) > 0 {
                called.extend(matches!(self.flow.steps[*branch].action, Action::Call | Action::Subprocess).then_some(*branch));
            }
        }
        ended.sort_unstable();
        (ended, called)
    }

    /// Compensates steps one after the other; the result is the end, and whether all succeeded.
    fn undo(&mut self, steps: Vec<usize>, mut now: i64) -> (i64, bool) {
        let mut all = true;
        let mut works = Vec::new();
        for step in steps {
            let count = self.undo_count.entry(step).or_default();
            *count += 1;
            works.push((step, Work::Undo(step, *count)));
        }
        for (step, work) in works {
            let line = self.line(work, now);
            self.history.trace.extend(line.trace.iter().cloned());
            let ok = line.ending != Ending::Failed;
            (now, all) = (line.end, all && ok);
            self.history.undone.push((step, ok));
        }
        (now, all)
    }

    /// The end of the run, with its compensations.
    fn end(&mut self, status: &'static str, at: i64) {
        let mut status = status;
        if status != "completed" {
            // Steps that complete at the same time stay in the order in which they were reached.
            self.completed.sort_by_key(|((time, _), _)| *time);
            let steps = std::mem::take(&mut self.completed).into_iter().rev().map(|(_, step)| step).collect();
            let (_, all) = self.undo(steps, at);
            if !all {
                status = "failed";
            }
        }
        status.clone_into(&mut self.history.status);
    }
}

fn delay(retry: &Retry, failures: u32) -> i64 {
    use crate::def::Backoff;
    let first = retry.interval.seconds.min(3_600);
    let factor = match retry.backoff {
        Backoff::Fixed => 1,
        Backoff::Linear => i64::from(failures),
        Backoff::Exponential => 1 << (failures - 1),
    };
    (first * factor).min(3_600) * 1_000_000
}
