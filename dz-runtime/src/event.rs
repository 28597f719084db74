//! Events of rows, delivered to Rust code of the application after the commit.

pub(crate) mod run;

use std::{any::TypeId, collections::BTreeSet, fmt, sync::Arc};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{
    CallIntent, Caller, Clock, Entity, Error, Hooks, IntoValue, Result, Services, Tx, Value,
    blocking::block_on,
    db::{Conn, Database},
    def::{AppDef, EntityIx},
    record::Row,
};

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    /// The row was created.
    Created,
    /// The row was updated, by a user, a transition or the system.
    Updated,
    /// The row was deleted.
    Deleted,
}

impl Event {
    /// The name in declarations and in the outbox.
    pub fn name(self) -> &'static str {
        match self {
            Event::Created => "created",
            Event::Updated => "updated",
            Event::Deleted => "deleted",
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An event of a row of `E`, for a subscriber (see [`App::on`](crate::App::on)).
#[derive(Debug, Clone)]
pub struct Happened<E> {
    /// Equal for every attempt and every subscriber; use it to detect a repeated delivery.
    pub id: Uuid,
    /// The kind of the event.
    pub event: Event,
    /// The time of the write.
    pub at: DateTime<Utc>,
    /// The row as it was written; for a deletion, its last version.
    pub row: E,
    /// The row before an update.
    pub before: Option<E>,
    /// The key of the account that made the write; `None` for the system and for anonymous callers.
    pub account: Option<Value>,
    /// The number of the attempt, from 1.
    pub attempt: u32,
}

/// As [`Happened`], without the type.
#[derive(Clone)]
pub(crate) struct Occurrence {
    pub(crate) id: Uuid,
    pub(crate) event: Event,
    pub(crate) at: DateTime<Utc>,
    pub(crate) row: Row,
    pub(crate) before: Option<Row>,
    pub(crate) account: Option<Value>,
    /// The trace of the write, as the header `traceparent`.
    pub(crate) trace: Option<String>,
    pub(crate) attempt: u32,
}

/// The interface for subscribers: units of work of the system, without access rules, on the rows of the event's tenant.
///
/// It holds no connection, so a slow subscriber does not block the database.
#[derive(Clone)]
pub struct SystemCx {
    app: &'static AppDef,
    db: Database,
    hooks: Arc<Hooks>,
    clock: Clock,
    request_id: String,
    tenant: Option<Value>,
}

impl SystemCx {
    pub(crate) fn new(app: &'static AppDef, db: Database, hooks: Arc<Hooks>, clock: Clock) -> SystemCx {
        SystemCx { app, db, hooks, clock, request_id: String::new(), tenant: None }
    }

    /// For the event that `request_id` identifies, of a row of this tenant.
    pub(crate) fn for_event(self, request_id: String, tenant: Option<Value>) -> SystemCx {
        SystemCx { request_id, tenant, ..self }
    }

    /// The key of the event's tenant; `None` for a row without a tenant.
    pub fn tenant(&self) -> Option<&Value> {
        self.tenant.as_ref()
    }

    /// The same interface for the rows of another tenant.
    #[must_use]
    pub fn in_tenant(&self, tenant: impl IntoValue) -> SystemCx {
        SystemCx { tenant: Some(tenant.into_value()), ..self.clone() }
    }

    /// The clock of the application.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    fn unit_of_work<'c>(&self, conn: &'c mut Conn) -> Tx<'c> {
        Tx::new(conn, self.app, self.hooks.clone(), self.caller())
    }

    /// The value of this type that [`App::manage`](crate::App::manage) has added.
    ///
    /// # Errors
    /// 500 if the application manages none.
    pub fn state<T: Send + Sync + 'static>(&self) -> Result<Arc<T>> {
        self.hooks.state()
    }

    /// Waits for a future. Call it from subscribers, jobs and commands, which run on threads that can block.
    ///
    /// # Errors
    /// 500 if a command cannot start an async runtime.
    pub fn block_on<F: Future>(&self, future: F) -> Result<F::Output> {
        block_on(future)
    }

    pub(crate) fn app(&self) -> &'static AppDef {
        self.app
    }

    /// The system as the caller, on the rows of the tenant.
    pub(crate) fn caller(&self) -> Caller {
        let caller = Caller { request_id: self.request_id.clone(), ..Caller::system(self.app, self.clock.now()) };
        caller.for_tenant(self.tenant.clone())
    }

    /// The services of the application.
    pub(crate) fn services(&self) -> &Services {
        &self.hooks.services
    }

    /// The intents of the application, if it has any.
    pub(crate) fn intents(&self) -> Option<&dyn CallIntent> {
        self.hooks.intents.as_deref()
    }

    pub(crate) fn database(&self) -> &Database {
        &self.db
    }

    /// Runs `work` inside one write transaction; an error rolls it back. On PostgreSQL it can run again after a
    /// serialization failure.
    ///
    /// # Errors
    /// Those of `work`; 503 if the database is unavailable.
    pub fn run<T>(&self, mut work: impl FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.db.write(&mut |conn| work(&mut self.unit_of_work(conn)))
    }

    /// Runs `work` on a connection that only reads.
    ///
    /// # Errors
    /// Those of `work`; 503 if the database is unavailable.
    pub fn read<T>(&self, mut work: impl FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.db.read(&mut |conn| work(&mut self.unit_of_work(conn)))
    }
}

type Deliver = Box<dyn Fn(&SystemCx, &Occurrence) -> Result<()> + Send + Sync>;

/// A subscriber of an event.
pub(crate) struct Subscriber {
    pub(crate) entity: EntityIx,
    pub(crate) event: Event,
    /// The name identifies the subscriber across restarts: a pending event for an unknown name cannot be delivered. Subscribers of an
    /// entity with one name get the events of a row in their order.
    name: String,
    /// True for a name that the application declares.
    is_declared: bool,
    /// Names of earlier versions, whose pending events this subscriber gets.
    pub(crate) former_names: Vec<String>,
    /// The former name that depends on the order of registration; a subscriber with a declared name does not have it.
    numbered_name: Option<String>,
    function: TypeId,
    pub(crate) deliver: Deliver,
}

impl Subscriber {
    /// Creates a subscriber that has no declared name: its name is that of its entity.
    pub(crate) fn new<E: Entity, F>(others: &[Subscriber], event: Event, f: F) -> Subscriber
    where
        F: Fn(&SystemCx, &Happened<E>) -> Result<()> + Send + Sync + 'static,
    {
        // The name that the first version of dz stored.
        let legacy = legacy_name::<E, F>(others, event);
        let deliver: Deliver = Box::new(move |cx, occurrence| f(cx, &to_typed(occurrence)?));
        let subscriber = Subscriber::with_function::<E>(others, event, TypeId::of::<F>(), deliver);
        Subscriber { former_names: vec![legacy], ..subscriber }
    }

    /// As [`new`](Subscriber::new), for a function that takes the event.
    pub(crate) fn with_owned<E: Entity, F>(others: &[Subscriber], event: Event, f: F) -> Subscriber
    where
        F: Fn(&SystemCx, Happened<E>) -> Result<()> + Send + Sync + 'static,
    {
        let deliver: Deliver = Box::new(move |cx, occurrence| f(cx, to_typed(occurrence)?));
        Subscriber::with_function::<E>(others, event, TypeId::of::<F>(), deliver)
    }

    fn with_function<E: Entity>(others: &[Subscriber], event: Event, function: TypeId, deliver: Deliver) -> Subscriber {
        let (entity, name) = (E::DEF.ix, unnamed(E::DEF.name));
        let numbered_name = numbered_name::<E>(others, event, function);
        Subscriber { entity, event, name, is_declared: false, former_names: Vec::new(), numbered_name, function, deliver }
    }

    /// Creates a subscriber of dz itself, with a name that it keeps.
    pub(crate) fn for_row(
        entity: EntityIx,
        event: Event,
        name: &str,
        f: impl Fn(&SystemCx, &Occurrence) -> Result<()> + Send + Sync + 'static,
    ) -> Subscriber {
        let (name, function) = (name.to_owned(), TypeId::of::<Subscriber>());
        let (former_names, numbered_name) = (Vec::new(), None);
        Subscriber { entity, event, name, is_declared: true, former_names, numbered_name, function, deliver: Box::new(f) }
    }

    /// The name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Every name of earlier versions.
    pub(crate) fn former_names(&self) -> impl Iterator<Item = &str> {
        let numbered = self.numbered_name.as_ref().filter(|numbered| **numbered != self.name);
        self.former_names.iter().chain(numbered).map(String::as_str)
    }

    /// Sets the declared name.
    pub(crate) fn declare_name(&mut self, name: &str) {
        name.clone_into(&mut self.name);
        self.is_declared = true;
        // It is perhaps that of another subscriber without a declared name.
        self.numbered_name = None;
    }

    /// True if the other one has the same name and event.
    pub(crate) fn is_same(&self, other: &Subscriber) -> bool {
        (self.entity, self.event, &self.name) == (other.entity, other.event, &other.name)
    }

    /// The reason why this subscriber cannot have the name of another one of the same event.
    pub(crate) fn describe_duplicate(&self, first: &Subscriber, entity: &str) -> String {
        if self.is_declared {
            describe_same_name(&self.name)
        } else {
            let stored = |it: &Subscriber| it.numbered_name.clone().unwrap_or_else(|| it.name.clone());
            describe_unnamed(&format!("`{}` of `{entity}`", self.event), [&stored(first), &stored(self)])
        }
    }
}

/// The name of the subscribers of an entity or process that have no declared name. It depends on neither their order nor the names of
/// their functions, so that pending events find their subscriber after every change of the code. The number is that of the first
/// subscriber in databases of earlier versions.
fn unnamed(subject: &str) -> String {
    format!("{subject} 1")
}

/// The refusal of two subscribers of one event with one declared name.
fn describe_same_name(name: &str) -> String {
    format!("two subscribers of the same event are named `{name}`; give one another name")
}

/// The refusal of two subscribers of one event without declared names.
fn describe_unnamed(event: &str, [first, second]: [&str; 2]) -> String {
    format!(
        "two subscribers of {event} have no name: write `.named(\"…\").was(\"{first}\")` after the first one, and \
         `.named(\"…\").was(\"{second}\")` after the second one; `.was` gives each its pending events"
    )
}

/// The name that an earlier version stored: the number of the function among the unnamed functions of its entity.
fn numbered_name<E: Entity>(others: &[Subscriber], event: Event, function: TypeId) -> Option<String> {
    let unnamed = || others.iter().filter(|other| other.entity == E::DEF.ix && !other.is_declared);
    let same = unnamed().find(|other| other.function == function && !unnamed().any(|it| it.function == function && it.event == event));
    let number = unnamed().filter_map(|other| other.numbered_name.as_ref()).collect::<BTreeSet<_>>().len() + 1;
    Some(same.and_then(|other| other.numbered_name.clone()).unwrap_or_else(|| format!("{} {number}", E::DEF.name)))
}

/// The name of a function, with a number for several closures with one name. It is only compared with stored names, because a renamed
/// function or another compiler changes it.
fn legacy_name<E: Entity, F: 'static>(others: &[Subscriber], event: Event) -> String {
    let function = TypeId::of::<F>();
    let plain = format!("{} {}", E::DEF.name, std::any::type_name::<F>());
    let same_entity = || others.iter().filter(|other| other.entity == E::DEF.ix);
    let twice = same_entity().any(|other| (other.event, other.function) == (event, function));
    let same = same_entity().find(|other| other.function == function && !twice);
    let numbered = (2..).map(|number| format!("{plain} #{number}"));
    let is_free = |name: &String| !same_entity().any(|other| other.former_names.first() == Some(name));
    let free = std::iter::once(plain.clone()).chain(numbered).find(is_free);
    same.and_then(|other| other.former_names.first().cloned()).or(free).unwrap_or(plain)
}

#[cfg(feature = "testing")]
impl Subscriber {
    /// Creates a subscriber for the rows of any entity.
    pub(crate) fn for_any(entity: EntityIx, event: Event, f: impl Fn(&Occurrence) + Send + Sync + 'static) -> Subscriber {
        let deliver: Deliver = Box::new(move |_, occurrence| {
            f(occurrence);
            Ok(())
        });
        let (name, function) = (format!("dz test {entity}"), TypeId::of::<Subscriber>());
        let (former_names, numbered_name) = (Vec::new(), None);
        Subscriber { entity, event, name, is_declared: true, former_names, numbered_name, function, deliver }
    }
}

/// Converts an event to that of its entity.
pub(crate) fn to_typed<E: Entity>(occurrence: &Occurrence) -> Result<Happened<E>> {
    Ok(Happened {
        id: occurrence.id,
        event: occurrence.event,
        at: occurrence.at,
        row: E::from_row(occurrence.row.clone())?,
        before: occurrence.before.clone().map(E::from_row).transpose()?,
        account: occurrence.account.clone(),
        attempt: occurrence.attempt,
    })
}

impl std::str::FromStr for Event {
    type Err = Error;

    fn from_str(name: &str) -> Result<Event> {
        let known = [Event::Created, Event::Updated, Event::Deleted].into_iter().find(|event| event.name() == name);
        known.ok_or_else(|| Error::internal(format_args!("there is no event `{name}`")))
    }
}
