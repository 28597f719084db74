//! The table of routes: every address of dz, with everything that is decided before its handler runs.
//!
//! A row determines 404, 405 and `Allow`, the response to `OPTIONS`, the format of refusals, the rate limit, the queue, the exemption
//! from the second factor, and the output of the command `routes`. Two checks have no column, because they apply to every route: unsafe
//! requests of other sites are refused (`csrf`), and handlers check the access rules, because no row is accessible without a `Grant`.

mod api;
mod auth;
pub(crate) mod collision;
mod files;
mod framework;
mod policy_reports;
mod processes;
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

/// One method of one address.
pub(crate) struct Route {
    /// The method.
    pub method: Method,
    /// The path, with values in braces: `/api/tasks/{id}`.
    pub path: String,
    /// A short description.
    pub about: &'static str,
    /// The handler.
    pub run: Run,
    /// The entity that the path names.
    pub entity: Option<&'static EntityDef>,
    /// The field that the path names.
    pub field: Option<FieldIx>,
    /// The surface that the path names.
    pub surface: Option<&'static SurfaceDef>,
    /// The workspace and the region that the path names.
    pub workspace: Option<page::workspace::WorkspaceAt>,
    /// The format of its responses.
    pub form: Form,
    /// The rate limit; `None` for requests that cost almost nothing.
    pub rate: Option<Class>,
    /// Its requests have the level `debug` in the log.
    pub is_routine: bool,
    /// It hashes a password, which has a queue of its own.
    pub hashes: bool,
    /// It accepts API tokens.
    pub tokens: bool,
    /// It accepts an account that must set up a second factor first. Its reads use the primary.
    pub before_factor: bool,
    /// Repeated parameters are refused here. Handlers of the API refuse them themselves, and pages ignore them.
    pub strict_query: bool,
    /// It accepts a form with files, which are read as they arrive.
    pub files: bool,
    /// It writes, whatever its method is.
    pub writes: bool,
    /// It reads a graph into memory, of which a part can be as large as the whole.
    pub is_graph: bool,
    /// The form fields that can have several values.
    pub lists: &'static [&'static str],
    /// Paths that match with a value in place of a word of this one are not considered.
    pub is_exclusive: bool,
}

/// A handler.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// Returns content that is compiled into the program.
    Embedded(fn(&Arc<State>, &Call) -> Result<Reply>),
    /// Opens its own units of work.
    Steps(fn(&Arc<State>, &Call) -> Result<Reply>),
    /// Uses data of the server, or opens its own units of work.
    Server(fn(&Server, &Call) -> Result<Reply>),
    /// Sends a request to a provider; it has a queue of its own.
    #[cfg(feature = "oidc")]
    Provider(fn(&Server, &Call) -> Result<Reply>),
    /// Runs an operation of GraphQL, which determines whether it writes.
    #[cfg(feature = "graphql")]
    GraphQl,
    /// Runs in one unit of work.
    Unit(fn(&State, &mut Tx<'_>, &Call) -> Result<Reply>),
    /// Runs an operation of the JSON API in one unit of work.
    Api(Operation),
    /// Renders a page in one unit of work.
    Page(fn(&mut Tx<'_>, &Call) -> Result<Reply>),
    /// Renders a page of a surface in one unit of work.
    Surface(fn(&mut Tx<'_>, &Call, &'static SurfaceDef) -> Result<Reply>),
    /// Renders a page of a workspace in one unit of work.
    Workspace(fn(&mut Tx<'_>, &Call, page::workspace::WorkspaceAt) -> Result<Reply>),
}

/// The format of responses and refusals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// JSON, and problem documents.
    Json,
    /// A file; a refusal is a page if the request accepts HTML, otherwise a problem document.
    File,
    /// As the request requires: by `Accept`, or by the type of its body.
    Negotiated,
    /// A page; a problem document if the request accepts JSON.
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
            workspace: None,
            form: Form::Page,
            rate: Some(class),
            is_routine: false,
            hashes: false,
            tokens: true,
            before_factor: false,
            strict_query: false,
            files: false,
            writes: false,
            is_graph: false,
            lists: &[],
            is_exclusive: false,
        }
    }

    /// The positions of the path segments that contain values.
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

/// The result of a search in the table.
#[derive(Debug, Clone, Default)]
pub(crate) enum RouteMatch {
    /// No route has this path.
    #[default]
    Nothing,
    /// The route of the request.
    Route(Arc<Route>),
    /// The path has routes with other methods.
    Other {
        /// One of these routes.
        like: Arc<Route>,
        /// Their methods, as in the header `Allow`.
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

    /// A route of the path with any method.
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
    /// The routes of the framework, and those of the entities and surfaces of an application.
    pub fn for_app(app: &'static AppDef) -> Routes {
        let mut all = framework::routes(app);
        all.extend(auth::routes(app));
        all.extend(processes::routes(app));
        app.entities.iter().for_each(|entity| all.extend(api::routes(app, entity).into_iter().chain(files::routes(entity))));
        app.surfaces.iter().for_each(|surface| all.extend(page::routes_of(app, surface)));
        app.workspaces.iter().for_each(|workspace| all.extend(page::routes_of_workspace(workspace)));
        let mut tree = Tree::default();
        for (at, route) in all.iter().enumerate() {
            tree.insert(&route.path, at);
        }
        Routes { all: all.into_iter().map(Arc::new).collect(), tree }
    }

    /// All routes, those of the framework first.
    pub fn all(&self) -> &[Arc<Route>] {
        &self.all
    }

    /// Finds the route of a method and a decoded path.
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

/// Answers a request in an open unit of work.
///
/// # Errors
/// 404 for routes without a unit of work; errors of the route.
pub(crate) fn answer(tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let route = call.found.route().ok_or_else(Error::not_found)?;
    match route.run {
        Run::Api(operation) => operations::handle(tx, call, operation),
        Run::Page(page) => page(tx, call),
        Run::Surface(page) => {
            let surface = tx.app.translated_surface(route.surface.ok_or_else(Error::not_found)?);
            access::check_audience(&tx.caller().for_entity(tx.app.entity(surface.entity)), surface.place.audience)?;
            page(tx, call, surface)
        }
        Run::Workspace(page) => {
            let at = route.workspace.ok_or_else(Error::not_found)?.translated(tx.app);
            access::check_audience(tx.caller(), at.workspace.audience)?;
            page(tx, call, at)
        }
        #[cfg(feature = "oidc")]
        Run::Provider(_) => Err(Error::not_found()),
        #[cfg(feature = "graphql")]
        Run::GraphQl => Err(Error::not_found()),
        Run::Embedded(_) | Run::Steps(_) | Run::Server(_) | Run::Unit(_) => Err(Error::not_found()),
    }
}

/// True for methods that change nothing (RFC 9110, 9.2.1).
pub(crate) fn is_safe(method: Method) -> bool {
    matches!(method, Method::Get | Method::Head | Method::Options | Method::Trace)
}
