//! Random processes, and what happens around them: the results of calls, decisions and signals. Both depend on a seed only, so that the
//! engine and the interpreter see the same.

use super::super::{
    flow::{Action, Compensation, Delay, FailurePolicy, Flow, Step, Target},
    retry::Retry,
};
use crate::def::Backoff;

/// A sequence of numbers.
pub(super) struct Dice(u64);

impl Dice {
    pub fn new(parts: &[u64]) -> Dice {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        for part in parts {
            dice.0 ^= part.wrapping_mul(0xff51_afd7_ed55_8ccd);
            dice.roll();
        }
        dice
    }

    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.roll() % end.max(1)
    }

    fn position(&mut self, end: usize) -> usize {
        usize::try_from(self.below(end as u64)).unwrap_or_default()
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// A long time, so that no two ends fall on the same microsecond.
    fn micros(&mut self) -> i64 {
        i64::try_from(self.below(4_000_000_000)).unwrap_or(1) + 1
    }

    fn delay(&mut self, most: u64) -> Delay {
        Delay { months: 0, seconds: i64::try_from(self.below(most)).unwrap_or(1) + 1 }
    }
}

/// What a unit is outside of the engine: a step, or the compensation of its completion with this number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Work {
    Step(usize, u32),
    Undo(usize, u32),
}

/// What happens outside of the engine.
#[derive(Clone, Copy)]
pub(super) struct World {
    pub seed: u64,
    /// The share of attempts that fail.
    failures: u64,
}

impl World {
    pub fn new(seed: u64) -> World {
        World { seed, failures: Dice::new(&[seed, 1]).below(60) }
    }

    fn dice(&self, what: u64, work: Work, number: u32) -> Dice {
        let (kind, step, visit) = match work {
            Work::Step(step, visit) => (0, step, visit),
            Work::Undo(step, visit) => (1, step, visit),
        };
        Dice::new(&[self.seed, what, kind, step as u64, visit.into(), number.into()])
    }

    /// The duration of an attempt in microseconds, and whether it succeeds.
    pub fn call(&self, work: Work, number: u32) -> (i64, bool) {
        let mut dice = self.dice(2, work, number);
        (dice.micros(), !dice.chance(self.failures))
    }

    /// True if the effects of an attempt are accepted.
    pub fn accepts(&self, work: Work, number: u32) -> bool {
        !self.dice(3, work, number).chance(self.failures)
    }

    /// The time of a decision after its task was created, and the outcome.
    pub fn decision(&self, work: Work, number: u32, outcomes: usize) -> (i64, usize) {
        let mut dice = self.dice(4, work, number);
        (dice.micros(), dice.position(outcomes))
    }

    /// The value of a condition. A loop ends after two rounds.
    pub fn condition(&self, step: usize, visit: u32) -> bool {
        visit > 2 || self.dice(5, Work::Step(step, visit), 0).chance(50)
    }

    /// The times of the signals for a step, in their order.
    pub fn signals(&self, step: usize) -> Vec<i64> {
        let mut dice = self.dice(6, Work::Step(step, 0), 0);
        let mut times: Vec<i64> = (0..40).map(|_| dice.micros() * 3).collect();
        times.sort_unstable();
        times
    }

    /// The time at which a user cancels the run.
    pub fn cancel(&self) -> Option<i64> {
        let mut dice = Dice::new(&[self.seed, 7]);
        dice.chance(15).then(|| dice.micros() * 2)
    }
}

/// The name of the signal of a step.
pub(super) fn signal_of(step: usize) -> String {
    format!("signal {step}")
}

fn retry(dice: &mut Dice) -> Option<Retry> {
    let backoff = [Backoff::Fixed, Backoff::Linear, Backoff::Exponential][dice.position(3)];
    let max_attempts = u32::try_from(dice.below(3)).unwrap_or_default() + 1;
    dice.chance(50).then(|| Retry { max_attempts, backoff, interval: dice.delay(3_000) })
}

/// An action without branches.
fn action(dice: &mut Dice, at: usize, targets: &mut dyn FnMut(&mut Dice) -> Target) -> Action {
    match dice.below(8) {
        0 => Action::Subprocess,
        1 => Action::Task((0..3).map(|_| targets(dice)).collect()),
        2 => Action::WaitFor(dice.delay(3_000)),
        3 => Action::WaitSignal(signal_of(at)),
        4 => Action::Effects,
        _ => Action::Call,
    }
}

/// A random process.
pub(super) fn flow(seed: u64) -> Flow {
    let mut dice = Dice::new(&[seed, 0]);
    let compensations: Vec<Compensation> = (0..3)
        .map(|_| {
            let action = if dice.chance(30) { Action::Effects } else { Action::Call };
            let has_effects = matches!(action, Action::Call) && dice.chance(30);
            Compensation { action, has_effects, timeout: dice.chance(30).then(|| dice.delay(4_000)), retry: retry(&mut dice) }
        })
        .collect();
    // The top-level steps first: each is one step, or a `parallel` with branches behind it.
    let widths: Vec<usize> = (0..=dice.position(6)).map(|_| if dice.chance(25) { dice.position(4) + 1 } else { 0 }).collect();
    let mut starts = Vec::new();
    let mut count = 0;
    for width in &widths {
        starts.push(count);
        count += width + 1;
    }
    let mut steps = Vec::new();
    for (place, width) in widths.iter().enumerate() {
        let rest = &starts[place + 1..];
        let following = rest.first().map_or(Target::Complete, |at| Target::Step(*at));
        let mut forward = |dice: &mut Dice| match dice.below(8) {
            0 => Target::Complete,
            1 => Target::Fail,
            2 if !rest.is_empty() => Target::Step(rest[dice.position(rest.len())]),
            _ => following,
        };
        let at = starts[place];
        let act = match (width, dice.below(8)) {
            // A condition can go back to an earlier step.
            (0, 0) => {
                let back = if place == 0 { forward(&mut dice) } else { Target::Step(starts[dice.position(place)]) };
                Action::Condition { on_true: following, on_false: back }
            }
            (0, _) => action(&mut dice, at, &mut forward),
            (width, _) => Action::Parallel {
                branches: (at + 1..=at + width).collect(),
                on_any_failure: [FailurePolicy::FailFast, FailurePolicy::WaitAll, FailurePolicy::Rollback][dice.position(3)],
            },
        };
        let on_failure = if dice.chance(40) { forward(&mut dice) } else { Target::Fail };
        steps.push(step(&mut dice, act, None, (following, on_failure)));
        for branch in at + 1..=at + width {
            let mut goto = |dice: &mut Dice| if dice.chance(25) { Target::Fail } else { Target::Complete };
            let act = action(&mut dice, branch, &mut goto);
            let on_failure = if dice.chance(25) { Target::Complete } else { Target::Fail };
            steps.push(step(&mut dice, act, Some(at), (Target::Complete, on_failure)));
        }
    }
    Flow { steps, compensations, timeout: dice.chance(20).then(|| dice.delay(15_000)) }
}

fn step(dice: &mut Dice, action: Action, parent: Option<usize>, (next, on_failure): (Target, Target)) -> Step {
    let is_parallel = matches!(action, Action::Parallel { .. });
    let has_effects = !matches!(action, Action::Effects | Action::Condition { .. }) && dice.chance(25);
    let is_condition = matches!(action, Action::Condition { .. });
    Step {
        parent,
        has_effects,
        timeout: (!is_condition && dice.chance(25)).then(|| dice.delay(4_000)),
        retry: if is_parallel || is_condition { None } else { retry(dice) },
        compensate: (!is_condition && dice.chance(50)).then(|| dice.position(3)),
        action,
        next,
        on_failure,
    }
}
