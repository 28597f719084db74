//! The table of routes: every address that dz answers, with what decides about its requests before a handler runs.
//!
//! The 404, the 405 with its `Allow`, the answer to `OPTIONS`, the form of a refusal, the rate class, the slot of a blocking thread, the
//! exemption from the second factor and the `routes` command all follow from a route's row. Two things are no columns, since they hold
//! for each route: an unsafe request that another site could have caused is refused (`csrf`), and access rules are asked by the handler,
//! which cannot reach a row without a `Grant`.

mod api;
mod auth;
pub(crate) mod collision;
mod files;
mod framework;
mod policy_reports;
#[cfg(test)]
mod tests;
mod tree;

use std::{fmt, sync::Arc};

use rocket::http::Method;

use self::tree::{Tree, is_value};
use crate::{
    Error, Result, Tx, access,
    def::{AppDef, EntityDef, FieldIx, SurfaceDef},
    state::State,
    web::{
        Call, Reply,
        api::{self as operations, Operation},
        page,
        request::rate_limits::Class,
        server::Server,
    },
};

/// One address with one method.
pub(crate) struct Route {
    /// The method.
    pub method: Method,
    /// The path, with values in braces: `/api/tasks/{id}`.
    pub path: String,
    /// What it is for, in a few words.
    pub about: &'static str,
    /// What answers.
    pub run: Run,
    /// The entity that the path names.
    pub entity: Option<&'static EntityDef>,
    /// The field that the path names.
    pub field: Option<FieldIx>,
    /// The surface that the path names.
    pub surface: Option<&'static SurfaceDef>,
    /// In which form it answers.
    pub form: Form,
    /// Which limit of requests it counts against; `None` for what costs next to nothing.
    pub rate: Option<Class>,
    /// Its requests have the level `debug` in the log.
    pub is_routine: bool,
    /// A password is hashed, which waits in a queue of its own.
    pub hashes: bool,
    /// It answers API tokens.
    pub tokens: bool,
    /// It answers an account that has to set up a second factor first.
    pub before_factor: bool,
    /// A parameter that is given twice is refused here. Handlers of the API refuse it themselves, and pages drop it.
    pub strict_query: bool,
    /// It takes a form with files, which are read as they arrive.
    pub files: bool,
    /// The fields of a form that may be given several times.
    pub lists: &'static [&'static str],
    /// A path that matches as well but has a value in this one's place is not considered.
    pub is_exclusive: bool,
}

/// What answers a route.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// From what is compiled into the program.
    Embedded(fn(&Arc<State>, &Call) -> Result<Reply>),
    /// In units of work that it opens itself.
    Steps(fn(&Arc<State>, &Call) -> Result<Reply>),
    /// From what the server keeps, or in units of work that it opens itself.
    Server(fn(&Server, &Call) -> Result<Reply>),
    /// In steps of which one asks another server, a provider; the request waits in a queue of its own.
    #[cfg(feature = "oidc")]
    Provider(fn(&Server, &Call) -> Result<Reply>),
    /// In one unit of work.
    Unit(fn(&State, &mut Tx<'_>, &Call) -> Result<Reply>),
    /// As an operation of the JSON API, in one unit of work.
    Api(Operation),
    /// With a page, in one unit of work.
    Page(fn(&mut Tx<'_>, &Call) -> Result<Reply>),
    /// With a page of a surface, in one unit of work.
    Surface(fn(&mut Tx<'_>, &Call, &'static SurfaceDef) -> Result<Reply>),
}

/// In which form a route answers, refusals included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// JSON, and problem documents.
    Json,
    /// A file; refusals are pages for a request that accepts HTML, and problem documents for others.
    File,
    /// As the request asks for it: `Accept`, or the type of its body.
    Negotiated,
    /// A page; problem documents where the request asks for JSON.
    Page,
}

impl Route {
    pub fn new(method: Method, path: impl Into<String>, about: &'static str, run: Run) -> Route {
        let class = if is_safe(method) { Class::Read } else { Class::Write };
        Route {
            method,
            path: path.into(),
            about,
            run,
            entity: None,
            field: None,
            surface: None,
            form: Form::Page,
            rate: Some(class),
            is_routine: false,
            hashes: false,
            tokens: true,
            before_factor: false,
            strict_query: false,
            files: false,
            lists: &[],
            is_exclusive: false,
        }
    }

    /// The segments of the path that hold values, as places in it.
    pub fn values(&self) -> impl Iterator<Item = usize> + '_ {
        let segments = self.path.split('/').skip(1).enumerate();
        segments.filter(|(_, segment)| is_value(segment)).map(|(at, _)| at)
    }
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

/// What the table has for a request.
#[derive(Debug, Clone, Default)]
pub(crate) enum RouteMatch {
    /// No route has this path.
    #[default]
    Nothing,
    /// A route.
    Route(Arc<Route>),
    /// Routes with this path have other methods.
    Other {
        /// One of these routes.
        like: Arc<Route>,
        /// Their methods, as the header `Allow` lists them.
        allow: String,
    },
}

impl RouteMatch {
    /// The route of the request.
    pub fn route(&self) -> Option<&Arc<Route>> {
        match self {
            RouteMatch::Route(route) => Some(route),
            RouteMatch::Nothing | RouteMatch::Other { .. } => None,
        }
    }

    /// A route of the path, whatever its method is.
    pub fn any_route(&self) -> Option<&Arc<Route>> {
        match self {
            RouteMatch::Route(route) | RouteMatch::Other { like: route, .. } => Some(route),
            RouteMatch::Nothing => None,
        }
    }
}

/// The routes of an application.
pub(crate) struct Routes {
    all: Vec<Arc<Route>>,
    tree: Tree,
}

impl Routes {
    /// The routes of an application: those of the framework, and those that its entities and surfaces add.
    pub fn for_app(app: &'static AppDef) -> Routes {
        let mut all = framework::routes(app);
        all.extend(auth::routes(app));
        app.entities.iter().for_each(|entity| all.extend(api::routes(app, entity).into_iter().chain(files::routes(entity))));
        app.surfaces.iter().for_each(|surface| all.extend(page::routes_of(app, surface)));
        let mut tree = Tree::default();
        for (at, route) in all.iter().enumerate() {
            tree.insert(&route.path, at);
        }
        Routes { all: all.into_iter().map(Arc::new).collect(), tree }
    }

    /// All of them, those of the framework first.
    pub fn all(&self) -> &[Arc<Route>] {
        &self.all
    }

    /// The route of a request with this method and these decoded segments.
    pub fn find(&self, method: Method, path: &[String]) -> RouteMatch {
        let (mut like, mut allow) = (None, Vec::new());
        for same in self.tree.find(path) {
            for route in same.iter().map(|at| &self.all[*at]) {
                if route.method == method {
                    return RouteMatch::Route(Arc::clone(route));
                }
                like = like.or(Some(route));
                allow.push(route.method.as_str());
            }
            if same.iter().any(|at| self.all[*at].is_exclusive) {
                break;
            }
        }
        like.map_or(RouteMatch::Nothing, |like| RouteMatch::Other { like: Arc::clone(like), allow: allow.join(", ") })
    }
}

/// Answers a request in a unit of work of the caller's.
///
/// # Errors
/// 404 for what takes no unit of work; those of the route.
pub(crate) fn answer(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let route = call.found.route().ok_or_else(Error::not_found)?;
    match route.run {
        Run::Api(operation) => operations::handle(tx, call, operation),
        Run::Page(page) => page(tx, call),
        Run::Surface(page) => {
            let surface = route.surface.ok_or_else(Error::not_found)?;
            access::audience(tx.caller(), surface.place.audience)?;
            page(tx, call, surface)
        }
        #[cfg(feature = "oidc")]
        Run::Provider(_) => Err(Error::not_found()),
        Run::Embedded(_) | Run::Steps(_) | Run::Server(_) | Run::Unit(_) => Err(Error::not_found()),
    }
}

/// True for methods that change nothing (RFC 9110, 9.2.1).
pub(crate) fn is_safe(method: Method) -> bool {
    matches!(method, Method::Get | Method::Head | Method::Options | Method::Trace)
}
