//! The addresses of pages.

use super::{account, acted, bulk, delete, exchange, failure, form, list, moved, pick, shell, submit, view};
use crate::{
    Error, Result, Tx,
    def::{Mode, SurfaceDef},
    http::{Call, Reply},
};

/// Answers `/`, `/app` and everything under `/app`.
///
/// # Errors
///
/// What the rows refuse, and 404 and 405 for addresses and methods that do not exist; [`super::error`] makes
/// pages of them.
pub fn app(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let segments: Vec<&str> = call.path.iter().map(String::as_str).collect();
    let write = call.method == "POST";
    match segments.as_slice() {
        [] | ["app"] => start(tx, call),
        ["app", "-", "account"] => only("GET", call).and_then(|()| account::show(tx, call)),
        ["app", "-", "pick", entity] => only("GET", call).and_then(|()| pick::show(tx, call, entity)),
        ["app", name] => {
            let surface = named(tx, name)?;
            match surface.mode {
                Mode::List => only("GET", call).and_then(|()| list::show(tx, call, surface)),
                Mode::Create if write => submit::create(tx, call, surface),
                Mode::Create => form::create(tx, call, surface),
                Mode::View | Mode::Edit => Err(Error::not_found()),
            }
        }
        ["app", name, "bulk"] if is_list(tx, name) => {
            let surface = named(tx, name)?;
            if write { bulk::act(tx, call, surface) } else { Ok(Reply::see_other(format!("/app/{}", surface.name))) }
        }
        ["app", name, "import"] if is_list(tx, name) => {
            let surface = named(tx, name)?;
            if write { exchange::import(tx, call, surface) } else { exchange::ask(tx, call, surface) }
        }
        ["app", name, id] => {
            let surface = named(tx, name)?;
            match surface.mode {
                Mode::View => only("GET", call).and_then(|()| view::show(tx, call, surface, id, None)),
                Mode::Edit if write => submit::update(tx, call, surface, id),
                Mode::Edit => form::edit(tx, call, surface, id),
                Mode::List | Mode::Create => Err(Error::not_found()),
            }
        }
        ["app", name, id, "move"] if write => moved::take(tx, call, named(tx, name)?, id),
        ["app", _, _, "move"] => Err(Error { allow: Some("POST"), ..Error::new(405, "METHOD_NOT_ALLOWED", "A move is sent by a form") }),
        ["app", name, id, "act"] if write => acted::take(tx, call, named(tx, name)?, id),
        ["app", _, _, "act"] => Err(Error { allow: Some("POST"), ..Error::new(405, "METHOD_NOT_ALLOWED", "An action is sent by a form") }),
        ["app", name, id, "delete"] => {
            let surface = named(tx, name)?;
            if write { delete::remove(tx, call, surface, id) } else { delete::ask(tx, call, surface, id) }
        }
        _ => Err(Error::not_found()),
    }
}

/// True for the name of a list, below which no row has an address.
fn is_list(tx: &Tx<'_>, name: &str) -> bool {
    named(tx, name).is_ok_and(|surface| surface.mode == Mode::List)
}

/// The first surface that the caller may see.
fn start(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    if let Some(surface) = shell::visible(tx).first() {
        return Ok(Reply::see_other(format!("/app/{}", surface.name)));
    }
    let account = tx.caller().account.as_ref().ok_or_else(Error::unauthenticated)?;
    Ok(failure::no_role(tx.app, call, &account.email))
}

fn named(tx: &Tx<'_>, name: &str) -> Result<&'static SurfaceDef> {
    tx.app.surfaces.iter().copied().find(|surface| surface.name == name).ok_or_else(Error::not_found)
}

/// Refuses every method but reading.
fn only(allow: &'static str, call: &Call) -> Result<()> {
    if matches!(call.method.as_str(), "GET" | "HEAD") {
        return Ok(());
    }
    Err(Error { allow: Some(allow), ..Error::new(405, "METHOD_NOT_ALLOWED", "This address can only be read") })
}
