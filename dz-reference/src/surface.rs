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
        "entity Bike:\n  id: uuid pk\n  label: str(60) required\n  colour: str(20)\n  permit:\n    create: authenticated\nsurface bike_new:\n  uses entity Bike\n  mode: create\n  section main:\n    field colour\n",
    ));
    pieces.push(text("### Access"));
    pieces.push(further("Audience", frames::IN_LIST, AUDIENCES));
    pieces.push(text("### Priorities"));
    pieces.push(words("priority", "Priority", frames::IN_LIST, PRIORITIES));
    pieces.extend(sections());
    pieces.extend(actions());
    pieces.extend(ux::pieces());
    Page {
        file: "surface.md",
        title: "surface",
        summary: "A screen: a list, one row or a form; its content, and its variants for personas.",
        constructs: &["surface"],
        pieces,
    }
}

const INTRODUCTION: &str = "`surface NAME \"Title\":` is a screen of one entity, at `/app/NAME`. It only shows and writes what the rules of the entity permit. There can be several surfaces of one mode; a link without a name opens the first one in the file.";

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
    entry_in(USES, "uses", "The entity that it shows. Required.", "uses entity Bike"),
    entry_in(MODE, "mode", "Its mode. Required. See [modes](#modes).", "mode: view"),
    entry(
        "section",
        "A part of the page. Without a section, the page has every field that the mode can show or write. See [sections](#sections).",
        "section main \"Repair\":\n  field title\n  field fee",
    ),
    entry_in(
        frames::IN_VIEW,
        "action",
        "A button, or the surface after a form. See [actions](#actions).",
        "action all \"All repairs\":\n  on click -> surface repair_list",
    ),
    entry_in(
        frames::IN_VIEW,
        "related",
        "Rows that reference this one. See [related lists](#related-lists).",
        "related parts \"Parts\":\n  show: parts",
    ),
    entry(
        "access",
        "Who can open it. Without it: every caller with the permission that the mode needs. It adds a restriction to the rules of the entity.",
        "access: persona(mechanic)",
    ),
    entry("priority", "Its priority in the navigation.", "priority: high"),
    entry("ux", "Its behaviour. See [`ux`](#ux).", "ux:\n  sort: promised asc"),
];

const USES: &str = "entity Bike:\n  id: uuid pk\n  permit:\n    read: authenticated\nsurface bikes:\n  …\n  mode: list\n";

const MODE: &str = "entity Bike:\n  id: uuid pk\n  label: str(60)\n  permit:\n    read: authenticated\n    list: authenticated\nsurface bikes:\n  uses entity Bike\n  …\n";

const MODES: &[Entry] = &[
    entry("list", "Rows, with pages, sorting, filters and search.", "mode: list"),
    entry("view", "One row.", "mode: view"),
    entry("create", "A form for a new row. It must have every required field that has no default.", "mode: create"),
    entry("edit", "A form for an existing row.", "mode: edit"),
];

const AUDIENCES: &[Entry] = &[
    entry("public", "Every caller, signed in or not. It sees the rows that the rules of the entity permit.", "access: public"),
    entry("authenticated", "Every account.", "access: authenticated"),
    entry("persona", "Accounts that have one of these personas.", "access: persona(mechanic, counter)"),
];

const PRIORITIES: &[Entry] = &[
    entry("critical", "Before all others.", "priority: critical"),
    entry("high", "Before surfaces of medium priority.", "priority: high"),
    entry("medium", "In the order of the file; the default.", "priority: medium"),
    entry("low", "After the others.", "priority: low"),
];

fn sections() -> Vec<Piece> {
    vec![
        text("## Sections\n\n`section NAME \"Title\":` shows fields of the row, or rows of another entity that reference it."),
        words("section", "Key", frames::IN_SECTION, SECTION),
        text(
            "On a view, a nested list shows the rows. On a form of mode `create` or `edit`, its rows are part of the form: they are added, changed and removed there, and saved in one transaction with the row. If exactly one ref of the child points to this entity, the filter is optional; the access rules of the child apply.",
        ),
        sound(
            frames::IN_VIEW,
            "section parts \"Parts\":\n  uses entity Part\n  filter: repair = this and price > 0\n  field name\n  field price",
        ),
        text(
            "### Options of a field\n\nThey follow the label, or are on lines under the field. A path can go through refs; such a field is shown and never written.",
        ),
        words("field", "Option", frames::IN_FIELDS, OPTIONS),
        text("### Widgets\n\nA control that differs from the default of the type. It must fit the type. Lists and views do not use it."),
        words("widget", "Widget", frames::IN_FIELDS, WIDGETS),
        text(
            "### Formats\n\nThe format of a value in lists, views and read-only fields of forms. It must fit the type. CSV files contain the values without it.",
        ),
        words("format", "Format", frames::IN_FIELDS, FORMATS),
    ]
}

const SECTION: &[Entry] = &[
    entry(
        "field",
        "A field, or a path through refs, with a label and [options](#options-of-a-field).",
        "field bike.owner.name \"Customer\"",
    ),
    entry_in(frames::SECTION_OF_VIEW, "uses", "Lists the rows of another entity instead.", "uses entity Part"),
    entry_in(
        frames::IN_NESTED,
        "filter",
        "The condition on its rows; `this` is the row of the page.",
        "filter: repair = this and count > 1",
    ),
    entry("note", "A sentence under the title.", "note: \"As agreed with the customer\""),
];

const OPTIONS: &[Entry] = &[
    entry("help", "A sentence beside the control.", "field title help: \"One job\""),
    entry("read_only", "The field cannot be changed here. `read_only: false` is the default.", "field fee read_only"),
    entry("widget", "The control of a form. See [widgets](#widgets).", "field express widget=switch"),
    entry("format", "The format of the value on pages. See [formats](#formats).", "field promised format: relative"),
    entry(
        "when",
        "The field is only shown if this condition is true for the row. A form shows it as soon as the condition is true for the values in the form, and keeps the stored value of a field that it does not show.",
        "field fee when: status = ready",
    ),
];

const WIDGETS: &[Entry] = &[
    entry("text", "One line of text.", "field title widget=text"),
    entry("textarea", "Several lines of text.", "field notes widget=textarea"),
    entry("markdown", "Several lines of text, with a note that Markdown is allowed.", "field notes widget=markdown"),
    entry("phone", "A telephone number.", "field colour widget=phone"),
    entry("color", "A colour as `#rrggbb`, with a palette.", "field colour widget=color"),
    entry("number", "A number with buttons for one step up or down.", "field hours widget=number"),
    entry("range", "A number with a slider.", "field hours widget=range"),
    entry("checkbox", "A box to tick.", "field express widget=checkbox"),
    entry("switch", "A switch.", "field express widget=switch"),
    entry("select", "A list to choose from.", "field status widget=select"),
    entry("radio", "All choices at once.", "field status widget=radio"),
    entry("picker", "A search among rows.", "field bike widget=picker"),
    entry(
        "date",
        "A date. A timestamp keeps its time if the date is not changed, and else is the start of the day.",
        "field started_at widget=date",
    ),
    entry("datetime", "A date and a time.", "field started_at widget=datetime"),
];

const FORMATS: &[Entry] = &[
    entry("short", "A date without its year, if it is in the current one.", "field promised format: short"),
    entry("long", "A date with the day of the week.", "field promised format: long"),
    entry("relative", "The distance from now: `in 3 days`.", "field promised format: relative"),
    entry("date", "The date of a datetime.", "field started_at format: date"),
    entry("time", "The time of a datetime.", "field started_at format: time"),
    entry("month", "Month and year.", "field promised format: month"),
    entry("year", "The year.", "field promised format: year"),
    entry("integer", "A number without digits after the point.", "field fee format: integer"),
    entry("percent", "A number with a percent sign: 62.5 is `62.5%`.", "field effort format: percent"),
    entry("compact", "A large number in a short form: `12.3k`.", "field hours format: compact"),
    entry("yes_no", "Yes or no.", "field express format: yes_no"),
    entry("badge", "A coloured badge.", "field status format: badge"),
    entry("link", "A link, if the text is a web address or a mail address.", "field site format: link"),
    entry("code", "In a fixed-width font.", "field meta format: code"),
    entry("upper", "In upper case.", "field colour format: upper"),
    entry("lower", "In lower case.", "field colour format: lower"),
];

fn actions() -> Vec<Piece> {
    vec![
        text(
            "## Actions\n\n`action NAME \"Title\":` opens another surface. It can be written on one line.\n\n`on click` is a button. On a list, an action that opens the page of one row is in the menu of each row. A button is only shown to callers who can open the surface, for the row that it opens.\n\n`on submit` is the button that saves a form, and the surface that opens afterwards. With several, the first is the default. A caller who cannot open the surface returns to the row or the list.",
        ),
        sound(frames::IN_FORM, "action save: on submit -> surface repair_list"),
        words("surface action", "Key", frames::ACTION, ACTION),
        words("event", "Event", frames::ACTION, EVENTS),
        wrong(
            "surface-needs-row",
            "entity Bike:\n  id: uuid pk\n  permit:\n    read: authenticated\n    list: authenticated\nentity Lock:\n  id: uuid pk\n  permit:\n    read: authenticated\n    list: authenticated\nsurface bike_view:\n  uses entity Bike\n  mode: view\nsurface lock_view:\n  uses entity Lock\n  mode: view\n  action bike:\n    on click -> surface bike_view\n",
        ),
        text(
            "## Related lists\n\n`related NAME \"Title\":` lists rows that reference the row of a surface of mode `view`, with the access rules of each entity. With one entity, the list has the title; with several, each list also has its own title.",
        ),
        words("related", "Key", RELATED, RELATED_KEYS),
        words("related display", "Display", frames::IN_RELATED_PARTS, DISPLAYS),
    ]
}

const ACTION: &[Entry] = &[entry("on", "The event, and the surface that opens.", "on click -> surface repair_list")];

const EVENTS: &[Entry] = &[
    entry("submit", "The form was submitted and stored.", "on submit -> surface repair_list"),
    entry("click", "The button was clicked.", "on click -> surface repair_list"),
];

const RELATED: &str = frames::IN_RELATED_PARTS;

const RELATED_KEYS: &[Entry] = &[
    entry_in(
        frames::IN_RELATED,
        "show",
        "The entities, or `has_many` and `has_one` fields of this one; also over a junction. Required.",
        "show: parts",
    ),
    entry("display", "The display.", "display: table"),
    entry("columns", "The fields; default: the label and the first five of the others.", "columns: name, price"),
    entry("limit", "The number of rows of each list on one page, 1 to 100; default 10.", "limit: 20"),
];

const DISPLAYS: &[Entry] = &[
    entry("list", "A list of rows; the default.", "display: list"),
    entry("table", "As a table.", "display: table"),
    entry("grid", "As cards.", "display: grid"),
];
