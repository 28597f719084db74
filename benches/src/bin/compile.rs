//! Compile time of an application, beside the same application written by hand: `compile [N…] [check] [build] [rounds=3] [folder=…]
//! [dz=…]`.
//!
//! Both commands are measured unless one is named. A named folder is kept, so that another run finds the dependencies built; `dz` names
//! another checkout to measure. Both crates are generated into a temporary folder, share one target folder (so that dependencies are
//! built once), and are checked and built after the same three edits, in turn.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use dz_benches::{Cost, declaration::Edit, median, side::Side};

const COMMANDS: [&str; 2] = ["cargo check --offline", "cargo build --offline"];
const EDITS: [(Edit, &str); 3] = [(Edit::Label, "a label"), (Edit::Rule, "an access rule"), (Edit::Column, "a new column")];

fn main() -> io::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let counts: Vec<usize> = words.iter().filter_map(|it| it.parse().ok()).collect();
    let rounds = words.iter().find_map(|it| it.strip_prefix("rounds=")?.parse().ok()).unwrap_or(3);
    let counts = if counts.is_empty() { vec![10, 50, 200] } else { counts };
    let kept = words.iter().find_map(|it| it.strip_prefix("folder=")).map(PathBuf::from);
    let folder = kept.clone().unwrap_or_else(|| env::temp_dir().join(format!("dz-compile-{}", std::process::id())));
    fs::create_dir_all(&folder)?;
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default();
    let dz = words.iter().find_map(|it| it.strip_prefix("dz=")).map_or(here, PathBuf::from);
    let named = |command: &&str| words.iter().any(|word| command.contains(word.as_str()));
    let some: Vec<&str> = COMMANDS.into_iter().filter(named).collect();
    let commands = if some.is_empty() { COMMANDS.to_vec() } else { some };
    let result = run(&folder, &dz, &counts, (&commands, rounds));
    if kept.is_none() {
        fs::remove_dir_all(&folder)?;
    }
    result
}

fn run(folder: &Path, dz: &Path, counts: &[usize], (commands, rounds): (&[&str], usize)) -> io::Result<()> {
    println!(
        "| entities | edit | command | dz, user s | by hand, user s | ratio | dz, wall s | by hand, wall s |\n|---|---|---|---|---|---|---|---|"
    );
    let mut slopes: Vec<(usize, f64, f64)> = Vec::new();
    for count in counts {
        let (mut side, mut twin) = (Side::dz(folder, dz, *count)?, Side::twin(folder, *count)?);
        for command in commands.iter().copied() {
            side.run(command)?;
            twin.run(command)?;
            for (edit, name) in EDITS {
                let (ours, theirs) = measure_edit([&mut side, &mut twin], edit, command, rounds)?;
                let ratio = ours.user / theirs.user;
                println!(
                    "| {count} | {name} | {command} | {:.2} | {:.2} | {ratio:.2} | {:.2} | {:.2} |",
                    ours.user, theirs.user, ours.wall, theirs.wall
                );
                if edit == Edit::Column && command.contains("check") {
                    slopes.push((*count, ours.user, theirs.user));
                }
            }
        }
    }
    for pair in slopes.windows(2) {
        let [(few, a, b), (many, c, d)] = pair else { continue };
        let entities = (many - few) as f64;
        println!(
            "\nslope of `cargo check` after a new column, {few} to {many} entities: dz {:.3}, by hand {:.3} user s per entity",
            (c - a) / entities,
            (d - b) / entities
        );
    }
    Ok(())
}

/// The medians of both sides after an edit, measured in turn. Every other round reverts it, which is an edit too.
fn measure_edit(sides: [&mut Side; 2], edit: Edit, command: &str, rounds: usize) -> io::Result<(Cost, Cost)> {
    let [dz, twin] = sides;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        ours.push(dz.measure_edit(edit, command)?);
        theirs.push(twin.measure_edit(edit, command)?);
    }
    Ok((middle(&ours), middle(&theirs)))
}

fn middle(costs: &[Cost]) -> Cost {
    Cost { user: median(costs.iter().map(|it| it.user).collect()), wall: median(costs.iter().map(|it| it.wall).collect()) }
}
