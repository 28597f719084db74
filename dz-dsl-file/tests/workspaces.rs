//! Workspaces: regions, displays, metrics, variants for personas.

use dz_dsl_file::{
    SourceMap, Suggestion, analyse,
    model::{Display, Expr, Region, Type, Value},
    render,
};
use expect_test::{Expect, expect};

const APP: &str = r#"persona lead
persona hand
entity Task:
  id: uuid pk
  title: str(80) required
  part_of: ref Task
  owner: ref User
  status: enum[open, doing, done] = open
  kind: enum[bug, wish] = bug
  hours: decimal(6,2) = 0
  points: int = 0
  rate: decimal(6,2) sensitive
  urgent: bool
  due: date indexed
  created_at: datetime auto_add
  permit:
    list: role(lead, hand)
    read: role(lead, hand)
    create: role(lead)
entity Note:
  id: uuid pk
  text: str(200)
  task: ref Task
  tone: enum[good, bad]
  weight: enum[light, heavy]
  permit:
    list: role(lead)
    read: role(lead)
surface task_list:
  uses entity Task
  mode: list
  ux:
    sort: due
surface task_view:
  uses entity Task
  mode: view
surface task_new:
  uses entity Task
  mode: create
"#;

fn text(workspace: &str) -> String {
    format!("{APP}{workspace}")
}

/// Checks the findings of a workspace in the application above, with lines counted from its first one.
#[track_caller]
fn check(workspace: &str, expected: Expect) {
    let text = text(workspace);
    let files = SourceMap::single("t", &text);
    let before = APP.lines().count();
    let mut shown = String::new();
    for found in &analyse(files.clone()).diagnostics {
        let line = render::short(&files, found);
        let (at, rest) = line.trim_start_matches("t:").split_once(':').unwrap_or_default();
        let Some(at) = at.parse::<usize>().ok().and_then(|at| at.checked_sub(before + 1)) else { continue };
        shown.push_str(&format!("{}:{rest}\n", at + 1));
        if let Some(Suggestion { span, text, .. }) = &found.suggestion {
            let old = files.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or_default().to_owned();
            shown.push_str(&format!("  {old} -> {text}\n"));
        } else if let Some(help) = &found.help {
            shown.push_str(&format!("  {help}\n"));
        }
    }
    expected.assert_eq(&shown);
}

/// Checks a workspace with one region with these lines.
#[track_caller]
fn region(lines: &str, expected: Expect) {
    check(&format!("workspace home:\n  board:\n{lines}"), expected);
}

/// Checks a region with these metrics.
#[track_caller]
fn metrics(lines: &str, expected: Expect) {
    region(&format!("    aggregate:\n{lines}"), expected);
}

/// Lowers the region of a correct workspace.
#[track_caller]
fn lowered(lines: &str) -> Region {
    let found = analyse(SourceMap::single("t", text(&format!("workspace home:\n  board:\n{lines}"))));
    let errors: Vec<_> = found.diagnostics.iter().filter(|it| it.severity < dz_dsl_file::Severity::Lint).collect();
    assert!(errors.is_empty(), "{errors:?}");
    found.model.expect("a model").workspaces.remove(0).regions.remove(0)
}

#[test]
fn everything_at_once() {
    check(
        r#"workspace home "Home":
  purpose: "What happens today"
  stage: dual_pane_focus
  access: persona(lead, hand)
  waiting "Waiting":
    source: Task
    filter: status = open and owner = current_user and not role(lead)
    sort: due asc, title desc
    limit: 20
    action: task_view
    empty: "Nothing waits"
    display: queue
    title: owner.name
  both:
    source: [Task, Note]
    display: table
    title: id
  figures:
    display: metrics
    aggregate:
      open: count(Task where status in [open, doing])
      all: count(Task)
      share: round(open * 100 / nullif(all, 0), 1)
      late: max(days_since(min(Task.due where status != done)), 0)
      mean: if open > 0: avg(Task.hours) else: 0
      first: min(Task.title where owner.name != null and due < today)
  months:
    source: Task
    display: bar_chart
    group_by: bucket(due, month)
    value: spent
    aggregate:
      spent: sum(Task.hours)
  purpose "A region may have any name":
    source: Task
  ux:
    for lead, hand:
      scope: all
      purpose: "Yours"
      show: waiting, figures, both, months, purpose
      hide: both
      focus: figures, waiting
      show_aggregate: open, months.spent
      action_primary: task_new
      read_only: true
"#,
        expect![[r#"
            14:3: lint[region-without-action]: rows of `Note` in region `both` open nothing
              add `action: SURFACE`, or declare a surface of mode `view` for `Note`
        "#]],
    );
}

#[test]
fn a_complete_small_application_is_right() {
    let text = r#"app practice "Practice"
persona doctor "Doctor":
  goals: speed
persona front "Front desk"
entity Patient "Patient":
  id: uuid pk
  name: str(120) required searchable
  mail: email unique?
  animals: has_many Animal
  permit:
    list: role(doctor, front)
    read: role(doctor, front)
    create: role(front)
entity Animal "Animal":
  id: uuid pk
  keeper: belongs_to Patient required
  name: str(60) required
  permit:
    list: role(doctor, front)
    read: role(doctor, front)
entity Meeting "Meeting":
  id: uuid pk
  animal: ref Animal required
  doctor: ref User
  at: datetime required
  state: enum[planned, here, seen, paid] = planned
  findings: text
  permit:
    list: role(front) or doctor = current_user or doctor = null
    read: role(front) or doctor = current_user or doctor = null
  index at
surface meetings "Meetings":
  uses entity Meeting
  mode: list
  section main:
    field at "When"
    field animal.name "Animal"
    field animal.keeper.name "Keeper"
    field state
  ux:
    sort: at asc
    filter: state, doctor
    search: findings
    empty: "No meetings."
    attention warning:
      when: at < now and state = planned
      message: "Late"
    for doctor:
      scope: doctor = current_user or doctor = null
      hide: animal.keeper.name
workspace today "Today":
  purpose: "What happens today"
  waiting "Waiting room":
    source: Meeting
    filter: state = here
    sort: at asc
    display: queue
    action: meetings
  figures:
    display: metrics
    aggregate:
      open: count(Meeting where state in [planned, here])
      paid_share: round(count(Meeting where state = paid) * 100 / nullif(count(Meeting), 0), 1)
"#;
    let found = analyse(SourceMap::single("t", text));
    let worse: Vec<_> = found.diagnostics.iter().filter(|it| it.severity < dz_dsl_file::Severity::Lint).collect();
    assert!(worse.is_empty(), "{worse:?}");
}

#[test]
fn keys_of_a_workspace() {
    check(
        "workspace home:\n  purpos: \"x\"\n  stage: a\n  engine_hint: b\n  access: evrybody\n  \"x\"\n",
        expect![[r#"
            2:3: error[unknown-key]: `workspace` has no key `purpos`
              purpos -> purpose
            4:3: error[duplicate-key]: `engine_hint` is already set
              keep one of the two lines
            5:11: error[unknown-value]: `evrybody` is not an audience of a page
              write `public`, `authenticated` or `persona(…)`
            6:3: error[unexpected-token]: expected a key of `workspace`, but found a string
              the keys are `purpose`, `stage`, `engine_hint`, `access`, `ux`
        "#]],
    );
    check(
        "workspace home:\n  purpose: \"x\"\n  purpose: \"y\"\n  access: public, clerk\n  stage:\n  stage: x\n",
        expect![[r#"
            3:3: error[duplicate-key]: `purpose` is already set
              keep one of the two lines
            4:17: error[unexpected-token]: `,` has no meaning here
              remove it
            5:9: error[unexpected-token]: expected a name, but the line ends
            6:3: error[duplicate-key]: `stage` is already set
              keep one of the two lines
        "#]],
    );
    check(
        "workspace home:\n  board\n  other:\n  third \"Third\"\n",
        expect![[r#"
            2:3: error[region-without-source]: region `board` has no source
              add `source: ENTITY`, or `aggregate:` with figures under it
            3:3: error[region-without-source]: region `other` has no source
              add `source: ENTITY`, or `aggregate:` with figures under it
            4:3: error[region-without-source]: region `third` has no source
              add `source: ENTITY`, or `aggregate:` with figures under it
        "#]],
    );
    check(
        "workspace home:\n  board \"A\"\n    source: Task\n  board:\n    source: Task\nworkspace home\n",
        expect![[r#"
        2:9: error[missing-colon]: a colon is missing before the lines under this one
           -> :
        4:3: error[duplicate-name]: region `board` is declared twice
          rename or remove one of them
        6:11: error[duplicate-name]: workspace `home` is declared twice
          rename or remove one of them
    "#]],
    );
    check(
        "workspace task_view:\n  board:\n    source: Task\n",
        expect![[r#"
        1:11: error[name-collision]: two names become the address `/app/task_view`
          rename the surface or the workspace
    "#]],
    );
    check(
        "workspace home:\n  ux:\n    sort: due\n    attention info:\n      when: x\n      message: \"y\"\n    purpose: \"x\"\n  purpose: \"y\"\n",
        expect![[r#"
            3:5: error[not-allowed-here]: `sort` has no meaning for a workspace
              it belongs to a list: to a region, or to the `ux:` of a surface
            4:5: error[not-allowed-here]: `attention` has no meaning for a workspace
              it belongs to a list: to a region, or to the `ux:` of a surface
        "#]],
    );
}

#[test]
fn keys_of_a_region() {
    region(
        "    limit: 5\n    display: list\n",
        expect![[r#"
        2:3: error[region-without-source]: region `board` has no source
          add `source: ENTITY`, or `aggregate:` with figures under it
    "#]],
    );
    region(
        "    sources: Task\n    source:\n    sort due\n",
        expect![[r#"
            3:5: error[unknown-key]: `region` has no key `sources`
              sources -> source
            4:12: error[unexpected-token]: expected an entity, but the line ends
            5:5: error[missing-colon]: a colon is missing after `sort`
               -> :
        "#]],
    );
    region(
        "    source: Tsk, Note, Note\n    filter: tone = good\n    action: task_vew\n",
        expect![[r#"
        3:13: error[unknown-entity]: unknown entity `Tsk`
          Tsk -> Task
        3:24: error[duplicate-name]: `Note` is named twice
          remove one of them
        5:13: error[unknown-surface]: unknown surface `task_vew`
          task_vew -> task_new
    "#]],
    );
    region(
        "    source: Task\n    filter: stats = opn and due\n    sort: duedate, rate\n    limit: 101\n    action: task_new\n    empty:\n",
        expect![[r#"
            4:13: error[unknown-field]: `Task` has no field `stats`
              stats -> status
            4:29: error[not-a-condition]: a condition is needed here, but this is a date
              compare it with something, for example `= …` or `!= null`
            5:11: error[unknown-path]: `Task` has no field `duedate`
              known ones are `id`, `title`, `part_of`, `owner`, `status`, `kind`, `hours`, `points`, `rate`, `urgent`, `due`, `created_at`; or add it to `Task`
            5:20: error[not-allowed-here]: `rate` is sensitive and cannot be sorted
              remove it: an order or a filter would disclose its values
            6:12: error[number-out-of-range]: a limit is from 1 to 100, not 101
              longer lists are read page by page
            8:11: error[unexpected-token]: expected a value, but the line ends
        "#]],
    );
    region(
        "    source: Task\n    limit: -1\n    title: \"Board\"\n    value: title\n    date_field: title\n",
        expect![[r#"
            4:13: error[number-out-of-range]: a limit is from 1 to 100, not -1
              longer lists are read page by page
            5:12: error[unexpected-token]: `title` names the field that labels each row
              write the region's own title after its name: `waiting "Waiting room":`
            6:12: error[type-mismatch]: `title` is not a number
              name a number field, or a metric of this region
            7:17: error[type-mismatch]: `title` is not a date
              name one of `due`, `created_at`
        "#]],
    );
    region(
        "    source: Task, Note\n    filter: status = open\n",
        expect![[r#"
            4:13: error[unknown-field]: `Note` has no field `status`
              known ones are `id`, `text`, `task`, `tone`, `weight`; or add it to `Note`
        "#]],
    );
    region("    source: Note\n    action: task_view\n", expect![[""]]);
    region(
        "    source: Task\n    filter: count(notes) > 3 or this = null\n",
        expect![[r#"
            4:13: error[not-allowed-here]: `count` is not allowed in a filter
              declare a `computed` field for it, and compare that field
            4:33: error[not-allowed-here]: `this` is not allowed in a filter
              name the row's own fields without it
        "#]],
    );
    region(
        "    source: Task\n    source: Note\n    aggregate: 3\n",
        expect![[r#"
            4:5: error[duplicate-key]: `source` is already set
              keep one of the two lines
            5:16: error[unexpected-token]: `3` has no meaning here
              remove it
        "#]],
    );
}

#[test]
fn keys_about_rows_need_rows() {
    region(
        "    filter: status = open\n    group_by: status\n    aggregate:\n      n: count(Task)\n",
        expect![[r#"
        3:5: error[region-without-source]: `filter` is about rows, and this region has no `source`
          add `source: ENTITY`; a figure has a condition of its own: `count(Task where …)`
        4:5: error[region-without-source]: `group_by` is about rows, and this region has no `source`
          add `source: ENTITY`; a figure has a condition of its own: `count(Task where …)`
    "#]],
    );
}

#[test]
fn groups() {
    region(
        "    source: Task\n    group_by: statu\n",
        expect![[r#"
            4:15: error[unknown-path]: `Task` has no field `statu`
              statu -> status
        "#]],
    );
    region(
        "    source: Task\n    group_by: bucket(title, month)\n",
        expect![[r#"
            4:22: error[type-mismatch]: `title` is not a date, so it has no such units
              write `group_by: title`
        "#]],
    );
    region(
        "    source: Task\n    group_by: bucket(due, moth)\n",
        expect![[r#"
        4:27: error[unknown-value]: unknown unit of time `moth`
          moth -> month
    "#]],
    );
    region(
        "    source: Task\n    group_by: bucket(due)\n",
        expect![[r#"
        4:25: error[unexpected-token]: expected `,`, but found `)`
    "#]],
    );
    region(
        "    source: Task\n    group_by: rate\n    aggregate:\n      n: count(Note)\n      m: count(Note) + count(Task)\n",
        expect![[r#"
            4:15: error[not-allowed-here]: `rate` is sensitive and cannot be grouped
              remove it: an order or a filter would disclose its values
            6:7: error[metric-not-grouped]: `n` counts rows of `Note`, which are in no group
              `group_by` groups rows of `Task`; count these, or put the metric into a region without `group_by`
            7:7: error[metric-not-grouped]: `m` counts rows of `Note`, which are in no group
              `group_by` groups rows of `Task`; count these, or put the metric into a region without `group_by`
        "#]],
    );
}

#[test]
fn displays_require_their_fields() {
    region(
        "    source: Task\n    display: tabl\n",
        expect![[r#"
        4:14: error[unknown-display]: unknown kind of display `tabl`
          tabl -> table
    "#]],
    );
    region(
        "    source: Task\n    display: map\n",
        expect![[r#"
        4:14: warning[construct-not-supported]: `map` has no meaning in dz; rows are shown as a list
          write another kind of display
    "#]],
    );
    region(
        "    source: Task\n    display: metrics\n    title: title\n",
        expect![[r#"
        4:14: error[display-needs]: `metrics` shows figures, and this region has none
          add `aggregate:` with lines such as `open: count(Task where done = false)`
        5:5: warning[without-effect]: `title` has no effect on `metrics`
          remove it, or show the region's rows
    "#]],
    );
    region(
        "    display: list\n    aggregate:\n      n: count(Task)\n",
        expect![[r#"
        3:14: error[display-needs]: `list` shows rows, and this region has none
          add `source: ENTITY`
    "#]],
    );
    region(
        "    source: Note\n    display: kanban\n",
        expect![[r#"
        4:14: error[display-needs]: `kanban` groups rows by state, and `Note` has several enums
          say by which: `group_by:` with one of `tone`, `weight`
    "#]],
    );
    region(
        "    source: Note\n    display: kanban\n    group_by: text\n",
        expect![[r#"
        5:15: error[display-needs]: `kanban` groups rows by the values of an enum
          say by which: `group_by:` with one of `tone`, `weight`
    "#]],
    );
    region(
        "    source: Task, Note\n    display: calendar\n",
        expect![[r#"
        4:14: error[display-needs]: `calendar` puts rows on dates, and `Note` has none
          show it as a `list`, or add a date to the entity
    "#]],
    );
    region(
        "    source: Note\n    display: timeline\n    date_field: txt\n",
        expect![[r#"
            5:17: error[unknown-path]: `Note` has no field `txt`
              txt -> text
        "#]],
    );
    region(
        "    source: Task\n    display: line_chart\n",
        expect![[r#"
        4:14: error[display-needs]: `line_chart` shows groups, and this region has none
          add `group_by: FIELD`, or `group_by: bucket(FIELD, month)` for a date
    "#]],
    );
    region(
        "    source: Note\n    display: tree\n",
        expect![[r#"
        4:14: error[display-needs]: `tree` puts rows under each other, and `Note` has no ref to itself
          add `parent: ref Note` to the entity, or show it as a `list`
    "#]],
    );
    region(
        "    source: Task\n    display: tree\n    group_by: owner\n",
        expect![[r#"
        5:15: error[display-needs]: `tree` puts rows under each other by a ref to `Task`
          say by which: `group_by:` with one of `part_of`
    "#]],
    );
    region(
        "    source: Note\n    display: progress\n",
        expect![[r#"
        4:14: error[display-needs]: `progress` shows the progress of something, and this region does not name it
          add `value:`, `group_by:` or `aggregate:`
    "#]],
    );
    region(
        "    source: Task\n    display: graph\n",
        expect![[r#"
        4:14: error[display-needs]: `graph` draws nodes and edges, and `Task` is neither
          declare `graph_node:` on it, or show it as a `list`
    "#]],
    );
    region(
        "    source: Task\n    display: grid\n    date_field: due\n",
        expect![[r#"
        5:5: warning[without-effect]: `date_field` has no effect on `grid`
          remove it, or show the region as a `timeline` or a `calendar`
    "#]],
    );
    region(
        "    source: Tsk\n    display: kanban\n",
        expect![[r#"
        3:13: error[unknown-entity]: unknown entity `Tsk`
          Tsk -> Task
    "#]],
    );
}

#[test]
fn metrics_name_entities_and_metrics_above() {
    metrics(
        "      a: count(Tsk)\n      b: count(Task where statu = open)\n      c: a + b\n",
        expect![[r#"
        4:16: error[unknown-entity]: unknown entity `Tsk`
          Tsk -> Task
        5:27: error[unknown-field]: `Task` has no field `statu`
          statu -> status
    "#]],
    );
    metrics(
        "      a: b + 1\n      b: count(Task)\n      c: c\n      d: bb + 1\n      e: nothing\n      a: 3\n",
        expect![[r#"
            4:10: error[unknown-metric]: there is no earlier metric `b`
              a metric can only use earlier metrics; put it before this one
            6:10: error[unknown-metric]: there is no earlier metric `c`
              a metric can only use earlier metrics; put it before this one
            7:10: error[unknown-metric]: there is no earlier metric `bb`
              bb -> b
            8:10: error[unknown-metric]: there is no earlier metric `nothing`
              count rows, or add up a field: `count(Task where …)`, `sum(Task.FIELD)`
            9:7: error[duplicate-name]: metric `a` is declared twice
              rename or remove one of them
        "#]],
    );
    metrics(
        "      a: Task\n      b: Task.hours\n      c: Tsk.hours\n      d: sum(Task)\n      e: sum(Task.title)\n      f: count(Task.title)\n",
        expect![[r#"
            4:10: error[not-allowed-here]: `Task` is an entity and has no value of its own
              count its rows: `count(Task)`
            5:10: error[not-allowed-here]: `hours` is a field of many rows and has no one value
              add it up: `sum(Task.hours)`
            6:10: error[unknown-entity]: unknown entity `Tsk`
              Tsk -> Task
            7:14: error[wrong-arguments]: a field of `Task` is needed here
              write `sum(Task.field)`
            8:14: error[wrong-arguments]: only numbers can be added up
              name a number, or count the rows: `count(ENTITY)`
            9:16: error[wrong-arguments]: the entity is named here without a field
              write `count(Task)`
        "#]],
    );
    metrics(
        "      a: sum(Task.hour)\n      b: max(Task.rate)\n      c: min(Task.status)\n      d: count(*)\n      e: count(Task, Note)\n      f: count()\n",
        expect![[r#"
            4:19: error[unknown-field]: `Task` has no field `hour`
              hour -> hours
            5:14: error[not-allowed-here]: `rate` is sensitive, and a metric would disclose its values
              use another field
            6:14: error[wrong-arguments]: `min` needs numbers, dates or text, but this is a value of `TaskStatus`
              name a field that has an order
            7:16: error[wrong-arguments]: `*` means the rows of the region, and this region has no source
              add `source: ENTITY` to the region, or name the entity: `count(Task)`
            8:22: error[wrong-arguments]: `count` takes one entity
              write `count(Task where …)`
            9:10: error[wrong-arguments]: `count` takes one entity
              write `count(Task where …)`
        "#]],
    );
    metrics(
        "      a: count(Task) > 3\n      b: any(Task)\n      c: null\n      d: role(lead)\n      e: current_user\n      f: this\n",
        expect![[r#"
            4:10: error[type-mismatch]: a metric is a number, a date or text, but this is a bool
              count rows, or add up a field: `count(Task where …)`, `sum(Task.FIELD)`
            5:10: error[type-mismatch]: a metric is a number, a date or text, but this is a bool
              count rows, or add up a field: `count(Task where …)`, `sum(Task.FIELD)`
            6:10: error[type-mismatch]: a metric is a number, a date or text, but this is null
              count rows, or add up a field: `count(Task where …)`, `sum(Task.FIELD)`
            7:10: error[not-allowed-here]: `role` is not allowed in a metric
              write figures of entities, such as `count(Task where …)`
            8:10: error[not-allowed-here]: `current_user` is not allowed in a metric
              write figures of entities, such as `count(Task where …)`
            9:10: error[not-allowed-here]: `this` is not allowed in a metric
              write figures of entities, such as `count(Task where …)`
        "#]],
    );
    metrics(
        "      a: count(Task where owner = current_user and role(lead))\n      b: count(Task where count(notes) = 1)\n      c: sun(Task.hours)\n",
        expect![[r#"
            5:27: error[not-allowed-here]: `count` is not allowed in a filter
              declare a `computed` field for it, and compare that field
            6:10: error[unknown-function]: unknown function `sun`
              sun -> sum
        "#]],
    );
    metrics(
        "      a\n      b:\n      c: 1 +\n      3: 4\n      d: count(Task) count(Note)\n      e: c * 2\n",
        expect![[r#"
            4:7: error[missing-colon]: a colon is missing after `a`
               -> :
            5:9: error[unexpected-token]: expected an expression after `:`, but the line ends
            6:13: error[unexpected-token]: expected an expression after `+`, but the line ends
            7:7: error[unexpected-token]: expected a key, but found `3`
            8:22: error[unexpected-token]: `count` has no meaning here
              join it to the expression before it with `and`, `or` or an operator
        "#]],
    );
    metrics(
        "      a: min(Task.due)\n      b: days_since(a)\n      c: max(b, 3)\n      d: a + b\n      e: sum(Task.owner.name)\n",
        expect![[r#"
            7:10: error[type-mismatch]: `+` does not work between a date and a whole number
              dates and datetimes take durations: `today + 7d`, `now - 2 hours`
            8:14: error[wrong-arguments]: only numbers can be added up
              name a number, or count the rows: `count(ENTITY)`
        "#]],
    );
}

#[test]
fn values() {
    region(
        "    source: Task\n    display: bar_chart\n    group_by: status\n    value: hourss\n    aggregate:\n      hours_spent: sum(Task.hours)\n",
        expect![[r#"
            6:12: error[unknown-metric]: unknown metric `hourss`
              known ones are `hours_spent`
        "#]],
    );
    region(
        "    source: Task\n    display: bar_chart\n    group_by: status\n    value: hourss\n",
        expect![[r#"
            6:12: error[unknown-path]: `Task` has no field `hourss`
              hourss -> hours
        "#]],
    );
    region(
        "    value: mm\n    aggregate:\n      m: count(Task)\n",
        expect![[r#"
        3:12: error[unknown-metric]: unknown metric `mm`
          mm -> m
    "#]],
    );
    region(
        "    source: Task\n    display: progress\n    value: a\n    aggregate:\n      a: min(Task.due)\n",
        expect![[r#"
            5:12: error[type-mismatch]: `a` is not a number
              a value is drawn as a number
        "#]],
    );
    region(
        "    source: Task\n    display: progress\n    value: rate\n",
        expect![[r#"
            5:12: error[not-allowed-here]: `rate` is sensitive and cannot be added up
              remove it: an order or a filter would disclose its values
        "#]],
    );
    region(
        "    source: Task\n    display: progress\n    value: a\n    aggregate:\n      a: count(Tsk)\n",
        expect![[r#"
        7:16: error[unknown-entity]: unknown entity `Tsk`
          Tsk -> Task
    "#]],
    );
}

#[test]
fn variants() {
    check(
        "workspace home:\n  a:\n    source: Task\n  b:\n    aggregate:\n      n: count(Task)\n      m: count(Tsk)\n  c:\n    aggregate:\n      n: count(Note)\n  ux:\n    for leed:\n      focus: a\n    for lead:\n      scope: status = open\n      show: a, bb, a\n      show_aggregate: n, b.n, b.m, d.n, x, a.b.c\n      action_primary: task_view\n      defaults:\n        status: open\n      empty: \"x\"\n    for hand, lead:\n      focus: a.b\n",
        expect![[r#"
            7:16: error[unknown-entity]: unknown entity `Tsk`
              Tsk -> Task
            12:9: error[unknown-persona]: there is no persona `leed`
              leed -> lead
            15:7: error[not-allowed-here]: `scope` has no meaning for a workspace
              narrow a region instead: `filter:` with a condition on `current_user`
            16:16: error[unknown-region]: unknown region of this workspace `bb`
              bb -> b
            16:20: error[duplicate-name]: `a` is named twice
              remove one of them
            17:23: error[unknown-metric]: several metrics are called `n`
              name one: `region.metric`
            17:36: error[unknown-region]: unknown region of this workspace `d`
              known ones are `a`, `b`, `c`
            17:41: error[unknown-metric]: unknown metric `x`
              known ones are `n`
            17:44: error[unknown-metric]: a figure is named by one word, or by region and metric
              write `metric` or `region.metric`
            18:23: error[surface-needs-row]: surface `task_view` shows one `Task`, and this place has none
              open a surface of the row's entity, or one of mode `list` or `create`
            19:7: error[not-allowed-here]: `defaults` has no meaning for a workspace
              it belongs to a surface of mode `create`
            21:7: error[not-allowed-here]: `empty` has no meaning for a workspace
              it belongs to a region
            22:15: error[duplicate-name]: persona `lead` has a variant already
              remove one of them
            23:15: error[unexpected-token]: `.` has no meaning here
              remove it
        "#]],
    );
}

#[test]
fn surfaces_show_metrics_of_workspaces() {
    let list = |figures: &str| {
        format!(
            "surface s:\n  uses entity Task\n  mode: list\n  ux:\n    sort: due\n    for lead:\n      show_aggregate: {figures}\nworkspace one:\n  a:\n    aggregate:\n      n: count(Task)\n      notes: count(Note)\n      k: count(Task)\n      bad: count(Tsk)\nworkspace two:\n  a:\n    aggregate:\n      n: count(Task where urgent)\n      k: count(Task)\n"
        )
    };
    check(
        &list("n, notes, nn, one.b.n, one.a.m, two.a.n, bad, k"),
        expect![[r#"
            7:23: error[unknown-metric]: several metrics are called `n`
              name one: `workspace.region.metric`
            7:26: error[not-allowed-here]: metric `notes` does not count rows of `Task` alone
              name a metric over `Task`, or a field of it
            7:33: error[unknown-metric]: unknown metric `nn`
              nn -> n
            7:41: error[unknown-metric]: unknown region `b`
              known ones are `a`
            7:52: error[unknown-metric]: unknown metric `m`
              known ones are `n`, `notes`, `k`
            14:18: error[unknown-entity]: unknown entity `Tsk`
              Tsk -> Task
        "#]],
    );
}

#[test]
fn conditions_that_are_always_the_same() {
    check(
        "workspace home:\n  a:\n    source: Task\n    filter: status = open and status = done\n  b:\n    aggregate:\n      n: count(Task where urgent or not urgent)\n",
        expect![[r#"
            4:13: warning[always-false]: the filter of region `a` can never hold
              write the intended condition, or remove it
            7:7: warning[always-true]: a part of the metric `n` always holds
              write the intended condition, or remove it
        "#]],
    );
}

#[test]
fn hints() {
    check(
        "workspace home\nworkspace other:\n  a:\n    source: Note\n    sort: text\n  b:\n    source: User\n    action: task_list\n",
        expect![[r#"
            1:11: lint[dead-workspace]: workspace `home` shows nothing: it has no region
              add a region with a `source:` whose rows one of its callers is permitted to list
            3:3: lint[region-without-action]: rows of `Note` in region `a` open nothing
              add `action: SURFACE`, or declare a surface of mode `view` for `Note`
        "#]],
    );
}

#[test]
fn what_follows_from_the_entity_is_filled_in() {
    let source = |lines: &str| lowered(lines).sources.remove(0);
    let model = analyse(SourceMap::single("t", APP)).model.expect("a model");
    let named = |path: &dz_dsl_file::model::Path| model.field(path.from, path.field).name.clone();
    let date = |lines: &str| source(lines).date.map(|path| named(&path));
    assert_eq!(date("    source: Task\n    display: timeline\n").as_deref(), Some("due"));
    assert_eq!(date("    source: Task\n    display: timeline\n    sort: created_at desc\n").as_deref(), Some("created_at"));
    assert_eq!(date("    source: Task\n    display: calendar\n    date_field: created_at\n").as_deref(), Some("created_at"));
    assert_eq!(date("    source: Task\n"), None);
    let group = |lines: &str| source(lines).group_by.map(|group| named(&group.path));
    assert_eq!(group("    source: Task\n    display: kanban\n").as_deref(), Some("status"));
    assert_eq!(group("    source: Task\n    display: kanban\n    group_by: kind\n").as_deref(), Some("kind"));
    assert_eq!(group("    source: Task\n    display: tree\n").as_deref(), Some("part_of"));
    assert_eq!(group("    source: Task\n    display: progress\n").as_deref(), Some("status"));
    assert_eq!(lowered("    source: Task\n").display, Display::List);
    assert_eq!(lowered("    aggregate:\n      n: count(Task)\n").display, Display::Metrics);
}

#[test]
fn what_opens_from_a_region() {
    let region = lowered("    source: Task, Note\n    action: task_view\n");
    let ways: Vec<Option<bool>> = region.sources.iter().map(|source| source.action.map(|opens| opens.via.is_some())).collect();
    assert_eq!((ways, region.button), (vec![Some(false), Some(true)], None));
    let region = lowered("    source: Task, Note\n    action: task_new\n");
    assert!(region.button.is_some() && region.sources.iter().all(|source| source.action.is_none()));
}

#[test]
fn metrics_have_types_and_know_their_entities() {
    let region = lowered(
        "    source: Task\n    display: progress\n    value: share\n    aggregate:\n      n: count(Task)\n      share: n / count(Note)\n      day: min(Task.due)\n      name: max(Note.text)\n",
    );
    let types: Vec<&Type> = region.metrics.iter().map(|metric| &metric.ty).collect();
    assert_eq!(types, [&Type::Int, &Type::Decimal, &Type::Date, &Type::Text]);
    let entities: Vec<Vec<usize>> = region.metrics.iter().map(|metric| metric.entities.iter().map(|entity| entity.0).collect()).collect();
    assert_eq!(entities, [vec![0], vec![0, 1], vec![0], vec![1]]);
    assert!(matches!(&region.metrics[1].expr, Expr::Arithmetic(_, left, right, _)
        if **left == Expr::Metric(0) && matches!(**right, Expr::EntityAggregate { .. })));
    assert!(matches!(&region.sources[0].value, Some(Value::Metric(at)) if at.it == 1));
}
