//! Runs the property test: data sets, requests, and the smallest case of a difference.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{DateTime, TimeZone, Utc};

use super::{
    check_audit, check_leaks, check_reads,
    check_writes::WriteOracle,
    database::TestDatabase,
    environment,
    generate::Generator,
    graphql,
    operation::{Operation, Target},
    oracle::{Oracle, TestCaller},
    plan::{Focus, Planner},
    random::Random,
    server::{Answer, TestServer},
    store, tenants,
    world::{Stored, World, key_text},
};
use crate::{
    App, Clock, Engine, Error, Result, Value, caller,
    def::{AppDef, EntityDef},
};

/// The number of requests to one data set.
pub(super) const CASES_PER_WORLD: usize = 40;
/// The maximum number of attempts to reduce a case.
const MAX_SHRINKS: usize = 300;

/// The property test of the access rules of an application: it compares the running application with the oracle.
///
/// [`prove_access!`](super::prove_access) runs it with the default settings.
pub struct Proof {
    pub(super) app: Arc<dyn Fn() -> App>,
    pub(super) cases: usize,
    pub(super) seed: u64,
    pub(super) engines: Vec<Engine>,
    /// Parts of descriptions of conditions whose removal has no effect, each with the maximum number of places.
    pub(super) implied: Vec<(String, usize)>,
}

/// The report of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProofReport {
    /// The number of requests.
    pub cases: usize,
    /// Requests by channel.
    pub channels: BTreeMap<&'static str, usize>,
    /// Requests of anonymous callers.
    pub anonymous: usize,
    /// Requests of accounts with a field that is null.
    pub with_null: usize,
    /// Successful writes.
    pub written: usize,
    /// Requests of members in a tenant.
    pub in_tenants: usize,
    /// Requests of accounts without a tenant, in applications with tenants.
    pub in_none: usize,
}

impl Proof {
    /// The property test of the application that `app` returns, with `DZ_PROOF_CASES` requests on each engine (default 4,000) and the
    /// first seed `DZ_PROOF_SEED` (default 1). It runs on every compiled engine; on PostgreSQL in a database of its own on the server
    /// of `DZ_TEST_POSTGRES`, if that is set.
    ///
    /// # Panics
    /// If one of these variables has an invalid value.
    pub fn new(app: impl Fn() -> App + 'static) -> Proof {
        let environment = environment::read_process();
        let mut engines = Vec::new();
        if cfg!(feature = "sqlite") {
            engines.push(Engine::Sqlite);
        }
        if cfg!(feature = "postgres") && (environment.server.is_some() || engines.is_empty()) {
            engines.push(Engine::Postgres);
        }
        let cases = usize::try_from(environment.cases).unwrap_or(usize::MAX);
        Proof { app: Arc::new(app), cases, seed: environment.seed, engines, implied: Vec::new() }
    }

    /// Sets the number of requests on each engine, and ignores the environment.
    #[must_use]
    pub fn cases(self, cases: usize) -> Proof {
        Proof { cases, ..self }
    }

    /// Names conditions whose removal has no effect, because another condition implies them, for the searches for undetected removals:
    /// a part of the description of a condition, with the maximum number of such places. The searches do not return them, and do not
    /// repeat their search while there are no more of them, which saves most of the time.
    #[must_use]
    pub fn implied<T: Into<String>>(self, conditions: impl IntoIterator<Item = (T, usize)>) -> Proof {
        Proof { implied: conditions.into_iter().map(|(part, most)| (part.into(), most)).collect(), ..self }
    }

    /// Runs on this engine only.
    #[must_use]
    pub fn engine(self, engine: Engine) -> Proof {
        Proof { engines: vec![engine], ..self }
    }

    /// Sends the requests, and compares every response with the rules.
    ///
    /// # Panics
    /// At the first difference, with its seed and the smallest data set that shows it; also if the application cannot start.
    pub fn run(&self) -> ProofReport {
        let mut all = ProofReport::default();
        for engine in &self.engines {
            let bench = self.start_run(*engine, (self.app)());
            match bench.run(self.seed, self.cases) {
                Ok(proved) => all.add(&proved),
                Err(disagreement) => panic!("{disagreement}"),
            }
        }
        all
    }

    pub(super) fn start_run(&self, engine: Engine, app: App) -> ProofRun {
        self.open_run(engine, app).unwrap_or_else(|error| panic!("the proof cannot begin on {engine:?}: {}", error_text(&error)))
    }

    fn open_run(&self, engine: Engine, app: App) -> Result<ProofRun> {
        let def = app.def;
        let now = Utc.with_ymd_and_hms(2026, 3, 14, 10, 30, 0).single().unwrap_or_default();
        let place = TestDatabase::new(engine)?;
        let served = TestServer::start(app, engine, place.url(), Clock::stopped(now))?;
        Ok(ProofRun { app: def, inventor: Generator::new(def, now), served, now, sent: LastTarget::default(), _place: place })
    }
}

/// The target of the request under way, shared with what observes the application.
#[derive(Clone, Default)]
pub(super) struct LastTarget(Arc<Mutex<Option<Target>>>);

impl LastTarget {
    fn set(&self, target: Target) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(target);
    }

    /// The target; `None` before the first request.
    pub fn get(&self) -> Option<Target> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A proof of an application on one engine.
pub(super) struct ProofRun {
    pub(super) app: &'static AppDef,
    inventor: Generator,
    served: TestServer,
    now: DateTime<Utc>,
    /// The target of the request under way.
    pub(super) sent: LastTarget,
    // Dropped last, because the other fields use the database.
    _place: TestDatabase,
}

/// A request of a caller to a world.
struct Case {
    world: World,
    /// The key of the account; `None` for a request without a session.
    account: Option<Value>,
    ask: Operation,
}

/// A request whose response violates the rules.
pub(super) struct Failure {
    case: Case,
    wrong: String,
    /// The seed of its world.
    pub(super) seed: u64,
}

impl ProofRun {
    fn run(&self, seed: u64, cases: usize) -> Result<ProofReport, String> {
        self.find(seed, cases, None).map_err(|failed| self.report(*failed))
    }

    /// Sends requests until a response violates the rules.
    pub(super) fn find(&self, seed: u64, cases: usize, focus: Option<&Focus>) -> Result<ProofReport, Box<Failure>> {
        let mut proved = ProofReport::default();
        for seed in seed.. {
            let mut random = Random::new(seed);
            let world = self.inventor.world(&mut random);
            let mut tokens = self.store_world(&world);
            for _ in 0..CASES_PER_WORLD {
                if proved.cases == cases {
                    return Ok(proved);
                }
                let account = self.pick_account(&mut random, &world);
                let who = self.test_caller(&world, account.as_ref());
                let planner =
                    Planner { app: self.app, inventor: &self.inventor, world: &world, who: &who, engine: self.served.engine, focus };
                let Some(ask) = planner.plan_operation(&mut random) else { continue };
                let (answer, verdict) = self.send_and_check(&world, &who, self.session_of(&tokens, account.as_ref()), &ask);
                if let Err(wrong) = verdict {
                    return Err(Box::new(Failure { case: Case { world, account, ask }, wrong, seed }));
                }
                proved.count(self.app, &world, &who, &ask, &answer);
                if ask.writes() && answer.status < 400 {
                    tokens = self.store_world(&world);
                }
            }
        }
        Ok(proved)
    }

    /// Selects the caller: in a quarter of all cases anonymous, otherwise mostly an active account.
    fn pick_account(&self, random: &mut Random, world: &World) -> Option<Value> {
        let def = self.app.account();
        let all: Vec<&Stored> = world.rows[usize::from(def.ix)].iter().collect();
        let active: Vec<&Stored> = all.iter().copied().filter(|row| is_active(def, row)).collect();
        let any = active.is_empty() || random.once_in(6);
        let account = if random.once_in(4) { None } else { random.pick(if any { &all } else { &active }) };
        account.map(|row| row.value(def.pk).clone())
    }

    fn store_world(&self, world: &World) -> BTreeMap<String, String> {
        self.served
            .store_world(world)
            .unwrap_or_else(|error| panic!("a world could not be stored on {:?}: {}", self.served.engine, error_text(&error)))
    }

    fn session_of<'t>(&self, tokens: &'t BTreeMap<String, String>, account: Option<&Value>) -> Option<&'t str> {
        account.and_then(|key| tokens.get(&key_text(key))).map(String::as_str)
    }

    /// The caller of a session; anonymous if its account is not active.
    fn test_caller(&self, world: &World, account: Option<&Value>) -> TestCaller {
        let def = self.app.account();
        let row = account.and_then(|key| world.find(def.ix, key)).filter(|row| is_active(def, row));
        let granted = row.and_then(|row| world.granted.get(&key_text(row.value(def.pk)))).copied().unwrap_or_default();
        let mut roles = granted;
        for name in ["role", "roles"] {
            let Some(value) = row.and_then(|row| def.find(name).map(|(at, _)| row.value(at))) else { continue };
            let held = |role: &str| match value {
                Value::Text(text) => text == role,
                Value::Json(serde_json::Value::Array(names)) => names.iter().any(|name| name == role),
                _ => false,
            };
            roles |= self.app.roles.iter().enumerate().filter(|(_, role)| held(role.name)).fold(0, |mask, (bit, _)| mask | 1 << bit);
        }
        let today = caller::today(self.app, self.now);
        let account = row.map(|row| row.value(def.pk).clone());
        let place = account.as_ref().map(|key| tenants::resolve_tenant(self.app, world, key, roles, granted)).unwrap_or_default();
        TestCaller { account, roles, tenant_state: place, now: self.now, today }
    }

    /// Sends a request, and compares the response with the rules.
    fn send_and_check(&self, world: &World, who: &TestCaller, session: Option<&str>, ask: &Operation) -> (Answer, Result<(), String>) {
        let request = ask.request(self.app);
        if let Operation::Typed(entity, _, query) = ask {
            self.served.next.set(entity, query);
        }
        let last = if check_audit::is_kept(self.app) { check_audit::load_last(self.served.db()).ok() } else { None };
        self.sent.set(ask.target());
        let answer = self.served.send(&request, session);
        let seen = world.visible_to(who);
        let oracle = Oracle::new(&seen, who);
        // GraphQL requires an account, also where the rules permit anonymous callers.
        let refused = matches!(ask, Operation::GraphQl(_)) && who.account.is_none();
        let (ask, answer) = if let Operation::GraphQl(inner) = ask {
            match graphql::to_api(&oracle, inner, &answer) {
                Ok(answer) => (&**inner, answer),
                Err(wrong) => return (answer, Err(wrong)),
            }
        } else {
            (ask, answer)
        };
        if answer.status >= 500 && answer.status != 501 {
            let wrong = format!("status {}: {}", answer.status, answer.body);
            return (answer, Err(wrong));
        }
        let mut after = None;
        let mut verdict = match ask.writes() {
            _ if refused => check_reads::check_status(&answer, &[401], "GraphQL requires an account"),
            false => check_reads::check(&oracle, ask, &answer),
            true => store::load_world(self.served.db(), self.app).map_err(|error| error.to_string()).and_then(|rows| {
                let writes = WriteOracle { oracle: &oracle, whole: world, inventor: &self.inventor, hooks: &self.served.state.hooks };
                let verdict = writes.check(ask, &answer, &rows);
                after = Some(World { rows, ..world.clone() }.visible_to(who));
                verdict
            }),
        };
        // After a successful write, other rows can be visible.
        if !(ask.writes() && answer.status < 400) {
            verdict = verdict.and_then(|()| check_leaks::check(&oracle, world, ask, &request, &answer));
        }
        if let Some(last) = last {
            let found = check_audit::load_since(self.served.db(), last.as_ref()).map_err(|error| error.to_string());
            let oracle = Oracle::new(after.as_ref().unwrap_or(&seen), who);
            let hooks = &self.served.state.hooks;
            let runs_hooks = ask.writes() && self.app.entities.iter().any(|entity| hooks.for_entity(entity.ix).is_some());
            verdict = verdict.and_then(|()| found.and_then(|found| check_audit::check(&oracle, ask, &answer, &found, runs_hooks)));
        }
        (answer, verdict)
    }

    /// The error of a case; `None` if the response follows the rules.
    fn find_error(&self, case: &Case) -> Option<String> {
        let tokens = self.served.store_world(&case.world).ok()?;
        let who = self.test_caller(&case.world, case.account.as_ref());
        self.send_and_check(&case.world, &who, self.session_of(&tokens, case.account.as_ref()), &case.ask).1.err()
    }

    /// Reduces a case to the smallest one with the same error.
    fn shrink(&self, mut case: Case, mut wrong: String) -> (Case, String) {
        let mut tries = 0;
        let mut smaller = true;
        while smaller && tries < MAX_SHRINKS {
            smaller = false;
            for world in smaller_worlds(&case.world) {
                tries += 1;
                let tried = Case { world, account: case.account.clone(), ask: case.ask.clone() };
                if let Some(still) = self.find_error(&tried) {
                    (case, wrong, smaller) = (tried, still, true);
                    break;
                }
                if tries >= MAX_SHRINKS {
                    break;
                }
            }
        }
        (case, wrong)
    }

    pub(super) fn report(&self, failed: Failure) -> String {
        let Failure { case, wrong, seed } = failed;
        let (case, wrong) = self.shrink(case, wrong);
        let who = self.test_caller(&case.world, case.account.as_ref());
        let request = case.ask.request(self.app);
        let mut text = format!("the rules and the SQL do not agree on {:?}: {wrong}\n\n", self.served.engine);
        let _ = writeln!(text, "  {} {} {}", request.method, request.path, request.body);
        let roles = self.app.roles.iter().enumerate().filter(|(bit, _)| (who.roles | who.tenant_state.roles) >> bit & 1 == 1);
        let roles = roles.map(|(_, role)| role.name).collect::<Vec<_>>().join(", ");
        let place = match &who.tenant_state.tenant {
            _ if self.app.tenant().is_none() => String::new(),
            Some(tenant) => format!(" in the tenant {}", key_text(tenant)),
            None => " in no tenant".to_owned(),
        };
        let _ = match &who.account {
            Some(key) => writeln!(text, "  by account {} with the roles [{roles}]{place}", key_text(key)),
            None => writeln!(text, "  by a caller who is not signed in"),
        };
        text.push_str("\nin this world:\n");
        for (entity, rows) in self.app.entities.iter().zip(&case.world.rows) {
            for row in rows {
                let _ = write!(text, "  {}{}", entity.name, if row.deleted { " (deleted)" } else { "" });
                for (field, value) in entity.fields.iter().zip(&row.values).filter(|(_, value)| !value.is_null()) {
                    let _ = write!(text, " {}={}", field.name, format_value(value));
                }
                text.push('\n');
            }
        }
        let _ = write!(text, "\nagain, beginning with this world: DZ_PROOF_SEED={seed} cargo test");
        text
    }
}

fn is_active(account: &'static EntityDef, row: &Stored) -> bool {
    account.find("is_active").is_none_or(|(at, _)| *row.value(at) == Value::Bool(true))
}

/// The error, with details that clients do not get.
fn error_text(error: &Error) -> String {
    let fields = error.field_errors.iter().map(|(name, wrong)| format!("; {name} {}", wrong.join(", ")));
    error.internal.as_deref().map_or_else(|| error.to_string(), str::to_owned) + &fields.collect::<String>()
}

/// Copies of a world with slightly less content.
fn smaller_worlds(world: &World) -> impl Iterator<Item = World> + use<> {
    let mut all = Vec::new();
    let several = world.app.entities.iter().copied().filter(|entity| !entity.tenancy.is_singleton());
    for entity in several.clone() {
        for at in (0..world.rows[usize::from(entity.ix)].len()).rev() {
            let key = world.rows[usize::from(entity.ix)][at].value(entity.pk);
            if !world.is_referred_to(entity, key) {
                all.push((entity, at, None));
            }
        }
    }
    for entity in several {
        for at in 0..world.rows[usize::from(entity.ix)].len() {
            for (ix, field) in entity.fields.iter().enumerate() {
                if !field.required && ix != usize::from(entity.pk) && !world.rows[usize::from(entity.ix)][at].values[ix].is_null() {
                    all.push((entity, at, Some(ix)));
                }
            }
        }
    }
    let world = world.clone();
    all.into_iter().map(move |(entity, at, field)| {
        let mut less = world.clone();
        let rows = &mut less.rows[usize::from(entity.ix)];
        match field {
            None => drop(rows.remove(at)),
            Some(field) => rows[at].values[field] = Value::Null,
        }
        less
    })
}

fn format_value(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("{text:?}"),
        Value::Date(day) => day.to_string(),
        Value::DateTime(at) => at.to_rfc3339(),
        Value::Bool(holds) => holds.to_string(),
        Value::Decimal(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Json(json) => json.to_string(),
        other => key_text(other),
    }
}

impl ProofReport {
    fn count(&mut self, app: &'static AppDef, world: &World, who: &TestCaller, ask: &Operation, answer: &Answer) {
        self.cases += 1;
        *self.channels.entry(ask.channel()).or_default() += 1;
        self.written += usize::from(ask.writes() && answer.status < 400);
        let account = app.account();
        if app.tenant().is_some() && who.account.is_some() {
            *(if who.tenant_state.tenant.is_some() { &mut self.in_tenants } else { &mut self.in_none }) += 1;
        }
        match who.account.as_ref().and_then(|key| world.find(account.ix, key)) {
            None => self.anonymous += 1,
            Some(row) => {
                let free =
                    account.fields.iter().zip(&row.values).filter(|(field, _)| field.is_stored() && !field.secret && !field.required);
                self.with_null += usize::from(free.into_iter().any(|(_, value)| value.is_null()));
            }
        }
    }

    fn add(&mut self, other: &ProofReport) {
        self.cases += other.cases;
        self.anonymous += other.anonymous;
        self.with_null += other.with_null;
        self.written += other.written;
        self.in_tenants += other.in_tenants;
        self.in_none += other.in_none;
        for (channel, cases) in &other.channels {
            *self.channels.entry(channel).or_default() += cases;
        }
    }
}
