//! Events: what happened to rows, told to the application's own Rust after the write is there.

use std::{any::TypeId, fmt, sync::Arc};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{
    Caller, Clock, Entity, Error, Hooks, IntoValue, Result, Tx, Value,
    db::{Conn, Database},
    def::{AppDef, EntityIx},
    record::Row,
};

/// What can happen to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    /// It was made.
    Created,
    /// It was changed: by people, by a move between states, by the system.
    Updated,
    /// It was removed.
    Deleted,
}

impl Event {
    /// As declarations and the outbox name it.
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

/// Something that happened to a row of `E`, as a subscriber is told (see [`App::on`](crate::App::on)).
#[derive(Debug, Clone)]
pub struct Happened<E> {
    /// The same at every attempt and for every subscriber, so that what is done twice can be told from what happened twice.
    pub id: Uuid,
    /// What happened.
    pub event: Event,
    /// When.
    pub at: DateTime<Utc>,
    /// The row as it was written; a deleted one as it was last.
    pub row: E,
    /// The row as it was before, when it was changed.
    pub before: Option<E>,
    /// The key of the account that did it; `None` for the system and for anonymous callers.
    pub account: Option<Value>,
    /// Which attempt this is, from 1 on.
    pub attempt: u32,
}

/// As [`Happened`], without the type.
pub(crate) struct Occurrence {
    pub(crate) id: Uuid,
    pub(crate) event: Event,
    pub(crate) at: DateTime<Utc>,
    pub(crate) row: Row,
    pub(crate) before: Option<Row>,
    pub(crate) account: Option<Value>,
    pub(crate) attempt: u32,
}

/// What subscribers work with: units of work of the system itself, which no rule holds back, on the rows of the tenant
/// whose row it was.
///
/// It holds no connection: a subscriber that calls another program keeps nobody from the database meanwhile.
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

    /// The key of the tenant whose row it was; `None` for a row that belongs to none.
    pub fn tenant(&self) -> Option<&Value> {
        self.tenant.as_ref()
    }

    /// The same for the rows of another tenant.
    #[must_use]
    pub fn in_tenant(&self, tenant: impl IntoValue) -> SystemCx {
        SystemCx { tenant: Some(tenant.into_value()), ..self.clone() }
    }

    /// The clock of the application.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    fn unit_of_work<'c>(&self, conn: &'c mut Conn) -> Tx<'c> {
        let caller = Caller { request_id: self.request_id.clone(), ..Caller::system(self.app, self.clock.now()) };
        Tx::new(conn, self.app, self.hooks.clone(), caller.for_tenant(self.tenant.clone()))
    }

    /// Runs `work` inside one write transaction; an error rolls all of it back. On PostgreSQL it may run again after a
    /// collision with another transaction.
    ///
    /// # Errors
    /// Those of `work`; 503 when the database is away.
    pub fn run<T>(&self, mut work: impl FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.db.write(&mut |conn| work(&mut self.unit_of_work(conn)))
    }

    /// Runs `work` on a connection that only reads.
    ///
    /// # Errors
    /// Those of `work`; 503 when the database is away.
    pub fn read<T>(&self, mut work: impl FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        self.db.read(&mut |conn| work(&mut self.unit_of_work(conn)))
    }
}

type Deliver = Box<dyn Fn(&SystemCx, &Occurrence) -> Result<()> + Send + Sync>;

/// Who is told of an event.
pub(crate) struct Subscriber {
    pub(crate) entity: EntityIx,
    pub(crate) event: Event,
    /// Known by this across restarts: what waits for a name that nobody has any more cannot be delivered. A function that
    /// hears several events of an entity has one name for all of them, so that it hears them in their order.
    pub(crate) name: String,
    of: TypeId,
    pub(crate) deliver: Deliver,
}

impl Subscriber {
    /// A subscriber beside those that there are; the name of its function tells it from them, with a number where several
    /// closures of one function are called the same.
    pub(crate) fn new<E: Entity, F>(others: &[Subscriber], event: Event, f: F) -> Subscriber
    where
        F: Fn(&SystemCx, &Happened<E>) -> Result<()> + Send + Sync + 'static,
    {
        let (entity, of) = (E::DEF.ix, TypeId::of::<F>());
        let plain = format!("{} {}", E::DEF.name, std::any::type_name::<F>());
        let of_entity = || others.iter().filter(|other| other.entity == entity);
        let twice = of_entity().any(|other| (other.event, other.of) == (event, of));
        let same = of_entity().find(|other| other.of == of && !twice);
        let numbered = (2..).map(|number| format!("{plain} #{number}"));
        let mut names = std::iter::once(plain.clone()).chain(numbered);
        let free = names.find(|name| !of_entity().any(|other| other.name == *name));
        let name = same.map(|other| other.name.clone()).or(free).unwrap_or(plain);
        let deliver = Box::new(move |cx: &SystemCx, occurrence: &Occurrence| f(cx, &typed(occurrence)?));
        Subscriber { entity, event, name, of, deliver }
    }
}

fn typed<E: Entity>(of: &Occurrence) -> Result<Happened<E>> {
    Ok(Happened {
        id: of.id,
        event: of.event,
        at: of.at,
        row: E::from_row(of.row.clone())?,
        before: of.before.clone().map(E::from_row).transpose()?,
        account: of.account.clone(),
        attempt: of.attempt,
    })
}

impl std::str::FromStr for Event {
    type Err = Error;

    fn from_str(name: &str) -> Result<Event> {
        let known = [Event::Created, Event::Updated, Event::Deleted].into_iter().find(|event| event.name() == name);
        known.ok_or_else(|| Error::internal(format_args!("there is no event `{name}`")))
    }
}
