//! Hooks: Rust code of the application in the transaction of a write.

use std::collections::HashMap;

use serde_json::Value as Json;

#[cfg(feature = "testing")]
use crate::event::Occurrence;
use crate::{
    Result, Tx, Value,
    access::BUILT_IN,
    def::{AppDef, EntityDef, EntityIx, FieldIx},
    event::{Event, Happened, Subscriber, SystemCx},
    record::{Draft, Entity, FieldValues, Row},
};

type BeforeCreate = Box<dyn Fn(&mut Tx<'_>, &mut FieldValues) -> Result<()> + Send + Sync>;
type BeforeUpdate = Box<dyn Fn(&mut Tx<'_>, &Row, &mut FieldValues) -> Result<()> + Send + Sync>;
type OnRow = Box<dyn Fn(&mut Tx<'_>, &Row) -> Result<()> + Send + Sync>;
type OnAction = Box<dyn Fn(&mut Tx<'_>, &Row, Json) -> Result<Json> + Send + Sync>;
type OnChange = Box<dyn Fn(&mut Tx<'_>, &Row, &Row) -> Result<()> + Send + Sync>;

/// The hooks of an application. Each runs inside the transaction of the write, in the order of registration; an error refuses
/// the write and rolls it back.
#[derive(Default)]
pub struct Hooks {
    entities: HashMap<EntityIx, EntityHooks>,
    subscribers: Vec<Subscriber>,
    actions: HashMap<(EntityIx, String), OnAction>,
}

#[derive(Default)]
pub(crate) struct EntityHooks {
    pub(crate) before_create: Vec<BeforeCreate>,
    pub(crate) after_create: Vec<OnRow>,
    pub(crate) before_update: Vec<BeforeUpdate>,
    pub(crate) after_update: Vec<OnChange>,
    pub(crate) before_delete: Vec<OnRow>,
    pub(crate) after_delete: Vec<OnRow>,
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

    /// The subscriber of an event with this name.
    pub(crate) fn find_subscriber(&self, name: &str, event: &str) -> Option<&Subscriber> {
        self.subscribers.iter().find(|subscriber| subscriber.name == name && subscriber.event.name() == event)
    }

    /// Adds a subscriber, which gets events after the commit, at least once and in order for each row.
    pub fn on<E: Entity>(&mut self, event: Event, f: impl Fn(&SystemCx, &Happened<E>) -> Result<()> + Send + Sync + 'static) {
        let subscriber = Subscriber::new::<E, _>(&self.subscribers, event, f);
        self.subscribers.push(subscriber);
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

    fn entity<E: Entity>(&mut self) -> &mut EntityHooks {
        self.entities.entry(E::DEF.ix).or_default()
    }

    /// Adds a custom action: the function gets the row, which the caller may read and act on, and the body of the request. The
    /// returned JSON is the response body; `null` responds with the current row.
    pub fn action<E: Entity>(&mut self, name: &str, act: impl Fn(&mut Tx<'_>, E, Json) -> Result<Json> + Send + Sync + 'static) {
        let act: OnAction = Box::new(move |tx, row, body| act(tx, E::from_row(row.clone())?, body));
        self.actions.insert((E::DEF.ix, name.to_owned()), act);
    }

    pub(crate) fn find_action(&self, entity: EntityIx, action: &str) -> Option<&OnAction> {
        self.actions.get(&(entity, action.to_owned()))
    }

    /// Actions with a handler but without a rule, which no caller could ever use.
    pub(crate) fn find_action_without_rule(&self, app: &'static AppDef) -> Option<(&'static EntityDef, &str)> {
        let own = |entity: &'static EntityDef, name: &str| entity.rule(name).is_some() && !BUILT_IN.contains(&name);
        self.actions.keys().map(|(ix, name)| (app.entity(*ix), name.as_str())).find(|(entity, name)| !own(entity, name))
    }

    /// Runs before a row is created, with defaults set; it can change the draft.
    pub fn before_create<E: Entity>(&mut self, hook: impl Fn(&mut Tx<'_>, &mut E::New) -> Result<()> + Send + Sync + 'static) {
        self.entity::<E>()
            .before_create
            .push(Box::new(move |tx, values| edit_draft(values, |values, field| values.set(field, Value::Null), |draft| hook(tx, draft))));
    }

    /// Runs after a row was created.
    pub fn after_create<E: Entity>(&mut self, hook: impl Fn(&mut Tx<'_>, &E) -> Result<()> + Send + Sync + 'static) {
        self.entity::<E>().after_create.push(wrap_row_hook(hook));
    }

    /// Runs before a row is updated, with the stored row; it can edit the changes.
    pub fn before_update<E: Entity>(&mut self, hook: impl Fn(&mut Tx<'_>, &E, &mut E::Changes) -> Result<()> + Send + Sync + 'static) {
        self.entity::<E>().before_update.push(Box::new(move |tx, row, values| {
            let row = E::from_row(row.clone())?;
            edit_draft(values, FieldValues::remove, |draft| hook(tx, &row, draft))
        }));
    }

    /// Runs after a row was updated, with the old and the new row.
    pub fn after_update<E: Entity>(&mut self, hook: impl Fn(&mut Tx<'_>, &E, &E) -> Result<()> + Send + Sync + 'static) {
        self.entity::<E>()
            .after_update
            .push(Box::new(move |tx, before, after| hook(tx, &E::from_row(before.clone())?, &E::from_row(after.clone())?)));
    }

    /// Runs before a row is deleted, also by a cascade.
    pub fn before_delete<E: Entity>(&mut self, hook: impl Fn(&mut Tx<'_>, &E) -> Result<()> + Send + Sync + 'static) {
        self.entity::<E>().before_delete.push(wrap_row_hook(hook));
    }

    /// Runs after a row was deleted.
    pub fn after_delete<E: Entity>(&mut self, hook: impl Fn(&mut Tx<'_>, &E) -> Result<()> + Send + Sync + 'static) {
        self.entity::<E>().after_delete.push(wrap_row_hook(hook));
    }
}

fn wrap_row_hook<E: Entity>(hook: impl Fn(&mut Tx<'_>, &E) -> Result<()> + Send + Sync + 'static) -> OnRow {
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
