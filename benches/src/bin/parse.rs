//! From text to diagnostics, at 1,000, 10,000 and 100,000 lines, and `dz validate` as a process.

use std::{env, error::Error, fs, path::Path, process::Command, time::Instant};

use dz_benches::{
    declaration::{Edits, declaration},
    median,
    whole::whole,
};
use dz_dsl_file::{SourceMap, analyse};

fn main() -> Result<(), Box<dyn Error>> {
    println!("| text | lines | median, ms | fastest, ms | µs per line |\n|---|---|---|---|---|");
    for (entities, rounds) in [(24, 51), (200, 21), (2_400, 5)] {
        print_line("entities and surfaces", &declaration(entities, Edits::default()), rounds);
    }
    for (lines, rounds) in [(1_000, 51), (10_000, 21), (100_000, 5)] {
        print_line("every construct", &whole(lines), rounds);
    }
    let program = env::current_exe()?.with_file_name("dz");
    if !program.is_file() {
        println!("\n`dz validate` is not measured: build it first, `cargo build --release -p dz-cli`");
        return Ok(());
    }
    let folder = env::temp_dir().join(format!("dz-parse-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let wall = measure_validation(&program, &folder);
    fs::remove_dir_all(&folder)?;
    println!("\n| `dz validate` of 200 entities, wall | median of 11, ms |\n|---|---|\n| | {:.1} |", wall?);
    Ok(())
}

/// One line of the table.
fn print_line(what: &str, text: &str, rounds: usize) {
    let lines = text.lines().count();
    let times: Vec<f64> = (0..rounds).map(|_| measure_analysis(text)).collect();
    let fastest = times.iter().copied().fold(f64::INFINITY, f64::min);
    let middle = median(times);
    println!("| {what} | {lines} | {middle:.1} | {fastest:.1} | {:.2} |", middle * 1_000.0 / lines as f64);
}

fn measure_analysis(text: &str) -> f64 {
    let sources = SourceMap::single("app.dsl", text);
    let start = Instant::now();
    let analysis = analyse(sources);
    let taken = start.elapsed().as_secs_f64() * 1_000.0;
    assert!(analysis.model.is_some(), "the declaration is wrong: {:?}", analysis.diagnostics.first());
    taken
}

fn measure_validation(program: &Path, folder: &Path) -> Result<f64, Box<dyn Error>> {
    let file = folder.join("app.dsl");
    fs::write(&file, declaration(200, Edits::default()))?;
    let mut times = Vec::new();
    for _ in 0..11 {
        let start = Instant::now();
        let done = Command::new(program).arg("validate").arg(&file).output()?;
        times.push(start.elapsed().as_secs_f64() * 1_000.0);
        if !done.status.success() {
            return Err(String::from_utf8_lossy(&done.stdout).into());
        }
    }
    Ok(median(times))
}
