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
        title: "Two readings",
        summary: "Forms that could mean either of two things, which is taken, and how to say the other.",
        constructs: &[],
        pieces,
    }
}

const INTRODUCTION: &str = "A few forms could be read in two ways. One reading is taken, always the same; where people may have meant \
the other, a finding says so.";

/// The example of a violation of a rule.
fn broken(rule: &'static str) -> Option<Piece> {
    rules().find(|it| it.name == rule).map(|it| wrong(it.name, it.wrong))
}

fn words() -> Vec<Piece> {
    let mut pieces = vec![
        text(
            "## Words\n\n### A block or a field\n\nA word that begins a block is a field when a type follows its colon: `index: int` is a \
             field, `index promised` an index. The same holds for every word: what follows decides.",
        ),
        sound(frames::IN_REPAIR, "index: int\nindex promised"),
        text(
            "### A word of one's own or a slip\n\n`app` keeps keys that it does not know, and `permit` actions. One that is a letter beside a \
             known one is read as what it says, and a warning asks.",
        ),
    ];
    pieces.extend(broken("similar-key"));
    pieces.push(text(
        "### A value or a field\n\nIn a comparison with an enum, a bare word is a value of it, even when a field has that name. \
         A text in quotes is a value too.",
    ));
    pieces.extend(broken("ambiguous-word"));
    pieces.push(text(
        "### Months or minutes\n\n`m` is months in dates, defaults and transitions, and minutes where something waits or repeats: \
         `timeout`, `wait`, `interval`. The formatter writes the word.",
    ));
    pieces.extend(broken("ambiguous-duration"));
    pieces
}

fn lines() -> Vec<Piece> {
    let mut pieces = vec![text(
        "## Lines\n\n### A comment or an address\n\n`//` begins a comment everywhere but in strings and in the sentences of stories, so \
             that an address needs quotes.",
    )];
    pieces.extend(broken("unquoted-url"));
    pieces.push(text(
        "### A line that goes on or a block\n\nAfter a comma, an operator, `and`, `or` or `not`, a deeper line goes on with the line above. \
         One that is a key with a colon of its own does so after a comma only: behind an operator, the operand is what is missing.",
    ));
    pieces.push(sound(frames::IN_REPAIR, "index status,\n  promised"));
    pieces.push(text(
        "### A step back that lands nowhere\n\nIt is an error; the line is read as if it stood on the nearest open level, the deeper of two, so \
         that nothing else is reported for it.",
    ));
    pieces.extend(broken("inconsistent-indentation"));
    pieces
}

fn entities() -> Vec<Piece> {
    let mut pieces = vec![
        text(
            "## Entities\n\n### Required or optional\n\nA field that says neither is required when it has a default or is the key, and \
             optional otherwise.",
        ),
        sound(frames::IN_REPAIR, "note: text\nrank: int = 1"),
        text(
            "### Which field holds the state\n\nThe only enum field that has every state which the rows name; if there are several, the \
             one called `status` or `state`.",
        ),
    ];
    pieces.extend(broken("ambiguous-state-field"));
    pieces.push(text("### Which ref points back\n\nThe only one; if there are several, `via` says which."));
    pieces.extend(broken("ambiguous-inverse"));
    pieces.push(text(
        "### `and` beside `or`\n\n`and` binds closer: `a or b and c` is `a or (b and c)`, and `not a = b` is `not (a = b)`. \
         Null is a value for `=` and `!=`: `status != done` holds where there is no status.",
    ));
    pieces.push(sound(frames::CONDITION, "express or promised < today and promised != null"));
    pieces.push(text(
        "### Which row a label means\n\nIn demo data, a text means the row with that label; if several have it, `@name` names one.",
    ));
    pieces.extend(broken("ambiguous-row"));
    pieces
}
