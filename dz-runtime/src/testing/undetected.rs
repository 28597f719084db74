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

    /// As [`undetected_removals`](Proof::undetected_removals), but only for conditions in the statements of graphs.
    ///
    /// # Panics
    /// As [`undetected_removals`](Proof::undetected_removals).
    pub fn undetected_graph_removals(&self) -> Vec<String> {
        self.find_undetected(Kind::Graphs)
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
    Graphs,
}

#[cfg(debug_assertions)]
mod removing {
    use super::Kind;
    use crate::{
        App,
        db::probe::Site,
        def::AppDef,
        testing::{
            Proof, conjuncts,
            mutation::Mutations,
            plan::Focus,
            proof::{CASES_PER_WORLD, ProofRun},
        },
    };

    /// The number of further seeds for a condition that the first seed does not detect.
    const FURTHER_SEEDS: u64 = 2;

    impl Kind {
        fn contains(self, site: &Site) -> bool {
            match self {
                Kind::All => true,
                Kind::Tenants => site.is_of_tenants(),
                Kind::Pages => site.is_of_pages(),
                Kind::Graphs => site.is_of_graphs(),
            }
        }
    }

    impl Proof {
        pub(super) fn find_undetected(&self, kind: Kind) -> Vec<String> {
            let mut undetected = Vec::new();
            for engine in &self.engines {
                let run = self.start_run(*engine, apart((self.app)()));
                let mutations = Mutations::observe(run.app, run.sent.clone());
                if let Err(failed) = run.find(self.seed, self.cases, None) {
                    panic!("{}", run.report(*failed));
                }
                // Most conditions are detected at once; those of a group of implied ones are searched for again only if there are too many.
                let mut left: Vec<(Site, Option<Focus>, String)> = Vec::new();
                for (site, targets) in mutations.observed_sites().into_iter().filter(|(site, _)| kind.contains(site)) {
                    let focus = site.focus(run.app, &targets);
                    if !self.detects_at(&run, &mutations, &site, (self.seed, focus.as_ref())) {
                        let text = format!("{engine:?}: {}", run.describe_site(&site));
                        left.push((site, focus, text));
                    }
                }
                let texts: Vec<String> = left.iter().map(|(.., text)| text.clone()).collect();
                left.retain(|(site, focus, text)| !self.is_implied(text, &texts) && !self.detects(&run, &mutations, site, focus.as_ref()));
                undetected.extend(left.into_iter().map(|(.., text)| text));
            }
            let all = undetected.clone();
            undetected.retain(|text| !self.is_implied(text, &all));
            undetected
        }

        /// True for a condition of a group of implied ones of which `all` has no more than the group may have.
        fn is_implied(&self, text: &str, all: &[String]) -> bool {
            let of = |part: &str| all.iter().filter(|text| text.contains(part)).count();
            self.implied.iter().any(|(part, most)| text.contains(part) && of(part) <= *most)
        }

        /// True if a response is wrong without the condition, and right with it, in one of the further runs.
        fn detects(&self, run: &ProofRun, mutations: &Mutations, site: &Site, focus: Option<&Focus>) -> bool {
            // Worlds have consecutive seeds, so further runs begin far from the first.
            let further = (1..=FURTHER_SEEDS).map(|further| self.seed.wrapping_add(further << 32));
            // The first run had a focus on what the condition is part of; its effect can be in another entity. Few rows meet some
            // conditions, so other rows can show the effect.
            let mut runs = [(self.seed, None)].into_iter().chain(further.map(|seed| (seed, focus)));
            runs.any(|at| self.detects_at(run, mutations, site, at))
        }

        /// As [`detects`](Proof::detects), in one run.
        fn detects_at(&self, run: &ProofRun, mutations: &Mutations, site: &Site, (seed, focus): (u64, Option<&Focus>)) -> bool {
            mutations.remove(Some(site.clone()));
            let found = run.find(seed, self.cases, focus);
            mutations.remove(None);
            let Err(failed) = found else { return false };
            // An error that occurs with the condition too is not an effect of its removal.
            if let Err(failed) = run.find(failed.seed, CASES_PER_WORLD, focus) {
                panic!("{}", run.report(*failed));
            }
            true
        }
    }

    /// Copies the description of the application, so that removals do not affect other tests.
    fn apart(mut app: App) -> App {
        app.def = Box::leak(Box::new(AppDef { ..*app.def }));
        app
    }

    impl ProofRun {
        /// Describes a condition and its place.
        fn describe_site(&self, site: &Site) -> String {
            let Site::Conjunct(address, at) = site else { return site.to_string() };
            let part = self.app.entities.iter().find_map(|entity| conjuncts::find(self.app, entity, *address, *at));
            part.map_or_else(|| site.to_string(), |found| found.description)
        }
    }
}
