//! Hooks: Rust code of the application in the transaction of a write.

mod action;
mod named;
mod runs;

use std::{
    any::{Any, TypeId, type_name},
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use crate::{
    CallIntent, Error, Result, Services, SystemCx, Tx, Value,
    access::BUILT_IN,
    blocking::block_on,
    config::ListLimits,
    def::{AppDef, EntityDef, EntityIx, FieldIx},
    event::{Event, Happened, Occurrence, Subscriber, run::RunSubscriber},
    job::handlers::Handlers,
    record::{Draft, Entity, FieldValues, Row},
};

pub use action::ActionInput;
use action::OwnAction;
use named::{Hook, Registered, Stage};

type BeforeCreate = dyn Fn(&mut Tx<'_>, &mut FieldValues) -> Result<()> + Send + Sync;
type BeforeUpdate = dyn Fn(&mut Tx<'_>, &Row, &mut FieldValues) -> Result<()> + Send + Sync;
type OnRow = dyn Fn(&mut Tx<'_>, &Row) -> Result<()> + Send + Sync;
type OnChange = dyn Fn(&mut Tx<'_>, &Row, &Row) -> Result<()> + Send + Sync;

/// The Rust code of an application that dz calls: hooks, subscribers, actions and jobs, and the values that they share.
///
/// Each hook runs inside the transaction of the write, in the order of registration; an error refuses the write and rolls it back.
#[derive(Default)]
pub struct Hooks {
    entities: HashMap<EntityIx, EntityHooks>,
    subscribers: Vec<Subscriber>,
    runs: Vec<RunSubscriber>,
    actions: HashMap<(EntityIx, String), OwnAction>,
    document: OnceLock<Arc<str>>,
    pub(crate) jobs: Handlers,
    pub(crate) services: Services,
    pub(crate) intents: Option<Box<dyn CallIntent>>,
    pub(crate) pages: Vec<OwnPage>,
    /// The limits of lists, from the configuration.
    pub(crate) lists: ListLimits,
    /// The seconds after which regions are loaded again, from the configuration; 0 for never.
    pub(crate) region_refresh: u32,
    managed: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    last: Option<Registered>,
    /// Wrong registrations, which the start reports.
    problems: Vec<String>,
}

/// A page of the application in the navigation.
pub(crate) struct OwnPage {
    pub(crate) title: &'static str,
    pub(crate) path: String,
    /// The roles that see the link and may open the page, as a mask.
    pub(crate) roles: u64,
}

impl OwnPage {
    /// True if these are the segments of its path.
    pub(crate) fn is_at(&self, path: &[String]) -> bool {
        let given = path.iter().map(String::as_str).filter(|part| !part.is_empty());
        given.eq(self.path.split('/').filter(|part| !part.is_empty()))
    }
}

#[derive(Default)]
pub(crate) struct EntityHooks {
    pub(crate) before_create: Vec<Hook<BeforeCreate>>,
    pub(crate) after_create: Vec<Hook<OnRow>>,
    pub(crate) before_update: Vec<Hook<BeforeUpdate>>,
    pub(crate) after_update: Vec<Hook<OnChange>>,
    pub(crate) before_delete: Vec<Hook<OnRow>>,
    pub(crate) after_delete: Vec<Hook<OnRow>>,
}

impl Hooks {
    pub(crate) fn for_entity(&self, entity: EntityIx) -> Option<&EntityHooks> {
        self.entities.get(&entity)
    }

    /// True if there is no hook.
    pub(crate) fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    /// The subscribers of this event.
    pub(crate) fn subscribers(&self, entity: EntityIx, event: Event) -> impl Iterator<Item = &Subscriber> {
        self.subscribers.iter().filter(move |subscriber| (subscriber.entity, subscriber.event) == (entity, event))
    }

    /// The subscriber with this name or former name.
    pub(crate) fn find_subscriber(&self, name: &str, entity: EntityIx, event: &str) -> Option<&Subscriber> {
        let all = || self.subscribers.iter().filter(|subscriber| subscriber.entity == entity && subscriber.event.name() == event);
        let former = || all().find(|subscriber| subscriber.former_names().any(|former| former == name));
        all().find(|subscriber| subscriber.name() == name).or_else(former)
    }

    /// The subscribers with their former names, without those that another subscriber has now.
    pub(crate) fn former_names(&self) -> impl Iterator<Item = (&Subscriber, &str)> {
        let all = self.subscribers.iter().flat_map(|subscriber| subscriber.former_names().map(move |former| (subscriber, former)));
        all.filter(|(subscriber, former)| !self.subscribers(subscriber.entity, subscriber.event).any(|other| other.name() == *former))
    }

    /// Adds a subscriber, which gets events after the commit, at least once and in order for each row.
    pub fn on<E: Entity>(&mut self, event: Event, f: impl Fn(&SystemCx, &Happened<E>) -> Result<()> + Send + Sync + 'static) {
        let subscriber = Subscriber::new::<E, _>(&self.subscribers, event, f);
        self.add_subscriber(subscriber);
    }

    /// Adds a subscriber of dz itself for the rows of an entity.
    pub(crate) fn on_row(
        &mut self,
        entity: EntityIx,
        event: Event,
        name: &str,
        f: impl Fn(&SystemCx, &Occurrence) -> Result<()> + Send + Sync + 'static,
    ) {
        self.subscribers.push(Subscriber::for_row(entity, event, name, f));
    }

    /// Calls `f` for each event of every entity.
    #[cfg(feature = "testing")]
    pub(crate) fn on_any(&mut self, app: &'static AppDef, f: impl Fn(EntityIx, &Occurrence) + Clone + Send + Sync + 'static) {
        for entity in app.entities {
            for event in [Event::Created, Event::Updated, Event::Deleted] {
                let (f, ix) = (f.clone(), entity.ix);
                self.subscribers.push(Subscriber::for_any(ix, event, move |occurrence| f(ix, occurrence)));
            }
        }
    }

    /// As [`on`](Hooks::on), for an asynchronous function.
    pub fn on_async<E: Entity, F: Future<Output = Result<()>>>(
        &mut self,
        event: Event,
        f: impl Fn(SystemCx, Happened<E>) -> F + Send + Sync + 'static,
    ) {
        let subscriber = Subscriber::with_owned::<E, _>(&self.subscribers, event, move |cx, happened| block_on(f(cx.clone(), happened))?);
        self.add_subscriber(subscriber);
    }

    fn add_subscriber(&mut self, subscriber: Subscriber) {
        self.subscribers.push(subscriber);
        self.last = Some(Registered::Subscriber);
    }

    /// Adds a value that hooks, subscribers, jobs and routes share; false if there is one of its type.
    pub(crate) fn manage<T: Send + Sync + 'static>(&mut self, value: Arc<T>) -> bool {
        let is_new = self.managed.insert(TypeId::of::<T>(), value).is_none();
        if !is_new {
            self.problems
                .push(format!("the application manages two values of the type `{}`; give one a type of its own", type_name::<T>()));
        }
        is_new
    }

    /// The managed value of a type.
    ///
    /// # Errors
    /// 500 if the application manages none.
    pub(crate) fn state<T: Send + Sync + 'static>(&self) -> Result<Arc<T>> {
        let found = self.managed.get(&TypeId::of::<T>()).cloned().and_then(|value| value.downcast::<T>().ok());
        found.ok_or_else(|| {
            Error::internal(format_args!("there is no value of the type `{0}`; add it with `app().manage(…)`", type_name::<T>()))
        })
    }

    /// Reports a wrong registration at the start.
    pub(crate) fn add_problem(&mut self, problem: String) {
        self.problems.push(problem);
    }

    /// The first wrong registration.
    pub(crate) fn find_problem(&self, app: &'static AppDef) -> Option<String> {
        let twice = |name: &str| format!("two jobs or schedules are named `{name}`; give one another name");
        let first = |at: usize, one: &Subscriber| self.subscribers.iter().take(at).find(|other| other.is_same(one));
        let subscribers = || self.subscribers.iter().enumerate().find_map(|(at, one)| first(at, one).map(|first| (first, one)));
        let named = |(first, one): (&Subscriber, &Subscriber)| one.describe_duplicate(first, app.entity(one.entity).name);
        self.problems.first().cloned().or_else(|| self.jobs.find_duplicate().map(twice)).or_else(|| subscribers().map(named))
    }

    /// The hooks of an entity, and the name of a new one.
    fn add<E: Entity>(&mut self, stage: Stage, count: impl Fn(&EntityHooks) -> usize) -> (&mut EntityHooks, String) {
        self.last = Some(Registered::Hook(E::DEF.ix, stage));
        let hooks = self.entities.entry(E::DEF.ix).or_default();
        let name = format!("{} {} {}", E::DEF.name, stage.name(), count(hooks) + 1);
        (hooks, name)
    }

    /// Actions with a handler but without a rule, which no caller could ever use.
    pub(crate) fn find_action_without_rule(&self, app: &'static AppDef) -> Option<(&'static EntityDef, &str)> {
        let own = |entity: &'static EntityDef, name: &str| entity.rule(name).is_some() && !BUILT_IN.contains(&name);
        self.actions.keys().map(|(ix, name)| (app.entity(*ix), name.as_str())).find(|(entity, name)| !own(entity, name))
    }

    /// Runs before a row is created, with defaults set; it can change the draft.
    pub fn before_create<E: Entity>(&mut self, hook: impl Fn(&mut Tx<'_>, &mut E::New) -> Result<()> + Send + Sync + 'static) {
        let (hooks, name) = self.add::<E>(Stage::BeforeCreate, |hooks| hooks.before_create.len());
        let run: Box<BeforeCreate> =
            Box::new(move |tx, values| edit_draft(values, |values, field| values.set(field, Value::Null), |draft| hook(tx, draft)));
        hooks.before_create.push(Hook::new(name, run));
    }

    /// Runs after a row was created.
    pub fn after_create<E: Entity>(&mut self, hook: impl Fn(&mut Tx<'_>, &E) -> Result<()> + Send + Sync + 'static) {
        let (hooks, name) = self.add::<E>(Stage::AfterCreate, |hooks| hooks.after_create.len());
        hooks.after_create.push(Hook::new(name, wrap_row_hook(hook)));
    }

    /// Runs before a row is updated, with the stored row; it can edit the changes.
    pub fn before_update<E: Entity>(&mut self, hook: impl Fn(&mut Tx<'_>, &E, &mut E::Changes) -> Result<()> + Send + Sync + 'static) {
        let (hooks, name) = self.add::<E>(Stage::BeforeUpdate, |hooks| hooks.before_update.len());
        let run: Box<BeforeUpdate> = Box::new(move |tx, row, values| {
            let row = E::from_row(row.clone())?;
            edit_draft(values, FieldValues::remove, |draft| hook(tx, &row, draft))
        });
        hooks.before_update.push(Hook::new(name, run));
    }

    /// Runs after a row was updated, with the old and the new row.
    pub fn after_update<E: Entity>(&mut self, hook: impl Fn(&mut Tx<'_>, &E, &E) -> Result<()> + Send + Sync + 'static) {
        let (hooks, name) = self.add::<E>(Stage::AfterUpdate, |hooks| hooks.after_update.len());
        let run: Box<OnChange> = Box::new(move |tx, before, after| hook(tx, &E::from_row(before.clone())?, &E::from_row(after.clone())?));
        hooks.after_update.push(Hook::new(name, run));
    }

    /// Runs before a row is deleted, also by a cascade.
    pub fn before_delete<E: Entity>(&mut self, hook: impl Fn(&mut Tx<'_>, &E) -> Result<()> + Send + Sync + 'static) {
        let (hooks, name) = self.add::<E>(Stage::BeforeDelete, |hooks| hooks.before_delete.len());
        hooks.before_delete.push(Hook::new(name, wrap_row_hook(hook)));
    }

    /// Runs after a row was deleted.
    pub fn after_delete<E: Entity>(&mut self, hook: impl Fn(&mut Tx<'_>, &E) -> Result<()> + Send + Sync + 'static) {
        let (hooks, name) = self.add::<E>(Stage::AfterDelete, |hooks| hooks.after_delete.len());
        hooks.after_delete.push(Hook::new(name, wrap_row_hook(hook)));
    }
}

fn wrap_row_hook<E: Entity>(hook: impl Fn(&mut Tx<'_>, &E) -> Result<()> + Send + Sync + 'static) -> Box<OnRow> {
    Box::new(move |tx, row| hook(tx, &E::from_row(row.clone())?))
}

/// Converts values to a draft, runs `show` on it, and applies its changes to the values. `unset` is called for a field that the
/// draft no longer has; fields that the draft does not have stay unchanged.
fn edit_draft<D: Draft>(
    values: &mut FieldValues,
    unset: impl Fn(&mut FieldValues, FieldIx),
    show: impl FnOnce(&mut D) -> Result<()>,
) -> Result<()> {
    let known = D::from_values(values.clone())?.into_values();
    let mut draft = D::from_values(values.clone())?;
    show(&mut draft)?;
    let after = draft.into_values();
    for field in known.fields().filter(|field| after.get(*field).is_none()) {
        unset(values, field);
    }
    for (field, value) in after.0 {
        values.set(field, value);
    }
    Ok(())
}
