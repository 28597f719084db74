//! The command line of an application.

mod access;
mod account;
mod backup;
mod events;
mod files;
mod import;
mod jobs;
mod move_data;
mod own;
mod personal_data;
mod plan;
mod process;
mod seed;
mod token;

pub(super) use own::{OwnCommand, find_problem};

use std::process::ExitCode;

use super::{
    App, allocator, migrate,
    serve::{CREATED_WITHOUT_MIGRATIONS, PreparedApp},
};
use crate::{
    Error, Result, Tx,
    access::Update,
    accounts::{self, additional_fields::AdditionalFields},
    def::AppDef,
    mail::MailKind,
    output::{Progress, log_event, print_error, print_line},
    record::FieldValues,
    rows::{self, account::end_sessions},
    state::State,
    suggest::{did_you_mean, nearest},
    web::auth::{invitations, second_factor, sessions},
    web::routes::Routes,
};

// words: allow(move) because it is the name of the command
const HELP: &str = "\
Usage: APP [COMMAND]

  serve                                   serves the application (the default)
  migrate                                 applies pending migrations
  migrate --check                         lists pending migrations, or the differences between database and declaration,
                                          and fails if there are any
  migrate --contract                      also applies the second half of online migrations, when no instance of the previous version runs
  migrate revert                          reverts the last migration
  user create EMAIL --password P          creates an account (or --password-stdin; --set field=value for its fields;
                                          --tenant ID makes it a member, --member field=value for fields of the membership)
  user password EMAIL --password-stdin    sets the password of an account (or --password P), and ends its sessions and API tokens
  user grant EMAIL ROLE [--tenant ID [--member field=value]]
                                          grants a role; with a tenant it creates or extends a membership
  user revoke EMAIL ROLE [--tenant ID]    revokes a role
  user invite EMAIL --tenant ID [--roles a,b] [--member field=value]
                                          mails an invitation to join the tenant
  user disable EMAIL | user enable EMAIL  disables or enables an account
  user forget-factor EMAIL                removes a lost second factor, and ends the sessions of the account
  user sign-out EMAIL|--all               ends the sessions of one account or of all accounts
  user list                               lists the accounts
  account export EMAIL                    prints the account, the rows that refer to it, and its sessions and records, as JSON
  account erase EMAIL [--format json]     deletes an account and its values, and reports what remains
  token create EMAIL [--scope read|write] [--expires 90d] [--roles a,b] [--tenant ID]
                                          creates an API token and prints it once (default: read, `dz.token_days`)
  token list EMAIL | token revoke ID      lists the tokens of an account; revokes a token
  access explain EMAIL ACTION ENTITY [ID] [--tenant ID]
                                          shows whether an account may do an action, and the rule that decides
  plan [--check]                          lists the indexes, and statements that read more rows than they need; with --check it
                                          fails if there are such statements
  jobs run [--format json]                executes what is due now: jobs, schedules, runs of processes, events, timed transitions, clean-up
  jobs list [--status S] [--format json]  lists jobs and dead letters (queued, running, done, dead, cancelled)
  jobs retry ID|all [--format json]       queues dead letters again
  jobs cancel ID [--format json]          cancels a job
  process list [--process NAME] [--status S] [--limit N] [--format json]
                                          lists the runs of processes, the newest first
  process show ID [--format json]         shows a run with its steps
  process start NAME [--input JSON] [--tenant ID] [--format json]
                                          starts a process with the trigger `manual`
  process retry ID | process cancel ID    continues a failed run; cancels a run that has not ended (each with --format json)
  process skip ID --step NAME [--format json]
                                          completes a step without its action
  process signal NAME [--payload JSON] [--run ID] [--format json]
                                          sends a signal
  events list                             lists pending events and dead letters
  events retry ID|all                     delivers dead letters again
  backup FOLDER|s3://… [--format json]    copies the database and the stored files to a new folder or bucket, while the application runs
  restore FOLDER|s3://… [--check] [--format json]
                                          restores a backup into an empty database; with --check it only verifies the checksums
  move --to postgres://… [--format json]  copies an SQLite database to an empty PostgreSQL database, and compares every table;
                                          after an interruption it continues
  files move --to FOLDER|s3://… [--format json]
                                          copies the stored files to another storage, and compares each file, while the application runs
  import ENTITY FILE [--tenant ID] [--restart] [--format json]
                                          stores the rows of a CSV file of any size; after an interruption it continues
  seed                                    loads the demo data of the declaration
  seed --scenario NAME                    loads the rows of a scenario, and lists its start pages
  routes                                  lists the routes
  help                                    prints this help

Configuration: Rocket.toml, ROCKET_*, [default.dz], DATABASE_URL.";

/// The result of a command.
enum Outcome {
    /// The command is complete.
    Done,
    /// Wrong use: exit code 2.
    Usage(String),
}

/// The words with the option `--format` at their end, for the commands that have it.
fn with_format_last(mut words: Vec<&str>) -> Vec<&str> {
    if !matches!(words.first(), Some(&("jobs" | "process" | "backup" | "restore" | "files"))) {
        return words;
    }
    if let Some(at) = words.iter().position(|word| *word == "--format").filter(|at| at + 1 < words.len()) {
        words[at..].rotate_left(2);
    } else if let Some((at, format)) = words.iter().enumerate().find_map(|(at, word)| Some((at, word.strip_prefix("--format=")?))) {
        words.remove(at);
        words.extend(["--format", format]);
    }
    words
}

/// Runs a command line.
pub(super) fn run(app: App, args: Vec<String>) -> ExitCode {
    let words = with_format_last(args.iter().map(String::as_str).collect());
    let done = match words.as_slice() {
        [] | ["serve"] => serve(app),
        ["help" | "--help" | "-h"] => print_line!("{}", own::add_to_help(HELP, &app.commands)).map(|()| Outcome::Done),
        // No command takes this word for the name of a folder or a file.
        [command, rest @ ..] if NAMES.contains(command) && rest.iter().any(|word| matches!(*word, "--help" | "-h")) => {
            print_line!("{}", own::add_to_help(HELP, &app.commands)).map(|()| Outcome::Done)
        }
        ["routes"] => routes(app.def).map(|()| Outcome::Done),
        ["migrate", rest @ ..] => match migrate::run(app, rest) {
            Some(done) => done.map(|()| Outcome::Done),
            None => Ok(Outcome::Usage("`migrate` takes `--check`, `--contract` or `revert`, or nothing".to_owned())),
        },
        ["seed"] => seed::load(app),
        ["seed", "--scenario", name] => seed::load_scenario(app, name),
        ["seed", ..] => Ok(Outcome::Usage("`seed` takes `--scenario NAME`, or nothing".to_owned())),
        ["user", rest @ ..] => user(app, rest),
        ["access", rest @ ..] => access::run(app, rest),
        ["account", rest @ ..] => personal_data::run(app, rest),
        ["token", rest @ ..] => token::run(app, rest),
        ["plan", rest @ ..] => plan::run(app, rest),
        ["jobs", rest @ ..] => jobs::run(app, rest),
        ["events", rest @ ..] => events::run(app, rest),
        ["process", rest @ ..] => process::run(app, rest),
        ["backup", rest @ ..] => backup::back_up(app, rest),
        ["restore", rest @ ..] => backup::restore(app, rest),
        ["move", rest @ ..] => move_data::run(app, rest),
        ["files", rest @ ..] => files::run(app, rest),
        ["import", rest @ ..] => import::run(app, rest),
        ["serve", extra, ..] => Ok(Outcome::Usage(format!(
            "`serve` takes no options, and `{extra}` follows it; settings are in `Rocket.toml`, or in variables such as `ROCKET_PORT`"
        ))),
        [command @ ("routes" | "help" | "--help" | "-h"), extra, ..] => {
            Ok(Outcome::Usage(format!("`{command}` takes no options, and `{extra}` follows it")))
        }
        [other, rest @ ..] => match app.commands.iter().position(|own| own.name == *other) {
            Some(at) => own::run(app, at, rest),
            None => Ok(Outcome::Usage(describe_unknown(&app, other))),
        },
    };
    match done {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Usage(message)) => {
            print_error(format_args!("{message}\n\n{HELP}"));
            ExitCode::from(2)
        }
        Err(error) => {
            print_error(format_args!("error: {}", to_sentence(&error)));
            ExitCode::FAILURE
        }
    }
}

/// The commands of every application.
const NAMES: [&str; 18] = [
    "serve", "migrate", "user", "account", "token", "jobs", "process", "events", "access", "plan", "backup", "restore", "move", "files",
    "import", "seed", "routes", "help",
];

fn describe_unknown(app: &App, word: &str) -> String {
    let own = app.commands.iter().map(|own| own.name.as_str());
    format!("unknown command `{word}`{}", did_you_mean(word, NAMES.into_iter().chain(own).collect()))
}

/// An error as one sentence, with the errors of fields and the details for the operator.
fn to_sentence(error: &Error) -> String {
    let fields: Vec<String> = error.field_errors.iter().map(|(field, wrong)| format!("`{field}` {}", wrong.join(", "))).collect();
    match (&error.internal, fields.is_empty()) {
        (Some(internal), _) => internal.to_string(),
        (None, false) => fields.join("; "),
        (None, true) => error.detail.clone(),
    }
}

fn serve(app: App) -> Result<Outcome> {
    allocator::apply_settings();
    let figment = app.figment.clone().unwrap_or_else(super::figment);
    // The first start in development creates the tables and the demo data.
    let progress = Progress::start();
    let prepared = PreparedApp::open(app, &figment)?;
    drop(progress);
    prepared.launch(figment)?;
    Ok(Outcome::Done)
}

fn routes(app: &'static AppDef) -> Result<()> {
    // The methods of one address are on one line.
    let mut lines: Vec<(&str, Vec<&str>)> = Vec::new();
    let routes = Routes::for_app(app);
    for route in routes.all() {
        match lines.iter_mut().find(|(path, _)| *path == route.path) {
            Some((_, methods)) => methods.push(route.method.as_str()),
            None => lines.push((&route.path, vec![route.method.as_str()])),
        }
    }
    for (path, methods) in lines {
        print_line!("{:<22} {path}", methods.join(" "))?;
    }
    Ok(())
}

fn prepare(app: App) -> Result<PreparedApp> {
    let figment = app.figment.clone().unwrap_or_else(super::figment);
    let prepared = PreparedApp::open(app, &figment)?;
    if prepared.created {
        log_event!(warn, target: "dz", "{CREATED_WITHOUT_MIGRATIONS}");
    }
    #[cfg(feature = "postgres")]
    prepared.state.db.report_as_command(prepared.state.app);
    Ok(prepared)
}

fn user(app: App, words: &[&str]) -> Result<Outcome> {
    match words {
        ["create", email, options @ ..] => account::create(app, email, options),
        ["password", email, options @ ..] => account::set_password(app, email, options),
        ["grant", email, role] => grant(app, email, role, None),
        ["grant", email, role, "--tenant", tenant, options @ ..] => match parse_member_fields(options) {
            Some(member) => grant(app, email, role, Some((tenant, &member))),
            None => Ok(Outcome::Usage(MEMBER.to_owned())),
        },
        ["revoke", email, role] => revoke(app, email, role, None),
        ["revoke", email, role, "--tenant", tenant] => revoke(app, email, role, Some(tenant)),
        ["invite", email, "--tenant", tenant, options @ ..] => {
            let (roles, options) = match options {
                ["--roles", roles, options @ ..] => (*roles, options),
                options => ("", options),
            };
            match parse_member_fields(options) {
                Some(member) => invite(app, email, tenant, roles, &member),
                None => Ok(Outcome::Usage(MEMBER.to_owned())),
            }
        }
        ["disable", email] => activate(app, email, false),
        ["enable", email] => activate(app, email, true),
        ["forget-factor", email] => forget_factor(app, email),
        ["sign-out", whose] => sign_out(app, whose),
        ["list"] => {
            let state = prepare(app)?.state;
            for account in state.db.read(&mut |conn| accounts::list(conn, state.app))? {
                let closed = if account.active { "" } else { "  (disabled)" };
                print_line!("{}  {}{closed}", account.email, account.roles.join(", "))?;
            }
            Ok(Outcome::Done)
        }
        [verb @ ("grant" | "revoke"), ..] => Ok(Outcome::Usage(format!("`user {verb}` needs `EMAIL ROLE [--tenant ID]`"))),
        ["invite", ..] => Ok(Outcome::Usage("`user invite` needs `EMAIL --tenant ID [--roles a,b] [--member field=value]`".to_owned())),
        [verb @ ("create" | "password" | "disable" | "enable" | "forget-factor" | "sign-out"), ..] => {
            Ok(Outcome::Usage(format!("`user {verb}` needs an address: `user {verb} EMAIL`")))
        }
        _ => Ok(Outcome::Usage(
            "`user` needs `create`, `password`, `grant`, `revoke`, `invite`, `disable`, `enable`, `forget-factor`, `sign-out` or `list`"
                .to_owned(),
        )),
    }
}

/// Runs `work` in the tenant of the option `--tenant`, which is its key or its name.
fn in_tenant<T>(tx: &mut Tx<'_>, tenant: Option<&str>, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
    let Some(text) = tenant else { return work(tx) };
    let key = accounts::find_tenant(tx, text)?;
    let caller = tx.caller.clone().for_tenant(Some(key));
    tx.for_caller(caller, work)
}

fn find_account(conn: &mut crate::db::Conn, app: &'static AppDef, email: &str) -> Result<crate::Value> {
    accounts::find(conn, app, email)?
        .ok_or_else(|| Error::bad_request(format!("there is no account {email}; create it with `user create {email}`")))
}

fn forget_factor(app: App, email: &str) -> Result<Outcome> {
    let state = prepare(app)?.state;
    let to = state.db.write(&mut |conn| {
        let id = find_account(conn, state.app, email)?;
        if !accounts::mfa::remove_device(conn, state.app, &id)? {
            return Err(Error::bad_request(format!("{email} has no second factor")));
        }
        end_sessions(conn, state.app, &id, None)?;
        let mut tx = Tx::system(conn, state.app, state.hooks.clone(), state.clock.now());
        second_factor::record_change(&mut tx, &id, "reset by the command line")?;
        accounts::load_address(conn, state.app, &id)
    })?;
    if state.mail_queue.can_deliver(state.config.development) {
        let mail = state.in_default_language(|| state.write_mail(MailKind::SecondFactor, to, String::new(), || None));
        state.mail_queue.send(&mail, state.config.development);
    }
    Ok(Outcome::Done)
}

fn sign_out(app: App, whose: &str) -> Result<Outcome> {
    let state = prepare(app)?.state;
    state.db.write(&mut |conn| {
        let id = if whose == "--all" { None } else { Some(find_account(conn, state.app, whose)?) };
        match &id {
            Some(id) => end_sessions(conn, state.app, id, None)?,
            None => accounts::end_all(conn)?,
        }
        sessions::record_end(&mut Tx::system(conn, state.app, state.hooks.clone(), state.clock.now()), id.as_ref())
    })?;
    Ok(Outcome::Done)
}

fn revoke(app: App, email: &str, role: &str, tenant: Option<&str>) -> Result<Outcome> {
    let state = prepare(app)?.state;
    let held = state.db.write(&mut |conn| {
        let id = find_account(conn, state.app, email)?;
        match tenant {
            Some(tenant) => run_in_tenant(&state, conn, tenant, |tx| accounts::remove_persona(tx, &id, role)),
            None => accounts::revoke(conn, state.app, &id, role),
        }
    })?;
    if held { Ok(Outcome::Done) } else { Err(Error::bad_request(format!("{email} does not have the role `{role}`"))) }
}

/// Runs `work` as the system in a tenant.
fn run_in_tenant<T>(state: &State, conn: &mut crate::db::Conn, tenant: &str, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
    let mut tx = Tx::system(conn, state.app, state.hooks.clone(), state.clock.now());
    in_tenant(&mut tx, Some(tenant), work)
}

const MEMBER: &str = "`--tenant ID` can be followed by `--roles a,b` (for `user invite`) and by `--member field=value` for each field";

/// Parses the values of `--member field=value`; `None` for another option.
fn parse_member_fields(options: &[&str]) -> Option<Vec<(String, String)>> {
    let pair = |option: &[&str]| match option {
        ["--member", pair] => pair.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())),
        _ => None,
    };
    options.chunks(2).map(pair).collect()
}

/// Parses the additional fields of a membership.
fn parse_membership(app: &'static AppDef, member: &[(String, String)]) -> Result<FieldValues> {
    let no_members = || Error::bad_request("this application has no memberships, so `--member` has no meaning");
    match member {
        [] => Ok(FieldValues::default()),
        member => AdditionalFields::for_membership(app).ok_or_else(no_members)?.parse_texts(app, member),
    }
}

fn grant(app: App, email: &str, role: &str, tenant: Option<(&str, &[(String, String)])>) -> Result<Outcome> {
    let def = app.def;
    if !def.roles.iter().any(|known| known.name == role) {
        let names: Vec<&str> = def.roles.iter().map(|known| known.name).collect();
        let near = nearest(role, names.clone())
            .map_or_else(|| format!("known ones are {}", names.join(", ")), |near| format!("did you mean `{near}`?"));
        return Err(Error::bad_request(format!("there is no role `{role}`; {near}")));
    }
    let state = prepare(app)?.state;
    state.db.write(&mut |conn| {
        let id = find_account(conn, state.app, email)?;
        match tenant {
            Some((tenant, member)) => {
                let further = parse_membership(state.app, member)?;
                run_in_tenant(&state, conn, tenant, |tx| accounts::add_persona(tx, &id, Some(role), further))
            }
            None => accounts::grant(conn, state.app, &id, role),
        }
    })?;
    Ok(Outcome::Done)
}

fn invite(app: App, email: &str, tenant: &str, roles: &str, member: &[(String, String)]) -> Result<Outcome> {
    let state = prepare(app)?.state;
    if !state.mail_queue.can_deliver(state.config.development) {
        return Err(Error::bad_request("the application has no mailer and cannot send the link; set one with `App::mailer`"));
    }
    let personas: Vec<String> = roles.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let further = parse_membership(state.app, member)?;
    let (to, token, called) =
        state.db.write(&mut |conn| run_in_tenant(&state, conn, tenant, |tx| invitations::invite(tx, email, &personas, &further)))?;
    let mail = state.in_default_language(|| invitations::build_mail(&state, None, &called, to, token))?;
    let mail = mail.ok_or_else(|| Error::bad_request(format!("the account {email} is disabled; enable it with `user enable {email}`")))?;
    state.mail_queue.send(&mail, state.config.development);
    print_line!("{} is invited to {called}", mail.to)?;
    Ok(Outcome::Done)
}

fn activate(app: App, email: &str, active: bool) -> Result<Outcome> {
    let state = prepare(app)?.state;
    state.db.write(&mut |conn| {
        let id = find_account(conn, state.app, email)?;
        let account = state.app.account();
        let (ix, _) = account.find("is_active").ok_or_else(|| Error::internal("accounts have no field `is_active`"))?;
        let mut tx = Tx::system(conn, state.app, state.hooks.clone(), state.clock.now());
        let grant = tx.ask::<Update>(account)?;
        rows::update(&mut tx, &grant, &id, vec![(ix, crate::Value::Bool(active))], None).map(|_| ())
    })?;
    Ok(Outcome::Done)
}
