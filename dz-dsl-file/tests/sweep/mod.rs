//! Which cases of a long list a run tries: a sample that follows from a seed, or all of them. `DZ_SWEEP=all` tries all,
//! `DZ_SWEEP_SEED=7` draws others.

#![allow(dead_code, reason = "each test takes what it needs")]

/// True when every case is tried.
pub fn all() -> bool {
    std::env::var("DZ_SWEEP").is_ok_and(|it| it == "all")
}

/// True when a case is tried: one in `of` is.
pub fn drawn(at: usize, of: u64) -> bool {
    let seed: u64 = std::env::var("DZ_SWEEP_SEED").map_or(0, |seed| seed.parse().expect("DZ_SWEEP_SEED is a number"));
    all() || mixed(seed.wrapping_add(at as u64)).is_multiple_of(of)
}

/// One case in `of`, or every case.
pub fn sample<T>(cases: impl IntoIterator<Item = T>, of: u64) -> Vec<T> {
    cases.into_iter().enumerate().filter(|(at, _)| drawn(*at, of)).map(|(_, case)| case).collect()
}

/// How many random cases are made: `all` of them, or one in `of`.
pub fn cases(all: u32, of: u32) -> u32 {
    if self::all() { all } else { all / of }
}

/// What becomes of the cases, tried on all cores, in their order.
pub fn tried<T: Sync, R: Send>(cases: &[T], each: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let each = &each;
    std::thread::scope(|scope| {
        // Neighbours take as long as each other, so that every core gets one of them.
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
