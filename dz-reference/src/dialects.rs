//! The page about other dialects: the table that findings and `dz lint --fix` use.

use super::page::{Page, text};
use dz_dsl_file::dialect::{Meaning, PHRASES, WORDS, Word};

pub(super) fn page() -> Page {
    Page {
        file: "dialects.md",
        title: "Coming from another dialect",
        summary: "Words of the dialect from which dz is derived, and of other systems, with the words of dz.",
        constructs: &[],
        pieces: vec![text(INTRODUCTION), text(phrases()), text(words())],
    }
}

const INTRODUCTION: &str = "A word on this page raises a finding with the replacement. If both texts have the same meaning, `dz lint --fix` makes the replacement. If the meaning can differ, `dz lint` shows it and the author decides.";

/// The text for a meaning.
fn by_fix(meaning: Meaning) -> &'static str {
    match meaning {
        Meaning::Same => "yes",
        Meaning::Likely | Meaning::None => "no",
    }
}

/// A text in a cell of a table.
fn code(text: &str) -> String {
    match text {
        "" => "remove the line".to_owned(),
        text => format!("`{}`", text.replace('|', "\\|")),
    }
}

fn phrases() -> String {
    let mut written = "## Phrases\n\n| Where | Instead of | Write | `--fix` | Note |\n|---|---|---|---|---|\n".to_owned();
    for it in PHRASES {
        let cells = [it.place, &code(it.theirs), &code(it.ours), by_fix(it.meaning), it.help];
        written.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    written
}

fn words() -> String {
    let mut written = "## Words\n".to_owned();
    let mut places: Vec<&str> = WORDS.iter().map(|it| it.place).collect();
    places.dedup();
    for place in places {
        written.push_str(&format!("\n### {}\n\n| Instead of | Write | `--fix` |\n|---|---|---|\n", heading(place)));
        for it in WORDS.iter().filter(|it| it.place == place) {
            written.push_str(&format!("| {} | {} | {} |\n", code(it.theirs), ours(it), by_fix(it.meaning)));
        }
    }
    written.trim_end().to_owned()
}

fn ours(it: &Word) -> String {
    if it.meaning == Meaning::None { it.ours.to_owned() } else { code(it.ours) }
}

/// The heading of a place.
fn heading(place: &str) -> &'static str {
    match place {
        "construct" => "Constructs",
        "type" => "Types",
        "modifier" => "Modifiers of a field",
        "entity" => "Blocks of an entity",
        "persona" => "Keys of a persona",
        "widget" => "Form controls",
        "kind of display" => "Regions of a workspace",
        "display of related rows" => "Related lists",
        "llm_config" => "Settings of language models",
        "pii" => "Personal data",
        "sort" => "Orders",
        "flag" => "Values of a flag",
        "value" => "Values",
        _ => "Signs",
    }
}
