//! The addresses of pages.

use crate::{
    Error, Result, Tx, access,
    def::{AppDef, Mode, SurfaceDef},
    web::{
        Call, Reply,
        page::{
            Answer, Document,
            form::{self, picker, submit},
            identity::{account, invitations, second_factor},
            list::{self, bulk, csv_files},
            shell::{self, failure},
            view::{self, actions, delete, transitions},
        },
    },
};

/// Answers `/`, `/app` and everything under `/app`.
///
/// # Errors
///
/// What the rows refuse, and 404 and 405 for addresses and methods that do not exist; [`super::error`] makes
/// pages of them.
pub fn app(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let segments: Vec<&str> = call.path.iter().map(String::as_str).collect();
    if let Some((surface, rest)) = placed(tx.app, &segments) {
        return opened(tx, call, surface, rest);
    }
    match segments.as_slice() {
        [] | ["app"] => start(tx, call),
        ["app", "-", "account"] => only("GET", call).and_then(|()| account::show(tx, call)),
        ["app", "-", "factor"] => only("GET", call).and_then(|()| second_factor::show(tx, call)),
        ["app", "-", "invitations"] => only("GET", call).and_then(|()| invitations::invitations(tx, call, None)),
        ["app", "-", "pick", entity] => only("GET", call).and_then(|()| picker::show(tx, call, entity)),
        ["app", name, rest @ ..] => {
            let surface = named(tx, name)?;
            match (surface.place.route, rest) {
                (None, _) => opened(tx, call, surface, rest),
                // It has an address of its own.
                (Some(route), []) if call.method == "GET" => Ok(Reply::see_other(route)),
                _ => Err(Error::not_found()),
            }
        }
        _ => Err(Error::not_found()),
    }
}

/// True for addresses of surfaces that are elsewhere than under `/app`.
pub(crate) fn is_routed(app: &AppDef, segments: &[&str]) -> bool {
    placed(app, segments).is_some()
}

/// The surface whose form is sent to an address.
pub(crate) fn form_at(app: &AppDef, segments: &[&str]) -> Option<&'static SurfaceDef> {
    let plain = || match segments {
        ["app", name, rest @ ..] => {
            let surface = app.surfaces.iter().copied().find(|surface| surface.name == *name && surface.place.route.is_none())?;
            Some((surface, rest))
        }
        _ => None,
    };
    let (surface, rest) = placed(app, segments).or_else(plain)?;
    let only = app.entity(surface.entity).tenancy.is_singleton() && surface.place.route.is_some();
    let is_form = match rest {
        [] => surface.mode == Mode::Create || surface.mode == Mode::Edit && only,
        [_] => surface.mode == Mode::Edit && !only,
        _ => false,
    };
    is_form.then_some(surface)
}

/// The surface whose own address the segments begin with, and what follows.
fn placed<'s>(app: &AppDef, segments: &'s [&'s str]) -> Option<(&'static SurfaceDef, &'s [&'s str])> {
    app.surfaces.iter().copied().find_map(|surface| {
        let mut rest = segments;
        for wanted in surface.place.route?.split('/').skip(1) {
            rest = rest.split_first().filter(|(first, _)| **first == wanted)?.1;
        }
        Some((surface, rest))
    })
}

/// What is at the address of a surface, and below it.
fn opened(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, rest: &[&str]) -> Result<Reply> {
    access::audience(tx.caller(), surface.place.audience)?;
    let write = call.method == "POST";
    let is_list = surface.mode == Mode::List;
    match rest {
        [] if tx.app.entity(surface.entity).tenancy.is_singleton() && surface.mode == Mode::Edit && surface.place.route.is_some() => {
            form::only(tx, call, surface)
        }
        [] => match surface.mode {
            Mode::List => only("GET", call).and_then(|()| list::show(tx, call, surface)),
            Mode::Create if write => submit::create(tx, call, surface),
            Mode::Create => form::create(tx, call, surface),
            Mode::View | Mode::Edit => Err(Error::not_found()),
        },
        ["bulk"] if is_list => {
            if write {
                bulk::act(tx, call, surface)
            } else {
                Ok(Reply::see_other(surface.address()))
            }
        }
        ["import"] if is_list => {
            if write {
                csv_files::import(tx, call, surface)
            } else {
                csv_files::ask(tx, call, surface)
            }
        }
        [id] => match surface.mode {
            Mode::View => only("GET", call).and_then(|()| view::show(tx, call, surface, id, None)),
            Mode::Edit if write => submit::update(tx, call, surface, id),
            Mode::Edit => form::edit(tx, call, surface, id),
            Mode::List | Mode::Create => Err(Error::not_found()),
        },
        [id, "move"] if write => transitions::take(tx, call, surface, id),
        [_, "move"] => Err(Error { allow: Some("POST"), ..Error::new(405, "METHOD_NOT_ALLOWED", "A move is sent by a form") }),
        [id, "act"] if write => actions::take(tx, call, surface, id),
        [_, "act"] => Err(Error { allow: Some("POST"), ..Error::new(405, "METHOD_NOT_ALLOWED", "An action is sent by a form") }),
        [id, "delete"] => {
            if write {
                delete::remove(tx, call, surface, id)
            } else {
                delete::ask(tx, call, surface, id)
            }
        }
        _ => Err(Error::not_found()),
    }
}

/// The first surface that the caller may see.
fn start(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    if let Some(surface) = shell::visible(tx).first() {
        return Ok(Reply::see_other(surface.address()));
    }
    let account = tx.caller().account.as_ref().ok_or_else(Error::unauthenticated)?;
    if tx.app.tenant().is_some() && tx.caller().membership.is_none() {
        return nowhere(tx, call);
    }
    Ok(failure::no_role(tx.app, call, &account.email))
}

/// What somebody sees who is in no tenant: the ones to choose from are in the navigation.
fn nowhere(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let text = match tx.caller().memberships.is_empty() {
        true => "You are no member of anything here yet. Someone who manages access must add you.",
        false => "Choose where you want to work. The names are in the navigation.",
    };
    let content = format!("<h1>Welcome</h1><p class=\"dz-muted\">{text}</p>");
    let shell = shell::Shell::app(tx, call, "Welcome", shell::Part::Plain, None);
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(403, call.markup))
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
