//! Pages and fragments for failed requests.

use std::sync::Arc;

use askama::Template;

use crate::{
    Error,
    caller::SIGN_IN_AGAIN,
    def::{AppDef, ColumnDef, FieldDef, SectionBody},
    web::{
        Call, Reply,
        page::{Answer, Document, HostOwned, Icon, Link, Shell, columns::is_form, experience, form::child_rows, shell::Frame},
        request::{csrf, form_parameters},
        routes::Route,
    },
};

#[derive(Template)]
#[template(path = "failure.html")]
struct FailureHtml<'a> {
    icon: Icon,
    title: &'a str,
    text: &'a str,
    action: Option<Link>,
    sign_out: Option<&'a str>,
    explained: Option<&'a str>,
    typed: Vec<(&'static str, &'a str)>,
    request_id: &'a str,
}

#[derive(Template)]
#[template(path = "kept_form.html")]
struct KeptFormHtml<'a> {
    action: &'a str,
    kept: &'a [&'a (String, String)],
    /// True if files were sent, which have to be chosen again.
    files: bool,
    request_id: &'a str,
}

/// The texts of an error page.
struct FailureText {
    icon: Icon,
    title: &'static str,
    text: String,
    action: Option<Link>,
}

/// The response to a failed browser request: 401 redirects to the sign-in page; other errors are a page (or for htmx a fragment) with the
/// error and the next step.
pub fn failure_page(app: &'static AppDef, call: &Call, error: &Error) -> Reply {
    if error.status == 401 {
        return if is_filled_form(call) { keep_form(app, call) } else { redirect_to_sign_in(call) };
    }
    let words = describe_failure(call, error);
    let mut reply = if call.htmx {
        Answer::<HostOwned>::fragment(format!("<p role=\"alert\">{}</p>", words.title)).reply(error.status, call.markup)
    } else {
        render(app, call, error.status, words, None, error.denied.as_ref().and_then(|denied| denied.why.as_deref()))
    };
    if let Some(seconds) = error.retry_after {
        reply.headers.push(("Retry-After", seconds.to_string()));
    }
    if let Some(allow) = &error.allow {
        reply.headers.push(("Allow", allow.to_string()));
    }
    reply
}

/// The page of a signed-in user who cannot see any page.
pub(crate) fn no_role_page(app: &'static AppDef, call: &Call, email: &str) -> Reply {
    let words = FailureText {
        icon: Icon("user"),
        title: say!("dz-your-account-has-no-role-yet", "Your account has no role yet"),
        text: say!("dz-you-are-signed-in-as-email-ask", "You are signed in as {email}. Ask an administrator for a role.", email = email),
        action: Some(Link::new("/app", say!("dz-check-again", "Check again"))),
    };
    render(app, call, 403, words, Some(&call.csrf), None)
}

fn render(app: &'static AppDef, call: &Call, status: u16, words: FailureText, sign_out: Option<&str>, explained: Option<&str>) -> Reply {
    let content = FailureHtml {
        icon: words.icon,
        title: words.title,
        text: &words.text,
        action: words.action,
        sign_out,
        explained,
        // A form of another site has a text, too: it is refused with 403, and its text is not shown.
        typed: if status == 403 { Vec::new() } else { typed_texts(app, call) },
        request_id: &call.request_id,
    };
    let shell = Shell::standalone(app, call.markup, words.title, Frame::Standalone { wide: true });
    let html = content.render().map_err(Error::internal).and_then(|content| shell.render(&content));
    let html = html.unwrap_or_else(|_| format!("<!doctype html><title>{0}</title><h1>{0}</h1>", words.title));
    Answer::<Document>::document(html).reply(status, call.markup)
}

/// True for a submitted form of a row, of an action or of an experience, from a page of a session that has ended.
fn is_filled_form(call: &Call) -> bool {
    let has = |name: &str| call.form.iter().any(|(sent, _)| sent == name);
    let of_row = |route: &Arc<Route>| {
        let of_surface = route.surface.is_some_and(|surface| is_form(surface.mode)) && !route.path.ends_with("/delete");
        of_surface || (route.path.ends_with("/act") && has("input")) || has(experience::FORM)
    };
    let from_page = csrf::find_token(&call.form).is_some_and(|token| !token.is_empty());
    call.method == "POST" && !call.htmx && from_page && call.found.route().is_some_and(of_row)
}

/// The texts of a submitted form that was not saved, with the labels of their fields, so that the user can copy them.
fn typed_texts<'a>(app: &'static AppDef, call: &'a Call) -> Vec<(&'static str, &'a str)> {
    let surface = call.found.route().and_then(|route| route.surface).filter(|_| is_filled_form(call));
    let sections = || surface.into_iter().flat_map(|surface| surface.sections);
    let columns = sections().filter_map(|section| match &section.body {
        SectionBody::Fields(columns) => Some(*columns),
        SectionBody::Nested(_) => None,
    });
    let typed = columns.flatten().filter(|column| !column.read_only).filter_map(|column| {
        let field = app.entity(surface?.entity).field(column.path.own_field()?);
        let (_, text) = call.form.iter().find(|(name, text)| name == field.name && !text.is_empty())?;
        (!is_key(field)).then_some((column.label, text.as_str()))
    });
    let lists = sections().filter_map(|section| match &section.body {
        SectionBody::Nested(list) => Some((section.name, list)),
        SectionBody::Fields(_) => None,
    });
    let of_rows = lists.flat_map(|(section, list)| {
        call.form.iter().filter_map(move |(name, text)| {
            let (_, _, of) = child_rows::split_name(name).filter(|(of, ..)| *of == section && !text.is_empty())?;
            let entity = app.entity(list.entity);
            let own = |column: &&ColumnDef| column.path.own_field().is_some_and(|at| entity.field(at).name == of);
            let column = list.columns.iter().find(own)?;
            (!is_key(entity.field(column.path.own_field()?))).then_some((column.label, text.as_str()))
        })
    });
    typed.chain(of_rows).collect()
}

/// True for a field that a form sends as a key: a reference, a file or a box.
fn is_key(field: &FieldDef) -> bool {
    field.kind.target().is_some() || field.kind.is_file() || field.kind.is_uuid() || field.kind.is_bool()
}

/// A page that contains the values of a form whose session has ended: after signing in, in another tab, the form is shown again with them.
fn keep_form(app: &'static AppDef, call: &Call) -> Reply {
    let is_value = |name: &str| !matches!(name, form_parameters::FIND | form_parameters::THEN | form_parameters::NEW);
    let kept: Vec<_> = call.form.iter().filter(|(name, _)| is_value(name)).collect();
    let content = KeptFormHtml {
        action: &call.uri,
        kept: &kept,
        files: call.found.route().is_some_and(|route| route.files),
        request_id: &call.request_id,
    };
    let shell =
        Shell::standalone(app, call.markup, say!("dz-your-session-has-ended", "Your session has ended"), Frame::Standalone { wide: true });
    let html = content.render().map_err(Error::internal).and_then(|content| shell.render(&content));
    html.map_or_else(|_| redirect_to_sign_in(call), |html| Answer::<Document>::document(html).reply(401, call.markup))
}

/// 303 to the sign-in page, which redirects to this address after the sign-in; for htmx the whole page is redirected.
fn redirect_to_sign_in(call: &Call) -> Reply {
    // An exchange belongs to the page in its `Referer`, of which only the path is used.
    let page = call.referer.as_deref().filter(|_| call.htmx).and_then(|page| url::Url::parse(page).ok());
    let page = page.map(|page| page[url::Position::BeforePath..url::Position::AfterQuery].to_owned());
    let next = match page.filter(|page| page.starts_with("/app") || page.starts_with("/admin")) {
        Some(page) => page,
        None if call.method == "GET" && !call.htmx => call.uri.clone(),
        None => "/app".to_owned(),
    };
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("next", &next).finish();
    let location = format!("/login?{query}");
    if call.htmx {
        return Reply { status: 401, headers: vec![("HX-Redirect", location)], ..Reply::default() };
    }
    Reply::see_other(location)
}

fn expired_text() -> &'static str {
    say!(
        "dz-its-session-has-ended-or-changed-nothing",
        "Its session has ended or changed. Nothing was saved. Go back, reload the page and submit it again."
    )
}

fn describe_failure(call: &Call, error: &Error) -> FailureText {
    let home = || Some(Link::new("/app", say!("dz-go-to-the-start-page", "Go to the start page")));
    let again = || Some(Link::new(if call.method == "GET" { call.uri.as_str() } else { "/app" }, say!("dz-try-again", "Try again")));
    let detail = || format!("{}.", error.detail.trim_end_matches('.'));
    match (error.status, error.code) {
        (403, "CSRF") => FailureText {
            icon: Icon("clock"),
            title: say!("dz-this-form-has-expired", "This form has expired"),
            text: expired_text().to_owned(),
            action: home(),
        },
        (409, "TENANT") => FailureText {
            icon: Icon("notice"),
            title: say!("dz-you-switched-to-another-tenant", "You switched to another tenant"),
            text: say!(
                "dz-you-switched-after-opening-this-form-perhaps",
                "You switched after opening this form, perhaps in another tab. Nothing was saved."
            )
            .to_owned(),
            action: home(),
        },
        (403, SIGN_IN_AGAIN) => FailureText {
            icon: Icon("lock"),
            title: say!("dz-sign-in-again-first", "Sign in again first"),
            text: say!("dz-nothing-was-changed", "{detail} Nothing was changed.", detail = detail()),
            action: Some(Link::new("/login", say!("dz-sign-in-again", "Sign in again"))),
        },
        (403, _) => FailureText {
            icon: Icon("lock"),
            title: say!("dz-you-cannot-do-this", "You cannot do this"),
            text: say!("dz-ask-for-the-permission", "{detail} Ask an administrator for the permission.", detail = detail()),
            action: home(),
        },
        (404, _) => FailureText {
            icon: Icon("search"),
            title: say!("dz-not-found", "Not found"),
            text: say!("dz-the-address-is-wrong-the-record-was", "The address is wrong, the record was deleted, or you cannot see it.")
                .to_owned(),
            action: home(),
        },
        (429, _) => {
            FailureText { icon: Icon("clock"), title: say!("dz-too-many-attempts", "Too many attempts"), text: detail(), action: again() }
        }
        (503, _) => FailureText {
            icon: Icon("clock"),
            title: say!("dz-the-database-does-not-respond", "The database does not respond"),
            text: say!("dz-nothing-was-lost-try-again-in-a", "Nothing was lost. Try again in a few seconds.").to_owned(),
            action: again(),
        },
        (500.., _) => FailureText {
            icon: Icon("warning"),
            title: say!("dz-something-went-wrong", "Something went wrong"),
            text: say!(
                "dz-the-server-has-logged-the-error-if",
                "The server has logged the error. If it persists, report the request below."
            )
            .to_owned(),
            action: again(),
        },
        _ => FailureText {
            icon: Icon("notice"),
            title: say!("dz-this-request-is-not-valid", "This request is not valid"),
            text: detail(),
            action: home(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(uri: &str) -> Call {
        Call { method: "GET".into(), uri: uri.into(), request_id: "01J<".into(), ..Call::default() }
    }

    #[test]
    fn requests_without_a_session_are_redirected_to_sign_in() {
        let app = crate::web::page::tests::html::app();
        let reply = failure_page(app, &call("/app/task_list?page=2"), &Error::unauthenticated());
        assert_eq!(reply.status, 303);
        assert_eq!(reply.headers, [("Location", "/login?next=%2Fapp%2Ftask_list%3Fpage%3D2".to_owned())]);
        let exchange = Call { htmx: true, ..call("/app/task_list?page=2") };
        let reply = failure_page(app, &exchange, &Error::unauthenticated());
        assert_eq!((reply.status, reply.headers[0].0), (401, "HX-Redirect"));
    }

    #[test]
    fn error_pages_hide_internals() {
        let app = crate::web::page::tests::html::app();
        for (failure, title) in [
            (Error::forbidden("Only <managers> delete"), "You cannot do this"),
            (Error::not_found(), "Not found"),
            (Error::internal("password=secret"), "Something went wrong"),
            (Error::new(503, "UNAVAILABLE", "x"), "The database does not respond"),
        ] {
            let reply = failure_page(app, &call("/app"), &failure);
            let html = String::from_utf8(reply.body).expect("text");
            assert_eq!(reply.status, failure.status);
            assert!(html.contains(title) && html.contains("01J&#60;"), "{html}");
            assert!(!html.contains("secret") && !html.contains("<managers>"), "{html}");
        }
    }
}
