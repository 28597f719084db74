//! Surfaces: actions, audiences, related lists, options of fields, attention, variants for personas.

use dz_dsl_file::{SourceMap, Suggestion, analyse, render};
use expect_test::{Expect, expect};

const APP: &str = r#"persona clerk
persona boss
entity Customer:
  id: uuid pk
  name: str(80) required
  orders: has_many Order via buyer
  permit:
    list: role(clerk, boss)
    read: role(clerk, boss)
    update: role(boss)
entity Order:
  id: uuid pk
  buyer: ref Customer required
  payer: ref Customer
  state: enum[open, sent, paid] = open
  total: decimal(8,2) = 0
  margin: decimal(8,2) sensitive
  urgent: bool
  due: date indexed
  note: text
  created_at: datetime auto_add
  permit:
    list: role(clerk, boss)
    read: role(clerk, boss)
    create: role(clerk)
    update: role(boss)
surface customer_view:
  uses entity Customer
  mode: view
surface order_view:
  uses entity Order
  mode: view
surface order_new:
  uses entity Order
  mode: create
"#;

/// Checks the findings of a surface in the application above, with lines counted from its first one.
#[track_caller]
fn check(surface: &str, expected: Expect) {
    let text = format!("{APP}{surface}");
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

/// Checks a list with these lines.
#[track_caller]
fn list(lines: &str, expected: Expect) {
    check(&format!("surface orders:\n  uses entity Order\n  mode: list\n{lines}"), expected);
}

/// Checks a list with these lines under `ux:`, which has an indexed sort order.
#[track_caller]
fn ux(lines: &str, expected: Expect) {
    list(&format!("  ux:\n    sort: due desc\n{lines}"), expected);
}

#[test]
fn everything_at_once() {
    check(
        r#"surface orders "Orders":
  uses entity Order
  mode: list
  access: persona(clerk, boss)
  priority: high
  section main:
    field buyer.name "Buyer"
    field due format: relative
    field total widget=number format: compact help: "without tax" when: state != open and urgent read_only
    field state
      widget: radio
      when: total > 10 or buyer = null
  action add "New order": on click -> surface order_new
  action open:
    on click -> surface order_view
  ux:
    purpose: "What is to be sent"
    show: due, buyer.name, total
    sort: due asc
    filter: [state, urgent]
    search: note, buyer.name
    empty: "Nothing to send"
    attention critical:
      when: due < today and state = open
      message: "Late"
      action: order_view
    attention info:
      when: urgent
      message: "Urgent"
    for clerk:
      scope: payer = null or role(boss)
      purpose: "Yours"
      show: due, total
      hide: total
      show_aggregate: total, urgent
      action_primary: order_new
      read_only: false
      focus: main
      empty: "None of yours"
    as boss:
      scope: all
      read_only: true
surface order_add:
  uses entity Order
  mode: create
  action done: on submit -> surface order_view
  ux:
    for [clerk, boss]:
      defaults:
        state: sent
        due: today + 3d
surface customer:
  uses entity Customer
  mode: view
  access: authenticated
  related payments "Pays for":
    show: orders
    display: table
    columns: due, total
    limit: 10
  action back: on click -> surface orders
"#,
        expect![[r#"
            34:13: lint[hide-is-not-access]: `total` is hidden from `clerk` on this page only; the API still gives it to them
              if only its editors may see it, declare the field `sensitive`, or narrow the `permit:` of the entity
            43:9: lint[dead-surface]: surface `order_add` is never seen: no page opens it
              name it: `action:` of a region, or `on click -> surface order_add`
            52:9: lint[dead-surface]: surface `customer` is never seen: no page opens it
              name it: `action:` of a region, or `on click -> surface customer`
        "#]],
    );
}

#[test]
fn every_part_of_a_surface_is_available() {
    let text = format!(
        "{APP}surface orders:\n  uses entity Order\n  mode: list\n  access: public\n  priority: low\n  section main:\n    field due format: long when: urgent widget=date\n  action add: on click -> surface order_new\n  ux:\n    show: due\n    sort: due\n    attention info:\n      when: urgent\n      message: \"x\"\n    for clerk:\n      show_aggregate: total, n\nworkspace home:\n  access: public\n  all:\n    source: Order\n    display: kanban\n    aggregate:\n      n: count(Order)\n  ux:\n    for clerk:\n      focus: all\n"
    );
    let found = analyse(SourceMap::single("t", &text));
    assert!(found.model.is_some(), "{:?}", found.diagnostics);
}

#[test]
fn an_account_that_is_not_declared_can_be_shown() {
    check("surface people:\n  uses entity User\n  mode: list\n  ux:\n    sort: email\n", expect![""]);
}

#[test]
fn heads() {
    check(
        "surface a:\n  uses entity Ordr\n  mode: lst\nsurface b:\n  section x:\n    field due\nsurface b:\n  mode: list\n",
        expect![[r#"
            2:15: error[unknown-entity]: unknown entity `Ordr`
              Ordr -> Order
            3:9: error[unknown-value]: unknown mode `lst`
              lst -> list
            4:9: error[missing-entity]: surface `b` names no entity
              add `uses entity NAME`
            4:9: error[missing-mode]: surface `b` has no mode
              add `mode: list`, `view`, `create` or `edit`
            7:9: error[duplicate-name]: surface `b` is declared twice
              rename or remove one of them
        "#]],
    );
    check(
        "surface a:\n  uses entity Order\n  section x:\n    field du\n",
        expect![[r#"
            1:9: error[missing-mode]: surface `a` has no mode
              add `mode: list`, `view`, `create` or `edit`
            4:11: error[unknown-path]: `Order` has no field `du`
              du -> due
        "#]],
    );
    check(
        "surface a:\n  uses entity Order\n  mode:\n  mode: list\n  uses Order\n  mod: list\n",
        expect![[r#"
            3:8: error[unexpected-token]: expected a mode, but the line ends
              the modes are `list`, `view`, `create`, `edit`
            4:3: error[duplicate-key]: `mode` is already set
              keep one of the two lines
            5:3: error[duplicate-key]: `uses` is already set
              keep one of the two lines
            6:3: error[unknown-key]: `surface` has no key `mod`
              mod -> mode
        "#]],
    );
}

#[test]
fn audiences() {
    list(
        "  access: publik\n  ux:\n    sort: due\n",
        expect![[r#"
            4:11: error[unknown-value]: `publik` is not an audience of a page
              publik -> public
        "#]],
    );
    list(
        "  access: clerk\n  ux:\n    sort: due\n",
        expect![[r#"
            4:11: error[unknown-value]: `clerk` is not an audience of a page
              clerk -> persona(clerk)
        "#]],
    );
    list(
        "  access: role(clerk)\n  ux:\n    sort: due\n",
        expect![[r#"
            4:11: error[unexpected-token]: `role(…)` is not an audience of a page
              role -> persona
        "#]],
    );
    list(
        "  access: persona(clrk, boss, boss)\n  ux:\n    sort: due\n",
        expect![[r#"
            4:19: error[unknown-persona]: there is no persona `clrk`
              clrk -> clerk
            4:31: error[duplicate-name]: `boss` is named twice
              remove one of them
        "#]],
    );
    list(
        "  access: persona()\n  access: public\n  ux:\n    sort: due\n",
        expect![[r#"
        4:18: error[unexpected-token]: no persona is named here
          name one: `persona(manager)`
        5:3: error[duplicate-key]: `access` is already set
          keep one of the two lines
    "#]],
    );
    list(
        "  access: persona clerk\n  priority: urgent\n  priority\n  ux:\n    sort: due\n",
        expect![[r#"
            4:19: error[unexpected-token]: expected `(`, but found `clerk`
              persona clerk -> persona(clerk)
            5:13: error[unknown-value]: unknown priority `urgent`
              known ones are `critical`, `high`, `medium`, `low`
            6:3: error[duplicate-key]: `priority` is already set
              keep one of the two lines
        "#]],
    );
}

#[test]
fn actions() {
    list(
        "  action a\n  action b:\n  ux:\n    sort: due\n",
        expect![[r#"
        4:10: error[missing-key]: action `a` names no surface
          write `on click -> surface NAME` under it
        5:10: error[missing-key]: action `b` names no surface
          write `on click -> surface NAME` under it
        5:11: error[empty-block]: this line needs lines under it
          add indented lines under it, or remove the colon
    "#]],
    );
    list(
        "  action a: on clik -> surface order_nw\n  ux:\n    sort: due\n",
        expect![[r#"
        4:16: error[unknown-value]: unknown event `clik`
          clik -> click
        4:32: error[unknown-surface]: unknown surface `order_nw`
          order_nw -> order_new
    "#]],
    );
    list(
        "  action a: on submit -> surface order_new\n  ux:\n    sort: due\n",
        expect![[r#"
        4:16: error[not-allowed-here]: only a form is submitted, a surface of mode `create` or `edit`
          submit -> click
    "#]],
    );
    list(
        "  action a: on click surface order_new\n  action b: on click -> order_new\n  ux:\n    sort: due\n",
        expect![[r#"
            4:22: error[unexpected-token]: expected `->`, but found `surface`
              write `on click -> surface NAME`
            5:25: error[unexpected-token]: expected `surface`, but found `order_new`
               -> surface 
        "#]],
    );
    list(
        "  action a: on click -> surface order_new\n    on click -> surface order_view\n  action a: on click -> surface order_new\n  ux:\n    sort: due\n",
        expect![[r#"
            5:5: error[duplicate-key]: `on` is already set
              keep one of the two lines
            6:10: error[duplicate-name]: action `a` is declared twice
              rename or remove one of them
        "#]],
    );
    list(
        "  action a:\n    on click -> surface order_new\n    on submit -> surface order_view\n    with x\n  ux:\n    sort: due\n",
        expect![[r#"
            6:5: error[duplicate-key]: `on` is already set
              keep one of the two lines
            7:5: error[unknown-key]: `action` has no key `with`
              the keys are `on`
        "#]],
    );
    // Two refs point to a customer, and an empty form has no row.
    list(
        "  action a: on click -> surface customer_view\n  ux:\n    sort: due\n",
        expect![[r#"
        4:33: error[surface-needs-row]: surface `customer_view` shows one `Customer`, and `Order` has several refs to it
          open a surface of the row's entity, or one of mode `list` or `create`
    "#]],
    );
    check(
        "surface a:\n  uses entity Order\n  mode: create\n  action b: on click -> surface order_view\n  action c: on submit -> surface order_view\n",
        expect![[r#"
            4:33: error[surface-needs-row]: surface `order_view` shows one `Order`, and this place has none
              open a surface of the row's entity, or one of mode `list` or `create`
        "#]],
    );
    check(
        "surface a:\n  uses entity Customer\n  mode: view\n  action b: on click -> surface order_view\n",
        expect![[r#"
        4:33: error[surface-needs-row]: surface `order_view` shows one `Order`, and a `Customer` has no reference to one
          open a surface of the row's entity, or one of mode `list` or `create`
    "#]],
    );
}

#[test]
fn related_lists() {
    check(
        "surface a:\n  uses entity Customer\n  mode: view\n  related r:\n    limit: 5\n  related s:\n    show: Order\n  related t:\n    show: Customer, Ordr\n  action b: on click -> surface a\n",
        expect![[r#"
            4:11: error[missing-key]: related list `r` names no entity
              add `show: ENTITY` under it
            7:11: error[ambiguous-inverse]: `Order` has several refs to `Customer`
              name the has_many field that lists them instead
            9:11: error[missing-inverse]: `Customer` has no ref to `Customer`
              list an entity that refers to this one
            9:21: error[unknown-entity]: unknown entity or relation `Ordr`
              Ordr -> Order
        "#]],
    );
    check(
        "surface a:\n  uses entity Customer\n  mode: view\n  related r:\n    show: orders\n    columns: du, buyer.nam\n    display: kanban\n    limit: 0\n",
        expect![[r#"
            6:14: error[unknown-path]: `Order` has no field `du`
              du -> due
            6:24: error[unknown-path]: `Customer` has no field `nam`
              nam -> name
            7:14: error[unknown-display]: unknown display of related rows `kanban`
              known ones are `list`, `table`, `grid`
            8:12: error[number-out-of-range]: a limit is from 1 to 100, not 0
              longer lists are read page by page
        "#]],
    );
    check(
        "surface a:\n  uses entity Customer\n  mode: list\n  related r:\n    show: orders\n    limit: many\n",
        expect![[r#"
        4:11: error[not-allowed-here]: a related list is allowed on a surface of mode `view` only
          put it on the entity's view surface
        6:12: error[unexpected-token]: expected a whole number, but found `many`
    "#]],
    );
}

#[test]
fn options_of_fields() {
    list(
        "  section main:\n    field due widget=checkbox format: percent\n    field total widget=wheel format=roundish\n  ux:\n    sort: due\n",
        expect![[r#"
            5:22: error[type-mismatch]: widget `checkbox` is not for fields of this type
              those are `date`
            5:39: error[type-mismatch]: format `percent` is not for fields of this type
              those are `short`, `long`, `relative`, `month`, `year`
            6:24: error[unknown-value]: unknown widget `wheel`
              known ones are `text`, `textarea`, `markdown`, `phone`, `color`, `number`, `range`, `checkbox`, `switch`, `select`, `radio`, `picker`, `date`, `datetime`
            6:37: error[unknown-value]: unknown format `roundish`
              known ones are `short`, `long`, `relative`, `date`, `time`, `month`, `year`, `integer`, `percent`, `compact`, `yes_no`, `badge`, `link`, `code`, `upper`, `lower`
        "#]],
    );
    list(
        "  section main:\n    field due when: urgent help: \"x\" when: urgent\n    field total when: total\n    field state when: stat = open\n  ux:\n    sort: due\n",
        expect![[r#"
            5:38: error[duplicate-key]: `when` is already set
              keep one of the two lines
            6:23: error[not-a-condition]: a condition is needed here, but this is a decimal
              compare it with something, for example `= …` or `!= null`
            7:23: error[unknown-field]: `Order` has no field `stat`
              stat -> state
        "#]],
    );
    list(
        "  section main:\n    field due wen: urgent\n    field total when:\n    field note format\n      \"x\"\n  ux:\n    sort: due\n",
        expect![[r#"
            5:15: error[unknown-key]: `field` has no key `wen`
              wen -> when
            6:22: error[unexpected-token]: expected an expression after `:`, but the line ends
            7:22: error[unexpected-token]: expected `:`, but the line ends
            8:7: error[unexpected-token]: expected an option of the field, but found a string
        "#]],
    );
    list(
        "  section main:\n    field buyer.name when: any(orders where due = today)\n    field dues when: urgnt\n  ux:\n    sort: due\n",
        expect![[r#"
            5:28: error[not-allowed-here]: `any` is not allowed in a `when` condition
              declare a `computed` field for it, and compare that field
            6:11: error[unknown-path]: `Order` has no field `dues`
              dues -> due
            6:22: error[unknown-field]: `Order` has no field `urgnt`
              urgnt -> urgent
        "#]],
    );
}

#[test]
fn lists_of_fields() {
    ux(
        "    show: due, dew, due\n    filter: state, margin, state\n    search: note, total\n",
        expect![[r#"
            6:16: error[unknown-path]: `Order` has no field `dew`
              known ones are `id`, `buyer`, `payer`, `state`, `total`, `margin`, `urgent`, `due`, `note`, `created_at`; or add it to `Order`
            6:21: error[duplicate-name]: `due` is named twice
              remove one of them
            7:20: error[not-allowed-here]: `margin` is sensitive and cannot be filtered
              remove it: an order or a filter would disclose its values
            7:28: error[duplicate-name]: `state` is named twice
              remove one of them
            8:19: warning[unsearchable-field]: `total` is not text, so it cannot be searched
              search looks into text fields; use `filter:` for the others
        "#]],
    );
    ux(
        "    sort: due\n    show:\n    search: note,, due\n",
        expect![[r#"
            6:5: error[duplicate-key]: `sort` is already set
              keep one of the two lines
            7:10: error[unexpected-token]: expected a field, but the line ends
              name a field, or a path over references such as `owner.name`
            8:18: error[unexpected-token]: expected a field, but found `,`
              name a field, or a path over references such as `owner.name`
        "#]],
    );
    list(
        "  ux:\n    sort: total, total desc, buyer.names\n",
        expect![[r#"
            5:18: error[duplicate-name]: `total` is named twice
              remove one of them
            5:36: error[unknown-path]: `Customer` has no field `names`
              names -> name
        "#]],
    );
}

#[test]
fn attention() {
    ux(
        "    attention warning:\n      when: due < today\n    attention critical:\n      message: \"x\"\n    attention info\n",
        expect![[r#"
            6:5: error[attention-incomplete]: this attention lacks `message:`
              write the condition and the message: `when: condition` and `message: "text"`
            8:5: error[attention-incomplete]: this attention lacks `when:`
              write the condition and the message: `when: condition` and `message: "text"`
            10:5: error[attention-incomplete]: this attention lacks `when:` and `message:`
              write the condition and the message: `when: condition` and `message: "text"`
        "#]],
    );
    ux(
        "    attention urgent:\n      when: due\n      message: \"x\"\n      action: order_vew\n",
        expect![[r#"
        6:15: error[unknown-value]: unknown level of attention `urgent`
          known ones are `critical`, `warning`, `notice`, `info`
        7:13: error[not-a-condition]: a condition is needed here, but this is a date
          compare it with something, for example `= …` or `!= null`
        9:15: error[unknown-surface]: unknown surface `order_vew`
          order_vew -> order_new
    "#]],
    );
    ux(
        "    attention:\n      when: due = today\n      message: \"x\"\n    attention notice:\n      when: due = \n      message: \"x\"\n      text: \"x\"\n",
        expect![[r#"
            6:14: error[unexpected-token]: expected a level, but found `:`
              the levels are `critical`, `warning`, `notice`, `info`
            10:18: error[unexpected-token]: expected an expression after `=`, but the line ends
            12:7: error[unknown-key]: `attention` has no key `text`
              the keys are `when`, `message`, `action`
        "#]],
    );
    ux(
        "    attention info:\n      when: count(orders) > 3\n      message: \"x\"\n      action: customer_view\n",
        expect![[r#"
        7:13: error[not-allowed-here]: `count` is not allowed in a `when` condition
          declare a `computed` field for it, and compare that field
        9:15: error[surface-needs-row]: surface `customer_view` shows one `Customer`, and `Order` has several refs to it
          open a surface of the row's entity, or one of mode `list` or `create`
    "#]],
    );
}

#[test]
fn variants() {
    ux(
        "    for clrk:\n      read_only: true\n    for clerk, boss:\n      read_only: yes\n    for boss:\n      read_only: true\n",
        expect![[r#"
            6:9: error[unknown-persona]: there is no persona `clrk`
              clrk -> clerk
            9:18: error[unexpected-token]: expected `true` or `false`, but found `yes`
              yes -> true
            10:9: error[duplicate-name]: persona `boss` has a variant already
              remove one of them
        "#]],
    );
    ux(
        "    for:\n      read_only: true\n    for clerk\n    for boss:\n",
        expect![[r#"
            6:8: error[unexpected-token]: expected a persona, but found `:`
              name the persona: `for NAME:`
            8:5: error[empty-block]: this line needs lines under it
              write what differs for them, such as `read_only: true`
            9:13: error[empty-block]: this line needs lines under it
              add indented lines under it, or remove the colon
        "#]],
    );
    ux(
        "    for clerk:\n      scope: payer = curent_user\n      hide: totl, margin, note\n      show: due, due\n      action_primary: order_nwe\n      focus: mian, main\n",
        expect![[r#"
            7:22: error[unknown-field]: `Order` has no field `curent_user`
              curent_user -> current_user
            8:13: error[unknown-path]: `Order` has no field `totl`
              totl -> total
            9:18: error[duplicate-name]: `due` is named twice
              remove one of them
            10:23: error[unknown-surface]: unknown surface `order_nwe`
              order_nwe -> order_new
            11:14: error[unknown-region]: unknown section of this surface `mian`
              mian -> main
        "#]],
    );
    ux(
        "    for clerk:\n      scope: total\n      show_aggregate: totl, note, margin, urgent, a.b, a.b.c\n      sope: all\n",
        expect![[r#"
            7:14: error[not-a-condition]: a condition is needed here, but this is a decimal
              compare it with something, for example `= …` or `!= null`
            8:23: error[unknown-metric]: unknown metric `totl`
              totl -> total
            8:29: error[not-allowed-here]: `note` cannot be summed or counted
              name a number, a yes-or-no field, or a metric of a workspace
            8:35: error[not-allowed-here]: `margin` is sensitive, and a metric would disclose its values
              name a number, a yes-or-no field, or a metric of a workspace
            8:51: error[unknown-metric]: a figure is named by one word, or by workspace, region and metric
              write `metric` or `workspace.region.metric`
            8:56: error[unknown-metric]: unknown workspace `a`
            9:7: error[unknown-key]: `for` has no key `sope`
              sope -> scope
        "#]],
    );
    ux(
        "    for clerk:\n      scope: all where x\n      scope: all\n      defaults: 3\n      read_only\n",
        expect![[r#"
            7:14: error[unknown-field]: `Order` has no field `all`
              known ones are `id`, `buyer`, `payer`, `state`, `total`, `margin`, `urgent`, `due`, `note`, `created_at`; or add it to `Order`
            7:18: error[unexpected-token]: `where` has no meaning here
              join it to the expression before it with `and`, `or` or an operator
            8:7: error[duplicate-key]: `scope` is already set
              keep one of the two lines
            9:7: warning[without-effect]: `defaults` has no effect on a surface of mode `list`
              remove it, or write it on a surface of mode `create`
            9:17: error[unexpected-token]: `3` has no meaning here
              remove it
            10:7: error[missing-colon]: a colon is missing after `read_only`
               -> :
        "#]],
    );
    ux(
        "    for clerk:\n      defaults:\n        state: open\n",
        expect![[r#"
            7:7: warning[without-effect]: `defaults` has no effect on a surface of mode `list`
              remove it, or write it on a surface of mode `create`
        "#]],
    );
}

#[test]
fn defaults_of_a_form() {
    check(
        "surface a:\n  uses entity Order\n  mode: create\n  action b: on submit -> surface a\n  ux:\n    for clerk:\n      defaults:\n        state: opn\n        total: \"x\"\n        created_at: now\n        colour: 3\n        due: today\n        due: today + 1d\n        3\n",
        expect![[r#"
            8:16: error[unknown-value]: `opn` is not a value of this enum
              opn -> open
            9:16: error[bad-default]: the field is a decimal, but its default is text
              write a number, such as `2.50`
            10:9: error[not-allowed-here]: `created_at` cannot be set in a form
              remove this line
            11:9: error[unknown-field]: `Order` has no field `colour`
              known ones are `id`, `buyer`, `payer`, `state`, `total`, `margin`, `urgent`, `due`, `note`, `created_at`; or add it to `Order`
            13:9: error[duplicate-name]: `due` is named twice
              remove one of them
            14:9: error[unexpected-token]: expected a key, but found `3`
        "#]],
    );
}

#[test]
fn keys_without_effect() {
    check(
        "surface a:\n  uses entity Order\n  mode: view\n  action x: on click -> surface a\n  ux:\n    sort: due\n    search: note\n    purpose: \"x\"\n    attention info:\n      when: urgent\n      message: \"x\"\n    for clerk:\n      defaults:\n        state: open\n      show_aggregate: total\n      empty: \"x\"\n      hide: note\n",
        expect![[r#"
            1:9: lint[dead-surface]: surface `a` is never seen: no page opens it
              name it: `action:` of a region, or `on click -> surface a`
            6:5: warning[without-effect]: `sort` has no effect on a surface of mode `view`
              remove it, or write it on a surface of mode `list`
            7:5: warning[without-effect]: `search` has no effect on a surface of mode `view`
              remove it, or write it on a surface of mode `list`
            13:7: warning[without-effect]: `defaults` has no effect on a surface of mode `view`
              remove it, or write it on a surface of mode `create`
            15:7: warning[without-effect]: `show_aggregate` has no effect on a surface of mode `view`
              remove it, or write it on a surface of mode `list`
            16:7: warning[without-effect]: `empty` has no effect on a surface of mode `view`
              remove it, or write it on a surface of mode `list`
            17:13: lint[hide-is-not-access]: `note` is hidden from `clerk` on this page only; the API still gives it to them
              if only its editors may see it, declare the field `sensitive`, or narrow the `permit:` of the entity
        "#]],
    );
    check(
        "surface a:\n  uses entity Order\n  mode: create\n  ux:\n    attention info:\n      when: urgent\n      message: \"x\"\n    for clerk:\n      scope: urgent\n",
        expect![[r#"
            1:9: lint[dead-surface]: surface `a` is never seen: no page opens it
              name it: `action:` of a region, or `on click -> surface a`
            5:5: warning[without-effect]: `attention` has no effect on a surface of mode `create`
              remove it, or write it on a surface that shows rows which exist
            9:7: warning[without-effect]: `scope` has no effect on a surface of mode `create`
              remove it, or write it on a surface that shows rows which exist
        "#]],
    );
    ux(
        "    for clerk:\n      hide: buyer.name, note\n",
        expect![[r#"
            7:13: lint[hide-is-not-access]: `name`, `note` are hidden from `clerk` on this page only; the API still gives them to these personas
              if only its editors may see it, declare the field `sensitive`, or narrow the `permit:` of the entity
        "#]],
    );
}

#[test]
fn conditions_that_are_always_the_same() {
    ux(
        "    attention info:\n      when: state = open and state = paid\n      message: \"x\"\n    for clerk:\n      scope: urgent or urgent\n",
        expect![[r#"
            7:13: warning[always-false]: the condition of an attention on `orders` can never hold
              write the intended condition, or remove it
            10:14: warning[redundant-condition]: the scope of a variant of `orders` repeats a condition
              remove one of them
        "#]],
    );
}

#[test]
fn unreachable_surfaces_are_reported() {
    check(
        "surface a:\n  uses entity Customer\n  mode: create\nsurface b:\n  uses entity Order\n  mode: edit\nsurface c:\n  uses entity Order\n  mode: edit\n",
        expect![[r#"
            1:9: lint[dead-surface]: surface `a` is never seen: no caller is permitted to create rows of `Customer`
              add `create:` to the entity's `permit:`, or remove the surface
            7:9: lint[dead-surface]: surface `c` is never seen: no page opens it
              name it: `action:` of a region, or `on click -> surface c`
        "#]],
    );
}

#[test]
fn indexes() {
    list(
        "  ux:\n    sort: total desc, due\n    filter: note, state, buyer\n",
        expect![[r#"
            6:13: lint[unindexed-filter]: the list `orders` filters by `note`, which has no index
              add `indexed` to the field, or an `index` line
        "#]],
    );
    list("  ux:\n    sort: buyer.name\n    filter: buyer.name\n", expect![""]);
}

#[test]
fn personas_that_only_pages_mention_are_used() {
    let text = "persona a\npersona b\npersona c\npersona d\nentity Task:\n  id: uuid pk\n  permit:\n    list: true\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  access: persona(a)\n  ux:\n    sort: id\n    for b:\n      scope: role(c)\n";
    let found = analyse(SourceMap::single("t", text));
    let unused: Vec<&str> = found.diagnostics.iter().filter(|it| it.rule == "unused-persona").map(|it| it.message.as_str()).collect();
    assert_eq!(unused, ["no rule mentions the persona `d`"]);
}
