//! From text to diagnostics: 200 entities, about 10,000 lines.

use std::time::Instant;

use dz_benches::{
    declaration::{Edit, declaration},
    median,
};
use dz_dsl_file::{SourceMap, analyse};

fn main() {
    let text = declaration(200, Edit::None);
    let lines = text.lines().count();
    let mut times = Vec::new();
    for _ in 0..21 {
        let sources = SourceMap::single("app.dsl", text.clone());
        let start = Instant::now();
        let analysis = analyse(sources);
        times.push(start.elapsed().as_secs_f64() * 1_000.0);
        assert!(analysis.model.is_some(), "the declaration is wrong: {:?}", analysis.diagnostics.first());
    }
    println!("| text | lines | median of 21, ms | fastest, ms |\n|---|---|---|---|");
    let fastest = times.iter().copied().fold(f64::INFINITY, f64::min);
    println!("| 200 entities | {lines} | {:.1} | {fastest:.1} |", median(times));
}
