//! The server: its routes, and how a request is run.

use std::sync::Arc;

use chrono::Utc;
use rocket::{Build, Rocket, get, http::Method, route::Route};

use crate::{
    APP,
    auth::{self, sessions, throttle::Throttle, tokens},
    caller::Caller,
    config::Config,
    db::{Connection, Database},
    events,
/*IF FILES*/    files::{cleanup, storage::Storage, upload::Slots},
/*END FILES*/    idempotency::Running,
    problem::{Problem, Result},
    reply::{Answer, Reply},
    request::{self, Call},
    routes, subscribers,
/*IF TENANTS*/    tenancy,
/*END TENANTS*//*IF TIMED*/    timers,
/*END TIMED*/    types::Timestamp,
};

const UNKNOWN_TOKEN: &str = "This API token is unknown, has expired or was revoked";

/// What every request shares.
#[derive(Clone)]
pub struct Server {
    /// The connections.
    pub database: Database,
    /// The settings.
    pub config: Config,
    /// The delays after wrong passwords.
    pub throttle: Arc<Throttle>,
    /// The writes that are executed once and run at present.
    pub running: Running,
/*IF FILES*/    /// The contents of files.
    pub storage: Storage,
    /// The uploads in progress.
    pub uploads: Arc<Slots>,
/*END FILES*/}

/// The server over an open database.
pub fn build(config: Config, database: Database) -> Rocket<Build> {
    let server = Server {
        database,
        config: config.clone(),
        throttle: Arc::default(),
        running: Running::default(),
/*IF FILES*/        storage: Storage::new(config.files_folder()),
        uploads: Arc::default(),
/*END FILES*/    };
    rocket::build()
        // Every response has its own headers, see `reply`.
        .attach(rocket::shield::Shield::new())
        .manage(config)
        .manage(server)
        .mount("/", auth::routes())
        .mount("/", routes::all())
        .mount("/", rocket::routes![openapi])
        .mount("/", not_ejected())
        .attach(events::fairing())
/*IF FILES*/        .attach(cleanup::fairing())
/*END FILES*//*IF TIMED*/        .attach(timers::fairing())
/*END TIMED*/        .register("/", rocket::catchers![request::refuse])
}

/// The description of the API, for signed-in callers, because it names every field.
#[get("/api/openapi.json")]
async fn openapi(server: &rocket::State<Server>, call: Call) -> Answer {
    server.read(call, |_, caller, call| {
        caller.signed_in()?;
        call.check_parameters(&[])?;
        let document = serde_json::from_str(crate::OPENAPI).map_err(Problem::internal)?;
        Ok(Reply::json(200, document))
    })
    .await
}

/// Addresses of the original application that this program answers with 501.
fn not_ejected() -> Vec<Route> {
    crate::NOT_EJECTED.iter().filter_map(|(method, path)| Some(Route::new(method.parse::<Method>().ok()?, path, NotEjected))).collect()
}

#[derive(Clone)]
struct NotEjected;

#[rocket::async_trait]
impl rocket::route::Handler for NotEjected {
    async fn handle<'r>(&self, request: &'r rocket::Request<'_>, _: rocket::Data<'r>) -> rocket::route::Outcome<'r> {
        let what = format!("`{} {}`", request.method(), request.uri().path());
        rocket::route::Outcome::from(request, Answer(Err(Problem::not_implemented(&what))))
    }
}

impl Server {
    /// The time, as the database stores it.
    pub fn now(&self) -> Timestamp {
        Timestamp::new(Utc::now())
    }

    /// The caller of a request.
    pub fn caller(&self, connection: &mut Connection, call: &Call) -> Result<Caller> {
        let now = self.now();
        let found = match (&call.bearer, &call.session) {
            (Some(token), _) => {
                let unknown = || Problem { detail: UNKNOWN_TOKEN.to_owned(), ..Problem::unauthenticated() };
                Some(tokens::find(connection, token, now)?.ok_or_else(unknown)?)
            }
            (None, Some(token)) => sessions::find(connection, token, now)?,
            (None, None) => None,
        };
        let mut caller = found.unwrap_or_else(|| Caller::new(None, Vec::new(), now));
        caller.request_id.clone_from(&call.request_id);
        Ok(caller)
    }

    /// Runs work on a thread that may wait for the database.
    pub async fn run(&self, call: Call, work: impl FnOnce(&Server, &Call) -> Result<Reply> + Send + 'static) -> Answer {
        let server = self.clone();
        let done = rocket::tokio::task::spawn_blocking(move || {
            call.media.clone()?;
            call.check_origin()?;
            let _running = server.running.begin(&call)?;
            work(&server, &call)
        });
        Answer(done.await.unwrap_or_else(|error| Err(Problem::internal(error))))
    }

    /// Runs work that only reads.
    pub async fn read(
        &self,
        call: Call,
        work: impl FnOnce(&mut Connection, &Caller, &Call) -> Result<Reply> + Send + 'static,
    ) -> Answer {
        self.run(call, |server, call| {
            server.database.read(|connection| {
                let caller = server.caller(connection, call)?;
/*IF TENANTS*/                tenancy::enter(connection, &caller)?;
/*END TENANTS*/                work(connection, &caller, call)
            })
        })
        .await
    }

    /// Runs work that changes rows, in one transaction.
    pub async fn write(
        &self,
        call: Call,
        work: impl FnOnce(&mut Connection, &Caller, &Call) -> Result<Reply> + Send + 'static,
    ) -> Answer {
        self.run(call, |server, call| {
            server.database.write(|connection| {
                let caller = server.caller(connection, call)?;
/*IF TENANTS*/                tenancy::enter(connection, &caller)?;
/*END TENANTS*/                if caller.reads_only {
                    return Err(Problem::forbidden("This API token may only read"));
                }
                work(connection, &caller, call)
            })
        })
        .await
    }
}

/// Runs the command of a command line.
pub fn main(arguments: &[String]) -> Result<(), String> {
    let config = Config::from_environment(&format!("sqlite://{APP}.db"))?;
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] | ["serve"] => {
            let database = Database::open(&config.database_url)?;
            let served = rocket::execute(build(config, database).launch());
            served.map(drop).map_err(|error| format!("the server cannot start: {error}"))
        }
        ["jobs", "run"] => {
            let (database, now) = (Database::open(&config.database_url)?, Timestamp::new(Utc::now()));
/*IF TIMED*/            println!("{} rows changed", timers::run_due(&database, now));
/*END TIMED*/            println!("{} events delivered", events::deliver_due(&database, subscribers::ALL, now));
/*IF FILES*/            println!("{} files removed", cleanup::remove_due(&database, &Storage::new(config.files_folder()), now));
/*END FILES*/            Ok(())
        }
        ["events", "list"] => {
            let lines = events::describe(&Database::open(&config.database_url)?).map_err(|problem| problem.log_text().to_owned())?;
            lines.iter().for_each(|line| println!("{line}"));
            Ok(())
        }
        ["events", "retry", which] => {
            let again = events::retry(&Database::open(&config.database_url)?, which, Timestamp::new(Utc::now()));
            println!("{} will be delivered again", again.map_err(|problem| problem.log_text().to_owned())?);
            Ok(())
        }
        ["migrate"] => Database::open(&config.database_url).map(drop),
        ["token", "create", email, rest @ ..] => {
            let (id, token) = crate::accounts::create_token(&Database::open(&config.database_url)?, email, rest)?;
            println!("{token}");
            eprintln!("It is shown only once; its key is {id}.");
            Ok(())
        }
        ["user", "create", email, rest @ ..] => crate::accounts::create(&Database::open(&config.database_url)?, email, rest),
/*IF TENANTS*/        ["user", "grant", email, role, "--tenant", tenant] => {
            crate::accounts::grant_in_tenant(&Database::open(&config.database_url)?, email, role, tenant)
        }
/*END TENANTS*/        ["user", "grant", email, role] => crate::accounts::grant(&Database::open(&config.database_url)?, email, role),
        _ => Err(USAGE.to_owned()),
    }
}

const USAGE: &str = "commands:
  serve                                              serves the API
  migrate                                            creates the tables of an empty database
  jobs run                                           /*IF TIMED*/changes the states of rows whose time has come, /*END TIMED*/delivers events/*IF FILES*/, removes unused files/*END FILES*/
  events list                                        shows pending events and dead letters
  events retry ID|all                                delivers failed events again
  user create EMAIL --password TEXT [--set FIELD=VALUE]…   creates an account; --password-stdin reads the password
  token create EMAIL [--scope read|write] [--expires 90d] [--roles A,B]   creates an API token
  user grant EMAIL ROLE                              gives an account a role/*IF TENANTS*/
  user grant EMAIL ROLE --tenant KEY                 gives an account a role in a tenant, as an accepted membership/*END TENANTS*/";
