//! The row condition in SQL, compared with the same rule evaluated row by row.

use proptest::{prelude::*, test_runner::TestRunner};

use super::app::*;
use crate::{
    Account, Caller, Engine, Value,
    access::Create,
    def::*,
    rows::{self, Query},
};

/// A part of a rule.
#[derive(Debug, Clone)]
enum Rule {
    Mine,
    MyTeam,
    /// The owner's team, at the end of a path, is the caller's.
    OwnersTeam,
    Unowned,
    Status(u16),
    NotStatus(u16),
    Below(i64),
    TeamCalled(&'static str),
    Lead,
    Not(Box<Rule>),
    And(Vec<Rule>),
    Or(Vec<Rule>),
}

fn rule() -> impl Strategy<Value = Rule> {
    let leaf = prop_oneof![
        Just(Rule::Mine),
        Just(Rule::MyTeam),
        Just(Rule::OwnersTeam),
        Just(Rule::Unowned),
        (0..3_u16).prop_map(Rule::Status),
        (0..3_u16).prop_map(Rule::NotStatus),
        (0..4_i64).prop_map(Rule::Below),
        prop_oneof![Just("Blue"), Just("red")].prop_map(Rule::TeamCalled),
        Just(Rule::Lead),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|rule| Rule::Not(Box::new(rule))),
            prop::collection::vec(inner.clone(), 1..3).prop_map(Rule::And),
            prop::collection::vec(inner, 1..3).prop_map(Rule::Or),
        ]
    })
}

/// A task as random numbers: owner, team, status, points; 0 is null.
type Facts = (usize, usize, u16, i64);

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn equal(left: Expr, right: Expr) -> Expr {
    Expr::Compare(Comparison::Eq, leak(left), leak(right))
}

fn list(parts: &[Rule]) -> &'static [Expr] {
    Box::leak(parts.iter().map(Rule::expr).collect::<Vec<_>>().into_boxed_slice())
}

const fn path(field: FieldIx) -> Expr {
    Expr::Path(own(TASK, field))
}

const MY_TEAM: Expr = Expr::CurrentUserPath(own(USER, user::TEAM));

impl Rule {
    fn expr(&self) -> Expr {
        let hop = |hops: &'static [FieldIx], field| Expr::Path(Path::new(TASK, hops, field));
        match self {
            Rule::Mine => equal(path(task::OWNER), Expr::CurrentUser),
            Rule::MyTeam => equal(path(task::TEAM), MY_TEAM),
            Rule::OwnersTeam => equal(hop(&[task::OWNER], user::TEAM), MY_TEAM),
            Rule::Unowned => equal(path(task::OWNER), Expr::Null),
            Rule::Status(at) => equal(path(task::STATUS), Expr::EnumValue(&STATUS, *at)),
            Rule::NotStatus(at) => Expr::Compare(Comparison::Ne, leak(path(task::STATUS)), leak(Expr::EnumValue(&STATUS, *at))),
            Rule::Below(points) => Expr::Compare(Comparison::Lt, leak(path(task::POINTS)), leak(Expr::Int(*points))),
            Rule::TeamCalled(name) => equal(hop(&[task::TEAM], 1), Expr::Text(name)),
            Rule::Lead => Expr::Role(LEAD),
            Rule::Not(inner) => Expr::Not(leak(inner.expr())),
            Rule::And(parts) => Expr::And(list(parts)),
            Rule::Or(parts) => Expr::Or(list(parts)),
        }
    }

    /// The result of the rule for a task; `None` is unknown. Teams and people are numbered from 1, and 0 is null; person `n` is in
    /// team `n`, the third in none.
    fn holds(&self, (owner, team, status, points): Facts, who: usize, lead: bool) -> Option<bool> {
        let team_of = |person: usize| if person > 2 { 0 } else { person };
        let known = |mine: usize, holds: bool| (mine != 0).then_some(holds);
        match self {
            Rule::Mine => known(who, owner == who),
            Rule::MyTeam => known(team_of(who), team == team_of(who)),
            Rule::OwnersTeam => known(team_of(who), team_of(owner) == team_of(who)),
            Rule::Unowned => Some(owner == 0),
            Rule::Status(at) => Some(status == *at),
            Rule::NotStatus(at) => Some(status != *at),
            Rule::Below(limit) => Some(points != 0 && points < *limit),
            Rule::TeamCalled(name) => Some(team == if *name == "Blue" { 1 } else { 2 }),
            Rule::Lead => Some(lead),
            Rule::Not(inner) => inner.holds((owner, team, status, points), who, lead).map(|holds| !holds),
            Rule::And(parts) => all_of(parts.iter().map(|part| part.holds((owner, team, status, points), who, lead))),
            Rule::Or(parts) => {
                all_of(parts.iter().map(|part| part.holds((owner, team, status, points), who, lead).map(|holds| !holds))).map(|none| !none)
            }
        }
    }
}

fn all_of(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let parts: Vec<_> = parts.collect();
    if parts.contains(&Some(false)) { Some(false) } else { parts.iter().all(|part| part.is_some()).then_some(true) }
}

/// Compares the grant and the list with the rule, evaluated for every row.
fn check(world: &World<'_>, permit: &Rule, forbid: Option<&Rule>, tasks: &[Facts], who: usize, lead: bool) -> Result<(), TestCaseError> {
    let people = [None, Some(&world.ann), Some(&world.ben), Some(&world.cem)];
    let teams = [Value::Null, world.blue.clone(), world.red.clone()];
    let rules = |action| ActionRule { action, permit: Some(permit.expr()), scope: None, forbid: forbid.map(Rule::expr) };
    let app = with_task_rules(vec![rules("list"), rules("read"), rules("update")]);
    let roles = if lead { STAFF | LEAD } else { STAFF };
    let caller = match people[who] {
        Some(caller) => Caller { roles, ..caller.clone() },
        None => world.nobody(),
    };
    let lead = lead && who != 0;
    let mut shown = Vec::new();
    // The rollback removes the tasks before the next case.
    let _ = world.database.write(&mut |conn| {
        let mut tx = crate::Tx::new(conn, app, world.hooks.clone(), Caller::system(app, now()));
        for (at, (owner, team, status, points)) in tasks.iter().enumerate() {
            let grant = tx.ask::<Create>(app.entity(TASK))?;
            let given = vec![
                (task::TITLE, text(&at.to_string())),
                (task::OWNER, people[*owner].map(id).unwrap_or_default()),
                (task::TEAM, teams[*team].clone()),
                (task::STATUS, text(STATUS.values[usize::from(*status)].name)),
                (task::POINTS, if *points == 0 { Value::Null } else { Value::Int(*points) }),
            ];
            rows::create(&mut tx, &grant, given)?;
        }
        tx.caller = caller.clone();
        let page = match tx.ask::<crate::access::List>(app.entity(TASK)) {
            Ok(grant) => rows::list(&mut tx, &grant, &Query { sort: vec![(own(TASK, task::TITLE), false)], ..all() })?,
            Err(_) => rows::Page::default(),
        };
        assert_eq!(page.total, rows::Total::exact(page.rows.len() as u64));
        shown = page.rows.iter().map(|row| string(row.value(task::TITLE))).collect();
        Err::<(), _>(crate::Error::internal("undone"))
    });
    let covered = |facts: &Facts| {
        permit.holds(*facts, who, lead) == Some(true) && forbid.is_none_or(|forbid| forbid.holds(*facts, who, lead) == Some(false))
    };
    let wanted: Vec<_> = tasks.iter().enumerate().filter(|(_, facts)| covered(facts)).map(|(at, _)| at.to_string()).collect();
    prop_assert_eq!(shown, wanted);
    Ok(())
}

#[test]
fn the_row_filter_is_the_rule() {
    worlds(|world| {
        let mut runner = TestRunner::new(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() });
        let facts = (0..4_usize, 0..3_usize, 0..3_u16, 0..4_i64);
        let cases = (rule(), prop::option::of(rule()), prop::collection::vec(facts, 0..8), 0..4_usize, any::<bool>());
        runner.run(&cases, |(permit, forbid, tasks, who, lead)| check(world, &permit, forbid.as_ref(), &tasks, who, lead)).unwrap();
    });
}

#[test]
fn roles_are_checked_without_the_database() {
    let ask =
        |app: &'static AppDef, caller: &Caller| result_text(crate::access::ask::<Create>(app, Engine::Sqlite, caller, app.entity(TASK)));
    let account = Account { id: text("x"), email: String::new(), label: String::new(), values: Vec::new(), path_values: Vec::new() };
    let nobody = Caller::anonymous(&APP, now(), "");
    let staff = Caller { account: Some(account), roles: STAFF, ..nobody.clone() };
    let lead = Caller { roles: LEAD, ..staff.clone() };
    let rule = |permit, forbid| with_task_rules(vec![ActionRule { action: "create", permit: Some(permit), scope: None, forbid }]);
    let leads = || Expr::And(&[Expr::SignedIn, Expr::Role(LEAD)]);
    expect_test::expect![[r#"
        nobody 401 AUTHENTICATION_REQUIRED [], staff 403 FORBIDDEN [], lead ok
        nobody ok, staff ok, lead 403 FORBIDDEN []
        nobody 401 AUTHENTICATION_REQUIRED [], staff 403 FORBIDDEN [], lead 403 FORBIDDEN []
        nobody 401 AUTHENTICATION_REQUIRED [], staff ok, lead ok"#]]
    .assert_eq(
        &[rule(leads(), None), rule(Expr::Anyone, Some(leads())), with_task_rules(Vec::new()), &APP]
            .map(|app| format!("nobody {}, staff {}, lead {}", ask(app, &nobody), ask(app, &staff), ask(app, &lead)))
            .join("\n"),
    );
}
