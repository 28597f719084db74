//! The sample of the cases of a long list that a run tries; it follows from a seed.
//!
//! Without `DZ_SWEEP` the sample is small, so that a run takes seconds. `DZ_SWEEP=wide` is what continuous integration runs, and
//! `DZ_SWEEP=all` tries every case. `DZ_SWEEP_SEED=7` draws other cases.

#![allow(dead_code, reason = "each test takes what it needs")]

/// How many times smaller a sample is than a wide one if `DZ_SWEEP` is not set.
const QUICK: u64 = 8;

fn extent() -> String {
    std::env::var("DZ_SWEEP").unwrap_or_default()
}

/// True if every case is tried.
pub fn all() -> bool {
    extent() == "all"
}

/// True if the sample is small.
pub fn is_quick() -> bool {
    !matches!(extent().as_str(), "all" | "wide")
}

/// How many times smaller a sample is than a wide one.
fn thinning() -> u64 {
    if is_quick() { QUICK } else { 1 }
}

/// True if a case is tried: a wide sample contains one case in `of`.
pub fn drawn(at: usize, of: u64) -> bool {
    let seed: u64 = std::env::var("DZ_SWEEP_SEED").map_or(0, |seed| seed.parse().expect("DZ_SWEEP_SEED is a number"));
    all() || mixed(seed.wrapping_add(at as u64)).is_multiple_of(of * thinning())
}

/// The sample of a list: one case in `of` for a wide sample.
pub fn sample<T>(cases: impl IntoIterator<Item = T>, of: u64) -> Vec<T> {
    cases.into_iter().enumerate().filter(|(at, _)| drawn(*at, of)).map(|(_, case)| case).collect()
}

/// The number of random cases: `all` of them, one in `of` for a wide sample, and at least four.
pub fn cases(all: u32, of: u32) -> u32 {
    let thinning = u32::try_from(thinning()).unwrap_or(1);
    if self::all() { all } else { (all / of / thinning).max(4) }
}

/// The results of the cases in order, computed on all cores.
pub fn tried<T: Sync, R: Send>(cases: &[T], each: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let each = &each;
    std::thread::scope(|scope| {
        // Neighbouring cases take similar time, so that each core gets one of them.
        let own = move |core| cases.iter().enumerate().skip(core).step_by(cores).map(|(at, case)| (at, each(case))).collect::<Vec<_>>();
        let parts: Vec<_> = (0..cores).map(|core| scope.spawn(move || own(core))).collect();
        let joined = parts.into_iter().flat_map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        let mut all: Vec<(usize, R)> = joined.collect();
        all.sort_by_key(|(at, _)| *at);
        all.into_iter().map(|(_, result)| result).collect()
    })
}

/// A number that follows from another without a pattern (splitmix64).
fn mixed(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
