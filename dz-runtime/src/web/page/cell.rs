//! Converts values to cells: text, icons, tones and shapes.

mod format;

pub(crate) use format::Formatter;

use crate::{
    Value,
    def::{AppDef, EntityDef, EnumDef, FieldDef, Kind, Stage},
    field::{File, datetime_attribute},
    files,
    template::{Cell, Icon, Shape},
};

impl Cell {
    /// The value of a stored field that is not a reference; `text` is the result of `field::display`.
    pub fn from_field(field: &'static FieldDef, value: &Value, text: String) -> Cell {
        let shape = match value {
            Value::Null => return Cell::empty(say!("dz-not-set", "Not set")),
            Value::Bool(value) => Shape::Bool(*value),
            Value::Date(day) => Shape::Time(day.to_string()),
            Value::DateTime(at) => Shape::Time(datetime_attribute(at)),
            Value::Int(_) | Value::Float(_) | Value::Decimal(_) => Shape::Number,
            Value::Uuid(_) if field.kind.is_uuid() => Shape::Code,
            Value::Json(_) if field.kind.is_json() => Shape::Code,
            Value::Uuid(_) | Value::Json(_) => Shape::Text,
            Value::Text(content) => return Cell::of_text(field, content, text),
        };
        Cell { shape, text, href: None }
    }

    /// The cell of a field with a text value; `text` is the displayed text.
    fn of_text(field: &'static FieldDef, content: &str, text: String) -> Cell {
        let link = |href: String, text| Cell { href: Some(href), shape: Shape::Link, text };
        let shape = match field.kind {
            Kind::Enum(def) => enum_shape(field, def, content),
            Kind::Url => return link(content.to_owned(), text),
            Kind::Email => return link(format!("mailto:{content}"), text),
            Kind::Text if field.is_stored() => Shape::Prose,
            Kind::Str(_)
            | Kind::Text
            | Kind::Timezone
            | Kind::Currency { .. }
            | Kind::Slug
            | Kind::Uuid
            | Kind::Int
            | Kind::Float
            | Kind::Decimal { .. }
            | Kind::Bool
            | Kind::Date
            | Kind::DateTime
            | Kind::Json
            | Kind::File { .. }
            | Kind::Ref(_)
            | Kind::HasMany { .. }
            | Kind::HasOne { .. }
            | Kind::ManyToMany { .. } => Shape::Text,
        };
        Cell { shape, text, href: None }
    }

    /// The name of a stored file; `pictured` displays an image.
    pub(crate) fn from_file(file: &File, href: Option<String>, pictured: bool) -> Cell {
        let pictured = pictured && href.is_some() && files::is_image(&file.media_type);
        Cell { shape: Shape::File { size: files::size_text(file.size), pictured }, text: file.name.clone(), href }
    }

    /// The label of another row.
    pub fn from_ref(app: &'static AppDef, target: &'static EntityDef, label: String, href: Option<String>) -> Cell {
        let person = target.ix == app.account;
        let tone = if person { text_tone(&label) } else { entity_tone(target) };
        let mark = if person { initials(&label) } else { target.mark.to_owned() };
        Cell { shape: Shape::Ref { tone, mark, person }, text: label, href }
    }
}

const TONES: [&str; 5] = ["blue", "teal", "violet", "green", "pink"];

/// The colour of an entity's tile, by its position in the application.
pub(crate) fn entity_tone(entity: &EntityDef) -> &'static str {
    TONES[usize::from(entity.ix) % TONES.len()]
}

/// The colour of a person's tile, which is the same on all pages.
pub(crate) fn text_tone(text: &str) -> &'static str {
    let sum = text.bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
    TONES[sum % TONES.len()]
}

/// At most two initials: of the first and the last word, or of an email address.
pub(crate) fn initials(text: &str) -> String {
    let name = text.split('@').next().unwrap_or(text);
    let mut words = name.split(|c: char| !c.is_alphanumeric()).filter_map(|word| word.chars().next());
    let first = words.next().unwrap_or('?');
    let mark: String = std::iter::once(first).chain(words.next_back()).collect();
    mark.to_uppercase()
}

/// The shape of an enum value. States have a shape for their progress, ordered enums have bars, other enums have a coloured square. Red
/// and amber are reserved for warnings.
fn enum_shape(field: &FieldDef, def: &EnumDef, name: &str) -> Shape {
    let at = def.values.iter().position(|value| value.name == name).unwrap_or(0);
    if let Some(stage) = field.stages.get(at) {
        return state_shape(*stage);
    }
    if def.ordered {
        let bars = ["o-1", "o-2", "o-3", "o-4"];
        let count = def.values.len();
        let level = if count < 2 { 0 } else { (at * 3).div_ceil(count - 1).min(3) };
        return Shape::Choice { tone: "gray", icon: Some(Icon(bars[level])), dropped: false };
    }
    let tones = ["teal", "violet", "blue", "pink", "green", "gray"];
    Shape::Choice { tone: tones[at % tones.len()], icon: None, dropped: false }
}

/// True for the field that holds the state of a row.
pub(crate) fn is_state(field: &FieldDef) -> bool {
    !field.stages.is_empty()
}

fn state_shape(stage: Stage) -> Shape {
    let (tone, icon) = match stage {
        Stage::Start => ("gray", "s-0"),
        Stage::Quarter => ("blue", "s-25"),
        Stage::Half => ("violet", "s-50"),
        Stage::ThreeQuarters => ("teal", "s-75"),
        Stage::Ended => ("gray", "s-100"),
        Stage::Succeeded => ("green", "s-100"),
        Stage::Failed => ("gray", "s-x"),
    };
    Shape::Choice { tone, icon: Some(Icon(icon)), dropped: stage == Stage::Failed }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::def::EnumValueDef;

    pub(crate) const fn field(name: &'static str, kind: Kind) -> FieldDef {
        FieldDef::new(name, name, kind)
    }

    #[track_caller]
    fn check(cell: &Cell, expected: Expect) {
        expected.assert_eq(&cell.to_string());
    }

    static NOTE: FieldDef = field("note", Kind::Text);
    static SITE: FieldDef = field("site", Kind::Url);
    static SIZE: FieldDef = field("size", Kind::Int);

    #[test]
    fn everything_is_escaped() {
        let evil = "<script>\"'&";
        let cells = [
            Cell::text(evil),
            Cell::empty(evil),
            Cell::from_field(&NOTE, &Value::Text(evil.into()), evil.into()),
            Cell::from_field(&SITE, &Value::Text(format!("https://x/{evil}")), evil.into()),
            Cell { shape: Shape::Time(evil.into()), text: evil.into(), href: Some(evil.into()) },
            Cell { shape: Shape::Ref { tone: "blue", mark: evil.into(), person: true }, text: evil.into(), href: None },
            Cell { shape: Shape::Code, text: evil.into(), href: None },
        ];
        for cell in cells {
            let html = cell.to_string();
            assert!(!html.contains("<script") && !html.contains("\"'"), "{html}");
        }
    }

    #[test]
    fn values() {
        check(&Cell::from_field(&SIZE, &Value::Int(7), "7".into()), expect!["<span data-num>7</span>"]);
        check(
            &Cell::from_field(&SIZE, &Value::Null, String::new()),
            expect![[r#"<span class="dz-none">–<span class="dz-sr">Not set</span></span>"#]],
        );
        check(
            &Cell::from_field(&NOTE, &Value::Text("a\nb".into()), "a\nb".into()),
            expect![[r#"
            <span class="dz-prose">a
            b</span>"#]],
        );
    }

    static STATUS: EnumDef = EnumDef {
        name: "Status",
        values: &[
            EnumValueDef { name: "open", title: "Open" },
            EnumValueDef { name: "doing", title: "Doing" },
            EnumValueDef { name: "done", title: "Done" },
            EnumValueDef { name: "cancelled", title: "Cancelled" },
        ],
        ordered: false,
    };
    static LEVELS: EnumDef = EnumDef { name: "Level", values: STATUS.values, ordered: true };
    // The shape follows the declared stages, not the names or the order of the values.
    static STATE: FieldDef =
        FieldDef { stages: &[Stage::Succeeded, Stage::Half, Stage::Start, Stage::Ended], ..field("phase_of_moon", Kind::Enum(&STATUS)) };
    static OTHER: FieldDef =
        FieldDef { stages: &[Stage::Quarter, Stage::ThreeQuarters, Stage::Failed, Stage::Failed], ..field("kind", Kind::Enum(&STATUS)) };
    static KIND: FieldDef = field("status", Kind::Enum(&STATUS));
    static URGENCY: FieldDef = field("urgency", Kind::Enum(&LEVELS));

    #[track_caller]
    fn check_shapes(field: &'static FieldDef, expected: [(&str, Option<&str>); 4]) {
        for (value, expected) in STATUS.values.iter().zip(expected) {
            let cell = Cell::from_field(field, &Value::Text(value.name.into()), value.title.into());
            let Shape::Choice { tone, icon, .. } = cell.shape else { panic!("{:?}", cell.shape) };
            assert_eq!((tone, icon.map(|icon| icon.0)), expected, "{}", value.name);
        }
    }

    #[test]
    fn states_have_a_shape_and_a_tone() {
        check_shapes(&STATE, [("green", Some("s-100")), ("violet", Some("s-50")), ("gray", Some("s-0")), ("gray", Some("s-100"))]);
        check_shapes(&OTHER, [("blue", Some("s-25")), ("teal", Some("s-75")), ("gray", Some("s-x")), ("gray", Some("s-x"))]);
        check_shapes(&URGENCY, [("gray", Some("o-1")), ("gray", Some("o-2")), ("gray", Some("o-3")), ("gray", Some("o-4"))]);
        check_shapes(&KIND, [("teal", None), ("violet", None), ("blue", None), ("pink", None)]);
    }

    #[test]
    fn marks() {
        for (text, mark) in [("Mira Lindqvist", "ML"), ("ann.lopez@example.com", "AL"), ("élan", "É"), ("", "?"), ("a b c", "AC")] {
            assert_eq!(initials(text), mark, "{text}");
        }
    }
}
