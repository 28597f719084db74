//! The page of `workspace`.

use super::{
    frames,
    page::{Entry, Page, entry, entry_in, further, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    Page {
        file: "workspace.md",
        title: "workspace",
        summary: "A page of regions over several entities: lists, boards, charts, metrics.",
        constructs: &["workspace"],
        pieces: vec![
            text(
                "`workspace NAME \"Title\":` is a page of regions, at `/app/NAME`. Every region shows the rows that the caller can list, and its metrics count only these rows.",
            ),
            sound(frames::BESIDE, WHOLE),
            text("## Keys"),
            words("workspace", "Key", frames::IN_WORKSPACE, KEYS),
            further("Audience", frames::IN_WORKSPACE, AUDIENCES),
            text(REGIONS),
            words("region", "Key", frames::IN_REGION, REGION),
            wrong(
                "region-without-source",
                "entity Bike:\n  id: uuid pk\n  permit:\n    list: authenticated\n    read: authenticated\nworkspace stand:\n  bikes:\n    limit: 10\n",
            ),
            text("### Displays\n\nDefault: `list` for a region with a source, `metrics` for a region with metrics only."),
            words("display", "Display", frames::REGION, DISPLAYS),
            wrong(
                "display-needs",
                "entity Bike:\n  id: uuid pk\n  label: str(60)\n  permit:\n    list: authenticated\n    read: authenticated\nworkspace stand:\n  board:\n    source: Bike\n    display: kanban\n",
            ),
            text("`map` has no meaning in dz: `construct-not-supported`."),
            text(METRICS),
            sound(
                frames::REGION,
                "figures \"Figures\":\n  aggregate:\n    open: count(Repair where status in [booked, working])\n    all_repairs: count(Repair)\n    open_share: round(open * 100 / nullif(all_repairs, 0), 1)",
            ),
            text(
                "### `group_by`\n\nA field, or a date grouped by a unit of time: `bucket(field, unit)`. A `heatmap` and a `pivot` have two of them in brackets: the rows, then the columns.",
            ),
            words("unit of time", "Unit", frames::REGION, UNITS),
            further("Key", frames::REGION, BUCKET),
            text(VARIANTS),
            sound(frames::IN_WORKSPACE, "ux:\n  for mechanic:\n    purpose: \"What to repair next\"\n    focus: open\n    read_only: true"),
        ],
    }
}

const WHOLE: &str = "surface repair_view:
  uses entity Repair
  mode: view

workspace desk \"Front desk\":
  purpose: \"What happens today\"
  waiting \"Waiting\":
    source: Repair
    filter: status = booked
    sort: promised asc
    limit: 20
    display: queue
    action: repair_view
    empty: \"The queue is empty.\"
  figures:
    aggregate:
      open: count(Repair where status != collected)
      earned: sum(Repair.fee where status = collected)";

const KEYS: &[Entry] = &[
    entry("purpose", "Its purpose, in a sentence.", "purpose: \"What happens today\""),
    entry("stage", "A word for its layout or its part in the work, as documentation.", "stage: overview"),
    entry("engine_hint", "Another spelling of `stage`.", "engine_hint: overview"),
    entry("access", "Who can open it; default: every account.", "access: persona(counter)"),
    entry("ux", "`purpose`, and differences for personas. See [variants](#variants).", "ux:\n  for mechanic:\n    focus: open"),
];

const AUDIENCES: &[Entry] = &[
    entry("public", "Every caller, signed in or not. It sees the rows that the rules of the entities permit.", "access: public"),
    entry("authenticated", "Every account.", "access: authenticated"),
    entry("persona", "Accounts that have one of these personas.", "access: persona(mechanic, counter)"),
];

const REGIONS: &str = "## Regions

`NAME \"Title\":` with keys under it. `source` or `aggregate` is required.";

const REGION: &[Entry] = &[
    entry_in(frames::REGION, "source", "The entity whose rows it shows; several are tabs.", "open:\n  source: Repair, Part"),
    entry("filter", "The condition on the rows.", "filter: mechanic = current_user"),
    entry("sort", "The order of the rows.", "sort: promised asc, fee desc"),
    entry("limit", "The number of rows, 1 to 100.", "limit: 10"),
    entry("action", "The surface that a row opens; a list or a form for a new row is a button.", "action: repair_view"),
    entry("empty", "The text without rows.", "empty: \"Nothing to repair.\""),
    entry("display", "The display. See [displays](#displays).", "display: timeline"),
    entry("aggregate", "Metrics. See [metrics](#metrics-of-a-region).", "aggregate:\n  open: count(Repair where status = booked)"),
    entry_in(
        frames::REGION,
        "group_by",
        "The grouping of the rows. See [`group_by`](#group_by).",
        "by_state:\n  source: Repair\n  display: bar_chart\n  group_by: status",
    ),
    entry_in(
        frames::REGION,
        "date_field",
        "The date of a row, for `timeline`, `calendar` and `activity_feed`.",
        "plan:\n  source: Repair\n  display: calendar\n  date_field: promised",
    ),
    entry("title", "The field that labels a row, instead of the entity's label.", "title: bike.label"),
    entry_in(
        frames::REGION,
        "value",
        "The number of a row or a group: a field, or a metric of the region.",
        "earned:\n  source: Repair\n  display: bar_chart\n  group_by: status\n  value: fee",
    ),
];

const DISPLAYS: &[Entry] = &[
    entry("list", "A list of rows.", "open:\n  source: Repair\n  display: list"),
    entry("table", "Rows with columns.", "open:\n  source: Repair\n  display: table"),
    entry("grid", "Cards.", "open:\n  source: Repair\n  display: grid"),
    entry("timeline", "Rows in the order of their dates. It needs a date.", "open:\n  source: Repair\n  display: timeline"),
    entry("kanban", "A column for each state. It needs an enum.", "open:\n  source: Repair\n  display: kanban"),
    entry(
        "metrics",
        "Metrics side by side. It needs `aggregate`. With a `group_by` of a date, each metric has a line of its values over time.",
        "open:\n  display: metrics\n  aggregate:\n    all_repairs: count(Repair)",
    ),
    entry(
        "summary",
        "Metrics as a table of names and values. It needs `aggregate`.",
        "open:\n  display: summary\n  aggregate:\n    all_repairs: count(Repair)",
    ),
    entry("bar_chart", "A bar for each group. It needs `group_by`.", "open:\n  source: Repair\n  display: bar_chart\n  group_by: status"),
    entry(
        "line_chart",
        "A line over the groups. It needs `group_by`.",
        "open:\n  source: Repair\n  display: line_chart\n  group_by: bucket(promised, week)",
    ),
    entry(
        "area_chart",
        "A filled line over the groups. It needs `group_by`.",
        "open:\n  source: Repair\n  display: area_chart\n  group_by: bucket(promised, month)",
    ),
    entry(
        "pie_chart",
        "A sector for each group. It needs `group_by`.",
        "open:\n  source: Repair\n  display: pie_chart\n  group_by: status",
    ),
    entry("funnel", "A bar for each state, in the order of the states. It needs an enum.", "open:\n  source: Repair\n  display: funnel"),
    entry(
        "heatmap",
        "The groups of two fields as coloured cells. It needs two fields in `group_by`.",
        "open:\n  source: Repair\n  display: heatmap\n  group_by: [status, bucket(promised, month)]",
    ),
    entry(
        "pivot",
        "The groups of two fields as a table with totals. It needs two fields in `group_by`.",
        "open:\n  source: Repair\n  display: pivot\n  group_by: [mechanic, status]\n  value: fee",
    ),
    entry("detail", "One row with its fields.", "open:\n  source: Repair\n  display: detail"),
    entry("calendar", "Rows on the days of a month, a week or a day. It needs a date.", "open:\n  source: Repair\n  display: calendar"),
    entry("queue", "Rows that users process in order.", "open:\n  source: Repair\n  sort: promised asc\n  display: queue"),
    entry_in(
        "entity Shelf:\n  id: uuid pk\n  inside: ref Shelf\n  permit:\n    list: authenticated\n    read: authenticated\nworkspace stand:\n  …\n",
        "tree",
        "A tree of rows, by a ref to their own entity.",
        "shelves:\n  source: Shelf\n  display: tree",
    ),
    entry(
        "progress",
        "The progress of something. It needs a state, `value`, `group_by` or `aggregate`.",
        "open:\n  source: Repair\n  display: progress",
    ),
    entry("activity_feed", "The latest rows first. It needs a date.", "open:\n  source: Repair\n  display: activity_feed"),
    entry_in(
        frames::GRAPH_REGION,
        "graph",
        "A drawing of nodes and edges, and the same as a list. The rows are the nodes, with the edges between them; or the edges, with their nodes. It needs an entity with `graph_node` or `graph_edge`.",
        "ways:\n  source: Place\n  display: graph",
    ),
];

const METRICS: &str = "### Metrics of a region

`aggregate:` contains metrics, each a name and an [expression](expressions.md#aggregates) over entities. A metric can use earlier ones. It is a number, a date or a text.";

const UNITS: &[Entry] = &[
    entry("day", "Days.", "open:\n  source: Repair\n  display: line_chart\n  group_by: bucket(promised, day)"),
    entry("week", "Weeks.", "open:\n  source: Repair\n  display: line_chart\n  group_by: bucket(promised, week)"),
    entry("month", "Months.", "open:\n  source: Repair\n  display: line_chart\n  group_by: bucket(promised, month)"),
    entry("quarter", "Quarters.", "open:\n  source: Repair\n  display: line_chart\n  group_by: bucket(promised, quarter)"),
    entry("year", "Years.", "open:\n  source: Repair\n  display: line_chart\n  group_by: bucket(promised, year)"),
];

const BUCKET: &[Entry] = &[entry(
    "bucket",
    "Groups the rows by a unit of time.",
    "open:\n  source: Repair\n  display: bar_chart\n  group_by: bucket(started_at, month)\n  value: fee",
)];

const VARIANTS: &str = "## Variants

`ux:` contains the differences for personas: `for PERSONA:` with `purpose`, `show` and `hide` of regions, `focus` for the first regions, \
`show_aggregate` for metrics at the top, `action_primary` for the primary button, and `read_only`. The `filter` of a region selects rows.";
