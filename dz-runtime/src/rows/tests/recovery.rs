//! Mailed links, sessions that users end, and API tokens.

use crate::record::FieldValues;
use chrono::TimeDelta;

use super::app::*;
use crate::{
    Caller, Result, TokenScope, Value,
    access::{Create, List},
    accounts::{self, Confirmation, NewAccount, NewToken},
    db::Conn,
};

const ADDRESS: &str = "dora@example.com";

fn on<T>(world: &World<'_>, work: impl Fn(&mut Conn) -> Result<T>) -> T {
    world.database.write(&mut |conn| work(conn)).unwrap()
}

fn account(world: &World<'_>) -> Value {
    let new = NewAccount { email: ADDRESS, name: Some("Dora"), password: Some("moss and fern"), roles: STAFF | LEAD };
    world.run(&world.system(), |tx| accounts::create(tx, &new)).unwrap()
}

fn token(world: &World<'_>, id: &Value, scope: TokenScope, roles: Option<Vec<&str>>) -> String {
    let new = NewToken { scope, expires_at: now() + TimeDelta::days(1), roles, tenant: None };
    on(world, |conn| accounts::create_token(conn, world.app, id, &new, now())).1
}

fn bearer(world: &World<'_>, token: &str, after: TimeDelta) -> Option<Caller> {
    on(world, |conn| accounts::find_token_holder(conn, world.app, token, now() + after)).map(|session| session.caller)
}

fn verified(world: &World<'_>, password: &str) -> bool {
    on(world, |conn| accounts::verify(conn, world.app, ADDRESS, password)).is_some()
}

#[test]
fn a_link_sets_a_password_once_within_an_hour() {
    worlds(|world| {
        let id = account(world);
        let start = |email: &str| on(world, |conn| accounts::start_reset(conn, world.app, email, now()));
        assert_eq!(start("nobody@example.com"), None);
        let session = on(world, |conn| accounts::sign_in(conn, world.app, &id, None, "", now()));
        let program = token(world, &id, TokenScope::Write, None);
        let (_, first) = start(" DORA@example.com").unwrap();
        let (address, second) = start(ADDRESS).unwrap();
        assert_eq!(address, ADDRESS);
        let owner = |token: &str, after| on(world, |conn| accounts::find_reset_address(conn, world.app, token, now() + after));
        // The second link replaces the first, and each expires after an hour.
        assert_eq!(owner(&first, TimeDelta::zero()), None);
        assert_eq!(owner(&second, TimeDelta::minutes(59)).as_deref(), Some(ADDRESS));
        assert_eq!(owner(&second, TimeDelta::hours(1)), None);
        let set = |token: &str, after| {
            let hash = accounts::hash_password(world.app, ADDRESS, "heath and ling").unwrap();
            on(world, |conn| accounts::reset(conn, world.app, token, hash.clone(), now() + after))
        };
        assert!(!set(&second, TimeDelta::hours(1)) && verified(world, "moss and fern"));
        assert!(set(&second, TimeDelta::minutes(5)));
        assert!(!set(&second, TimeDelta::minutes(5)), "it was used");
        assert!(verified(world, "heath and ling") && !verified(world, "moss and fern"));
        assert!(world.session(&session, now()).is_none());
        assert!(bearer(world, &program, TimeDelta::zero()).is_none());
    });
}

#[test]
fn a_disabled_account_gets_no_link_and_loses_existing_ones() {
    worlds(|world| {
        let id = account(world);
        let (_, mailed) = on(world, |conn| accounts::start_reset(conn, world.app, ADDRESS, now())).unwrap();
        let confirming = on(world, |conn| accounts::start_verify(conn, world.app, &id, ADDRESS, now())).expect("a token");
        world.update(&world.system(), USER, &id, vec![(user::ACTIVE, Value::Bool(false))]).unwrap();
        assert_eq!(on(world, |conn| accounts::start_reset(conn, world.app, ADDRESS, now())), None);
        // A mail that was requested before is written after.
        assert_eq!(on(world, |conn| accounts::start_verify(conn, world.app, &id, ADDRESS, now())), None);
        assert_eq!(on(world, |conn| accounts::confirm(conn, world.app, &confirming, None, now())), Confirmation::Invalid);
        world.update(&world.system(), USER, &id, vec![(user::ACTIVE, Value::Bool(true))]).unwrap();
        assert_eq!(on(world, |conn| accounts::find_reset_address(conn, world.app, &mailed, now())), None);
    });
}

#[test]
fn a_changed_address_is_confirmed_again() {
    worlds(|world| {
        const VERIFIED: u16 = 9;
        let id = account(world);
        let start = || on(world, |conn| accounts::start_verify(conn, world.app, &id, ADDRESS, now()));
        let confirm = |token: &str, after| on(world, |conn| accounts::confirm(conn, world.app, token, None, now() + after));
        let is_confirmed = || world.read(&world.system(), USER, &id).unwrap().value(VERIFIED) == &Value::Bool(true);
        let mailed = start().expect("a token");
        assert_eq!(confirm(&mailed, TimeDelta::days(3)), Confirmation::Invalid);
        // The expiry in the link cannot be changed.
        let (random, _) = mailed.split_once('.').unwrap();
        assert_eq!(confirm(&format!("{random}.99999999999"), TimeDelta::zero()), Confirmation::Invalid);
        assert_eq!(confirm(&mailed, TimeDelta::days(2)), Confirmation::Confirmed);
        assert_eq!(confirm(&mailed, TimeDelta::days(2)), Confirmation::Invalid);
        assert!(is_confirmed());
        let (_, reset) = on(world, |conn| accounts::start_reset(conn, world.app, ADDRESS, now())).unwrap();
        world.update(&world.system(), USER, &id, vec![(user::EMAIL, text("dora@example.org"))]).unwrap();
        assert!(!is_confirmed());
        assert_eq!(start(), None, "the account has another address now");
        assert_eq!(on(world, |conn| accounts::find_reset_address(conn, world.app, &reset, now())), None);
    });
}

#[test]
fn a_registration_needs_the_mailed_link() {
    worlds(|world| {
        let register = || {
            let hash = accounts::hash_password(world.app, ADDRESS, "moss and fern").unwrap();
            let new = NewAccount { email: ADDRESS, name: None, password: None, roles: 0 };
            world.run(&world.system(), |tx| accounts::register(tx, &new, hash.clone(), FieldValues::default()))
        };
        let mailed = register().unwrap();
        assert!(!verified(world, "moss and fern"));
        assert_eq!(result_text(register()), "409 UNIQUE [email: is taken already]");
        let kept = accounts::derive_registrant(&mailed);
        assert_eq!(on(world, |conn| accounts::confirm(conn, world.app, &mailed, Some(&kept), now())), Confirmation::Confirmed);
        assert!(verified(world, "moss and fern"));
        let listed = on(world, |conn| accounts::list(conn, world.app));
        let dora = listed.iter().find(|account| account.email == ADDRESS).unwrap();
        assert!(dora.active && dora.roles.is_empty());
    });
}

/// A user registers the address of another person: the owner follows the link, and the password of the first user becomes invalid.
#[test]
fn the_confirmation_of_an_address_invalidates_another_users_password() {
    worlds(|world| {
        let hash = accounts::hash_password(world.app, ADDRESS, "moss and fern").unwrap();
        let new = NewAccount { email: ADDRESS, name: None, password: None, roles: 0 };
        let mailed = world.run(&world.system(), |tx| accounts::register(tx, &new, hash.clone(), FieldValues::default())).unwrap();
        let other = accounts::derive_registrant("another link");
        let confirmed = on(world, |conn| accounts::confirm(conn, world.app, &mailed, Some(&other), now()));
        let Confirmation::PasswordRemoved(reset) = confirmed else { panic!("{confirmed:?}") };
        assert!(!verified(world, "moss and fern"));
        let own = accounts::hash_password(world.app, ADDRESS, "fern and moss").unwrap();
        assert!(on(world, |conn| accounts::reset(conn, world.app, &reset, own.clone(), now())));
        assert!(verified(world, "fern and moss") && !verified(world, "moss and fern"));
    });
}

#[test]
fn users_end_their_own_sessions() {
    worlds(|world| {
        let id = account(world);
        let sign_in = |device: &str| on(world, |conn| accounts::sign_in(conn, world.app, &id, None, device, now()));
        let (here, there, elsewhere) = (sign_in("Here"), sign_in("There\nand beyond"), sign_in("Elsewhere"));
        let open = || on(world, |conn| accounts::list_sessions(conn, world.app, &id, Some(&here), now()));
        let devices: Vec<_> = open().into_iter().map(|it| (it.device, it.current)).collect();
        assert_eq!(devices, [("Elsewhere".into(), false), ("Thereand beyond".into(), false), ("Here".into(), true)]);
        let named = open().iter().find(|it| it.device.starts_with("There")).map(|it| it.id).unwrap();
        let ben = super::app::id(&world.ben);
        assert!(!on(world, |conn| accounts::end(conn, world.app, &ben, named)), "it is not Ben's");
        assert!(world.session(&there, now()).is_some());
        assert!(on(world, |conn| accounts::end(conn, world.app, &id, named)));
        assert!(world.session(&there, now()).is_none() && world.session(&elsewhere, now()).is_some());
        on(world, |conn| accounts::end_others(conn, world.app, &id, Some(&here)));
        assert!(world.session(&elsewhere, now()).is_none() && world.session(&here, now()).is_some());
    });
}

#[test]
fn tokens_are_limited_to_their_scope() {
    worlds(|world| {
        let id = account(world);
        let all = token(world, &id, TokenScope::Write, None);
        assert!(all.starts_with("dz_") && all.len() > 40);
        assert_eq!(bearer(world, &all, TimeDelta::zero()).unwrap().roles, STAFF | LEAD);
        assert!(bearer(world, &all, TimeDelta::days(1)).is_none(), "it has expired");
        assert!(bearer(world, &all[3..], TimeDelta::zero()).is_none() && bearer(world, "dz_made up", TimeDelta::zero()).is_none());
        let some = token(world, &id, TokenScope::Write, Some(vec!["staff", "admin"]));
        let caller = bearer(world, &some, TimeDelta::zero()).unwrap();
        assert_eq!((caller.roles, caller.system_admin), (STAFF, false), "a role that the account lacks is not given");
        on(world, |conn| accounts::grant(conn, world.app, &id, "admin"));
        assert!(bearer(world, &some, TimeDelta::zero()).unwrap().system_admin);
        let staff = token(world, &id, TokenScope::Read, Some(vec!["staff"]));
        let reader = bearer(world, &staff, TimeDelta::zero()).unwrap();
        assert!(!reader.system_admin);
        assert!(world.run(&reader, |tx| tx.ask::<List>(tx.app.entity(TASK))).is_ok());
        let refused = world.run(&reader, |tx| tx.ask::<Create>(tx.app.entity(TASK)).map(drop)).unwrap_err();
        assert_eq!((refused.status, refused.detail.as_str()), (403, "This API token may only read"));
        // Expired sessions and those of a disabled account are invalid.
        let listed = on(world, |conn| accounts::list_tokens(conn, world.app, &id, now()));
        assert_eq!(listed.iter().map(|it| it.scope).collect::<Vec<_>>(), [TokenScope::Read, TokenScope::Write, TokenScope::Write]);
        assert!(!on(world, |conn| accounts::revoke_token(conn, world.app, Some(&super::app::id(&world.ben)), listed[0].id)));
        assert!(on(world, |conn| accounts::revoke_token(conn, world.app, Some(&id), listed[0].id)));
        assert!(bearer(world, &staff, TimeDelta::zero()).is_none());
        for active in [false, true] {
            world.update(&world.system(), USER, &id, vec![(user::ACTIVE, Value::Bool(active))]).unwrap();
            assert!(bearer(world, &all, TimeDelta::zero()).is_none());
        }
    });
}
