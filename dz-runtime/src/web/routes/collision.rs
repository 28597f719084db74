//! Finds custom routes with an address of dz.

use rocket::{Build, Rocket, Route};

use crate::{Error, Result, web::request::handler::is_last};

/// The prefix of the names of dz's routes.
pub(crate) const NAME_PREFIX: &str = "dz: ";

/// The offset of the rank of a route that replaces one of dz; Rocket's default ranks are between -12 and -1.
pub(crate) const RANK_OFFSET: isize = 1_000;

/// Refuses a custom route at an address of dz, unless it was mounted to replace the route of dz.
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

/// The path with its values unnamed.
fn path_pattern(route: &Route) -> Vec<&str> {
    let segments = route.uri.path().split('/').filter(|segment| !segment.is_empty());
    segments.map(|segment| if segment.starts_with('<') { if segment.ends_with("..>") { "<..>" } else { "<>" } } else { segment }).collect()
}

/// Describes a route: method, address and name.
pub(crate) fn describe(route: &Route) -> String {
    let name = route.name.as_deref().map(|name| format!(" ({})", name.trim_start_matches(NAME_PREFIX))).unwrap_or_default();
    format!("{} {}{name}", route.method, route.uri)
}
