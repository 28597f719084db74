//! Saved filters of a list: the menu in its toolbar, and the forms that save and delete them.

use uuid::Uuid;

use crate::{
    Error, Result, Tx,
    access::{self, List},
    accounts::saved_filters::{self, SavedFilter},
    def::SurfaceDef,
    web::{
        Call, Reply,
        page::{Choice, FilterLink, SavedFilters, list},
        request::body::decode_pairs,
    },
};

/// The largest number of letters of a name, and of the parameters of a filter.
const MAX_NAME: usize = 60;
const MAX_QUERY: usize = 4_000;

/// The menu of a list; `None` for a caller without an account.
pub(super) fn build(
    tx: &mut Tx<'_>,
    call: &Call,
    surface: &'static SurfaceDef,
    asked: &list::ListRequest,
    path: &str,
) -> Result<Option<SavedFilters>> {
    // The addresses of the forms belong to the page of the surface.
    if tx.caller().account.is_none() || path != surface.address() {
        return Ok(None);
    }
    let now = list::with_query("", &asked.pairs).trim_start_matches('?').to_owned();
    let saved = saved_filters::list(tx, surface.name)?;
    let link = |it: SavedFilter| FilterLink {
        href: if it.query.is_empty() { path.to_owned() } else { format!("{path}?{}", it.query) },
        current: asked.narrowed && it.query == now,
        shared_with: it.role.as_deref().map(|role| role_title(tx, role)),
        id: it.id.to_string(),
        name: it.name,
        is_own: it.is_own,
    };
    let filters = saved.into_iter().map(link).collect();
    let roles = held_roles(tx).map(|role| Choice {
        value: role.name.to_owned(),
        cell: crate::template::Cell::text(role.title.to_owned()),
        chosen: false,
    });
    Ok(Some(SavedFilters {
        id: format!("{}-saved", surface.name),
        action: format!("{path}/filters"),
        csrf: call.csrf.clone(),
        roles: roles.collect(),
        query: asked.narrowed.then_some(now),
        filters,
    }))
}

/// The roles of the caller, with which a filter can be shared.
fn held_roles<'t>(tx: &'t Tx<'_>) -> impl Iterator<Item = &'static crate::def::RoleDef> + 't {
    let roles = tx.caller().roles;
    tx.app.roles.iter().enumerate().filter(move |(bit, _)| roles >> bit & 1 == 1).map(|(_, role)| role)
}

fn role_title(tx: &Tx<'_>, name: &str) -> String {
    tx.app.roles.iter().find(|role| role.name == name).map_or(name, |role| role.title).to_owned()
}

fn value<'c>(call: &'c Call, wanted: &str) -> &'c str {
    call.form.iter().find(|(name, _)| name == wanted).map_or("", |(_, value)| value.trim())
}

fn check_list(tx: &Tx<'_>, surface: &SurfaceDef) -> Result<()> {
    access::ask::<List>(tx.app, tx.engine(), tx.caller(), tx.app.entity(surface.entity)).map(drop)
}

/// `POST /app/{surface}/filters`: saves the filter of the form.
///
/// # Errors
/// 422 without a name or a filter, and for a role that the caller does not have.
pub(crate) fn save(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef) -> Result<Reply> {
    check_list(tx, surface)?;
    let (name, query, role) = (value(call, "name"), value(call, "query"), value(call, "role"));
    if name.is_empty() || name.chars().count() > MAX_NAME {
        return Err(Error::validation("name", say!("dz-filter-name", "must have 1 to {count} letters", count = MAX_NAME)));
    }
    let mut pairs = decode_pairs(query);
    pairs.retain(|(name, value)| !value.is_empty() && !matches!(name.as_str(), "page" | "page_size" | "format" | "done"));
    let query = list::with_query("", &pairs).trim_start_matches('?').to_owned();
    if query.is_empty() || query.len() > MAX_QUERY {
        return Err(Error::validation("query", say!("dz-no-filter-to-save", "has no filter to save")));
    }
    let role = Some(role).filter(|role| !role.is_empty());
    if role.is_some_and(|role| held_roles(tx).all(|held| held.name != role)) {
        return Err(Error::validation("role", say!("dz-choose-one-of-the-list", "must be a value of the list")));
    }
    saved_filters::save(tx, surface.name, name, &query, role)?;
    pairs.push(("done".to_owned(), "filter".to_owned()));
    Ok(Reply::see_other(list::with_query(&surface.address(), &pairs)))
}

/// `POST /app/{surface}/filters/delete`: deletes a filter of the caller.
///
/// # Errors
/// 404 for a filter of another account.
pub(crate) fn delete(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef) -> Result<Reply> {
    check_list(tx, surface)?;
    let id = value(call, "id").parse::<Uuid>().map_err(|_| Error::not_found())?;
    saved_filters::delete(tx, surface.name, id)?;
    Ok(Reply::see_other(format!("{}?done=unfiltered", surface.address())))
}
