//! The request guards of custom routes.

mod files;
mod roles;

use std::sync::Arc;

use askama::Template;
use rocket::{
    Phase, Request, Response, Rocket,
    request::{FromRequest, Outcome},
    response::{Responder, content::RawHtml},
};

use crate::{
    Account, Caller, Clock, DeclaredRole, Entity, Error, Result, SpawnedJob, SystemCx, Tx,
    access::check_audience,
    blocking::{Work, catch_panic},
    caller::AccountKey,
    def::Audience,
    languages::Language,
    state::{Job, State},
    texts,
    web::{
        Call,
        page::{
            Markup,
            shell::{PageKind, Shell},
        },
        request::{handler, request_log::RequestLog},
        response::{self, catcher::Refusal, fairing},
        server::Server,
    },
};

/// The caller, as a Rocket request guard; it holds no connection and never blocks.
///
/// The guard refuses an unsafe request that another site could have caused (CSRF).
#[derive(Clone)]
pub struct Cx {
    pub(crate) state: Arc<State>,
    caller: Caller,
    log: Arc<RequestLog>,
    page: Arc<PageRequest>,
    /// The session or the token of the request, for the position of its writes.
    token: Option<Arc<str>>,
}

/// The parts of the request that the frame of a page depends on.
struct PageRequest {
    path: Vec<String>,
    csrf: String,
    markup: Markup,
    language: Option<Language>,
}

impl std::fmt::Debug for Cx {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cx").field("caller", &self.caller).finish()
    }
}

impl Cx {
    /// The caller and the time of the request.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The key of the caller's current tenant, if any.
    pub fn tenant(&self) -> Option<&crate::Value> {
        self.caller.tenant()
    }

    /// The clock of the application.
    pub fn clock(&self) -> &Clock {
        &self.state.clock
    }

    /// The account; 401 for an anonymous caller.
    pub fn account(&self) -> Result<&Account> {
        self.caller.account.as_ref().ok_or_else(Error::unauthenticated)
    }

    /// The key of the caller's account, as [`Caller::user_id`].
    ///
    /// # Errors
    /// 401 for an anonymous caller.
    pub fn user_id<K: AccountKey>(&self) -> Result<K> {
        self.caller.user_id()
    }

    /// The caller's account as its row, as [`Caller::user`].
    ///
    /// # Errors
    /// 401 for an anonymous caller.
    pub fn user<E: Entity>(&self) -> Result<E> {
        self.caller.user()
    }

    /// True if the caller has the role `name`.
    pub fn has_role(&self, name: &str) -> bool {
        has_role(&self.state, &self.caller, name)
    }

    /// Runs `work` on the blocking pool inside one write transaction; an error rolls it back. On
    /// PostgreSQL it can run again after a serialization failure.
    pub async fn run<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.job(Job::Write, work).await
    }

    /// Runs `work` on the blocking pool on a connection that only reads.
    pub async fn read<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.job(Job::Read, work).await
    }

    /// Stores a job in a transaction of its own, as [`Tx::spawn_job`].
    ///
    /// # Errors
    /// As for [`Tx::spawn_job`].
    pub async fn spawn_job<J: crate::Job>(&self, job: J) -> Result<SpawnedJob> {
        self.run(move |tx| tx.spawn_job(&job)).await
    }

    /// The value of this type that [`App::manage`](crate::App::manage) has added.
    ///
    /// # Errors
    /// 500 if the application manages none.
    pub fn state<T: Send + Sync + 'static>(&self) -> Result<Arc<T>> {
        self.state.hooks.state()
    }

    /// Renders a page of the application inside the frame of dz, with the navigation of the caller. The template contains the content
    /// of the page, which begins with its heading.
    ///
    /// ```ignore
    /// #[derive(dz::askama::Template)]
    /// #[template(path = "board.html", askama = dz::askama)]
    /// struct Board { table: dz::page::Table }
    ///
    /// #[rocket::get("/board")]
    /// async fn board(cx: Cx, _role: Role) -> dz::Result<RawHtml<String>> {
    ///     let table = cx.read(build_table).await?;
    ///     cx.page("Board", Board { table }).await
    /// }
    /// ```
    ///
    /// # Errors
    /// 500 if the template fails; 503 if the database is unavailable.
    pub async fn page(&self, title: impl Into<String>, content: impl Template + Send) -> Result<RawHtml<String>> {
        let content = content.render().map_err(Error::internal)?;
        let (title, page) = (title.into(), self.page.clone());
        let render = move |tx: &mut Tx<'_>| {
            let (path, csrf) = (page.path.clone(), page.csrf.clone());
            let call = Call { path, csrf, markup: page.markup, language: page.language, ..Call::default() };
            tx.app = page.language.map_or(tx.app, |language| language.app);
            texts::with(call.texts(), || Shell::app(tx, &call, title.clone(), PageKind::Own, None).render(&content))
        };
        self.read(render).await.map(RawHtml)
    }

    async fn job<T, F>(&self, job: Job, mut work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        let Cx { state, caller, log, token, .. } = self.clone();
        let work = move || log.count(|| catch_panic(|| state.run_job_as(job, &caller, token.as_deref(), &mut work)));
        self.state.threads.run(job.into(), work).await?
    }
}

fn has_role(state: &State, caller: &Caller, name: &str) -> bool {
    state.app.roles.iter().position(|role| role.name == name).is_some_and(|bit| caller.roles & (1 << bit) != 0)
}

impl SystemCx {
    /// The interface of the system, from the Rocket of a running application: in fairings, tasks and custom guards.
    ///
    /// # Errors
    /// 500 if the Rocket is not one of dz.
    pub fn from_rocket<P: Phase>(rocket: &Rocket<P>) -> Result<SystemCx> {
        rocket
            .state::<Arc<State>>()
            .map(|state| state.system_cx())
            .ok_or_else(|| Error::internal("dz is not attached to this Rocket instance"))
    }
}

/// The caller is loaded once for all guards of a route.
async fn resolve(request: &Request<'_>) -> Result<Cx> {
    let known: &Result<Cx> = request.local_cache_async(look_up(request)).await;
    known.clone()
}

async fn look_up(request: &Request<'_>) -> Result<Cx> {
    let state =
        request.rocket().state::<Arc<State>>().cloned().ok_or_else(|| Error::internal("dz is not attached to this Rocket instance"))?;
    let call = handler::build_unrouted_call(&state, request);
    let server = request.rocket().state::<Arc<Server>>().ok_or_else(|| Error::internal("dz is not attached to this Rocket instance"))?;
    handler::count_request(server, request, &call).await?;
    handler::guard_csrf(&state, request, &call)?;
    let (shared, log, token) = (state.clone(), call.log.clone(), call.bearer.as_deref().or(call.session.as_deref()).map(Arc::from));
    let mut page = PageRequest { path: call.path.clone(), csrf: call.csrf.clone(), markup: call.markup, language: call.language };
    let found = state.threads.run(Work::Read, move || -> Result<(Caller, bool)> {
        let asked = call.requester();
        let caller = call.log.count(|| catch_panic(|| shared.run_job(Job::Read, &asked, &mut |tx| Ok(tx.caller().clone()))))?;
        Ok((caller, asked.renewed.get()))
    });
    let (caller, renewed) = found.await??;
    if renewed {
        fairing::note_renewal(request);
    }
    check_own_page(&state, &page.path, &caller)?;
    let chosen = caller.preferences().language.and_then(|tag| state.languages.find(&tag));
    page.language = page.language.map(|asked| chosen.unwrap_or(asked));
    Ok(Cx { state, caller, log, page: Arc::new(page), token })
}

/// Refuses a caller without a role of the own page at this address, also if the guards of the route name no role.
fn check_own_page(state: &State, path: &[String], caller: &Caller) -> Result<()> {
    let mut own = state.hooks.pages.iter().filter(|page| page.is_at(path));
    own.try_for_each(|page| check_audience(caller, Audience::Roles(page.roles)))
}

#[rocket::async_trait]
impl<'r> FromRequest<'r> for Cx {
    type Error = Error;

    async fn from_request(request: &'r Request<'_>) -> Outcome<Self, Error> {
        match resolve(request).await {
            Ok(cx) => Outcome::Success(cx),
            Err(error) => Outcome::Error((Refusal::keep(request, error.clone()), error)),
        }
    }
}

/// A caller with an account; other requests get 401, or a redirect to the sign-in page.
#[derive(Debug)]
pub struct SignedIn(pub Caller);

#[rocket::async_trait]
impl<'r> FromRequest<'r> for SignedIn {
    type Error = Error;

    async fn from_request(request: &'r Request<'_>) -> Outcome<Self, Error> {
        match resolve(request).await.and_then(|cx| cx.account().map(|_| ()).map(|()| SignedIn(cx.caller))) {
            Ok(found) => Outcome::Success(found),
            Err(error) => Outcome::Error((Refusal::keep(request, error.clone()), error)),
        }
    }
}

/// The first role of the declaration that the caller has, for the request guard of a generated `Role`.
///
/// # Errors
/// 401 for an anonymous caller; 403 for a caller without a role.
#[doc(hidden)]
pub async fn resolve_role<R: DeclaredRole>(request: &Request<'_>) -> Outcome<R, Error> {
    let found = resolve(request).await.and_then(|cx| {
        cx.account()?;
        let held = R::ALL.iter().copied().find(|role| cx.caller.roles & role.mask() != 0);
        held.ok_or_else(|| Error::forbidden("This needs a role"))
    });
    match found {
        Ok(role) => Outcome::Success(role),
        Err(error) => Outcome::Error((Refusal::keep(request, error.clone()), error)),
    }
}

/// The name of a role, as a type for [`Role`].
pub trait RoleName: Send + Sync + 'static {
    /// The persona's name.
    const NAME: &'static str;
}

/// A caller with a role; other requests get 401 or 403.
#[derive(Debug)]
pub struct Role<R: RoleName>(pub Caller, std::marker::PhantomData<R>);

#[rocket::async_trait]
impl<'r, R: RoleName> FromRequest<'r> for Role<R> {
    type Error = Error;

    async fn from_request(request: &'r Request<'_>) -> Outcome<Self, Error> {
        let found = resolve(request).await.and_then(|cx| {
            cx.account()?;
            if cx.has_role(R::NAME) { Ok(cx.caller) } else { Err(Error::forbidden(format!("This needs the role {}", R::NAME))) }
        });
        match found {
            Ok(caller) => Outcome::Success(Role(caller, std::marker::PhantomData)),
            Err(error) => Outcome::Error((Refusal::keep(request, error.clone()), error)),
        }
    }
}

impl<'r> Responder<'r, 'static> for Error {
    fn respond_to(self, request: &'r Request<'_>) -> rocket::response::Result<'static> {
        let Some(state) = request.rocket().state::<Arc<State>>() else {
            return Err(rocket::http::Status::new(self.status));
        };
        let call = handler::build_unrouted_call(state, request);
        let reply = response::refuse(state, &call, &self);
        let response: Response<'static> = response::to_response(state, reply, handler::request_id(request));
        Ok(response)
    }
}
