//! The routes of pages: those of the framework and of each surface.

use rocket::http::Method::{self, Get, Post};

use crate::{
    Result, Tx,
    def::{AppDef, Display, EntityDef, Mode, RegionDef, SurfaceDef, WorkspaceDef},
    web::{
        Call, Reply,
        page::{
            admin::{self, calls, jobs, run, runs, sessions, system},
            experience,
            form::{self, picker, submit},
            graph,
            identity::{account, invitations, preferences, second_factor},
            inbox,
            list::{self, bulk, column_choice, csv_files, saved_filters},
            search, shortcuts, start,
            view::{self, actions, delete, transitions},
            workspace::{self, WorkspaceAt},
        },
        routes::{Route, Run},
    },
};

type SurfaceHandler = fn(&mut Tx<'_>, &Call, &'static SurfaceDef) -> Result<Reply>;

/// The pages of every application.
pub(crate) fn routes(app: &'static AppDef) -> Vec<Route> {
    let page = |path: &str, about, run| Route::new(Get, path, about, Run::Page(run));
    let admin = |path: &str, about, run| Route::new(Get, path, about, Run::Unit(run));
    let mut all = vec![
        page("/", "Go to the first page that the caller may open", start::show),
        page("/app", "Go to the first page that the caller may open", start::show),
        // The API does not list sessions and tokens for a token either.
        Route { tokens: false, ..admin("/app/-/account", "Show the account of the caller", account::show_account) },
        Route {
            tokens: false,
            ..Route::new(Post, "/app/-/account", "Choose language, time zone and density", Run::Unit(preferences::choose))
        },
        Route { before_factor: true, tokens: false, ..page("/app/-/factor", "Show the second factor of the caller", second_factor::show) },
        page("/app/-/search", "Search the pages and rows that the caller may open", search::show),
        page("/app/-/shortcuts", "Show the keyboard shortcuts", shortcuts::show),
        page("/app/-/pick/{table}", "Offer rows for a reference", |tx, call| picker::show_options(tx, call, call.value(0))),
        admin("/app/-/jobs", "Show the jobs", |_, tx, call| jobs::show(tx, call)),
        Route::new(Post, "/app/-/jobs/{id}/retry", "Run a job again", Run::Unit(|_, tx, call| jobs::retry(tx, call))),
        Route::new(Post, "/app/-/jobs/{id}/cancel", "Cancel a job", Run::Unit(|_, tx, call| jobs::cancel(tx, call))),
        admin(system::ADDRESS, "Show the state of the application", system::show),
        admin("/admin/access", "Show the matrix of access rules", |_, tx, call| admin::access_matrix(tx, call)),
        admin("/admin/audit", "Show the audit log", |_, tx, call| admin::audit_log(tx, call)),
        Route { tokens: false, ..admin("/admin/sessions", "Show the sessions of all accounts", |_, tx, call| sessions::show(tx, call)) },
    ];
    if !app.processes.is_empty() {
        all.push(page("/app/-/inbox", "Show the tasks of the caller", inbox::show));
        all.push(page("/app/-/inbox/{task}", "Show a task with its row", |tx, call| inbox::show_task(tx, call, None)));
        let post = |path: &str, about, run| Route::new(Post, path, about, Run::Page(run));
        all.push(post("/app/-/inbox/{task}", "Decide a task", inbox::submit));
        all.push(post("/app/-/inbox/{task}/claim", "Claim a task", inbox::claim));
        all.push(post("/app/-/inbox/{task}/release", "Release the claim of a task", inbox::release));
        all.push(page("/app/-/runs", "Show the runs of processes", runs::show));
        all.push(post("/app/-/runs", "Start a process", runs::start));
        all.push(page("/app/-/runs/{id}", "Show a run with its steps", run::show));
        all.push(post("/app/-/runs/{id}/retry", "Continue a failed run", run::retry));
        all.push(post("/app/-/runs/{id}/cancel", "Cancel a run", run::cancel));
        all.push(post("/app/-/runs/{id}/skip", "Complete a step without its action", run::skip));
        all.push(post("/app/-/runs/{id}/signal", "Send a signal to a run", run::send_signal));
    }
    if !app.llm.intents.is_empty() {
        all.push(page(calls::ADDRESS, "Show the calls of language models", calls::show));
    }
    if !app.experiences.is_empty() {
        let one = "/app/-/experience/{name}";
        // Reading a step can skip it, or start its process.
        let step = |path: &str, about, run| Route { writes: true, ..page(path, about, run) };
        all.push(step(one, "Show the current step of an experience", experience::show));
        all.push(Route::new(Post, one, "Continue an experience", Run::Page(experience::submit)));
        all.push(step(&format!("{one}/{{step}}"), "Show a step if it is the current one", experience::show_step));
        all.push(Route::new(Post, format!("{one}/restart"), "Start an experience again", Run::Page(experience::restart)));
        for (path, surface) in experience::steps_with_files(app) {
            let route = Route::new(Post, path, "Save a form with files in an experience", Run::Surface(experience::submit_files));
            all.push(Route { surface: Some(surface), entity: Some(app.entity(surface.entity)), files: true, ..route });
        }
    }
    if app.members().is_some() {
        all.push(page("/app/-/invitations", "Invite members", |tx, call| invitations::show_invitations(tx, call, None)));
    }
    all
}

/// The pages of a surface.
pub(crate) fn routes_of(app: &'static AppDef, surface: &'static SurfaceDef) -> Vec<Route> {
    let own = surface.address();
    let entity = app.entity(surface.entity);
    let mut pages = SurfaceRoutes { app, surface, entity, all: Vec::new() };
    let is_singleton = entity.tenancy.is_singleton() && surface.place.route.is_some();
    match surface.mode {
        Mode::List => pages.list(&own),
        Mode::Create => pages.form(&own, form::show_create, submit::create),
        Mode::View => pages.view(&own),
        Mode::Edit => {
            if is_singleton {
                pages.form(&own, form::show_singleton, form::show_singleton);
            }
            let one = format!("{own}/{{id}}");
            pages.form(
                &one,
                |tx, call, it| form::show_edit(tx, call, it, call.value(0)),
                |tx, call, it| submit::update(tx, call, it, call.value(0)),
            );
        }
    }
    if surface.mode != Mode::Create {
        pages.delete(&own);
        if entity.node.is_some() {
            pages.add(Get, format!("{own}/{{id}}/graph"), "Show the graph around a row", graph::show).is_graph = true;
        }
    }
    // The default address redirects to the declared one.
    if surface.place.route.is_some() {
        pages.add(Get, format!("/app/{}", surface.name), "Go to the page of a surface", |_, _, it| Ok(Reply::see_other(it.address())));
    }
    pages.all
}

/// The pages of a workspace: its own, and one for each region.
pub(crate) fn routes_of_workspace(workspace: &'static WorkspaceDef) -> Vec<Route> {
    let route = |method, path: String, about, region: Option<&'static RegionDef>, run| {
        let at = WorkspaceAt { workspace, region };
        Route { workspace: Some(at), ..Route::new(method, path, about, Run::Workspace(run)) }
    };
    let mut pages = vec![route(Get, workspace.address(), "Show a workspace", None, workspace::show)];
    for region in workspace.regions {
        pages.push(route(Get, region.address(), "Show a region of a workspace", Some(region), workspace::show_region));
        if region.display == Display::Kanban {
            let path = format!("{}/move", region.address());
            pages.push(route(Post, path, "Transition a row of a board", Some(region), workspace::submit_move));
        }
    }
    pages
}

/// Collects the routes of a surface.
struct SurfaceRoutes {
    app: &'static AppDef,
    surface: &'static SurfaceDef,
    entity: &'static EntityDef,
    all: Vec<Route>,
}

impl SurfaceRoutes {
    fn add(&mut self, method: Method, path: String, about: &'static str, run: SurfaceHandler) -> &mut Route {
        let route = Route::new(method, path, about, Run::Surface(run));
        self.all.push(Route { surface: Some(self.surface), entity: Some(self.entity), ..route });
        let last = self.all.len() - 1;
        &mut self.all[last]
    }

    fn list(&mut self, own: &str) {
        let (bulk, import) = (format!("{own}/bulk"), format!("{own}/import"));
        self.add(Get, own.to_owned(), "Show a list", list::show);
        self.add(Get, bulk.clone(), "Go back to the list", |_, _, it| Ok(Reply::see_other(it.address()))).is_exclusive = true;
        self.add(Post, bulk, "Change selected rows", bulk::submit).lists = &["id"];
        let filters = format!("{own}/filters");
        self.add(Get, filters.clone(), "Go back to the list", |_, _, it| Ok(Reply::see_other(it.address()))).is_exclusive = true;
        self.add(Post, filters.clone(), "Save a filter of a list", saved_filters::save).tokens = false;
        self.add(Post, format!("{filters}/delete"), "Delete a saved filter", saved_filters::delete).tokens = false;
        let columns = format!("{own}/columns");
        self.add(Get, columns.clone(), "Choose the columns of a list", column_choice::show).is_exclusive = true;
        self.add(Post, columns, "Store the columns of a list", column_choice::store).tokens = false;
        self.add(Get, import.clone(), "Show the form for a CSV file", csv_files::show_form).is_exclusive = true;
        self.add(Post, import, "Import a CSV file", csv_files::import);
    }

    fn view(&mut self, own: &str) {
        let one = format!("{own}/{{id}}");
        self.add(Get, one.clone(), "Show a row", |tx, call, it| view::show(tx, call, it, call.value(0), None));
        self.add(Post, format!("{one}/move"), "Transition a row", |tx, call, it| transitions::submit(tx, call, it, call.value(0)));
        self.add(Post, format!("{one}/act"), "Run an action on a row", |tx, call, it| actions::submit(tx, call, it, call.value(0)));
    }

    fn delete(&mut self, own: &str) {
        let path = format!("{own}/{{id}}/delete");
        self.add(Get, path.clone(), "Confirm the deletion of a row", |tx, call, it| delete::show_confirmation(tx, call, it, call.value(0)));
        self.add(Post, path, "Delete a row", |tx, call, it| delete::submit(tx, call, it, call.value(0)));
    }

    fn form(&mut self, path: &str, show: SurfaceHandler, submit: SurfaceHandler) {
        let files = form::has_file_fields(self.app, self.surface);
        self.add(Get, path.to_owned(), "Show a form", show);
        self.add(Post, path.to_owned(), "Send a form", submit).files = files;
    }
}
