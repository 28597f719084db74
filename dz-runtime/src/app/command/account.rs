//! `user create` and `user password`: accounts and their passwords.

use std::{io::BufRead, slice::Iter};

use super::{App, Outcome, find_account, prepare, run_in_tenant};
use crate::{
    Error, Result, Tx, Value, accounts,
    def::{AppDef, FieldIx},
    field,
    mail::MailKind,
    output::print_line,
    record::FieldValues,
    rows::account::revoke_tokens,
    suggest::did_you_mean,
    web::auth::sessions,
};

/// Reads the password that an option gives; `None` for another option.
fn read_password(option: &str, rest: &mut Iter<'_, &str>) -> Option<Result<String>> {
    match (option, rest.len()) {
        ("--password", 1..) => rest.next().map(|password| Ok((*password).to_owned())),
        ("--password-stdin", _) => {
            let mut line = String::new();
            let read = std::io::stdin().lock().read_line(&mut line);
            let unreadable = |error| Error::bad_request(format!("standard input cannot be read: {error}"));
            Some(read.map_err(unreadable).map(|_| line.trim_end_matches(['\r', '\n']).to_owned()))
        }
        _ => None,
    }
}

/// `user create EMAIL`
pub(super) fn create(app: App, email: &str, options: &[&str]) -> Result<Outcome> {
    let mut password: Option<String> = None;
    let mut sets: Vec<(String, String)> = Vec::new();
    let mut tenant: Option<&str> = None;
    let mut member: Vec<(String, String)> = Vec::new();
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        match (*option, rest.len()) {
            ("--tenant", 1..) => tenant = rest.next().copied(),
            ("--member", 1..) => match super::parse_member_fields(&["--member", rest.next().copied().unwrap_or_default()]) {
                Some(pair) => member.extend(pair),
                None => return Ok(Outcome::Usage("`--member` needs `field=value`".to_owned())),
            },
            ("--set", 1..) => match rest.next().and_then(|it| it.split_once('=')) {
                Some((name, value)) => sets.push((name.to_owned(), value.to_owned())),
                None => return Ok(Outcome::Usage("`--set` needs `field=value`".to_owned())),
            },
            (other, _) => match read_password(other, &mut rest) {
                Some(given) => password = Some(given?),
                None => return Ok(Outcome::Usage(format!("`user create` does not understand `{other}`"))),
            },
        }
    }
    let def = app.def;
    if tenant.is_none() && !member.is_empty() {
        return Ok(Outcome::Usage("`--member` gives fields of a membership: name its tenant with `--tenant ID`".to_owned()));
    }
    let mut given = FieldValues(parse_fields(def, &sets)?);
    given.set(accounts::email_field(def)?, email.to_owned());
    let state = prepare(app)?.state;
    state.db.write(&mut |conn| {
        let mut tx = Tx::system(conn, def, state.hooks.clone(), state.clock.now());
        let id = accounts::insert(&mut tx, given.clone(), password.as_deref())?;
        let Some(tenant) = tenant else { return Ok(()) };
        let further = super::parse_membership(def, &member)?;
        run_in_tenant(&state, conn, tenant, |tx| accounts::add_persona(tx, &id, None, further))
    })?;
    print_line!("{} can sign in{}", email, if password.is_some() { "" } else { " once it has a password" })?;
    Ok(Outcome::Done)
}

/// Parses the values of `--set field=value`.
fn parse_fields(def: &'static AppDef, sets: &[(String, String)]) -> Result<Vec<(FieldIx, Value)>> {
    let mut given = FieldValues::default();
    for (name, text) in sets {
        let known = def.account().find(name).filter(|(_, field)| field.is_stored() && !field.secret);
        let unknown = || {
            let stored = def.account().fields.iter().filter(|field| field.is_stored() && !field.secret).map(|field| field.name);
            Error::bad_request(format!("accounts have no field `{name}`{}", did_you_mean(name, stored.collect())))
        };
        let (ix, of) = known.ok_or_else(unknown)?;
        if name == "email" || given.get(ix).is_some() {
            return Err(Error::bad_request(format!("`{name}` is given twice; give it once")));
        }
        let value = field::from_text(def, of, text, field::zone(def)).map_err(|wrong| Error::bad_request(format!("`{name}` {wrong}")))?;
        given.set(ix, value);
    }
    Ok(given.0)
}

/// `user password EMAIL`: sets a password; sessions and tokens of the account end, and its owner is notified by mail.
pub(super) fn set_password(app: App, email: &str, options: &[&str]) -> Result<Outcome> {
    let mut rest = options.iter();
    let given = rest.next().and_then(|option| read_password(option, &mut rest));
    let Some(password) = given.filter(|_| rest.len() == 0).transpose()? else {
        return Ok(Outcome::Usage("`user password EMAIL` needs `--password-stdin` or `--password P`".to_owned()));
    };
    let state = prepare(app)?.state;
    let (id, address) = state.db.read(&mut |conn| {
        let id = find_account(conn, state.app, email)?;
        let address = accounts::load_address(conn, state.app, &id)?;
        Ok((id, address))
    })?;
    // Hashing is slow by design, so it runs outside of a transaction.
    let hash = accounts::hash_password(state.app, &address, &password)?;
    state.db.write(&mut |conn| {
        accounts::store_password(conn, state.app, &id, hash.clone(), None)?;
        revoke_tokens(conn, state.app, &id)?;
        sessions::record_password_change(&mut Tx::system(conn, state.app, state.hooks.clone(), state.clock.now()), &id)
    })?;
    if state.mail_queue.can_deliver(state.config.development) {
        let mail = state.in_default_language(|| state.write_mail(MailKind::PasswordChanged, address, String::new(), || None));
        state.mail_queue.send(&mail, state.config.development);
    }
    print_line!("{email} can sign in with the new password; its sessions and API tokens have ended")?;
    Ok(Outcome::Done)
}
