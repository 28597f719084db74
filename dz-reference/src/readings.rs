//! The page of forms with two possible meanings, and the meaning that dz chooses.

use super::{
    frames,
    page::{Page, Piece, sound, text, wrong},
};
use dz_dsl_file::rules;

pub(super) fn page() -> Page {
    let mut pieces = vec![text(INTRODUCTION)];
    pieces.extend(words());
    pieces.extend(lines());
    pieces.extend(entities());
    Page {
        file: "readings.md",
        title: "Ambiguous forms",
        summary: "Forms with two possible meanings, and the one that dz chooses.",
        constructs: &[],
        pieces,
    }
}

const INTRODUCTION: &str = "Some forms have two possible meanings. dz always chooses the same one. A finding reports a text whose author may have meant the other one.";

/// The example of a violation of a rule.
fn broken(rule: &'static str) -> Option<Piece> {
    rules().find(|it| it.name == rule).map(|it| wrong(it.name, it.wrong))
}

fn words() -> Vec<Piece> {
    let mut pieces = vec![
        text(
            "## Words\n\n### A block or a field\n\nA word that begins a block is a field when a type follows its colon: `index: int` is a \
             field, `index promised` an index. This applies to every word: the text after it decides.",
        ),
        sound(frames::IN_REPAIR, "index: int\nindex promised"),
        text(
            "### An unknown word or a typo\n\n`app` keeps unknown keys, and `permit` keeps unknown actions. A word that differs from a known one by one letter is kept too, with a warning.",
        ),
    ];
    pieces.extend(broken("similar-key"));
    pieces.push(text(
        "### A value or a field\n\nIn a comparison with an enum, a bare word is one of its values, even if a field has that name. \
         A text in quotes is a value too.",
    ));
    pieces.extend(broken("ambiguous-word"));
    pieces.push(text(
        "### Months or minutes\n\n`m` means months in dates, defaults and transitions, and minutes in delays and intervals: \
         `timeout`, `wait`, `interval`. The formatter writes the word.",
    ));
    pieces.extend(broken("ambiguous-duration"));
    pieces
}

fn lines() -> Vec<Piece> {
    let mut pieces = vec![text(
        "## Lines\n\n### A comment or an address\n\n`//` begins a comment everywhere except in strings and in the sentences of stories, so an address needs quotes.",
    )];
    pieces.extend(broken("unquoted-url"));
    pieces.push(text(
        "### A continuation line or a block\n\nAfter a comma, an operator, `and`, `or` or `not`, a deeper line continues the line above. A line with a key and a colon does so only after a comma: after an operator, the operand is missing.",
    ));
    pieces.push(sound(frames::IN_REPAIR, "index status,\n    promised"));
    pieces.push(text(
        "### Indentation between two levels\n\nIt is an error; the line is analysed on the nearest open level, or the deeper of two, so that it causes no other finding.",
    ));
    pieces.extend(broken("inconsistent-indentation"));
    pieces
}

fn entities() -> Vec<Piece> {
    let mut pieces = vec![
        text(
            "## Entities\n\n### Required or optional\n\nA field with neither word is required if it has a default or is the key, and optional otherwise.",
        ),
        sound(frames::IN_REPAIR, "note: text\nrank: int = 1"),
        text(
            "### Which field holds the state\n\nThe only enum field with every named state; if there are several, the one with the name `status` or `state`.",
        ),
    ];
    pieces.extend(broken("ambiguous-state-field"));
    pieces.push(text("### Which ref points back\n\nThe only one; if there are several, `via` names one."));
    pieces.extend(broken("ambiguous-inverse"));
    pieces.push(text(
        "### `and` beside `or`\n\n`and` binds closer: `a or b and c` is `a or (b and c)`, and `not a = b` is `not (a = b)`. \
         Null is a value for `=` and `!=`: `status != done` is true for a row without a status.",
    ));
    pieces.push(sound(frames::CONDITION, "express or promised < today and promised != null"));
    pieces.push(text(
        "### Which row a label means\n\nIn demo data, a text means the row with that label; if several have it, `@name` names one.",
    ));
    pieces.extend(broken("ambiguous-row"));
    pieces
}
