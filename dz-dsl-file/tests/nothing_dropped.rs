//! No word of a declaration is ignored: every word that is added to a correct one is reported.

mod sweep;

use dz_dsl_file::{SourceMap, analyse};

/// Every construct, key and option that this version implements.
const GOOD: &str = r#"module shop
app shop "Shop":
  description: "Sells things"
  timezone: "Europe/Berlin"
  default_locale: "de-CH"
  currency: EUR
  multi_tenant: false
  registration: true
persona clerk "Clerk":
  default_route: "/app/order_list"
  description: "Sells"
  goals: [speed, "few clicks"]
  proficiency: novice
persona boss:
  goals:
    - "see everything"
enum Level ordered "Level":
  low "Low"
  high
archetype Stamped:
  created_at: datetime auto_add
entity Customer "Customer":
  intent: "who buys"
  domain: sales
  patterns: party, "a role"
  extends: Stamped
  plural: customers
  display_field: name
  id: uuid pk
  name: str(80) required searchable
  mail: email unique?
  level: Level = low
  orders: has_many Order via buyer cascade
  permit:
    list: role(clerk, boss)
    read: role(clerk, boss)
    create: role(clerk) and not (name = "x")
  forbid:
    create: role(boss)
  index name desc
entity Order:
  id: int pk
  buyer: belongs_to Customer required
  state: enum[open, "in progress", done] = open
  total: decimal(8, 2) = 0
  due: date = today + 7 days
  access:
    read: buyer.name = "x" or role(clerk)
    write: role(clerk)
  unique buyer, due
  unique buyer where state in [open, "in progress"]
  index due desc, buyer where total > 1
  no_index state
surface order_list "Orders":
  uses entity Order
  mode: list
  access: persona(clerk, boss)
  priority: high
  section main "All":
    field buyer.name "Buyer"
    field state format: badge when: total > 1
    field total
  action add "Add" : on click -> surface order_new
  action open:
    on click -> surface customer_view
  ux:
    purpose: "What is open"
    sort: due desc, total
    filter: state, due
    search: buyer.name
    empty: "Nothing"
    show: buyer.name, state, total
    attention warning:
      when: due < today and state = open
      message: "Late"
      action: customer_view
    for clerk:
      scope: buyer.name = "x"
      purpose: "Yours"
      show: state, total
      hide: total
      show_aggregate: open_orders, total
      action_primary: order_new
      read_only: true
      focus: main
      empty: "None"
    as boss:
      scope: all
surface order_new:
  uses entity Order
  mode: create
  section main:
    field buyer
    field state
    field total
    field due read_only
  ux:
    for boss:
      defaults:
        state: done
workspace home "Home":
  purpose: "All that matters"
  stage: wide
  access: authenticated
  recent "Recent":
    source: Order
    filter: state = open and buyer != null
    sort: due desc, total
    limit: 5
    action: order_new
    empty: "None"
    display: timeline
    date_field: due
    title: buyer.name
  figures:
    source: Order
    display: bar_chart
    group_by: bucket(due, month)
    value: share
    aggregate:
      open_orders: count(Order where state = open)
      share: round(sum(Order.total) / nullif(open_orders, 0), 1)
  ux:
    for clerk, boss:
      purpose: "Yours"
      show: recent, figures
      hide: figures
      focus: recent
      show_aggregate: figures.share
      action_primary: order_new
      read_only: true
surface customer_view:
  uses entity Customer
  mode: view
  related more "More":
    show: orders
    display: grid
    columns: due, total
    limit: 7
  section main:
    note: "Said once"
    field name "Name" help: "as printed"
  section orders:
    uses entity Order
    filter: buyer = this
    field due
story ST-001 "Sending":
  "Every day"
  actor: clerk
  trigger: user_click
  scope: [Order, Customer]
  status: accepted
  given:
    - the order's state is "open"
  when: it's paid
  then:
    - "its state becomes 'done'"
  unless:
    - it rains:
        then: it waits
experience buy "Buying":
  access: persona(clerk, boss)
  context:
    customer: ref Customer
    note: text
  start at step who
  step who "Who":
    kind: surface
    surface customer_create
    access: authenticated
    saves_to: context.customer
    on success -> step what
    on cancel -> step last
  step what:
    surface order_create
    when: context.customer.level = high
    prefill:
      buyer: context.customer
    on success -> step pay
  step pay:
    process payment
    saves_to: note
    on success -> step last
  step last:
    surface order_list
process payment "Pay":
  implements: ST-001
  steps:
    - step pay:
        wait: 1h
surface customer_create:
  uses entity Customer
  mode: create
surface order_create:
  uses entity Order
  mode: create
scenario busy "Busy":
  description: "Much to do"
  for persona clerk:
    start_route: "/app/order_list"
  for persona boss
  demo:
    Customer:
      - @cy name: "Cy"
    Order:
      - id: 2, buyer: @cy
demo:
  Customer:
    - @ann name: "Ann", level: high
    - {name: "Ben"}
  Order:
    - id: 1, buyer: @ann, due: today
"#;

/// Services, processes, schedules and language models.
const PROCESSES: &str = include_str!("fixtures/whole/processes.dsl");

fn raised(text: &str) -> Vec<String> {
    let analysis = analyse(SourceMap::single("app.dsl", text));
    analysis
        .diagnostics
        .iter()
        .filter(|it| it.severity < dz_dsl_file::Severity::Lint)
        .map(|it| format!("{}: {}", it.rule, it.message))
        .collect()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Changes each line of the correct texts in turn, and checks that a finding is reported.
#[track_caller]
fn each_line(change: impl Fn(&str, &str) -> Option<String>) {
    let silent: Vec<String> = [GOOD, PROCESSES].into_iter().flat_map(|text| silent(text, &change)).collect();
    assert!(silent.is_empty(), "nothing is said of:\n{}", silent.join("\n--\n"));
}

/// The changes without a finding.
fn silent(text: &str, change: impl Fn(&str, &str) -> Option<String>) -> Vec<String> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let mut silent = Vec::new();
    for (at, line) in sweep::sample(lines.iter().enumerate().filter(|(_, line)| !line.is_empty()), 8) {
        let next = lines[at + 1..].iter().copied().find(|line| !line.is_empty()).unwrap_or("");
        let Some(changed) = change(line, next) else { continue };
        let text = [&lines[..at], &[changed.as_str()], &lines[at + 1..]].concat().join("\n");
        if raised(&text).is_empty() {
            silent.push(changed);
        }
    }
    silent
}

/// True for lines that end in prose, in which every word is allowed.
fn is_open(line: &str) -> bool {
    const OPEN: &[&str] = &["- the order's", "when: it's", "- \"its state", "- it rains", "then: it waits"];
    OPEN.iter().any(|open| line.trim_start().starts_with(open))
}

#[test]
fn the_text_without_errors_has_no_finding() {
    assert_eq!(raised(GOOD), Vec::<String>::new());
    assert_eq!(raised(PROCESSES), Vec::<String>::new());
}

#[test]
fn a_word_at_the_end_of_a_line_is_reported() {
    each_line(|line, _| (!is_open(line)).then(|| format!("{line} zzz")));
}

#[test]
fn a_sign_at_the_end_of_a_line_is_reported() {
    each_line(|line, _| (!is_open(line)).then(|| format!("{line} @")));
    each_line(|line, _| (!is_open(line)).then(|| format!("{line} )")));
}

#[test]
fn a_line_under_a_line_is_reported() {
    each_line(|line, next| {
        if line.starts_with("app ") || line.ends_with("aggregate:") {
            // Unknown keys of `app` are kept for other tools, and another metric line is another metric.
            return None;
        }
        let deeper = if indent(next) > indent(line) { indent(next) } else { indent(line) + 2 };
        Some(format!("{line}\n{}zzz: 1", " ".repeat(deeper)))
    });
    each_line(|line, next| (indent(next) <= indent(line)).then(|| format!("{line}\n{}\"zzz\"", " ".repeat(indent(line) + 2))));
}

#[test]
fn a_line_said_twice_is_reported() {
    // Lists can be repeated, and another row is a new one.
    const MAY: &[&str] = &[
        "- \"",
        "- emit",
        "goals",
        "- @ann",
        "- {name",
        "- id",
        "patterns",
        "section",
        "ux:",
        "permit:",
        "forbid:",
        "access:",
        "- the order's",
    ];
    each_line(|line, next| {
        let repeats = MAY.iter().any(|may| line.trim_start().starts_with(may));
        (indent(next) <= indent(line) && !repeats).then(|| format!("{line}\n{line}"))
    });
}

#[test]
fn an_incomplete_line_is_reported() {
    each_line(|line, _| {
        let words: Vec<&str> = line.trim_end().split(' ').collect();
        let half = words[..words.len() - 1].join(" ");
        (!is_open(line) && half.trim_end().ends_with([':', ',', '=', '+', '.'])).then_some(half)
    });
}
