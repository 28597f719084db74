//! The page of field types.

use super::{
    frames,
    page::{Entry, Page, entry, entry_in, sound, text, words, wrong},
};
use dz_dsl_file::vocabulary;

pub(super) fn page() -> Page {
    let mut pieces = vec![text(INTRODUCTION), text(overview()), text(NOTES)];
    pieces.push(text("## Each type"));
    pieces.push(words("type", "Type", frames::IN_REPAIR, TYPES));
    pieces.push(wrong("unknown-type", "entity Bike:\n  id: uuid pk\n  label: varchar(60)\n  permit:\n    read: authenticated\n"));
    pieces.push(text(AMOUNTS));
    pieces.push(text(COMPUTED));
    pieces.push(sound(frames::IN_REPAIR, "waiting_days: computed days_since(started_at)"));
    pieces.push(wrong(
        "type-mismatch",
        "entity Bike:\n  id: uuid pk\n  bought: datetime\n  sold: datetime\n  owned: computed sold - bought\n  permit:\n    read: authenticated\n",
    ));
    pieces.push(text(RELATIONS));
    pieces.push(words("relation", "After the entity", frames::IN_REPAIR, PARTS));
    pieces.push(text(
        "A `has_many` or `has_one` needs exactly one ref that points back. Without one the rule `missing-inverse` reports it; with several, `ambiguous-inverse` reports it until `via` names one.

A `has_many` can use a junction, an entity with a ref to each side: `via` then names the junction. A caller sees the connected rows that the caller can list, if the caller can also list the junction rows that connect them. Conditions and computed values use all connected rows. A row that is connected twice counts once. Rows are connected by creating rows of the junction, and disconnected by deleting them; the words after the relation (`cascade`, `restrict`, `nullify`) apply to rows of the junction. If both sides are the same entity, `via` also names the ref to this row: `via Sequel.earlier`.",
    ));
    pieces.push(sound(
        "entity Rider:\n  id: uuid pk\n  name: str(60) required\n  …\n  permit:\n    read: authenticated\nentity Tour:\n  id: uuid pk\n  riders: has_many Rider via Booking cascade\n  permit:\n    read: authenticated\nentity Booking:\n  id: uuid pk\n  tour: ref Tour required\n  rider: ref Rider required\n  permit:\n    read: authenticated\n",
        "tours: has_many Tour via Booking",
    ));
    pieces.push(wrong(
        "ambiguous-inverse",
        "entity Shelf:\n  id: uuid pk\n  bikes: has_many Bike\n  permit:\n    read: authenticated\nentity Bike:\n  id: uuid pk\n  shelf: ref Shelf\n  last_shelf: ref Shelf\n  permit:\n    read: authenticated\n",
    ));
    Page {
        file: "types.md",
        title: "Field types",
        summary: "Every type with its form in Rust, SQLite, PostgreSQL and JSON; relations; computed fields.",
        constructs: &[],
        pieces,
    }
}

const INTRODUCTION: &str = "A field is `name: type`, followed by [modifiers](entities.md#modifiers) in any order.";

/// The type in Rust, SQL and JSON.
struct Mapping {
    word: &'static str,
    rust: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
    json: &'static str,
}

const fn mapping(word: &'static str, rust: &'static str, sqlite: &'static str, postgres: &'static str, json: &'static str) -> Mapping {
    Mapping { word, rust, sqlite, postgres, json }
}

const MAPPINGS: &[Mapping] = &[
    mapping("uuid", "`Uuid`", "`BLOB`, 16 bytes", "`uuid`", "string"),
    mapping("str", "`String`", "`TEXT`, length checked", "`varchar(n)`", "string"),
    mapping("text", "`String`", "`TEXT`", "`text`", "string"),
    mapping("int", "`i64`", "`INTEGER`", "`bigint`", "number"),
    mapping("float", "`f64`, finite", "`REAL`", "`double precision`", "number"),
    mapping("decimal", "`Decimal`", "`INTEGER`, scaled, to 18 digits; `TEXT` beyond", "`numeric(p,s)`", "string: `\"48.50\"`"),
    mapping("bool", "`bool`", "`INTEGER`", "`boolean`", "true, false"),
    mapping("date", "`NaiveDate`", "`TEXT`", "`date`", "string: `\"2026-01-31\"`"),
    mapping("datetime", "`DateTime<Utc>`, microseconds", "`TEXT`", "`timestamptz`", "string: `\"2026-01-31T09:30:00Z\"`"),
    mapping("enum", "an enum of its own", "`TEXT`, values checked", "`text`, values checked", "string: the value as declared"),
    mapping("json", "`serde_json::Value`", "`TEXT`", "`jsonb`", "any value"),
    mapping("email", "`String`", "`TEXT`", "`varchar(254)`", "string"),
    mapping("url", "`String`", "`TEXT`", "`varchar(2048)`", "string"),
    mapping("timezone", "`String`", "`TEXT`", "`text`", "string"),
    mapping("slug", "`String`", "`TEXT`", "`text`", "string"),
    mapping(
        "money",
        "`Decimal` for the amount; without a declared currency also a `String` for the currency",
        "as `decimal`, with the digits of the currency; `TEXT` for the currency of the row",
        "as `decimal`; `varchar(3)` for the currency of the row",
        "`{\"amount\":\"1.00\",\"currency\":\"EUR\"}`",
    ),
    mapping(
        "file",
        "`dz::File`",
        "`TEXT`, and a row for the object",
        "`jsonb`, and a row for the object",
        "`{\"id\",\"name\",\"size\",\"type\",\"url\"}`",
    ),
    mapping(
        "ref",
        "the key of the target",
        "as that key, foreign key, indexed",
        "as that key, foreign key, indexed",
        "the key; with `expand` the row",
    ),
    mapping("belongs_to", "as `ref`", "as `ref`", "as `ref`", "as `ref`"),
    mapping("has_many", "a method", "no column", "no column", "a list, with `expand` only"),
    mapping("has_one", "a method", "no column", "no column", "an object, with `expand` only"),
    mapping("computed", "as the type of its expression", "no column", "no column", "as the type of its expression"),
];

fn overview() -> String {
    let mut written = "| Type | Rust | SQLite | PostgreSQL | JSON |\n|---|---|---|---|---|\n".to_owned();
    for word in vocabulary::words_of("type") {
        if let Some(it) = MAPPINGS.iter().find(|it| it.word == word) {
            written.push_str(&format!("| `{word}` | {} | {} | {} | {} |\n", it.rust, it.sqlite, it.postgres, it.json));
        }
    }
    written
}

/// Types without a row in the overview.
pub(super) fn gaps() -> Vec<String> {
    let missing = vocabulary::words_of("type").into_iter().filter(|word| !MAPPINGS.iter().any(|it| it.word == *word));
    missing.map(|word| format!("the overview has no row for the type `{word}`")).collect()
}

const NOTES: &str = "An optional field is an `Option` in Rust, a column without `NOT NULL`, and null in JSON. Values, their order and their \
JSON are the same on both databases.";

const TYPES: &[Entry] = &[
    entry("uuid", "An identifier. As a key it is generated, in the order of creation.", "ticket: uuid"),
    entry("str", "A short text with a maximum number of characters, 1 to 10,000. `str` alone means 255, with a lint.", "colour: str(40)"),
    entry("text", "A text of any length.", "report: text"),
    entry("int", "A whole number of 64 bits. `int(64)` is the same; in GraphQL its type is `BigInt`.", "gears: int"),
    entry("float", "A binary floating-point number; for measurements, not for money.", "weight: float"),
    entry(
        "decimal",
        "An exact number: the number of digits, and of digits after the point. `decimal` alone is `decimal(18, 4)`; the maximum is 28 digits.",
        "price: decimal(10, 2)",
    ),
    entry("bool", "Yes or no. A required one without a default is false.", "stolen: bool"),
    entry(
        "date",
        "A date; as a value, a text such as `\"2026-01-31\"`, `today`, or a sum with a duration.",
        "bought: date = \"2026-01-31\"",
    ),
    entry(
        "datetime",
        "A timestamp in UTC, with microseconds; as a value, a text such as `\"2026-01-31T09:30:00Z\"` or `now`.",
        "seen_at: datetime = now",
    ),
    entry(
        "enum",
        "One of the listed values. A value that is not a single word needs quotes. A declared [enum](enum.md) is used by its name.",
        "brake: enum[rim, disc, \"coaster brake\"] = rim",
    ),
    entry("json", "Any JSON with at most 65,536 values in it. Its default is `[]`, `{}`, a text or a number.", "answers: json = {}"),
    entry("email", "One mail address.", "contact: email"),
    entry("url", "An address on the web, http or https.", "manual: url"),
    entry("timezone", "An IANA name of a time zone.", "zone: timezone = \"Europe/Lisbon\""),
    entry("slug", "Letters a to z, digits and hyphens, for addresses.", "code: slug unique"),
    entry("ref", "Points to a row of an entity.", "helper: ref User"),
    entry(
        "has_many",
        "The rows of an entity that reference this row, or that a junction connects. It has no column.",
        "parts_used: has_many Part",
    ),
    entry_in(
        "entity Bike:\n  id: uuid pk\n  …\n  permit:\n    read: authenticated\nentity Lock:\n  id: uuid pk\n  bike: ref Bike unique\n  permit:\n    read: authenticated\n",
        "has_one",
        "The single row of an entity that references this row. It has no column.",
        "lock: has_one Lock",
    ),
    entry("belongs_to", "Another word for `ref`, for the other side of a `has_many`.", "spare: belongs_to Part"),
    entry(
        "computed",
        "Computed from an expression; it can be shown, sorted and filtered, but not written.",
        "total: computed fee + sum(parts.price)",
    ),
    entry(
        "money",
        "An amount of the currency in parentheses, by its ISO 4217 code, or of the `currency` of the application; with the digits of the currency after the point. Filters, sort orders and CSV use its amount. If neither names a currency, each row has its own: see below.",
        "deposit: money(EUR)",
    ),
    entry(
        "file",
        "An uploaded file; the size in parentheses, in `KB`, `MB` or `GB`, is the largest that is accepted; default: that of the configuration. Lists cannot be sorted by it, and filters can only test whether there is one.",
        "photo: file(20MB)",
    ),
];

const AMOUNTS: &str = "## Amounts of any currency

In an application without a `currency`, `price: money` is an amount with a currency of its own in each row. dz adds the field `price_currency`, which is required or `sensitive` if the amount is; both are null or neither is. JSON and forms have them as one value; filters, rules, CSV, demo data and Rust have both fields: `price: 12.50, price_currency: \"EUR\"`. Sorting by `price` sorts by currency first. The amount has 14 digits before the point, and after it at most those of the currency of its row.

Such an amount can be compared with 0 and with null, but not with another amount, because the currencies can differ. For the same reason it has no default, cannot be `unique` or `indexed` on its own, has no sum, and cannot be the result of a computed field.";

const COMPUTED: &str = "## Computed fields

The type follows from the expression. It cannot be a duration (compute a number of days or hours instead), a list, or null. Computed fields can use each other, but not in a cycle.";

const RELATIONS: &str = "## Relations

The words after the entity of a `ref`, `belongs_to`, `has_many` or `has_one`. Without them, deleting a row is refused while required references to it exist, and sets optional ones to null.";

const PARTS: &[Entry] = &[
    entry_in(
        "entity Shelf:\n  id: uuid pk\n  …\n  permit:\n    read: authenticated\nentity Bike:\n  id: uuid pk\n  shelf: ref Shelf\n  last_shelf: ref Shelf\n  permit:\n    read: authenticated\n",
        "via",
        "The ref of the other entity that points back, or the junction.",
        "bikes: has_many Bike via shelf",
    ),
    entry("cascade", "Deleting the row deletes the rows that reference it.", "spare: ref Part cascade"),
    entry("restrict", "Deleting the row is refused while other rows reference it.", "spare: ref Part restrict"),
    entry("nullify", "Deleting the row sets the references to it to null.", "spare: ref Part nullify"),
];
