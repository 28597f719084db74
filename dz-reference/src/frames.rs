//! The application of a bicycle workshop that contains the examples.

/// The application, with a place for lines in `Repair` and one at the end.
macro_rules! shop {
    ($in_repair:literal, $behind:literal) => {
        concat!(
            "persona mechanic \"Mechanic\"\n",
            "persona counter \"Front counter\"\n",
            "entity Bike \"Bike\":\n",
            "  id: uuid pk\n",
            "  label: str(60) required\n",
            "  owner: ref User\n",
            "  repairs: has_many Repair\n",
            "  permit:\n",
            "    list: role(mechanic, counter)\n",
            "    read: role(mechanic, counter)\n",
            "entity Repair \"Repair\":\n",
            "  id: uuid pk\n",
            "  title: str(120) required\n",
            "  bike: belongs_to Bike required\n",
            "  mechanic: ref User\n",
            "  status: enum[booked, working, ready, collected] = booked\n",
            "  promised: date\n",
            "  started_at: datetime\n",
            "  hours: int = 0\n",
            "  effort: float = 0\n",
            "  fee: decimal(8, 2) = 0\n",
            "  express: bool = false\n",
            "  site: url\n",
            "  notes: text\n",
            "  parts: has_many Part\n",
            "  permit:\n",
            "    list: role(mechanic, counter)\n",
            "    read: role(mechanic, counter)\n",
            "    create: role(counter)\n",
            "    update: role(mechanic, counter)\n",
            $in_repair,
            "entity Part \"Part\":\n",
            "  id: uuid pk\n",
            "  repair: belongs_to Repair required\n",
            "  name: str(80) required\n",
            "  count: int = 1\n",
            "  price: decimal(8, 2) = 0\n",
            "  permit:\n",
            "    list: role(mechanic, counter)\n",
            "    read: role(mechanic, counter)\n",
            $behind
        )
    };
}

/// A construct beside an unrelated entity.
pub(super) const ALONE: &str = "…\nentity Rack:\n  id: uuid pk\n  permit:\n    list: authenticated\n    read: authenticated\n";

/// A line of the entity `Repair`.
pub(super) const IN_REPAIR: &str = shop!("  …\n", "");

/// A construct beside the entities.
pub(super) const BESIDE: &str = shop!("", "…\n");

/// A condition of an access rule on `Repair`.
pub(super) const CONDITION: &str = shop!("    approve: …\n", "");

/// The condition of an invariant of `Repair`.
pub(super) const INVARIANT: &str = shop!("  invariant: …\n", "");

/// The condition of an index of `Repair`.
pub(super) const INDEX: &str = shop!("  index promised where …\n", "");

/// The guard of a transition of `Repair`.
pub(super) const GUARD: &str =
    shop!("  transitions:\n    booked -> working:\n      guard: …\n    working -> ready\n    ready -> collected\n", "");

/// A computed field of `Repair`.
pub(super) const COMPUTED: &str = shop!("  figure: computed …\n", "");

/// The default of a flag of `Repair`.
pub(super) const DEFAULT: &str = shop!("  flag: bool = …\n", "");

/// A line of a surface that lists repairs.
pub(super) const IN_LIST: &str = shop!("", "surface repair_list:\n  uses entity Repair\n  mode: list\n  …\n");

/// A line of a surface that shows one repair.
pub(super) const IN_VIEW: &str =
    shop!("", "surface repair_list:\n  uses entity Repair\n  mode: list\nsurface repair_view:\n  uses entity Repair\n  mode: view\n  …\n");

/// A line of a form for a new repair.
pub(super) const IN_FORM: &str = shop!(
    "",
    "surface repair_list:\n  uses entity Repair\n  mode: list\nsurface repair_form:\n  uses entity Repair\n  mode: create\n  …\n"
);

/// A line of a section that shows fields of a repair.
pub(super) const IN_SECTION: &str = shop!("", "surface repair_view:\n  uses entity Repair\n  mode: view\n  section main:\n    …\n");

/// A line of a section that lists the parts of a repair.
pub(super) const IN_NESTED: &str =
    shop!("", "surface repair_view:\n  uses entity Repair\n  mode: view\n  section parts:\n    uses entity Part\n    …\n");

/// A field line of a form.
pub(super) const IN_FIELDS: &str = shop!(
    "  colour: str(20)\n  zone: timezone\n  meta: json\n",
    "surface repair_form:\n  uses entity Repair\n  mode: edit\n  section main:\n    …\n"
);

/// A line of a section that may be a nested list.
pub(super) const SECTION_OF_VIEW: &str = shop!("", "surface repair_view:\n  uses entity Repair\n  mode: view\n  section parts:\n    …\n");

/// The effect of an action.
pub(super) const ACTION: &str = shop!(
    "",
    "surface repair_list:\n  uses entity Repair\n  mode: list\nsurface repair_form:\n  uses entity Repair\n  mode: create\n  action next:\n    …\n"
);

/// A further line of a related list.
pub(super) const IN_RELATED_PARTS: &str =
    shop!("", "surface repair_view:\n  uses entity Repair\n  mode: view\n  related parts:\n    show: parts\n    …\n");

/// The condition line of an attention.
pub(super) const ATTENTION_WITHOUT_WHEN: &str = shop!(
    "",
    "surface repair_list:\n  uses entity Repair\n  mode: list\n  ux:\n    attention warning:\n      …\n      message: \"Late\"\n"
);

/// The message line of an attention.
pub(super) const ATTENTION_WITHOUT_MESSAGE: &str = shop!(
    "",
    "surface repair_list:\n  uses entity Repair\n  mode: list\n  ux:\n    attention warning:\n      when: promised < today\n      …\n"
);

/// A region beside a graph.
pub(super) const GRAPH_REGION: &str = "entity Place:\n  id: uuid pk\n  name: str(60)\n  graph_node:\n    edges: Way\n    display: name\n  permit:\n    list: authenticated\n    read: authenticated\nentity Way:\n  id: uuid pk\n  a: ref Place required\n  b: ref Place required\n  graph_edge:\n    source: a\n    target: b\n  permit:\n    list: authenticated\n    read: authenticated\nworkspace map:\n  …\n";

/// A line of a related list.
pub(super) const IN_RELATED: &str = shop!("", "surface repair_view:\n  uses entity Repair\n  mode: view\n  related parts:\n    …\n");

/// A line of the `ux:` of a list.
pub(super) const IN_UX: &str = shop!(
    "",
    "surface repair_view:\n  uses entity Repair\n  mode: view\nsurface repair_list:\n  uses entity Repair\n  mode: list\n  ux:\n    …\n"
);

/// A line of an attention.
pub(super) const IN_ATTENTION: &str = shop!(
    "",
    "surface repair_edit:\n  uses entity Repair\n  mode: edit\nsurface repair_list:\n  uses entity Repair\n  mode: list\n  ux:\n    attention warning:\n      when: promised < today\n      message: \"Late\"\n      …\n"
);

/// The condition of an attention.
pub(super) const WHEN: &str = shop!(
    "",
    "surface repair_list:\n  uses entity Repair\n  mode: list\n  ux:\n    attention warning:\n      when: …\n      message: \"Late\"\n"
);

/// A line of a variant of a list.
pub(super) const IN_VARIANT: &str = shop!(
    "",
    "surface repair_edit:\n  uses entity Repair\n  mode: edit\nsurface repair_list:\n  uses entity Repair\n  mode: list\n  section main:\n    field title\n    field fee\n  section more:\n    field promised\n  ux:\n    for mechanic:\n      …\n"
);

/// A line of a variant of a form.
pub(super) const IN_FORM_VARIANT: &str =
    shop!("", "surface repair_form:\n  uses entity Repair\n  mode: create\n  ux:\n    for mechanic:\n      …\n");

/// The scope of a variant.
pub(super) const SCOPE: &str =
    shop!("", "surface repair_list:\n  uses entity Repair\n  mode: list\n  ux:\n    for mechanic:\n      scope: …\n");

/// A line of a workspace.
pub(super) const IN_WORKSPACE: &str = shop!("", "workspace desk:\n  …\n  open:\n    source: Repair\n    filter: status = booked\n");

/// A line of a region over repairs.
pub(super) const IN_REGION: &str =
    shop!("", "surface repair_view:\n  uses entity Repair\n  mode: view\nworkspace desk:\n  open:\n    source: Repair\n    …\n");

/// A region of a workspace.
pub(super) const REGION: &str = shop!("", "workspace desk:\n  …\n");

/// The filter of a region.
pub(super) const FILTER: &str = shop!("", "workspace desk:\n  open:\n    source: Repair\n    filter: …\n");

/// The filter of a nested section.
pub(super) const NESTED_FILTER: &str =
    shop!("", "surface repair_view:\n  uses entity Repair\n  mode: view\n  section parts:\n    uses entity Part\n    filter: …\n");

/// A metric of a region.
pub(super) const METRIC: &str = shop!("", "workspace desk:\n  figures:\n    aggregate:\n      figure: …\n");

/// A transition from `booked` to `working`.
pub(super) const MOVE: &str = shop!("  transitions:\n    …\n    working -> ready\n    ready -> collected\n", "");

/// A line of `transitions:` beside rows.
pub(super) const ENDS: &str = shop!("  transitions:\n    booked -> working\n    working -> ready\n    ready -> collected\n    …\n", "");

/// A line under a row of `transitions:`.
pub(super) const UNDER_MOVE: &str =
    shop!("  transitions:\n    booked -> working:\n      …\n    working -> ready\n    ready -> collected\n", "");

/// A line under an invariant.
pub(super) const UNDER_INVARIANT: &str = shop!("  invariant: hours >= 0\n    …\n", "");

/// A line of a story.
pub(super) const IN_STORY: &str = shop!("", "story ST-001 \"A repair\":\n  …\n");

/// An experience after the application.
macro_rules! way {
    ($lines:literal) => {
        concat!(shop!("", "surface bike_new:\n  uses entity Bike\n  mode: create\nexperience walk_in:\n"), $lines)
    };
}

/// A line of an experience.
pub(super) const IN_WAY: &str =
    way!("  …\n  step add:\n    surface bike_new\n    on skip -> step done\n  step done:\n    surface bike_new\n");

/// A further step of an experience.
pub(super) const WAY_WITH_STEP: &str = way!("  step add:\n    surface bike_new\n    on success -> step again\n  …\n");

/// The start of an experience.
pub(super) const WAY_WITHOUT_START: &str = way!("  …\n  step add:\n    surface bike_new\n");

/// The context of an experience.
pub(super) const WAY_WITH_SAVE: &str = way!(
    "  …\n  step add:\n    surface bike_new\n    saves_to: context.bike\n    on success -> step done\n  step done:\n    surface bike_new\n    when: context.bike != null\n"
);

/// A step of an experience.
pub(super) const WAY_OF_STEPS: &str = way!("  step add:\n    surface bike_new\n    on success -> step more\n  …\n");

/// A step of an experience beside a process.
pub(super) const WAY_WITH_PROCESS: &str = concat!(
    way!("  step add:\n    surface bike_new\n    on success -> step more\n  …\n"),
    "process ordering:\n  trigger: manual\n  steps:\n    - step pause:\n        wait: 1h\n"
);

/// A line of a step.
pub(super) const IN_STEP: &str = way!(
    "  context:\n    bike: ref Bike\n  step begin:\n    surface bike_new\n    saves_to: context.bike\n    on continue -> step add\n    on success -> step done\n  step add:\n    surface bike_new\n    …\n  step done:\n    surface bike_new\n"
);

/// A line of a scenario.
pub(super) const IN_SCENARIO: &str = shop!("", "surface repair_list:\n  uses entity Repair\n  mode: list\nscenario busy_day:\n  …\n");

/// A line of a persona in a scenario.
pub(super) const IN_SCENARIO_PERSONA: &str =
    shop!("", "surface repair_list:\n  uses entity Repair\n  mode: list\nscenario busy_day:\n  for persona mechanic:\n    …\n");

pub(super) mod flows;
