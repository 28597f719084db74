//! Routes of the application that have an address of dz.

use rocket::{Build, Rocket, Route};

use crate::{Error, Result, web::request::handler::is_last};

/// What the names of dz's routes begin with.
pub(crate) const NAME_PREFIX: &str = "dz: ";

/// How much lower the rank of a route is that answers in place of dz's; Rocket's own ranks are between -12 and -1.
pub(crate) const RANK_OFFSET: isize = 1_000;

/// Refuses a route of the application at an address that dz answers, unless it was mounted to answer in place of dz's.
///
/// # Errors
/// A sentence that names both routes.
pub(crate) fn check(rocket: &Rocket<Build>) -> Result<()> {
    let (own, others): (Vec<&Route>, Vec<&Route>) = rocket.routes().filter(|route| !is_last(route)).partition(|route| is_own(route));
    for other in others.into_iter().filter(|route| route.rank > -RANK_OFFSET) {
        let same = |route: &&&Route| route.method == other.method && path_pattern(route) == path_pattern(other);
        if let Some(route) = own.iter().find(same) {
            let detail = format!(
                "the route `{}` has the same address as the route `{}` of dz: give it another path, or mount it with \
                 `App::mount_instead` if it is to answer in place of dz's",
                describe(other),
                describe(route)
            );
            return Err(Error::new(500, "ROUTES", detail));
        }
    }
    Ok(())
}

fn is_own(route: &Route) -> bool {
    route.name.as_ref().is_some_and(|name| name.starts_with(NAME_PREFIX))
}

/// The path without the names of its values.
fn path_pattern(route: &Route) -> Vec<&str> {
    let segments = route.uri.path().split('/').filter(|segment| !segment.is_empty());
    segments.map(|segment| if segment.starts_with('<') { if segment.ends_with("..>") { "<..>" } else { "<>" } } else { segment }).collect()
}

/// A route in words: method, address and name.
pub(crate) fn describe(route: &Route) -> String {
    let name = route.name.as_deref().map(|name| format!(" ({})", name.trim_start_matches(NAME_PREFIX))).unwrap_or_default();
    format!("{} {}{name}", route.method, route.uri)
}
