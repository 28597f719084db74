//! Names of constraints, indexes, policies and triggers.

use dz_dsl_file::emit::schema::Engine;
use expect_test::expect;

use crate::{SHOP, schema};

/// The names of all objects in the SQL of a schema.
fn names(text: &str) -> Vec<String> {
    let sql = schema(text).sql(Engine::Postgres);
    let after = |word: &str| sql.split(word).skip(1).filter_map(|rest| rest.split('"').next().map(str::to_owned)).collect::<Vec<_>>();
    ["CONSTRAINT \"", "INDEX \"", "POLICY \"", "TRIGGER \"", "CREATE FUNCTION \""].into_iter().flat_map(after).collect()
}

#[test]
fn names_follow_the_habit_of_postgresql() {
    let text = "
entity Team:
  archetype: tenant
  id: uuid pk
  name: str(40) required
entity Person:
  archetype: user
  id: uuid pk
entity Member:
  archetype: user_membership
  id: uuid pk
entity Task:
  id: uuid pk
  title: str(40) required unique
  status: enum[open, done]
  owner: ref Person
  a_very_long_name_of_a_field_that_says_everything_about_it: enum[yes, no]
  deadline: datetime
  invariant: title != \"x\"
  unique title where status = open
  permit:
    list: true
    read: true
entity TaskTitle:
  id: uuid pk
  key: int unique
  permit:
    list: true
    read: true
surface tasks:
  uses entity Task
  mode: list
  ux:
    sort: deadline desc
surface others:
  uses entity Task
  mode: list
  ux:
    sort: deadline asc
";
    let names = names(text);
    for name in &names {
        assert!(name.len() <= 63 && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'), "{name}");
    }
    let mut sorted = names.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), names.len(), "no name is given twice: {names:#?}");
    let of_tasks: Vec<&String> = sorted.iter().filter(|name| name.starts_with("task")).collect();
    expect![[r#"
        task_titles_team_fkey
        task_titles_team_key_key
        task_titles_tenant_policy
        tasks_a_very_long_name_of_a_field_that_says_ever_16ca9891_check
        tasks_owner_fkey
        tasks_status_check
        tasks_team_deadline_1b06a8e7_idx
        tasks_team_deadline_a0d8d378_idx
        tasks_team_fkey
        tasks_team_owner_idx
        tasks_team_title_905f8f0d_key
        tasks_team_title_d7bf88b8_key
        tasks_tenant_policy
        tasks_title_7c2b940f_check
    "#]]
    .assert_eq(&of_tasks.iter().map(|name| format!("{name}\n")).collect::<String>());
}

#[test]
fn columns_of_constraints_are_known_by_their_names() {
    let known = schema(SHOP).constraints();
    let of_shop: String = known.split_inclusive('\n').filter(|line| line.starts_with("parts") || line.starts_with("makers")).collect();
    expect![[r#"
        makers_name_check	name
        makers_name_key	name
        makers_pkey	id
        parts_id_check	id
        parts_title_check	title
        parts_state_check	state
        parts_agent_check	agent
        parts_state_price_ad8cf3c6_check	state,price
        parts_title_9002ecfe_check	title
        parts_maker_fkey	maker
        parts_pkey	id
    "#]]
    .assert_eq(&of_shop);
}
