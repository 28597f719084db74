//! The page of `enum`.

use super::{
    frames::ALONE,
    page::{Entry, Page, entry, further, sound, text, wrong},
};

pub(super) fn page() -> Page {
    Page {
        file: "enum.md",
        title: "enum",
        summary: "Values that several entities share, with labels.",
        constructs: &["enum"],
        pieces: vec![
            text(
                "`enum NAME \"Title\":` declares values, one on each line or several separated by commas, each with an optional label. A field uses the name of the enum as its type. Values of a single entity are written in the field itself, without labels: `enum[a, b]`. In Rust, the type is `enums::Urgency`.",
            ),
            text(
                "On pages, the state field of a row shows a shape for [the progress of the row](entities.md#final-states). An ordered enum shows bars. Each value of another enum has a colour, which only distinguishes it. Red and amber are reserved for attention. The names of values have no effect.",
            ),
            sound(
                ALONE,
                "enum Urgency ordered \"Urgency\":\n  low \"Can wait\"\n  normal\n  high \"Today\"\n\nentity Bike:\n  id: uuid pk\n  urgency: Urgency = normal\n  permit:\n    list: urgency >= normal\n    read: authenticated",
            ),
            further("Word", ALONE, WORDS),
            wrong("empty-enum", "enum Urgency:\nentity Bike:\n  id: uuid pk\n  colour: enum[]\n  permit:\n    read: authenticated\n"),
        ],
    }
}

const WORDS: &[Entry] = &[entry(
    "ordered",
    "The values have an order, the smallest first, and can be compared with `<`, `<=`, `>` and `>=`.",
    "enum Size ordered:\n  small\n  large",
)];
