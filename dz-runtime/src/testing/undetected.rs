//! Mutation testing of the property test: the conditions whose removal it does not detect.

use super::Proof;

/// The message for a build in which conditions cannot be removed.
#[cfg(not(debug_assertions))]
const NEEDS_DEBUG_ASSERTIONS: &str = "conditions can be removed only in a build with debug assertions, and this is none: run `cargo test`, \
     or `CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true cargo test --release` for an optimised build (in a folder of its own: `--target-dir`)";

impl Proof {
    /// Removes each condition of the rules from the SQL, one at a time, and returns those whose removal the test does not detect.
    ///
    /// It needs a build with debug assertions, for example that of `cargo test`: no other build contains the code that removes
    /// conditions.
    ///
    /// # Panics
    /// If the test fails without a removal, the application cannot start, or the build has no debug assertions.
    pub fn undetected_removals(&self) -> Vec<String> {
        self.find_undetected(Kind::All)
    }

    /// As [`undetected_removals`](Proof::undetected_removals), but only for conditions that separate tenants.
    ///
    /// # Panics
    /// As [`undetected_removals`](Proof::undetected_removals).
    pub fn undetected_tenant_removals(&self) -> Vec<String> {
        self.find_undetected(Kind::Tenants)
    }

    /// As [`undetected_removals`](Proof::undetected_removals), but only for conditions that exclude rows from pages.
    ///
    /// # Panics
    /// As [`undetected_removals`](Proof::undetected_removals).
    pub fn undetected_page_removals(&self) -> Vec<String> {
        self.find_undetected(Kind::Pages)
    }

    #[cfg(not(debug_assertions))]
    fn find_undetected(&self, kind: Kind) -> Vec<String> {
        panic!("{kind:?}: {NEEDS_DEBUG_ASSERTIONS}");
    }
}

/// The conditions to remove.
#[derive(Debug, Clone, Copy)]
enum Kind {
    All,
    Tenants,
    Pages,
}

#[cfg(debug_assertions)]
mod removing {
    use std::collections::BTreeSet;

    use super::Kind;
    use crate::{
        App,
        db::probe::Site,
        def::AppDef,
        testing::{Proof, conjuncts, mutation::Mutations, plan::Focus, proof::ProofRun},
    };

    /// The number of further seeds for a condition that the first seed does not detect.
    const FURTHER_SEEDS: u64 = 2;

    impl Kind {
        fn contains(self, site: &Site) -> bool {
            match self {
                Kind::All => true,
                Kind::Tenants => site.is_of_tenants(),
                Kind::Pages => site.is_of_pages(),
            }
        }
    }

    impl Proof {
        pub(super) fn find_undetected(&self, kind: Kind) -> Vec<String> {
            let mut unnoticed = Vec::new();
            for engine in &self.engines {
                let bench = self.start_run(*engine, apart((self.app)()));
                let mutations = Mutations::observe(bench.app);
                bench.check_unchanged(self.seed, self.cases, None);
                let sites: Vec<Site> = mutations.observed_sites().into_iter().filter(|site| kind.contains(site)).collect();
                // An error that occurs without a removal would occur for every removal.
                for focus in sites.iter().filter_map(|site| site.focus(bench.app)).collect::<BTreeSet<_>>() {
                    bench.check_unchanged(self.seed, self.cases, Some(focus));
                }
                let mut held = BTreeSet::new();
                for site in sites {
                    let focus = site.focus(bench.app);
                    mutations.remove(Some(site.clone()));
                    // First with a focus on its own entity, then without, because the effect of a condition can be in another entity.
                    let mut missed = bench.find(self.seed, self.cases, focus).is_ok() && bench.find(self.seed, self.cases, None).is_ok();
                    mutations.remove(None);
                    // Few rows meet some conditions, so other rows can show the effect.
                    for seed in (1..=FURTHER_SEEDS).map(|further| self.seed.wrapping_add(further)) {
                        if missed && focus.is_some() {
                            if held.insert((seed, focus)) {
                                bench.check_unchanged(seed, self.cases, focus);
                            }
                            mutations.remove(Some(site.clone()));
                            missed = bench.find(seed, self.cases, focus).is_ok();
                            mutations.remove(None);
                        }
                    }
                    if missed {
                        unnoticed.push(format!("{engine:?}: {}", bench.describe_site(&site)));
                    }
                }
            }
            unnoticed
        }
    }

    /// Copies the description of the application, so that removals do not affect other tests.
    fn apart(mut app: App) -> App {
        app.def = Box::leak(Box::new(AppDef { ..*app.def }));
        app
    }

    impl ProofRun {
        /// Fails if the unchanged application violates the rules.
        fn check_unchanged(&self, seed: u64, cases: usize, focus: Option<Focus>) {
            if let Err(failed) = self.find(seed, cases, focus) {
                panic!("{}", self.report(*failed));
            }
        }

        /// Describes a condition and its place.
        fn describe_site(&self, site: &Site) -> String {
            let Site::Conjunct(address, at) = site else { return site.to_string() };
            let part = self.app.entities.iter().find_map(|entity| conjuncts::find(self.app, entity, *address, *at));
            part.map_or_else(|| site.to_string(), |found| found.description)
        }
    }
}
