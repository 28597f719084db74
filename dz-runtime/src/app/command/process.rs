//! `process list`, `process show`, `process start`, `process retry`, `process cancel`, `process skip`, `process signal`.

use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::{Outcome, in_tenant, prepare};
use crate::{
    App, Error, Result, Tx,
    field::datetime_text,
    output::print_line,
    process::{
        signal, start,
        view::{self, Control, RunFilter, STATUSES},
    },
    state::State,
    suggest::nearest,
    web::api::processes,
};

const USAGE: &str = "`process` needs `list [--process NAME] [--status S] [--limit N]`, `show ID`, `start NAME [--input JSON] [--tenant ID]`, \
                     `retry ID`, `cancel ID`, `skip ID --step NAME` or `signal NAME [--payload JSON] [--run ID]`, each with `--format json` if a program reads it";

/// Runs a command.
pub(super) fn run(app: App, words: &[&str]) -> Result<Outcome> {
    let (words, json) = match words {
        [words @ .., "--format", "json"] => (words, true),
        [words @ .., "--format", "text"] => (words, false),
        words => (words, false),
    };
    let usage = || Ok(Outcome::Usage(USAGE.to_owned()));
    let [verb, rest @ ..] = words else { return usage() };
    let (positional, options) = match (*verb, rest) {
        ("list", options) => ("", options),
        ("show" | "start" | "retry" | "cancel" | "skip" | "signal", [name, options @ ..]) => (*name, options),
        _ => return usage(),
    };
    let known: &[&str] = match *verb {
        "list" => &["--process", "--status", "--limit"],
        "start" => &["--input", "--tenant"],
        "signal" => &["--payload", "--run"],
        "skip" => &["--step"],
        _ => &[],
    };
    let Some(options) = Options::parse(options, known) else { return usage() };
    let filter = match list_filter(&options) {
        Ok(filter) => filter,
        Err(message) => return Ok(Outcome::Usage(message)),
    };
    if app.def.processes.is_empty() {
        return Err(Error::bad_request("the declaration has no process"));
    }
    let state = prepare(app)?.state;
    match *verb {
        "list" => list(&state, &filter, json)?,
        "show" => show(&state, positional, json)?,
        "start" => {
            let input = options.json("--input")?;
            let run = write(&state, |tx| {
                let run = in_tenant(tx, options.get("--tenant"), |tx| start::start_manually(tx, positional, &input))?;
                processes::record(tx, processes::PROCESS_START, &run.process, Some(run.id))?;
                Ok(run)
            })?;
            print_run(&run, json)?;
        }
        "retry" => control(&state, positional, (processes::RUN_RETRY, &Control::Retry), json)?,
        "cancel" => control(&state, positional, (processes::RUN_CANCEL, &Control::Cancel), json)?,
        "skip" => {
            let Some(step) = options.get("--step") else { return usage() };
            control(&state, positional, (processes::RUN_SKIP, &Control::Skip(step.to_owned())), json)?;
        }
        _ => send_signal(&state, positional, &options, json)?,
    }
    Ok(Outcome::Done)
}

/// Options with a value each.
struct Options<'w>(Vec<(&'w str, &'w str)>);

impl<'w> Options<'w> {
    fn parse(words: &[&'w str], known: &[&str]) -> Option<Options<'w>> {
        let (pairs, rest) = words.as_chunks::<2>();
        let fits = rest.is_empty() && pairs.iter().all(|[name, _]| known.contains(name));
        fits.then(|| Options(pairs.iter().map(|[name, value]| (*name, *value)).collect()))
    }

    fn get(&self, name: &str) -> Option<&'w str> {
        self.0.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }

    fn json(&self, name: &str) -> Result<Json> {
        let Some(text) = self.get(name) else { return Ok(Json::Null) };
        serde_json::from_str(text).map_err(|error| Error::bad_request(format!("`{name}` is not JSON: {error}")))
    }
}

fn list_filter(options: &Options<'_>) -> Result<RunFilter, String> {
    let status = options.get("--status");
    if let Some(status) = status.filter(|status| !STATUSES.contains(status)) {
        let near = nearest(status, STATUSES.to_vec());
        let near = near.map_or_else(|| format!("known ones are {}", STATUSES.join(", ")), |near| format!("did you mean `{near}`?"));
        return Err(format!("`{status}` is not a status of a run; {near}"));
    }
    let limit = match options.get("--limit") {
        None => 100,
        Some(text) => text.parse().ok().filter(|limit| *limit > 0).ok_or_else(|| format!("`--limit {text}` is not a whole number"))?,
    };
    Ok(RunFilter { process: options.get("--process").map(str::to_owned), status: status.map(str::to_owned), offset: 0, limit })
}

fn parse_id(id: &str) -> Result<Uuid> {
    Uuid::try_parse(id).map_err(|_| Error::bad_request(format!("`{id}` is not a run; `process list` shows them")))
}

fn write<T>(state: &State, work: impl Fn(&mut Tx<'_>) -> Result<T>) -> Result<T> {
    let request_id = Uuid::now_v7().simple().to_string();
    state.db.write(&mut |conn| work(&mut state.system_tx(conn, &request_id, None)))
}

/// Changes a run, writes an audit record, and prints the run.
fn control(state: &State, id: &str, (action, control): (&str, &Control), json: bool) -> Result<()> {
    let id = parse_id(id)?;
    let run = write(state, |tx| {
        let run = view::control(tx, id, control)?;
        processes::record(tx, action, &run.process, Some(id))?;
        Ok(run)
    })?;
    print_run(&run, json)
}

fn print_run(run: &crate::process::store::Run, json: bool) -> Result<()> {
    match json {
        true => print_line!("{}", view::to_json(run)),
        false => print_line!("{:<12}  {}  {}  {}", run.status, run.id, datetime_text(&run.started_at), run.process),
    }
}

fn list(state: &State, filter: &RunFilter, json: bool) -> Result<()> {
    let runs = state.db.read(&mut |conn| view::list_known(&mut state.system_tx(conn, "process list", None), filter))?;
    if json {
        return print_line!("{}", json!({ "runs": runs.iter().map(view::to_json).collect::<Vec<_>>() }));
    }
    runs.iter().try_for_each(|run| print_run(run, false))?;
    print_line!("{} runs", runs.len())
}

fn show(state: &State, id: &str, json: bool) -> Result<()> {
    let id = parse_id(id)?;
    let (run, details) = state.db.read(&mut |conn| {
        let tx = &mut state.system_tx(conn, "process show", None);
        let run = view::find(tx, id)?;
        let details = view::details(tx, &run)?;
        Ok((run, details))
    })?;
    if json {
        return print_line!("{details}");
    }
    print_run(&run, false)?;
    for part in ["steps", "compensations"] {
        for step in details[part].as_array().into_iter().flatten() {
            let (status, name) = (step["status"].as_str().unwrap_or_default(), step["name"].as_str().unwrap_or_default());
            print_line!("  {status:<10}  {name}  {} attempts", step["attempts"])?;
            if let Some(why) = step["error"]["detail"].as_str() {
                print_line!("              {why}")?;
            }
        }
    }
    Ok(())
}

fn send_signal(state: &State, name: &str, options: &Options<'_>, json: bool) -> Result<()> {
    let payload = options.json("--payload")?;
    let run = options.get("--run").map(parse_id).transpose()?;
    let runs = write(state, |tx| {
        let runs = signal::send_from_outside(tx, name, &payload, run)?;
        processes::record(tx, processes::RUN_SIGNAL, name, run)?;
        Ok(runs)
    })?;
    match json {
        true => print_line!("{}", json!({ "signal": name, "runs": runs })),
        false => print_line!("{runs} runs"),
    }
}
