//! Every text of services, processes, schedules and language models gives diagnostics in bounded time, and none a panic.

mod sweep;

use std::{
    fmt::Write,
    time::{Duration, Instant},
};

use dz_dsl_file::{Analysis, SourceMap, analyse, render};
use proptest::prelude::*;

const APP: &str = include_str!("fixtures/whole/processes.dsl");

fn survive(text: &str) -> Analysis {
    let analysis = analyse(SourceMap::single("app.dsl", text));
    for found in &analysis.diagnostics {
        render::short(&analysis.files, found);
        render::human(&analysis.files, found, render::Colour::Never);
    }
    analysis
}

const WORDS: &[&str] = &[
    "process p:\n",
    "schedule s:\n",
    "service s:\n",
    "llm_intent i:\n",
    "llm_model m:\n",
    "llm_config:\n",
    "  steps:\n",
    "    - step a:\n",
    "    - parallel a:\n",
    "        - step b:\n",
    "        service: s\n",
    "        subprocess: p\n",
    "        llm_intent: i\n",
    "        human_task:\n",
    "          outcomes:\n",
    "            - ok:\n",
    "        condition: a.x = b\n",
    "        goto: a\n",
    "        inputs: a.b -> c\n",
    "        effects:\n",
    "          - update trigger.entity: x: 1\n",
    "  trigger: process p completed\n",
    "  trigger: entity User created\n",
    "  prompt: \"{{ input.x }}\"\n",
    "  cron: \"* * 31 2 *\"\n",
    "  interval: 5m\n",
    "  input:\n",
    "    x: list[list[enum[a, b]]]\n",
    "{{",
    "}}",
    "->",
    "gpt-4o",
    "-4x",
    ":",
    "\n",
    "\"",
    "é",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sweep::cases(300, 10)))]

    #[test]
    fn a_good_text_with_a_piece_taken_out_or_put_in(from in 0..APP.len(), length in 0..60usize, word in proptest::sample::select(WORDS)) {
        let near = |at: usize| (0..=at.min(APP.len())).rev().find(|at| APP.is_char_boundary(*at)).unwrap_or(0);
        let (start, end) = (near(from), near(from + length));
        survive(&format!("{}{word}{}", &APP[..start], &APP[end..]));
        survive(&APP[..start]);
    }

    #[test]
    fn any_words(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..60)) {
        survive(&words.concat());
    }
}

/// Every prefix of complete lines, as an author writes a text.
#[test]
fn every_beginning_of_a_good_text_is_read() {
    let ends = APP.match_indices('\n').map(|(at, _)| at + 1);
    for end in sweep::sample(ends, 8) {
        survive(&APP[..end]);
    }
}

#[test]
fn a_process_has_an_end() {
    let steps: String = (0..600).fold(String::new(), |mut text, n| {
        let _ = writeln!(text, "    - step s{n}:\n        wait: 1h");
        text
    });
    let analysis = survive(&format!("process p:\n  steps:\n{steps}"));
    let found: Vec<&str> =
        analysis.diagnostics.iter().filter(|it| it.rule == "number-out-of-range").map(|it| it.message.as_str()).collect();
    assert_eq!(found, ["a process has at most 500 steps"]);
}

/// `each` with `#` replaced by the numbers from 0.
fn many(count: usize, each: &str) -> String {
    (0..count).map(|n| each.replace('#', &n.to_string())).collect()
}

/// Texts whose checks would take minutes if a step read the rest of the text each time.
#[test]
fn no_text_takes_long() {
    let (part, limit) = match (sweep::all(), sweep::is_quick()) {
        (true, _) => (1, 60),
        (false, false) => (4, 15),
        (false, true) => (16, 15),
    };
    let chain = "process p#:\n  steps:\n    - step a:\n        subprocess: p#0\n";
    let texts = [
        many(20_000 / part, "service s#:\n  input:\n    a: int required\n  output:\n    b: int required\n"),
        many(
            5_000 / part,
            "service s#:\n  stub: rust\nprocess p#:\n  emits: e#\n  steps:\n    - step a:\n        service: s#\n        goto: complete\n",
        ),
        many(5_000 / part, chain),
        many(20_000 / part, "process p#:\n  trigger: process p# completed\n  steps:\n    - step a:\n        wait: 1h\n"),
        format!("process p:\n  input:\n{}  steps:\n    - step a:\n        wait: 1h\n", many(20_000 / part, "    x#: int\n")),
        format!(
            "service s:\n  input:\n    a: int\n  stub: rust\nprocess p:\n  steps:\n{}",
            many(
                250,
                "    - step a#:\n        condition: 1 = 1\n        on_true: a#\n        on_false: fail\n    - step b#:\n        service: s\n"
            )
        ),
        format!("process p:\n  steps:\n    - step a:\n        effects:\n{}", many(20_000 / part, "          - emit e#\n")),
        format!("llm_intent i:\n  prompt: \"{}\"\n", many(20_000 / part, "{{ input.x# }} ")),
        format!("llm_intent i:\n  prompt: \"{}\"\n", "{{".repeat(50_000 / part)),
        format!("llm_model m:\n  model_id: a{}\n", "-1".repeat(50_000 / part)),
        format!("llm_model m:\n  model_id: a{}x\n", "-1x-1".repeat(50_000 / part)),
        format!("schedule s:\n  cron: \"{}\"\n", "1,".repeat(50_000 / part)),
        format!("service s:\n  input:\n    a: {}int\n", "list[".repeat(20_000 / part)),
    ];
    for text in texts {
        let start = Instant::now();
        let analysis = analyse(SourceMap::single("app.dsl", &text));
        for found in &analysis.diagnostics {
            render::short(&analysis.files, found);
        }
        let shown = text.chars().take(40).collect::<String>();
        println!("{:?} for {} bytes of {shown:?}", start.elapsed(), text.len());
        assert!(start.elapsed() < Duration::from_secs(limit), "{shown:?} takes {:?}", start.elapsed());
    }
}
