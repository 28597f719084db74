//! The engine compared with a simple interpreter, over random processes with random failures, and with a kill after every transaction.
//!
//! `DZ_PROCESS_CASES=100000` runs more cases, and `DZ_PROCESS_SEED=7` begins with another one; a failure names its seed. Each case of the
//! second test is run once for each of its transactions.

use super::{
    interpreter::interpret,
    random::{World, flow},
    simulation::simulate,
};

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn seeds(cases: u64) -> std::ops::Range<u64> {
    let first = number("DZ_PROCESS_SEED", 1);
    first..first + number("DZ_PROCESS_CASES", cases)
}

#[test]
fn random_processes_run_as_the_interpreter_says() {
    let mut ends = std::collections::BTreeMap::<String, u32>::new();
    for seed in seeds(3_000) {
        let (flow, world) = (flow(seed), World::new(seed));
        let expected = interpret(&flow, world);
        let (found, _) = simulate(&flow, world, None);
        assert_eq!(found, expected, "DZ_PROCESS_SEED={seed} DZ_PROCESS_CASES=1: {flow:#?}");
        *ends.entry(found.status).or_default() += 1;
    }
    let cases = number("DZ_PROCESS_CASES", 3_000);
    assert!(cases < 100 || ["completed", "failed", "cancelled"].iter().all(|status| ends.contains_key(*status)), "{ends:?}");
}

#[test]
fn a_kill_after_any_transaction_changes_nothing() {
    for seed in seeds(100) {
        let (flow, world) = (flow(seed), World::new(seed));
        let (expected, transactions) = simulate(&flow, world, None);
        for crash in 1..=transactions {
            let (found, _) = simulate(&flow, world, Some(crash));
            assert_eq!(found, expected, "DZ_PROCESS_SEED={seed} DZ_PROCESS_CASES=1: a kill after transaction {crash} of {flow:#?}");
        }
    }
}
