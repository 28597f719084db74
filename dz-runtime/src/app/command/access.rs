//! `access explain EMAIL ACTION ENTITY [ID]`: prints the rule that decides, and why.

use super::{App, Outcome, find_account, prepare};
use crate::{
    Error, Result, Tx, Value, accounts,
    def::{AppDef, EntityDef},
    field,
    output::print_line,
    rows,
    rows::explain,
    suggest::nearest,
    tenancy::TenantChoice,
};

const USAGE: &str = "`access` needs `explain EMAIL ACTION ENTITY [ID] [--tenant ID]`";

pub(super) fn run(app: App, words: &[&str]) -> Result<Outcome> {
    match words {
        ["explain", email, action, entity, rest @ ..] => match rest {
            [] => explain(app, email, action, entity, None, None),
            ["--tenant", tenant] => explain(app, email, action, entity, None, Some(tenant)),
            [id] => explain(app, email, action, entity, Some(id), None),
            [id, "--tenant", tenant] => explain(app, email, action, entity, Some(id), Some(tenant)),
            _ => Ok(Outcome::Usage(USAGE.to_owned())),
        },
        _ => Ok(Outcome::Usage(USAGE.to_owned())),
    }
}

fn explain(app: App, email: &str, action: &str, entity: &str, id: Option<&str>, tenant: Option<&str>) -> Result<Outcome> {
    let def = app.def;
    let entity = find_entity(def, entity)?;
    let state = prepare(app)?.state;
    let verdict = state.db.read(&mut |conn| {
        let account = find_account(conn, def, email)?;
        let closed = || Error::bad_request(format!("the account {email} is disabled, so it has no permissions"));
        let now = state.clock.now();
        let chosen = match tenant {
            Some(name) => TenantChoice::This(accounts::find_tenant(&mut Tx::system(conn, def, state.hooks.clone(), now), name)?),
            None => TenantChoice::Default,
        };
        let caller = accounts::load_caller_in(conn, def, &account, chosen, now)?.ok_or_else(closed)?;
        let caller = caller.for_entity(entity).into_owned();
        if let Some(membership) = &caller.membership {
            print_line!("{email} is a member of {}", membership.name)?;
        }
        let roles: Vec<&str> =
            def.roles.iter().enumerate().filter(|(bit, _)| caller.roles >> bit & 1 == 1).map(|(_, role)| role.name).collect();
        print_line!("roles of {email}: {}", if roles.is_empty() { "none".to_owned() } else { roles.join(", ") })?;
        let mut tx = Tx::new(conn, def, state.hooks.clone(), caller);
        let row = match id {
            Some(id) => {
                let missing = || Error::bad_request(format!("there is no {} with the key {id}", entity.name));
                Some(rows::load_values(&mut tx, entity, &parse_key(def, entity, id)?)?.ok_or_else(missing)?)
            }
            None => None,
        };
        explain::verdict(&mut tx, entity, action, row.as_deref())
    })?;
    let word = match verdict.allowed {
        Some(true) => "yes: ",
        Some(false) => "no: ",
        None => "",
    };
    print_line!("{word}{}", verdict.why)?;
    Ok(Outcome::Done)
}

/// Finds an entity by its name or its table.
fn find_entity(def: &'static AppDef, name: &str) -> Result<&'static EntityDef> {
    let found = def.entities.iter().copied().find(|entity| entity.name == name || entity.table == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = def.entities.iter().map(|entity| entity.name).collect();
        let near = nearest(name, names.clone())
            .map_or_else(|| format!("there are {}", names.join(", ")), |near| format!("did you mean `{near}`?"));
        Error::bad_request(format!("there is no entity `{name}`; {near}"))
    })
}

fn parse_key(def: &'static AppDef, entity: &'static EntityDef, text: &str) -> Result<Value> {
    match field::stored_kind(def, entity.key()) {
        kind if kind.holds_text() => Ok(Value::Text(text.to_owned())),
        _ => field::from_text(def, entity.key(), text, field::zone(def))
            .map_err(|wrong| Error::bad_request(format!("`{text}` is not a key of {}: it {wrong}", entity.name))),
    }
}
