//! Indexes: those that follow from a declaration, with everything that their names do not contain.

use dz_dsl_file::emit::schema::{
    Engine,
    diff::{self},
    snapshot,
};
use expect_test::{Expect, expect};

use crate::{SHOP, schema};

/// The indexes of the table `tasks`, except those of its key: their names, keys and conditions.
fn indexes(text: &str) -> String {
    let all = schema(text).sql(Engine::Sqlite);
    let of_tasks = all.lines().filter_map(|line| line.split_once(" INDEX \"tasks")).map(|(_, rest)| format!("tasks{rest}\n"));
    of_tasks.map(|line| line.replace('"', "").replace(" ON tasks", "").replace(';', "")).collect()
}

#[track_caller]
fn check(text: &str, wanted: &Expect) {
    wanted.assert_eq(&indexes(text));
}

/// An entity of tasks with the rule about lists, further lines, and the keys of its lists.
fn tasks(list: &str, lines: &str, lists: &[&str]) -> String {
    let surface = |(at, ux): (usize, &&str)| format!("surface tasks_{at}:\n  uses entity Task\n  mode: list\n  ux:\n    {ux}\n");
    let surfaces: String = lists.iter().enumerate().map(surface).collect();
    format!(
        "entity Task:\n  id: uuid pk\n  title: str(20)\n  owner: ref User\n  due: date\n  done: bool\n  state: enum[open, shut]\n  \
         age: computed days_since(due)\n{lines}  permit:\n    list: {list}\n    read: true\n{surfaces}"
    )
}

#[test]
fn one_index_finds_and_sorts_the_rows_of_a_caller() {
    // A lead lists all rows in the sort order, and other users their own; the index that finds the rows of an account serves both.
    check(
        &tasks("role(lead) or owner = current_user", "", &["sort: due desc"]),
        &expect![[r#"
        tasks_due_idx (due DESC, id)
        tasks_owner_due_idx (owner, due DESC, id)
    "#]],
    );
    // If each user only sees their own rows, no further index is needed; fields that the rule compares with a literal precede the sort order.
    check(
        &tasks("owner = current_user and done = false", "", &["sort: due desc"]),
        &expect![[r#"
        tasks_owner_done_due_idx (owner, done, due DESC, id)
    "#]],
    );
    check(
        &tasks("true", "", &["sort: due desc"]),
        &expect![[r#"
        tasks_due_idx (due DESC, id)
        tasks_owner_idx (owner)
    "#]],
    );
    // The API sorts by the order of the first list.
    check(
        &tasks("owner = current_user or done = true", "", &["sort: due asc", "sort: title asc"]),
        &expect![[r#"
        tasks_due_idx (due, id)
        tasks_owner_due_idx (owner, due, id)
        tasks_title_idx (title COLLATE NOCASE, title, id)
    "#]],
    );
    // A computed field has no index, and the reference keeps its own.
    check(
        &tasks("owner = current_user", "", &["sort: age desc"]),
        &expect![[r#"
        tasks_owner_idx (owner)
    "#]],
    );
    check(
        &tasks("owner = current_user", "", &["sort: owner asc"]),
        &expect![[r#"
        tasks_owner_idx (owner)
    "#]],
    );
}

#[test]
fn regions_of_rows_have_indexes_for_their_first_rows() {
    let regions = "workspace desk:\n  newest:\n    source: Task\n    sort: due desc\n  mine:\n    source: Task\n    filter: state = open and \
                   owner = current_user\n    sort: title asc\n    display: queue\n  board:\n    source: Task\n    display: kanban\n  plan:\n    \
                   source: Task\n    display: calendar\n  feed:\n    source: Task\n    display: activity_feed\n  share:\n    source: Task\n    \
                   display: pie_chart\n    group_by: done\n";
    // The fields that a filter compares come first; one order by a date serves both directions, and groups read all rows.
    check(
        &format!("{}{regions}", tasks("true", "", &[])),
        &expect![[r#"
        tasks_done_idx (done)
        tasks_due_idx (due DESC, id)
        tasks_owner_state_title_idx (owner, state, title COLLATE NOCASE, title, id)
        tasks_state_idx (state, id)
    "#]],
    );
    // The rows of one caller are few.
    check(
        &format!("{}{regions}", tasks("owner = current_user", "", &[])),
        &expect![[r#"
        tasks_owner_idx (owner)
    "#]],
    );
    check(
        &format!("{}{regions}", tasks("true", "  no_index due, state, owner\n", &[])),
        &expect![[r#"
        tasks_done_idx (done)
    "#]],
    );
}

#[test]
fn each_filter_of_a_list_has_an_index() {
    // The fields of the rule come first, then the filter, then the sort order; a range has no order after it.
    let filter = "sort: due desc\n    filter: state, done, due, owner, age, title";
    check(
        &tasks("owner = current_user", "", &[filter]),
        &expect![[r#"
        tasks_owner_done_due_idx (owner, done, due DESC, id)
        tasks_owner_due_idx (owner, due DESC, id)
        tasks_owner_state_due_idx (owner, state, due DESC, id)
        tasks_owner_title_due_idx (owner, title, due DESC, id)
    "#]],
    );
    // If the rule compares nothing, the index begins with the filter; that of a reference serves both.
    check(
        &tasks("true", "", &[filter]),
        &expect![[r#"
            tasks_done_due_idx (done, due DESC, id)
            tasks_due_idx (due DESC, id)
            tasks_owner_due_idx (owner, due DESC, id)
            tasks_state_due_idx (state, due DESC, id)
            tasks_title_due_idx (title, due DESC, id)
        "#]],
    );
    // One index costs less than two.
    check(
        &tasks("true", "", &["sort: due asc\n    filter: due"]),
        &expect![[r#"
            tasks_due_idx (due, id)
            tasks_owner_idx (owner)
        "#]],
    );
    // A filter shows no deleted row.
    check(
        &tasks("true", "  soft_delete\n", &["filter: state, owner"]),
        &expect![[r#"
        tasks_owner_idx (owner, id)
        tasks_state_idx (state, id) WHERE deleted_at IS NULL
    "#]],
    );
    // A lead sees all rows, and other users their own: an index for each.
    check(
        &tasks("role(lead) or owner = current_user", "", &["filter: state"]),
        &expect![[r#"
        tasks_owner_state_idx (owner, state, id)
        tasks_state_idx (state, id)
    "#]],
    );
    // If a rule has many alternatives, only their common part counts.
    let alternatives: String = (0..5).map(|at| format!(" or (owner = current_user and title = \"{at}\")")).collect();
    check(
        &tasks(&format!("(owner = current_user and done){alternatives}"), "", &["filter: state"]),
        &expect![[r#"
        tasks_owner_state_idx (owner, state, id)
    "#]],
    );
    // A field that a rule compares with two literals has several values.
    check(
        &tasks("state = open or state = shut", "", &["filter: done"]),
        &expect![[r#"
        tasks_owner_idx (owner)
        tasks_state_done_idx (state, done, id)
    "#]],
    );
}

#[test]
fn a_declaration_refuses_indexes() {
    let filter = &["sort: due desc\n    filter: state, done"];
    check(
        &tasks("owner = current_user", "  no_index state\n", filter),
        &expect![[r#"
        tasks_owner_done_due_idx (owner, done, due DESC, id)
        tasks_owner_due_idx (owner, due DESC, id)
    "#]],
    );
    check(&tasks("owner = current_user", "  no_index owner, state, done\n", filter), &expect![[r#""#]]);
    // A declared index is kept.
    check(
        &tasks("true", "  index state\n  no_index state, owner\n", &[]),
        &expect![[r#"
        tasks_state_idx (state)
    "#]],
    );
}

#[test]
fn a_tenant_field_comes_first() {
    let text = "entity Firm:\n  id: uuid pk\n  archetype: tenant\nentity Task:\n  id: uuid pk\n  title: str(20)\n  owner: ref User\n  permit:\n    \
                list: owner = current_user or role(lead)\n    read: true\nsurface tasks:\n  uses entity Task\n  mode: list\n  ux:\n    sort: title asc\n    filter: title\n";
    check(
        text,
        &expect![[r#"
        tasks_firm_owner_title_67b9c52a_idx (firm, owner, title COLLATE NOCASE, title, id)
        tasks_firm_owner_title_125f29d3_idx (firm, owner, title, id)
        tasks_firm_title_230d021f_idx (firm, title COLLATE NOCASE, title, id)
        tasks_firm_title_d4d0aee8_idx (firm, title, id)
    "#]],
    );
}

#[test]
fn tokens_have_indexes_only_where_the_application_looks_them_up() {
    let columns = |text: &str| {
        let all = schema(text).sql(Engine::Sqlite);
        let lines = all.lines().filter(|line| line.contains("INDEX") && line.contains("_token"));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    // Links in mails find accounts by these tokens; few accounts have one at one time.
    let account = "entity Person:\n  archetype: user\n  id: uuid pk\n";
    expect![[r#"
        CREATE INDEX "people_email_verify_token_idx" ON "people" ("email_verify_token") WHERE "email_verify_token" IS NOT NULL;
        CREATE INDEX "people_password_reset_token_idx" ON "people" ("password_reset_token") WHERE "password_reset_token" IS NOT NULL;
        CREATE INDEX "dz_tokens_account_idx" ON "dz_tokens" ("account");
    "#]]
    .assert_eq(&columns(account));
    // The same fields of another entity are not looked up.
    let other = "entity Person:\n  archetype: user\n  id: uuid pk\n  name: str(40)\nentity Note:\n  id: uuid pk\n  password_reset_token: str(100)\n  \
                 email_verify_token: str(100)\n  permit:\n    list: true\n    read: true\n";
    assert_eq!(columns(other).matches("notes").count(), 0);
}

#[test]
fn conditions_of_indexes_are_kept_by_the_database() {
    let text = SHOP.replace(
        "  index price desc, title\n",
        "  unique title where state = new and price >= 1.5\n  index price desc where not (state in [sold]) or agent != null\n  soft_delete\n",
    );
    let partial = |engine| {
        let all = schema(&text).sql(engine);
        all.lines()
            .filter(|line| line.contains(" WHERE ") && line.contains("\"parts\""))
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    expect![[r#"
        CREATE UNIQUE INDEX "parts_title_key" ON "parts" ("title") WHERE "deleted_at" IS NULL AND ("state" = 'new' AND COALESCE("price" >= 150, 0));
        CREATE INDEX "parts_price_idx" ON "parts" ("price" DESC) WHERE (NOT COALESCE("state" IN ('sold'), 0) OR "agent" IS NOT NULL);
    "#]].assert_eq(&partial(Engine::Sqlite));
    expect![[r#"
        CREATE UNIQUE INDEX "parts_title_key" ON "parts" ("title") WHERE "deleted_at" IS NULL AND ("state" = 'new' AND COALESCE("price" >= 1.5, FALSE));
        CREATE INDEX "parts_price_idx" ON "parts" ("price" DESC) WHERE (NOT COALESCE("state" IN ('sold'), FALSE) OR "agent" IS NOT NULL);
    "#]].assert_eq(&partial(Engine::Postgres));
    // A snapshot contains them, and a change of them is a step.
    let (read, _) = snapshot::read(&snapshot::write(&schema(&text), Engine::Sqlite).expect("a file")).expect("a schema");
    assert_eq!(diff::migration(&read, &schema(&text), Engine::Sqlite), None);
    let steps =
        diff::migration(&read, &schema(&text.replace("state = new and", "state = sold and")), Engine::Sqlite).expect("a migration").steps;
    expect![[r#"
        locking: makes `title` of `parts` unique where `"deleted_at" IS NULL AND ("state" = 'sold' AND COALESCE("price" >= 150, 0))`; it fails if two rows have equal values
        safe: drops the uniqueness of `title` of `parts` where `"deleted_at" IS NULL AND ("state" = 'new' AND COALESCE("price" >= 150, 0))`
    "#]].assert_eq(&steps.iter().map(|step| format!("{}: {}\n", step.class.as_str(), step.what)).collect::<String>());
}
