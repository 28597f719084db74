//! Lists: order, filters, search, paths, counts, nested lists.

use super::app::*;
use crate::{
    Value,
    def::{Comparison, Expr, Path},
    rows::{self, Counting, Extra, Filter, FilterOp, Query},
};

const TEAM_NAME: Path = Path::new(TASK, &[task::TEAM], 1);
const OWNER_NAME: Path = Path::new(TASK, &[task::OWNER], user::NAME);
const OWNER_EMAIL: Path = Path::new(TASK, &[task::OWNER], user::EMAIL);
const OWNER_SALARY: Path = Path::new(TASK, &[task::OWNER], user::SALARY);

fn filter(path: Path, op: FilterOp) -> Query {
    Query { filters: vec![Filter { path, op }], ..all() }
}

fn sorted(path: Path, descending: bool) -> Query {
    Query { sort: vec![(path, descending)], ..all() }
}

/// Tasks of Ann: one in the blue team, one in the red team, one without a team.
fn three_tasks(world: &World<'_>) {
    world.task("beta", &world.ann, vec![(task::TEAM, world.red.clone()), (task::POINTS, Value::Int(2))]);
    world.task("Alpha", &world.ann, vec![(task::TEAM, world.blue.clone()), (task::STATUS, text("closed"))]);
    world.task("ÄHRE", &world.ann, vec![(task::POINTS, Value::Int(1)), (task::STATUS, text("active"))]);
}

#[test]
fn order_filters_and_search() {
    worlds(|world| {
        three_tasks(world);
        let title = own(TASK, task::TITLE);
        let points = own(TASK, task::POINTS);
        let status = own(TASK, task::STATUS);
        let compare = |path, cmp, value| filter(path, FilterOp::Compare(cmp, value));
        let search = |words: &str| Query { search: Some((words.into(), vec![title, TEAM_NAME])), ..all() };
        let cases = [
            ("by title", sorted(title, false)),
            ("by title, down", sorted(title, true)),
            ("null first", sorted(points, false)),
            ("null last", sorted(points, true)),
            ("by position", sorted(status, false)),
            ("by team", sorted(TEAM_NAME, false)),
            ("by a ref goes by its label", sorted(own(TASK, task::TEAM), true)),
            ("not 2 holds for null", Query { sort: vec![(title, false)], ..compare(points, Comparison::Ne, Value::Int(2)) }),
            ("below 5 does not", Query { sort: vec![(title, false)], ..compare(points, Comparison::Lt, Value::Int(5)) }),
            ("an ordered value", Query { sort: vec![(title, false)], ..compare(status, Comparison::Gt, text("open")) }),
            ("one of", filter(title, FilterOp::In(vec![text("beta"), text("gamma")]))),
            ("one of none", filter(title, FilterOp::In(vec![]))),
            ("is null", filter(points, FilterOp::IsNull(true))),
            ("contains", filter(title, FilterOp::Contains("lph".into()))),
            ("contains with case", filter(title, FilterOp::Contains("LPH".into()))),
            ("contains without", filter(title, FilterOp::IContains("LPH".into()))),
            ("begins", filter(title, FilterOp::StartsWith("A".into()))),
            ("search in any script", search("ähr")),
            ("search in a hop", search("RED")),
            ("nothing is a pattern", search("%")),
            ("second page", Query { limit: 1, offset: 1, ..sorted(title, false) }),
        ];
        let told: Vec<_> = cases.iter().map(|(name, query)| format!("{name}: {}", world.titles(&world.lead, query))).collect();
        expect_test::expect![[r#"
            by title: Alpha beta ÄHRE
            by title, down: ÄHRE beta Alpha
            null first: Alpha ÄHRE beta
            null last: beta ÄHRE Alpha
            by position: beta ÄHRE Alpha
            by team: ÄHRE Alpha beta
            by a ref goes by its label: beta Alpha ÄHRE
            not 2 holds for null: Alpha ÄHRE
            below 5 does not: beta ÄHRE
            an ordered value: Alpha ÄHRE
            one of: beta
            one of none: 
            is null: Alpha
            contains: Alpha
            contains with case: 
            contains without: Alpha
            begins: Alpha
            search in any script: ÄHRE
            search in a hop: beta
            nothing is a pattern: 
            second page: beta"#]]
        .assert_eq(&told.join("\n"));
    });
}

#[test]
fn a_path_reveals_no_unreadable_value() {
    worlds(|world| {
        three_tasks(world);
        // Ann may read only her own team: for her, the red team is null in every filter and sort order.
        let by = |op| world.titles(&world.ann, &Query { sort: vec![(own(TASK, task::TITLE), false)], ..filter(TEAM_NAME, op) });
        assert_eq!(by(FilterOp::Compare(Comparison::Eq, text("red"))), "");
        assert_eq!(by(FilterOp::Compare(Comparison::Eq, text("Blue"))), "Alpha");
        assert_eq!(by(FilterOp::IsNull(true)), "beta ÄHRE");
        assert_eq!(by(FilterOp::Compare(Comparison::Ne, text("Blue"))), "beta ÄHRE");
        let search = Query { search: Some(("re".into(), vec![TEAM_NAME])), ..all() };
        assert_eq!(world.titles(&world.ann, &search), "");
        assert_eq!(world.titles(&world.lead, &search), "beta");
        // Tasks of the red team and without a team are sorted only by title.
        let order = world.titles(&world.ann, &sorted(TEAM_NAME, true));
        assert!(order.starts_with("Alpha "), "{order}");

        let extra = Query {
            extra: vec![Extra::Field(TEAM_NAME), Extra::Label(own(TASK, task::TEAM)), Extra::Field(OWNER_NAME), Extra::Field(OWNER_EMAIL)],
            sort: vec![(own(TASK, task::TITLE), false)],
            ..all()
        };
        let shown = |caller| {
            let page = world.list(caller, TASK, &extra).unwrap();
            page.rows.iter().map(|row| row.extra.iter().map(string).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(shown(&world.ann), "Blue Blue Ann ann@example.com, - - Ann ann@example.com, - - Ann ann@example.com");
        // Ben may read the tasks of his team, and only the name of their owners.
        assert_eq!(shown(&world.ben), "red red Ann -");
    });
}

#[test]
fn sensitive_fields_are_null_and_cannot_be_filtered_or_sorted() {
    worlds(|world| {
        let pay = |caller, salary| world.update(&world.system(), USER, &id(caller), vec![(user::SALARY, Value::Int(salary))]).unwrap();
        pay(&world.ann, 100);
        pay(&world.ben, 200);
        world.task("mine", &world.ann, vec![(task::TEAM, world.blue.clone()), (task::REMARK, text("hush"))]);
        world.task("other", &world.ben, vec![(task::TEAM, world.blue.clone()), (task::REMARK, text("hush"))]);
        let query = Query { sort: vec![(own(TASK, task::TITLE), false)], extra: vec![Extra::Field(OWNER_SALARY)], ..all() };
        let page = world.list(&world.ann, TASK, &query).unwrap();
        let shown: Vec<_> = page.rows.iter().map(|row| (string(row.value(task::REMARK)), row.extra[0].clone())).collect();
        assert_eq!(shown, [("hush".into(), Value::Int(100)), ("-".into(), Value::Null)]);

        let remark = own(TASK, task::REMARK);
        for query in [
            filter(remark, FilterOp::IsNull(false)),
            sorted(remark, false),
            Query { search: Some(("hush".into(), vec![remark])), ..all() },
            filter(OWNER_SALARY, FilterOp::Compare(Comparison::Gt, Value::Int(1))),
            sorted(OWNER_SALARY, false),
        ] {
            assert_eq!(world.titles(&world.lead, &query), "400 BAD_REQUEST []");
        }
    });
}

/// A computed field behaves as a stored field: in a list, in a read, over a ref, and as a filter, sort key or search field.
#[test]
fn a_sensitive_computed_field_is_null_and_cannot_be_filtered_or_sorted() {
    worlds(|world| {
        let of_ann = world.task("mine", &world.ann, vec![(task::TEAM, world.blue.clone()), (task::REMARK, text("hush"))]);
        let of_ben = world.task("other", &world.ben, vec![(task::TEAM, world.blue.clone()), (task::REMARK, text("hush"))]);
        for (title, parent) in [("under mine", &of_ann), ("under other", &of_ben)] {
            world.task(title, &world.ann, vec![(task::PARENT, parent.clone())]);
        }
        const ABOVE: Path = Path::new(TASK, &[task::PARENT], task::HINT);
        let query = Query { sort: vec![(own(TASK, task::TITLE), false)], extra: vec![Extra::Field(ABOVE)], ..all() };
        let page = world.list(&world.ann, TASK, &query).unwrap();
        let shown: Vec<_> = page.rows.iter().map(|row| (string(row.value(task::HINT)), string(&row.extra[0]))).collect();
        let expected = [("x: hush", "-"), ("-", "-"), ("-", "x: hush"), ("-", "-")];
        assert_eq!(shown, expected.map(|(own, above)| (own.to_owned(), above.to_owned())));
        let read = |id| string(world.read(&world.ann, TASK, id).unwrap().value(task::HINT));
        assert_eq!((read(&of_ann), read(&of_ben)), ("x: hush".to_owned(), "-".to_owned()));

        let hint = own(TASK, task::HINT);
        for query in [
            filter(hint, FilterOp::IsNull(false)),
            filter(ABOVE, FilterOp::Compare(Comparison::Eq, text("x: hush"))),
            sorted(hint, false),
            sorted(ABOVE, false),
            Query { search: Some(("hush".into(), vec![hint])), ..all() },
        ] {
            assert_eq!(world.titles(&world.lead, &query), "400 BAD_REQUEST []");
        }
    });
}

#[test]
fn a_path_over_a_sensitive_reference_is_null_and_cannot_be_filtered_or_sorted() {
    worlds(|world| {
        let reviewed = |owner| vec![(task::TEAM, world.blue.clone()), (task::REVIEWER, id(owner))];
        world.task("mine", &world.ann, reviewed(&world.ann));
        world.task("other", &world.ben, reviewed(&world.ann));
        const REVIEWER_NAME: Path = Path::new(TASK, &[task::REVIEWER], user::NAME);
        let reviewer = own(TASK, task::REVIEWER);
        let extra = vec![Extra::Field(REVIEWER_NAME), Extra::Label(reviewer), Extra::Key(reviewer)];
        let query = Query { sort: vec![(own(TASK, task::TITLE), false)], extra, ..all() };
        let page = world.list(&world.ann, TASK, &query).unwrap();
        let shown: Vec<_> = page.rows.iter().map(|row| (row.value(task::REVIEWER).clone(), row.extra.clone())).collect();
        let ann = id(&world.ann);
        let hidden = (Value::Null, vec![Value::Null, Value::Null, Value::Null]);
        assert_eq!(shown, [(ann.clone(), vec![text("Ann"), text("Ann"), ann]), hidden]);

        for query in [
            filter(REVIEWER_NAME, FilterOp::Compare(Comparison::Eq, text("Ann"))),
            sorted(REVIEWER_NAME, false),
            sorted(reviewer, false),
            Query { search: Some(("ann".into(), vec![REVIEWER_NAME])), ..all() },
        ] {
            assert_eq!(world.titles(&world.lead, &query), "400 BAD_REQUEST []");
        }
    });
}

#[test]
fn a_list_is_two_statements_at_most() {
    worlds(|world| {
        three_tasks(world);
        let count = |query: &Query| {
            let (page, statements) = world.counted(&world.lead, |tx| {
                let grant = tx.ask::<crate::access::List>(tx.app.entity(TASK))?;
                rows::list(tx, &grant, query)
            });
            (page.unwrap().total.rows, statements)
        };
        let wide =
            Query { limit: 2, extra: vec![Extra::Label(own(TASK, task::OWNER)), Extra::Field(TEAM_NAME)], ..sorted(TEAM_NAME, false) };
        assert_eq!(count(&wide), (3, 2));
        // A page that is not full determines the total number, so no count is needed.
        assert_eq!(count(&Query { limit: 10, ..wide.clone() }), (3, 1));
        assert_eq!(count(&Query { count: Counting::Off, ..wide.clone() }), (0, 1));
        assert_eq!(count(&Query { offset: 9, ..wide }), (3, 2));
    });
}

#[test]
fn nested_lists_use_fields_of_their_parent() {
    worlds(|world| {
        let parent = world.task("parent", &world.ann, vec![(task::POINTS, Value::Int(2))]);
        world.task("low", &world.ann, vec![(task::PARENT, parent.clone()), (task::POINTS, Value::Int(1))]);
        world.task("high", &world.ann, vec![(task::PARENT, parent.clone()), (task::POINTS, Value::Int(3))]);
        const OF_THIS: Expr = Expr::Compare(Comparison::Eq, &Expr::Path(own(TASK, task::PARENT)), &Expr::This(None));
        const BELOW: Expr = Expr::Compare(Comparison::Lt, &Expr::Path(own(TASK, task::POINTS)), &Expr::This(Some(own(TASK, task::POINTS))));
        let nested =
            |condition| Query { condition: Some((condition, Some(parent.clone()))), sort: vec![(own(TASK, task::TITLE), false)], ..all() };
        assert_eq!(world.titles(&world.ann, &nested(OF_THIS)), "high low");
        assert_eq!(world.titles(&world.ann, &nested(Expr::And(&[OF_THIS, BELOW]))), "low");
    });
}

#[test]
fn pickers_and_labels() {
    worlds(|world| {
        let named = |caller: &crate::Caller, entity, search: Option<&str>| match world
            .run(caller, |tx| rows::options(tx, tx.app.entity(entity), search, 9))
        {
            Ok(found) => found.into_iter().map(|(_, label)| label).collect::<Vec<_>>().join(" "),
            Err(error) => error_text(&error),
        };
        assert_eq!(named(&world.lead, TEAM, None), "Blue red");
        assert_eq!(named(&world.lead, TEAM, Some("RE")), "red");
        assert_eq!(named(&world.ann, TEAM, None), "403 FORBIDDEN []");
        // Active accounts can be chosen by everyone who is signed in.
        assert_eq!(named(&world.ann, USER, None), "Ann Ben Cem Lea");
        assert_eq!(named(&world.nobody(), USER, None), "401 AUTHENTICATION_REQUIRED []");
        world.update(&world.system(), USER, &id(&world.ben), vec![(user::ACTIVE, Value::Bool(false))]).unwrap();
        assert_eq!(named(&world.ann, USER, None), "Ann Cem Lea");
        assert_eq!(named(&world.lead, USER, Some("be")), "Ben");

        let label =
            |caller: &crate::Caller, entity, key: &Value| world.run(caller, |tx| rows::label(tx, tx.app.entity(entity), key)).unwrap();
        assert_eq!(label(&world.ann, TEAM, &world.blue).as_deref(), Some("Blue"));
        assert_eq!(label(&world.ann, TEAM, &world.red), None);
        assert_eq!(label(&world.ann, USER, &id(&world.cem)).as_deref(), Some("Cem"));
        assert_eq!(label(&world.ann, USER, &id(&world.ben)), None);
        assert_eq!(label(&world.ann, TEAM, &Value::Int(3)), None);
    });
}
