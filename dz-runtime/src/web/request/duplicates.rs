//! Repeated parameters and form fields, which are ambiguous.
//!
//! The API and forms answer 400. Pages ignore a repeated parameter, as they ignore unknown ones. Controls with several values repeat
//! their name: check boxes of a filter (`__in`), selected rows, personas.

use std::collections::HashSet;

use crate::{
    Error, Result,
    web::routes::{Form, RouteMatch},
};

/// Decoded pairs of a query or of a form.
type Pairs = [(String, String)];

/// The first repeated name of those that must be unique.
fn find(pairs: &Pairs, is_list: impl Fn(&str) -> bool) -> Option<&str> {
    let mut seen = HashSet::with_capacity(pairs.len());
    pairs.iter().map(|(name, _)| name.as_str()).find(|name| !is_list(name) && !seen.insert(*name))
}

fn refusal(what: &str, name: &str) -> Error {
    Error::bad_request(format!("the {what} `{}` is given twice; give it once", name.escape_default()))
}

/// Refuses a query with a repeated parameter.
///
/// # Errors
/// 400 that names the parameter.
pub(crate) fn check_query(pairs: &Pairs) -> Result<()> {
    find(pairs, |_| false).map_or(Ok(()), |name| Err(refusal("parameter", name)))
}

/// Refuses a form with a repeated field.
///
/// # Errors
/// 400 that names the field.
pub(crate) fn check_form(found: &RouteMatch, pairs: &Pairs) -> Result<()> {
    let lists = found.route().map_or(&[][..], |route| route.lists);
    find(pairs, |name| lists.contains(&name)).map_or(Ok(()), |name| Err(refusal("field", name)))
}

/// The query for the handler: pages get no repeated parameter.
pub(crate) fn read_query(found: &RouteMatch, mut pairs: Vec<(String, String)>) -> Vec<(String, String)> {
    let is_program = found.any_route().is_some_and(|route| route.form != Form::Page);
    let is_list = |name: &str| name.ends_with("__in");
    if !is_program && find(&pairs, is_list).is_some() {
        let mut seen = HashSet::new();
        let twice: HashSet<String> = pairs.iter().map(|(name, _)| name).filter(|name| !seen.insert(*name)).cloned().collect();
        pairs.retain(|(name, _)| is_list(name) || !twice.contains(name));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use rocket::http::Method;

    use super::*;
    use crate::web::routes::{Route, Run};

    fn pairs(text: &str) -> Vec<(String, String)> {
        url::form_urlencoded::parse(text.as_bytes()).into_owned().collect()
    }

    fn found(form: Form, lists: &'static [&'static str]) -> RouteMatch {
        let run = Run::Embedded(|_, _| Err(Error::not_found()));
        RouteMatch::Route(std::sync::Arc::new(Route { form, lists, ..Route::new(Method::Post, "/x", "", run) }))
    }

    #[test]
    fn a_repeated_parameter_of_the_api_is_refused() {
        check_query(&pairs("page=1&page_size=2&status=open&status__ne=done")).unwrap();
        for twice in ["page=1&page=1", "status=a&sort=x&status=b", "status__in=a&status__in=b"] {
            let error = check_query(&pairs(twice)).unwrap_err();
            assert_eq!((error.status, error.code), (400, "BAD_REQUEST"), "{twice}");
        }
    }

    #[test]
    fn a_page_ignores_repeated_parameters() {
        let read = |form: Form, query: &str| read_query(&found(form, &[]), pairs(query));
        assert_eq!(read(Form::Page, "page=1&sort=x&page=2&status__in=a&status__in=b"), pairs("sort=x&status__in=a&status__in=b"));
        assert_eq!(read(Form::Page, "page=1&sort=x"), pairs("page=1&sort=x"));
        assert_eq!(read(Form::Json, "page=1&page=2"), pairs("page=1&page=2"), "it is refused later");
    }

    #[test]
    fn a_form_field_is_given_once_unless_it_has_several_values() {
        let check = |lists, form: &str| check_form(&found(Form::Page, lists), &pairs(form));
        check(&[], "title=x&title.q=y&id=1").unwrap();
        check(&["id"], "id=1&id=2&do=delete").unwrap();
        for (lists, twice) in [(&[][..], "title=x&hours=1&title=y"), (&[], "id=1&id=2"), (&["id"], "id=1&do=delete&do=move.done")] {
            assert_eq!(check(lists, twice).unwrap_err().status, 400, "{twice}");
        }
    }
}
