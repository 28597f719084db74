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
                "`enum NAME \"Title\":` declares values, one a line or several with commas, each with a label or without. A field has it as \
                 its type by its name. Values of one entity alone are written in the field itself: `enum[a, b]`.",
            ),
            text(
                "On pages, the field that holds the state of a row shows a shape that tells [how far along the row \
                 is](entities.md#ends). An ordered enum shows bars. The values of other enums get a colour each, which means nothing \
                 but that they differ. Red and amber are kept for attention. Names of values decide nothing.",
            ),
            sound(
                ALONE,
                "enum Urgency ordered \"Urgency\":\n  low \"Can wait\"\n  normal\n  high \"Today\"\n\nentity Bike:\n  id: uuid pk\n  urgency: Urgency = normal\n  permit:\n    list: urgency >= normal\n    read: true",
            ),
            further("Word", ALONE, WORDS),
            wrong("empty-enum", "enum Urgency:\nentity Bike:\n  id: uuid pk\n  colour: enum[]\n  permit:\n    read: true\n"),
        ],
    }
}

const WORDS: &[Entry] = &[entry(
    "ordered",
    "The values have an order, the first is the least, and can be compared with `<` and the like.",
    "enum Size ordered:\n  small\n  large",
)];
