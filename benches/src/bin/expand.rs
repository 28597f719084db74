//! The model as tokens: the work of the macro after the analysis. Run it also without `--release`, because a user's debug build runs the
//! macro unoptimised: `expand [N…] [rounds=7]`. `valgrind --tool=callgrind target/debug/expand 200 rounds=1` shows the functions that
//! take the time.

use std::time::Instant;

use dz_benches::{
    declaration::{Edits, declaration},
    median,
};
use dz_dsl_file::{SourceMap, analyse};

// A macro crate exports only macros, so the bench compiles the same files.
#[allow(dead_code, unused_imports, clippy::missing_docs_in_private_items)]
#[path = "../../../dz-macros/src"]
mod macros {
    pub(crate) mod expand;
    pub(crate) mod manifest;
}
use macros::{expand, manifest};

fn main() {
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    println!("| entities | reading, ms | expanding, ms | build |\n|---|---|---|---|");
    let words: Vec<String> = std::env::args().skip(1).collect();
    let counts: Vec<usize> = words.iter().filter_map(|it| it.parse().ok()).collect();
    let rounds = words.iter().find_map(|it| it.strip_prefix("rounds=")?.parse().ok()).unwrap_or(7);
    for entities in if counts.is_empty() { vec![10, 50, 200] } else { counts } {
        let text = declaration(entities, Edits::default());
        let (mut read, mut expanded) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let start = Instant::now();
            let analysis = analyse(SourceMap::single("app.dsl", text.clone()));
            read.push(start.elapsed().as_secs_f64() * 1_000.0);
            let Some(model) = analysis.model else { return eprintln!("error: the declaration is wrong") };
            let start = Instant::now();
            let tokens = expand::expand(&model, &manifest::Package::default());
            expanded.push(start.elapsed().as_secs_f64() * 1_000.0);
            assert!(!tokens.is_empty(), "an application expands to something");
        }
        println!("| {entities} | {:.1} | {:.1} | {build} |", median(read), median(expanded));
    }
}
