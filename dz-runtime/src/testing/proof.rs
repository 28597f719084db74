//! Running a proof: worlds, requests, and the smallest case of a disagreement.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

use chrono::{DateTime, TimeZone, Utc};

use super::{
    ask::Ask,
    database::Place,
    invent::Inventor,
    judge::{Judge, Who},
    leak, look,
    plan::{Focus, Planner},
    random::Random,
    recorded,
    served::{Answer, Served},
    store, tenants,
    world::{Stored, World, key_text},
    write::Writes,
};
use crate::{
    App, Clock, Engine, Error, Result, Value, caller,
    def::{AppDef, EntityDef},
};

/// Requests about one world.
const PER_WORLD: usize = 40;
/// Requests of a proof, on each engine, unless somebody says otherwise.
const CASES: usize = 4_000;
/// How often the smallest case is looked for.
const SHRINKS: usize = 300;

/// A proof that the SQL of an application's rules means what the rules say.
///
/// [`prove_access!`](super::prove_access) runs it as most tests need it.
pub struct Proof {
    pub(super) app: Arc<dyn Fn() -> App>,
    pub(super) cases: usize,
    pub(super) seed: u64,
    pub(super) engines: Vec<Engine>,
}

/// What a proof has asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proved {
    /// Requests in all.
    pub cases: usize,
    /// Requests by channel.
    pub channels: BTreeMap<&'static str, usize>,
    /// Requests of anonymous callers.
    pub anonymous: usize,
    /// Requests of accounts with a field that is null.
    pub with_null: usize,
    /// Writes that were done.
    pub written: usize,
    /// Requests of members in a tenant.
    pub in_tenants: usize,
    /// Requests of accounts in no tenant, of an application that has some.
    pub in_none: usize,
}

impl Proof {
    /// A proof of the application that `app` makes, as large as `DZ_PROOF_CASES` says (else 4,000 requests on each engine),
    /// beginning with the world `DZ_PROOF_SEED` (else 1). It runs on every engine that is compiled in; on PostgreSQL with
    /// a database of its own on the server of `DZ_TEST_POSTGRES`, if that is set.
    pub fn new(app: impl Fn() -> App + 'static) -> Proof {
        let number = |name: &str| std::env::var(name).ok().and_then(|text| text.replace('_', "").parse::<u64>().ok());
        let mut engines = Vec::new();
        if cfg!(feature = "sqlite") {
            engines.push(Engine::Sqlite);
        }
        if cfg!(feature = "postgres") && (std::env::var_os("DZ_TEST_POSTGRES").is_some() || engines.is_empty()) {
            engines.push(Engine::Postgres);
        }
        Proof {
            app: Arc::new(app),
            cases: number("DZ_PROOF_CASES").and_then(|cases| usize::try_from(cases).ok()).unwrap_or(CASES),
            seed: number("DZ_PROOF_SEED").unwrap_or(1),
            engines,
        }
    }

    /// Asks so many requests on each engine, whatever the environment says.
    #[must_use]
    pub fn cases(self, cases: usize) -> Proof {
        Proof { cases, ..self }
    }

    /// Runs on this engine alone.
    #[must_use]
    pub fn engine(self, engine: Engine) -> Proof {
        Proof { engines: vec![engine], ..self }
    }

    /// Asks, and compares every answer with the rules.
    ///
    /// # Panics
    /// At the first disagreement, with its seed and the smallest world that shows it; and when the application cannot start.
    pub fn run(&self) -> Proved {
        let mut all = Proved::default();
        for engine in &self.engines {
            let bench = self.begun(*engine, (self.app)());
            match bench.run(self.seed, self.cases) {
                Ok(proved) => all.add(&proved),
                Err(disagreement) => panic!("{disagreement}"),
            }
        }
        all
    }

    pub(super) fn begun(&self, engine: Engine, app: App) -> Bench {
        self.bench(engine, app).unwrap_or_else(|error| panic!("the proof cannot begin on {engine:?}: {}", reason(&error)))
    }

    fn bench(&self, engine: Engine, app: App) -> Result<Bench> {
        let def = app.def;
        let now = Utc.with_ymd_and_hms(2026, 3, 14, 10, 30, 0).single().unwrap_or_default();
        let place = Place::new(engine)?;
        let served = Served::start(app, engine, place.url(), Clock::stopped(now))?;
        Ok(Bench { app: def, inventor: Inventor::new(def, now), served, now, _place: place })
    }
}

/// An application on one engine, under proof.
pub(super) struct Bench {
    pub(super) app: &'static AppDef,
    inventor: Inventor,
    served: Served,
    now: DateTime<Utc>,
    // Dropped last: the database goes after whoever uses it.
    _place: Place,
}

/// A request by somebody about a world.
struct Case {
    world: World,
    /// Key of the account; `None` asks without a session.
    account: Option<Value>,
    ask: Ask,
}

/// A request whose answer is not what the rules say.
pub(super) struct Failed {
    case: Case,
    wrong: String,
    seed: u64,
}

impl Bench {
    fn run(&self, seed: u64, cases: usize) -> Result<Proved, String> {
        self.find(seed, cases, None).map_err(|failed| self.report(*failed))
    }

    /// Asks until an answer is wrong.
    pub(super) fn find(&self, seed: u64, cases: usize, focus: Option<Focus>) -> Result<Proved, Box<Failed>> {
        let mut proved = Proved::default();
        for seed in seed.. {
            let mut random = Random::new(seed);
            let world = self.inventor.world(&mut random);
            let mut tokens = self.put(&world);
            for _ in 0..PER_WORLD {
                if proved.cases == cases {
                    return Ok(proved);
                }
                let account = self.somebody(&mut random, &world);
                let who = self.who(&world, account.as_ref());
                let planner =
                    Planner { app: self.app, inventor: &self.inventor, world: &world, who: &who, engine: self.served.engine, focus };
                let Some(ask) = planner.ask(&mut random) else { continue };
                let (answer, verdict) = self.judged(&world, &who, self.session(&tokens, account.as_ref()), &ask);
                if let Err(wrong) = verdict {
                    return Err(Box::new(Failed { case: Case { world, account, ask }, wrong, seed }));
                }
                proved.count(self.app, &world, &who, &ask, &answer);
                if ask.writes() && answer.status < 400 {
                    tokens = self.put(&world);
                }
            }
        }
        Ok(proved)
    }

    /// Who asks next: nobody in a quarter of all cases, and else mostly an account that is active.
    fn somebody(&self, random: &mut Random, world: &World) -> Option<Value> {
        let def = self.app.account();
        let all: Vec<&Stored> = world.rows[usize::from(def.ix)].iter().collect();
        let active: Vec<&Stored> = all.iter().copied().filter(|row| is_active(def, row)).collect();
        let any = active.is_empty() || random.once_in(6);
        let account = if random.once_in(4) { None } else { random.pick(if any { &all } else { &active }) };
        account.map(|row| row.value(def.pk).clone())
    }

    fn put(&self, world: &World) -> BTreeMap<String, String> {
        self.served.put(world).unwrap_or_else(|error| panic!("a world could not be stored on {:?}: {}", self.served.engine, reason(&error)))
    }

    fn session<'t>(&self, tokens: &'t BTreeMap<String, String>, account: Option<&Value>) -> Option<&'t str> {
        account.and_then(|key| tokens.get(&key_text(key))).map(String::as_str)
    }

    /// Who a session belongs to: nobody, when its account is not active.
    fn who(&self, world: &World, account: Option<&Value>) -> Who {
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
        let place = account.as_ref().map(|key| tenants::whereabouts(self.app, world, key, roles, granted)).unwrap_or_default();
        Who { account, roles, place, now: self.now, today }
    }

    /// Sends a request, and compares the answer with the rules.
    fn judged(&self, world: &World, who: &Who, session: Option<&str>, ask: &Ask) -> (Answer, Result<(), String>) {
        let request = ask.request(self.app);
        if let Ask::Typed(entity, _, query) = ask {
            self.served.next.set(entity, query);
        }
        let last = if recorded::is_kept(self.app) { recorded::last(self.served.db()).ok() } else { None };
        let answer = self.served.send(&request, session);
        let seen = world.seen_by(who);
        let judge = Judge::new(&seen, who);
        if answer.status >= 500 && answer.status != 501 {
            let wrong = format!("status {}: {}", answer.status, answer.body);
            return (answer, Err(wrong));
        }
        let mut after = None;
        let mut verdict = match ask.writes() {
            false => look::check(&judge, ask, &answer),
            true => store::dump(self.served.db(), self.app).map_err(|error| error.to_string()).and_then(|rows| {
                let writes = Writes { judge: &judge, whole: world, inventor: &self.inventor, hooks: &self.served.state.hooks };
                let verdict = writes.check(ask, &answer, &rows);
                after = Some(World { rows, ..world.clone() }.seen_by(who));
                verdict
            }),
        };
        // Where a write was done other rows may be seen than before.
        if !(ask.writes() && answer.status < 400) {
            verdict = verdict.and_then(|()| leak::check(&judge, world, ask, &request, &answer));
        }
        if let Some(last) = last {
            let found = recorded::since(self.served.db(), last.as_ref()).map_err(|error| error.to_string());
            let judge = Judge::new(after.as_ref().unwrap_or(&seen), who);
            verdict = verdict.and_then(|()| found.and_then(|found| recorded::check(&judge, ask, &answer, &found)));
        }
        (answer, verdict)
    }

    /// What is wrong about a case; nothing when it is as the rules say.
    fn wrong(&self, case: &Case) -> Option<String> {
        let tokens = self.served.put(&case.world).ok()?;
        let who = self.who(&case.world, case.account.as_ref());
        self.judged(&case.world, &who, self.session(&tokens, case.account.as_ref()), &case.ask).1.err()
    }

    /// Leaves out of a case whatever it does not need to go wrong.
    fn smallest(&self, mut case: Case, mut wrong: String) -> (Case, String) {
        let mut tries = 0;
        let mut smaller = true;
        while smaller && tries < SHRINKS {
            smaller = false;
            for world in less(&case.world) {
                tries += 1;
                let tried = Case { world, account: case.account.clone(), ask: case.ask.clone() };
                if let Some(still) = self.wrong(&tried) {
                    (case, wrong, smaller) = (tried, still, true);
                    break;
                }
                if tries >= SHRINKS {
                    break;
                }
            }
        }
        (case, wrong)
    }

    pub(super) fn report(&self, failed: Failed) -> String {
        let Failed { case, wrong, seed } = failed;
        let (case, wrong) = self.smallest(case, wrong);
        let who = self.who(&case.world, case.account.as_ref());
        let request = case.ask.request(self.app);
        let mut text = format!("the rules and the SQL do not agree on {:?}: {wrong}\n\n", self.served.engine);
        let _ = writeln!(text, "  {} {} {}", request.method, request.path, request.body);
        let roles = self.app.roles.iter().enumerate().filter(|(bit, _)| (who.roles | who.place.roles) >> bit & 1 == 1);
        let roles = roles.map(|(_, role)| role.name).collect::<Vec<_>>().join(", ");
        let place = match &who.place.tenant {
            _ if self.app.tenant().is_none() => String::new(),
            Some(tenant) => format!(" in the tenant {}", key_text(tenant)),
            None => " in no tenant".to_owned(),
        };
        let _ = match &who.account {
            Some(key) => writeln!(text, "  by account {} with the roles [{roles}]{place}", key_text(key)),
            None => writeln!(text, "  by nobody who is signed in"),
        };
        text.push_str("\nin this world:\n");
        for (entity, rows) in self.app.entities.iter().zip(&case.world.rows) {
            for row in rows {
                let _ = write!(text, "  {}{}", entity.name, if row.deleted { " (deleted)" } else { "" });
                for (field, value) in entity.fields.iter().zip(&row.values).filter(|(_, value)| !value.is_null()) {
                    let _ = write!(text, " {}={}", field.name, shown(value));
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

/// What went wrong, also where clients are not told.
fn reason(error: &Error) -> String {
    let fields = error.field_errors.iter().map(|(name, wrong)| format!("; {name} {}", wrong.join(", ")));
    error.internal.as_deref().map_or_else(|| error.to_string(), str::to_owned) + &fields.collect::<String>()
}

/// The same world with a little less in it.
fn less(world: &World) -> impl Iterator<Item = World> + use<> {
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

fn shown(value: &Value) -> String {
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

impl Proved {
    fn count(&mut self, app: &'static AppDef, world: &World, who: &Who, ask: &Ask, answer: &Answer) {
        self.cases += 1;
        *self.channels.entry(ask.channel()).or_default() += 1;
        self.written += usize::from(ask.writes() && answer.status < 400);
        let account = app.account();
        if app.tenant().is_some() && who.account.is_some() {
            *(if who.place.tenant.is_some() { &mut self.in_tenants } else { &mut self.in_none }) += 1;
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

    fn add(&mut self, other: &Proved) {
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
