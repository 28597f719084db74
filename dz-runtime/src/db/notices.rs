//! Notifications between the instances of an application on PostgreSQL: a commit is reported with `NOTIFY`, and each instance receives
//! the reports of the others with `LISTEN` on a connection of its own.
//!
//! A notification names written rows, for subscriptions, and requests that the worker checks for due work. It contains no values except
//! keys: what a caller may see is read again. A notification that cannot be sent or received becomes a loss, which subscriptions report.

use std::{
    sync::{Arc, Condvar, Mutex, PoisonError, Weak},
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::{
    BindKind, Conn, Database, DueWork, Statement,
    changes::{CAPACITY, Change, NotedChanges},
    open::{Purpose, Target},
    pool::Pools,
};
use crate::{Engine, Error, Result, Value, def::AppDef, output::log_event};

/// The channel of all instances in a database.
const CHANNEL: &str = "dz";
/// The largest message; PostgreSQL accepts less than 8,000 bytes.
const MAX_BYTES: usize = 7_500;
/// The time between two messages of an instance, in which further commits become part of the next message.
const PAUSE: Duration = Duration::from_millis(20);
/// The time between two looks at the connection, which reads without waiting.
const POLL: Duration = Duration::from_millis(50);
/// The delay after a failure of the database.
const RETRY: Duration = Duration::from_secs(1);
/// The time after which an unused connection is checked.
const CHECK: Duration = Duration::from_secs(30);
/// How long an instance listens after its last subscription.
const QUIET: Duration = Duration::from_secs(10);
/// The names of events in notifications.
const EVENTS: [&str; 3] = ["created", "updated", "deleted"];

/// How this process reports its commits.
pub(super) struct Notices {
    app: &'static str,
    /// This process, which ignores its own notifications.
    origin: Uuid,
    /// Commits of a serving instance wait here; a command reports its commits itself, because it ends.
    queue: Option<Arc<Queue>>,
    /// True if another process does the work that a commit makes due.
    wakes: bool,
}

/// The commits that are not reported yet.
#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    added: Condvar,
}

#[derive(Debug, Default, PartialEq)]
struct Waiting {
    changes: Vec<Change>,
    lost: bool,
    wake: bool,
}

/// A message.
#[derive(Debug, Serialize, Deserialize)]
struct Message {
    app: String,
    from: Uuid,
    /// The entity, the event, the key and the tenant of each written row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    changes: Vec<(String, String, Json, Json)>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    lost: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    wake: bool,
}

impl Waiting {
    fn is_empty(&self) -> bool {
        *self == Waiting::default()
    }

    fn add(&mut self, changes: &[Change], wake: bool) {
        self.wake |= wake;
        if self.changes.len() + changes.len() > CAPACITY {
            self.lose();
        } else if !self.lost {
            self.changes.extend_from_slice(changes);
        }
    }

    /// Replaces the changes by the fact that there are some.
    fn lose(&mut self) {
        (self.changes, self.lost) = (Vec::new(), true);
    }

    /// The texts of the messages.
    fn messages(&self, app: &str, from: Uuid) -> Vec<String> {
        let message = || Message { app: app.to_owned(), from, changes: Vec::new(), lost: false, wake: false };
        let mut all = Vec::new();
        let mut open = Message { lost: self.lost, wake: self.wake, ..message() };
        let mut bytes = 0;
        for change in &self.changes {
            let entry = (change.name.to_owned(), change.event.to_owned(), key_to_json(&change.key), key_to_json(&change.tenant));
            let size = serde_json::to_string(&entry).map_or(usize::MAX, |text| text.len() + 1);
            if size > MAX_BYTES / 2 {
                open.lost = true;
                continue;
            }
            if bytes + size > MAX_BYTES - app.len().min(MAX_BYTES / 2) - 120 {
                all.push(std::mem::replace(&mut open, message()));
                bytes = 0;
            }
            bytes += size;
            open.changes.push(entry);
        }
        all.push(open);
        all.iter().filter_map(|message| serde_json::to_string(message).ok()).collect()
    }
}

/// A number, a text, an object with a UUID, or null.
fn key_to_json(key: &Value) -> Json {
    match key {
        Value::Int(number) => json!(number),
        Value::Uuid(id) => json!({ "uuid": id }),
        key => key.to_key_text().map_or(Json::Null, Json::from),
    }
}

fn key_from_json(key: &Json) -> Option<Value> {
    match key {
        Json::Null => Some(Value::Null),
        Json::Number(number) => number.as_i64().map(Value::Int),
        Json::String(text) => Some(Value::Text(text.clone())),
        Json::Object(members) => members.get("uuid")?.as_str()?.parse().ok().map(Value::Uuid),
        Json::Bool(_) | Json::Array(_) => None,
    }
}

fn read_change(app: &'static AppDef, (entity, event, key, tenant): &(String, String, Json, Json)) -> Option<Change> {
    let entity = app.entities.iter().find(|of| of.name == entity.as_str())?;
    let event = EVENTS.into_iter().find(|of| of == event)?;
    Some(Change { entity: entity.ix, name: entity.name, event, key: key_from_json(key)?, tenant: key_from_json(tenant)? })
}

fn send(conn: &mut Conn, messages: &[String]) -> Result<()> {
    for message in messages {
        let mut notify = Statement::new();
        notify.push("SELECT pg_notify(").bind(Value::Text(CHANNEL.to_owned()), BindKind::Text).push(", ");
        notify.bind(Value::Text(message.clone()), BindKind::Text).push(")");
        conn.execute(&notify)?;
    }
    Ok(())
}

impl Notices {
    /// Reports a commit. The commit is complete, so that a failure has no effect on it.
    pub(super) fn report(&self, conn: &mut Conn, changes: &[Change], wake: bool) {
        let wake = wake && self.wakes;
        if changes.is_empty() && !wake {
            return;
        }
        if let Some(queue) = &self.queue {
            queue.waiting.lock().unwrap_or_else(PoisonError::into_inner).add(changes, wake);
            queue.added.notify_one();
            return;
        }
        let mut waiting = Waiting::default();
        waiting.add(changes, wake);
        let messages = waiting.messages(self.app, self.origin);
        // A transaction of its own: behind a pooler, each other statement can run in another session.
        if let Err(error) = conn.savepoint(&mut |conn| send(conn, &messages)) {
            let why = error.internal.as_deref().unwrap_or(&error.detail);
            log_event!(debug, target: "dz", why, "a commit was not reported to running instances, which find it later");
        }
    }
}

impl Database {
    /// Reports the commits of a command to the running instances, before it ends.
    pub(crate) fn report_as_command(&self, app: &'static AppDef) {
        self.begin_notices(app, None, true);
    }

    /// Reports the commits of an instance to the others. Without a worker of its own, it also wakes theirs.
    pub(crate) fn report_as_instance(&self, app: &'static AppDef, works: bool) {
        if self.engine() != Engine::Postgres {
            return;
        }
        let queue: Arc<Queue> = Arc::default();
        self.begin_notices(app, Some(queue.clone()), !works);
        let pools = Arc::downgrade(&self.pools);
        let name = app.name;
        let begun = thread::Builder::new().name("dz notices".to_owned()).spawn(move || send_all(&queue, &pools, name));
        if begun.is_err() {
            log_event!(warn, target: "dz", "no thread is left to report commits to other instances, which find them later");
        }
    }

    fn begin_notices(&self, app: &'static AppDef, queue: Option<Arc<Queue>>, wakes: bool) {
        if self.engine() == Engine::Postgres {
            let notices = Notices { app: app.name, origin: self.pools.origin, queue, wakes };
            self.pools.shared.notices.get_or_init(|| notices);
        }
    }

    /// Receives the notifications of other instances from now on: always, or while there are subscriptions.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub(crate) fn hear_instances(&self, app: &'static AppDef, always: bool) -> Result<()> {
        if self.engine() != Engine::Postgres || self.hears_nothing() {
            return Ok(());
        }
        let mut hearing = self.pools.hearing.0.lock().unwrap_or_else(PoisonError::into_inner);
        hearing.always |= always;
        if hearing.running {
            return Ok(());
        }
        let conn = self.listen()?;
        let pools = Arc::downgrade(&self.pools);
        thread::Builder::new().name("dz hears".to_owned()).spawn(move || hear(&pools, app, conn)).map_err(Error::internal)?;
        hearing.running = true;
        // Work can have been stored after the worker looked for it, and before this instance listened.
        self.pools.wake.notify(DueWork::ALL);
        Ok(())
    }

    /// Sets the address of the connection that receives notifications, for a database behind a pooler.
    ///
    /// # Errors
    /// One sentence about an address that is not of PostgreSQL.
    pub(crate) fn hear_at(&self, url: &str) -> Result<()> {
        let target = Target::parse(Engine::Postgres, url)?;
        self.pools.notices_target.get_or_init(|| target);
        Ok(())
    }

    /// True if the only address is that of a pooler, behind which a connection receives no notifications.
    fn hears_nothing(&self) -> bool {
        self.is_pooled() && self.pools.notices_target.get().is_none()
    }

    /// A connection that receives notifications.
    fn listen(&self) -> Result<Conn> {
        let mut conn = self.pools.notices_target.get().unwrap_or(&self.pools.target).connect(Purpose::Write)?;
        conn.batch(&format!("LISTEN {CHANNEL}"))?;
        Ok(conn)
    }

    fn receive(&self, app: &'static AppDef, text: &str) {
        let Ok(message) = serde_json::from_str::<Message>(text) else { return };
        if message.app != app.name || message.from == self.pools.origin {
            return;
        }
        if message.wake {
            self.pools.wake.notify(DueWork::ALL);
        }
        if message.lost {
            self.pools.shared.announcer.announce_loss();
        }
        let mut changes = NotedChanges::default();
        message.changes.iter().filter_map(|change| read_change(app, change)).for_each(|change| changes.add(change));
        self.pools.shared.announcer.announce(changes);
    }

    /// True if no subscription needs the notifications; the caller then stops.
    fn stops_hearing(&self) -> bool {
        let mut hearing = self.pools.hearing.0.lock().unwrap_or_else(PoisonError::into_inner);
        hearing.running = hearing.always || self.pools.shared.announcer.has_listeners();
        !hearing.running
    }
}

/// Whether this process receives notifications, and whether it does so without subscriptions.
#[derive(Default)]
pub(super) struct Hearing(Mutex<HearingState>);

#[derive(Default)]
struct HearingState {
    running: bool,
    always: bool,
}

/// Sends what the commits of this instance add to the queue.
fn send_all(queue: &Queue, pools: &Weak<Pools>, app: &'static str) {
    loop {
        let waiting = queue.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut waiting, _) =
            queue.added.wait_timeout_while(waiting, CHECK, |waiting| waiting.is_empty()).unwrap_or_else(PoisonError::into_inner);
        let mut taken = std::mem::take(&mut *waiting);
        drop(waiting);
        let Some(pools) = pools.upgrade() else { return };
        let db = Database { pools };
        let messages = if taken.is_empty() { Vec::new() } else { taken.messages(app, db.pools.origin) };
        let sent = if messages.is_empty() {
            Ok(())
        } else {
            db.run_without_transaction(&mut |conn| conn.savepoint(&mut |conn| send(conn, &messages)))
        };
        drop(db);
        if sent.is_err() {
            // What was committed is known again when the database answers, and only as a loss.
            taken.lose();
            let mut waiting = queue.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.add(&[], taken.wake);
            waiting.lose();
        }
        thread::sleep(if sent.is_err() { RETRY } else { PAUSE });
    }
}

/// Receives notifications until no subscription needs them, or the database is closed.
fn hear(pools: &Weak<Pools>, app: &'static AppDef, conn: Conn) {
    let mut open = Some(conn);
    let (mut checked, mut used) = (Instant::now(), Instant::now());
    loop {
        thread::sleep(if open.is_some() { POLL } else { RETRY });
        let Some(pools) = pools.upgrade() else { return };
        let db = Database { pools };
        match open.as_mut().map(|conn| read(conn, &mut checked)) {
            Some(Ok(texts)) => texts.iter().for_each(|text| db.receive(app, text)),
            Some(Err(_)) => open = None,
            None => {
                open = db.listen().ok();
                if open.is_some() {
                    // What happened without a connection is not known.
                    db.pools.shared.announcer.announce_loss();
                    db.pools.wake.notify(DueWork::ALL);
                }
            }
        }
        if db.pools.shared.announcer.has_listeners() {
            used = Instant::now();
        }
        if used.elapsed() > QUIET && db.stops_hearing() {
            return;
        }
    }
}

/// The notifications that have arrived.
fn read(conn: &mut Conn, checked: &mut Instant) -> Result<Vec<String>> {
    if checked.elapsed() > CHECK {
        *checked = Instant::now();
        conn.batch("SELECT 1")?;
    }
    let Some(postgres) = conn.postgres() else { return Ok(Vec::new()) };
    postgres.notifications_iter().map(|notice| notice.map(|notice| notice.payload).map_err(Error::internal)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(key: Value) -> Change {
        Change { entity: 0, name: "Vessel", event: "updated", key, tenant: Value::Null }
    }

    #[test]
    fn messages_have_a_maximum_size_and_lose_no_change() {
        let mut waiting = Waiting::default();
        waiting.add(&(0..500).map(|_| change(Value::Uuid(Uuid::now_v7()))).collect::<Vec<_>>(), true);
        let messages = waiting.messages("lighthouse", Uuid::nil());
        assert!(messages.len() > 1 && messages.iter().all(|text| text.len() < 8_000));
        let read: Vec<Message> = messages.iter().map(|text| serde_json::from_str(text).expect("a message")).collect();
        assert_eq!(read.iter().map(|message| message.changes.len()).sum::<usize>(), 500);
        assert_eq!(read.iter().filter(|message| message.wake).count(), 1);
        assert!(read.iter().all(|message| !message.lost));
    }

    #[test]
    fn too_many_changes_and_long_keys_are_a_loss() {
        let mut waiting = Waiting::default();
        waiting.add(&[change(Value::Text("x".repeat(9_000)))], false);
        assert!(waiting.messages("lighthouse", Uuid::nil())[0].contains("\"lost\":true"));
        for _ in 0..=CAPACITY {
            waiting.add(&[change(Value::Int(1))], false);
        }
        assert!(waiting.lost && waiting.changes.is_empty());
    }

    #[test]
    fn keys_keep_their_type() {
        for key in [Value::Null, Value::Int(-7), Value::Text("7".to_owned()), Value::Uuid(Uuid::now_v7())] {
            assert_eq!(key_from_json(&key_to_json(&key)), Some(key));
        }
        assert_eq!(key_from_json(&json!([1])), None);
    }
}
