//! Accounts, sessions and demo data.

use chrono::TimeDelta;

use super::app::*;
use crate::{
    Value,
    accounts::{self, NewAccount},
    db::Conn,
    def::*,
    seed,
};

fn on<T>(world: &World<'_>, work: impl Fn(&mut Conn) -> crate::Result<T>) -> crate::Result<T> {
    world.database.write(&mut |conn| work(conn))
}

fn account(world: &World<'_>, email: &str, password: &str) -> crate::Result<Value> {
    world.run(&world.system(), |tx| accounts::create(tx, &NewAccount { email, name: Some("Dora"), password: Some(password), roles: LEAD }))
}

#[test]
fn passwords() {
    worlds(|world| {
        let id = account(world, " Dora@Example.com ", "moss and fern").unwrap();
        let verify = |email: &str, password: &str| on(world, |conn| accounts::verify(conn, world.app, email, password)).unwrap();
        assert_eq!(verify("dora@example.COM", "moss and fern"), Some(id.clone()));
        assert_eq!(verify("dora@example.com", "moss and ferns"), None);
        assert_eq!(verify("nobody@example.com", "moss and fern"), None);
        assert_eq!(verify("no\0body", &"x".repeat(100_000)), None);
        // An account without a password cannot sign in.
        assert_eq!(verify("ann@example.com", ""), None);
        let weak = |password: &str| result_text(account(world, "eve@example.com", password));
        assert_eq!(weak("short"), "422 VALIDATION [password: must have at least 8 characters]");
        assert_eq!(weak(&"x".repeat(129)), "422 VALIDATION [password: must have at most 128 characters]");
        assert_eq!(weak("Password1"), "422 VALIDATION [password: is a common password: choose a phrase of several words]");
        for word in ["eve@example.com", "Summer2026!", "eve20261122"] {
            assert_eq!(weak(word), "422 VALIDATION [password: is easy to guess: choose a phrase of several words]");
        }
        assert_eq!(result_text(account(world, "dora@example.com", "moss and fern")), "409 UNIQUE [email: is taken already]");
        assert_eq!(
            result_text(account(world, "dora", "moss and fern")),
            "422 VALIDATION [email: must be a mail address, for example ann@example.com]"
        );
        on(world, |conn| accounts::set_password(conn, world.app, &id, "heath and ling", None)).unwrap();
        assert_eq!(verify("dora@example.com", "moss and fern"), None);
        assert_eq!(verify("dora@example.com", "heath and ling"), Some(id.clone()));
        world.update(&world.system(), USER, &id, vec![(user::ACTIVE, Value::Bool(false))]).unwrap();
        assert_eq!(verify("dora@example.com", "heath and ling"), None);
    });
}

#[test]
fn sessions_are_extended_and_expire() {
    worlds(|world| {
        let id = account(world, "dora@example.com", "moss and fern").unwrap();
        let sign_in = |old: Option<&str>, at| on(world, |conn| accounts::sign_in(conn, world.app, &id, old, "Firefox", at)).unwrap();
        let start = now();
        let token = sign_in(None, start);
        let session = world.session(&token, start).unwrap();
        let caller = &session.caller;
        assert_eq!((caller.roles, caller.system_admin, session.due), (LEAD, false, false));
        let account = caller.account.as_ref().unwrap();
        assert_eq!((account.label.as_str(), account.email.as_str(), &account.id), ("Dora", "dora@example.com", &id));
        assert_eq!(account.values[3], Value::Null);
        assert!(world.session("made up", start).is_none());
        // A session ends after seven days without a request, and after thirty days in any case.
        assert!(world.session(&token, start + TimeDelta::days(6)).unwrap().due);
        assert!(world.session(&token, start + TimeDelta::days(7)).is_none());
        for day in (6..=30).step_by(6) {
            on(world, |conn| accounts::renew(conn, &token, start + TimeDelta::days(day))).unwrap();
        }
        assert!(!world.session(&token, start + TimeDelta::days(30) - TimeDelta::minutes(1)).unwrap().due);
        assert!(world.session(&token, start + TimeDelta::days(30)).is_none());
        // Signing in again ends the old session; a new password ends all others.
        let (first, other) = (sign_in(None, start), sign_in(None, start));
        let second = sign_in(Some(&first), start);
        assert!(world.session(&first, start).is_none());
        on(world, |conn| accounts::set_password(conn, world.app, &id, "heath and ling", Some(&second))).unwrap();
        assert!(world.session(&other, start).is_none() && world.session(&second, start).is_some());
        on(world, |conn| accounts::sign_out(conn, &second)).unwrap();
        assert!(world.session(&second, start).is_none());
        // Sessions of a disabled account stay invalid when the account is enabled again.
        let third = sign_in(None, start);
        for active in [false, true] {
            world.update(&world.system(), USER, &id, vec![(user::ACTIVE, Value::Bool(active))]).unwrap();
            assert!(world.session(&third, start).is_none());
        }
    });
}

#[test]
fn a_session_loads_the_values_of_rules() {
    worlds(|world| {
        const TEAM_NAME: Path = Path::new(USER, &[user::TEAM], 1);
        let rule = ActionRule {
            action: "list",
            permit: Some(Expr::Compare(Comparison::Eq, &Expr::CurrentUserPath(TEAM_NAME), &Expr::Text("Blue"))),
            scope: None,
            forbid: None,
        };
        world.app = with_task_rules(vec![rule]);
        let ann = id(&world.ann);
        let token = on(world, |conn| accounts::sign_in(conn, world.app, &ann, None, "", now())).unwrap();
        let mut statements = 0;
        let session = world.database.read(&mut |conn| {
            statements = conn.statements();
            let session = accounts::find_session(conn, world.app, &token, now());
            statements = conn.statements() - statements;
            session
        });
        let account = session.unwrap().unwrap().caller.account.unwrap();
        assert_eq!((account.path_values, statements), (vec![(TEAM_NAME, text("Blue"))], 1));
    });
}

#[test]
fn roles() {
    worlds(|world| {
        let ann = id(&world.ann);
        let granted = |role: &str| result_text(on(world, |conn| accounts::grant(conn, world.app, &ann, role)));
        assert_eq!((granted("admin").as_str(), granted("admin").as_str()), ("ok", "ok"));
        assert_eq!(granted("boss"), "422 VALIDATION [role: must be one of the roles `staff`, `lead`, `admin`, not `boss`]");
        // The role of the account counts, but does not make it an administrator of the whole system.
        world.update(&world.system(), USER, &id(&world.ben), vec![(8, text("admin"))]).unwrap();
        let caller = |who: &Value| {
            let token = on(world, |conn| accounts::sign_in(conn, world.app, who, None, "", now())).unwrap();
            let caller = world.session(&token, now()).unwrap().caller;
            (caller.roles, caller.system_admin)
        };
        assert_eq!(caller(&ann), (4, true));
        assert_eq!(caller(&id(&world.ben)), (4, false));
        assert!(on(world, |conn| accounts::revoke(conn, world.app, &ann, "admin")).unwrap());
        assert_eq!(caller(&ann), (0, false));
        let listed = on(world, |conn| accounts::list(conn, world.app)).unwrap();
        let shown: Vec<_> = listed.iter().map(|account| account.email.as_str()).collect();
        assert_eq!(shown, ["ann@example.com", "ben@example.com", "cem@example.com", "lea@example.com"]);
    });
}

#[test]
fn demo_data_is_all_or_nothing() {
    crate::db::testing::each_engine(|database| {
        database.write(&mut |conn| crate::db::schema::prepare(conn, &APP).map(drop)).unwrap();
        let seed = |app| database.write(&mut |conn| seed::run(conn, app, &Default::default(), now(), Default::default()));
        let bad = with_demo(vec![
            DemoRow { entity: TEAM, values: &[(1, DemoValue::Literal(Expr::Text("Blue")))], account: None },
            DemoRow { entity: TEAM, values: &[(1, DemoValue::Literal(Expr::Text("Blue")))], account: None },
        ]);
        assert_eq!(seed(bad).unwrap_err().detail, "row 2 of `Team` in the demo data is refused (UNIQUE): `name` is taken already");
        let seeded = seed(&APP).unwrap();
        assert_eq!(seeded.rows, 3);
        assert_eq!(
            seeded.sign_ins,
            [seed::SignIn { email: "ann@example.com".into(), password: "moss-and-fern", roles: vec!["Staff", "Lead"] }]
        );
        let found = database.read(&mut |conn| accounts::verify(conn, &APP, "ann@example.com", "moss-and-fern")).unwrap();
        assert!(found.is_some());
        assert_eq!(seed(&APP).unwrap_err().status, 409);
    });
}
