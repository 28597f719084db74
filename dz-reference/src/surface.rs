//! The page of `surface`.

mod ux;

use super::{
    frames,
    page::{Entry, Page, Piece, entry, entry_in, further, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    let mut pieces = vec![text(INTRODUCTION), sound(frames::BESIDE, WHOLE), text("## Keys")];
    pieces.push(words("surface", "Key", frames::IN_LIST, KEYS));
    pieces.push(text("### Modes"));
    pieces.push(words("mode", "Mode", MODE, MODES));
    pieces.push(wrong(
        "missing-required-field",
        "entity Bike:\n  id: uuid pk\n  label: str(60) required\n  colour: str(20)\n  permit:\n    create: true\nsurface bike_new:\n  uses entity Bike\n  mode: create\n  section main:\n    field colour\n",
    ));
    pieces.push(text("### Who may open it"));
    pieces.push(further("Audience", frames::IN_LIST, AUDIENCES));
    pieces.push(text("### Priorities"));
    pieces.push(words("priority", "Priority", frames::IN_LIST, PRIORITIES));
    pieces.extend(sections());
    pieces.extend(actions());
    pieces.extend(ux::pieces());
    Page {
        file: "surface.md",
        title: "surface",
        summary: "A screen: a list, one row, a form; what it shows, and what differs for personas.",
        constructs: &["surface"],
        pieces,
    }
}

const INTRODUCTION: &str = "`surface NAME \"Title\":` is a screen of one entity, at `/app/NAME`. It shows and writes what the rules of the \
entity permit, never more. There may be several of one mode; a link opens the first in the file unless it names one.";

const WHOLE: &str = "surface repair_list \"Repairs\":
  uses entity Repair
  mode: list
  section main:
    field title
    field bike.label \"Bike\"
    field status
    field promised
  ux:
    sort: promised asc
    filter: status, mechanic
    search: title, bike.label
    empty: \"Nothing to repair.\"

surface repair_new \"New repair\":
  uses entity Repair
  mode: create
  section main \"What to do\":
    field title help: \"One job, as the customer would call it\"
    field bike
    field promised";

const KEYS: &[Entry] = &[
    entry_in(USES, "uses", "The entity that it shows. It must be said.", "uses entity Bike"),
    entry_in(MODE, "mode", "What it does. It must be said. See [modes](#modes).", "mode: view"),
    entry(
        "section",
        "A part of the page. Without one, every field that the mode can show or write is there. See [sections](#sections).",
        "section main \"Repair\":\n  field title\n  field fee",
    ),
    entry_in(
        frames::IN_VIEW,
        "action",
        "A button, or what follows a form. See [actions](#actions).",
        "action all \"All repairs\":\n  on click -> surface repair_list",
    ),
    entry_in(
        frames::IN_VIEW,
        "related",
        "Rows that refer to this one. See [related lists](#related-lists).",
        "related parts \"Parts\":\n  show: parts",
    ),
    entry(
        "access",
        "Who may open it. Without it: every caller with the right that the mode needs. It narrows, and never permits.",
        "access: persona(mechanic)",
    ),
    entry("priority", "Its priority in the navigation.", "priority: high"),
    entry("ux", "How it behaves. See [`ux`](#ux).", "ux:\n  sort: promised asc"),
];

const USES: &str = "entity Bike:\n  id: uuid pk\n  permit:\n    read: true\nsurface bikes:\n  …\n  mode: list\n";

const MODE: &str =
    "entity Bike:\n  id: uuid pk\n  label: str(60)\n  permit:\n    read: true\n    list: true\nsurface bikes:\n  uses entity Bike\n  …\n";

const MODES: &[Entry] = &[
    entry("list", "Rows, with pages, sorting, filters and search.", "mode: list"),
    entry("view", "One row.", "mode: view"),
    entry("create", "A form for a new row. It must have every required field that has no default.", "mode: create"),
    entry("edit", "A form for a row that exists.", "mode: edit"),
];

const AUDIENCES: &[Entry] = &[
    entry("public", "Every caller, signed in or not.", "access: public"),
    entry("authenticated", "Every account.", "access: authenticated"),
    entry("persona", "Accounts that have one of these personas.", "access: persona(mechanic, counter)"),
];

const PRIORITIES: &[Entry] = &[
    entry("critical", "Before everything.", "priority: critical"),
    entry("high", "In front.", "priority: high"),
    entry("medium", "As they come; so unless said.", "priority: medium"),
    entry("low", "Behind the others.", "priority: low"),
];

fn sections() -> Vec<Piece> {
    vec![
        text("## Sections\n\n`section NAME \"Title\":` shows fields of the row, or the rows of another entity that refer to it."),
        words("section", "Key", frames::IN_SECTION, SECTION),
        text(
            "A nested list is allowed on a surface of mode `view`. When exactly one ref of the child leads here, its filter may be left out; the \
             child's own rules hold.",
        ),
        sound(
            frames::IN_VIEW,
            "section parts \"Parts\":\n  uses entity Part\n  filter: repair = this and price > 0\n  field name\n  field price",
        ),
        text(
            "### Options of a field\n\nThey follow the label, or are on lines under the field. A path may follow refs; such a field is shown and never written.",
        ),
        words("field", "Option", frames::IN_FIELDS, OPTIONS),
        text("### Widgets\n\nA control other than the one that follows from the type. It must fit the type."),
        words("widget", "Widget", frames::IN_FIELDS, WIDGETS),
        text("### Formats\n\nHow a value is shown. It must fit the type."),
        words("format", "Format", frames::IN_FIELDS, FORMATS),
    ]
}

const SECTION: &[Entry] = &[
    entry("field", "A field, over refs with dots, with a label and [options](#options-of-a-field).", "field bike.owner.name \"Customer\""),
    entry_in(frames::SECTION_OF_VIEW, "uses", "Lists the rows of another entity instead.", "uses entity Part"),
    entry_in(frames::IN_NESTED, "filter", "Which rows of it; `this` is the row of the page.", "filter: repair = this and count > 1"),
    entry("note", "A sentence under the title.", "note: \"As agreed with the customer\""),
];

const OPTIONS: &[Entry] = &[
    entry("help", "A sentence beside the control.", "field title help: \"One job\""),
    entry("read_only", "Shown, and not to be changed here. `read_only: false` says that it is.", "field fee read_only"),
    entry("widget", "The control.", "field express widget=switch"),
    entry("format", "How the value is shown.", "field promised format: relative"),
    entry("when", "The field is there only when this holds for the row.", "field fee when: status = ready"),
];

const WIDGETS: &[Entry] = &[
    entry("text", "One line of text.", "field title widget=text"),
    entry("textarea", "Several lines of text.", "field notes widget=textarea"),
    entry("markdown", "Text with marks for headings, lists and links.", "field notes widget=markdown"),
    entry("phone", "A telephone number.", "field colour widget=phone"),
    entry("color", "A colour.", "field colour widget=color"),
    entry("number", "A number.", "field hours widget=number"),
    entry("range", "A slider.", "field hours widget=range"),
    entry("checkbox", "A box to tick.", "field express widget=checkbox"),
    entry("switch", "A switch.", "field express widget=switch"),
    entry("select", "A list to choose from.", "field status widget=select"),
    entry("radio", "All choices at once.", "field status widget=radio"),
    entry("picker", "A search among rows.", "field bike widget=picker"),
    entry("date", "A day.", "field started_at widget=date"),
    entry("datetime", "A day and a time.", "field started_at widget=datetime"),
];

const FORMATS: &[Entry] = &[
    entry("short", "A short date.", "field promised format: short"),
    entry("long", "A long date.", "field promised format: long"),
    entry("relative", "A date as seen from today.", "field promised format: relative"),
    entry("date", "The day of a moment.", "field started_at format: date"),
    entry("time", "The time of a moment.", "field started_at format: time"),
    entry("month", "Month and year.", "field promised format: month"),
    entry("year", "The year.", "field promised format: year"),
    entry("integer", "A number without digits after the point.", "field fee format: integer"),
    entry("percent", "A number as a share of a hundred.", "field effort format: percent"),
    entry("compact", "A large number in short.", "field hours format: compact"),
    entry("yes_no", "Yes or no.", "field express format: yes_no"),
    entry("badge", "A coloured badge.", "field status format: badge"),
    entry("link", "A link.", "field site format: link"),
    entry("code", "In a fixed width.", "field meta format: code"),
    entry("upper", "In capitals.", "field colour format: upper"),
    entry("lower", "In small letters.", "field colour format: lower"),
];

fn actions() -> Vec<Piece> {
    vec![
        text("## Actions\n\n`action NAME \"Title\":` opens another surface. It may be written on one line."),
        sound(frames::IN_FORM, "action save: on submit -> surface repair_list"),
        words("surface action", "Key", frames::ACTION, ACTION),
        words("event", "Event", frames::ACTION, EVENTS),
        wrong(
            "surface-needs-row",
            "entity Bike:\n  id: uuid pk\n  permit:\n    read: true\n    list: true\nentity Lock:\n  id: uuid pk\n  permit:\n    read: true\n    list: true\nsurface bike_view:\n  uses entity Bike\n  mode: view\nsurface lock_view:\n  uses entity Lock\n  mode: view\n  action bike:\n    on click -> surface bike_view\n",
        ),
        text(
            "## Related lists\n\n`related NAME \"Title\":` lists rows that refer to the row of a surface of mode `view`, each entity under its \
             own rules. With one entity the list bears the title, with several each has one of its own below it.",
        ),
        words("related", "Key", RELATED, RELATED_KEYS),
        words("related display", "Display", frames::IN_RELATED_PARTS, DISPLAYS),
    ]
}

const ACTION: &[Entry] = &[entry("on", "When it happens, and what opens then.", "on click -> surface repair_list")];

const EVENTS: &[Entry] = &[
    entry("submit", "The form was submitted and stored.", "on submit -> surface repair_list"),
    entry("click", "The button was pressed.", "on click -> surface repair_list"),
];

const RELATED: &str = frames::IN_RELATED_PARTS;

const RELATED_KEYS: &[Entry] = &[
    entry_in(
        frames::IN_RELATED,
        "show",
        "The entities, or `has_many` and `has_one` fields of this one; over a junction too. It must be said.",
        "show: parts",
    ),
    entry("display", "How they are shown.", "display: table"),
    entry("columns", "Their fields; without it, all that a list can show.", "columns: name, price"),
    entry("limit", "How many rows of each on one page, 1 to 100; 10 unless said.", "limit: 20"),
];

const DISPLAYS: &[Entry] = &[
    entry("list", "One under the other; so unless said.", "display: list"),
    entry("table", "As a table.", "display: table"),
    entry("grid", "As cards.", "display: grid"),
];
