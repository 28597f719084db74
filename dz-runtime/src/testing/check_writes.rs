//! Checks responses that write, and that all other rows are unchanged.

use serde_json::Value as Json;

use super::{
    check_reads::{Verdict, check_closed, check_status, compare_rows},
    generate::Generator,
    invariants,
    operation::{FieldPath, Operation},
    oracle::{Oracle, Scope},
    server::Answer,
    world::{Stored, World, key_text},
};
use crate::{
    Value,
    def::{Auto, EntityDef, FieldIx, Kind},
    hooks::Hooks,
};

type Entity = &'static EntityDef;

/// The decision of the oracle about a write of one row.
pub(super) enum Decision {
    /// The write is refused with this status.
    Refused(u16, &'static str),
    /// The write succeeds, and the row has these values.
    Done(Vec<Value>),
}

/// The oracle of writes.
pub(super) struct WriteOracle<'w> {
    pub oracle: &'w Oracle<'w>,
    /// All rows, also of other tenants.
    pub whole: &'w World,
    pub inventor: &'w Generator,
    pub hooks: &'w Hooks,
}

impl WriteOracle<'_> {
    fn world(&self) -> &World {
        self.oracle.world
    }

    /// The oracle over changed rows. The caller and their account are as at the start of the request.
    fn oracle_after<'a>(&'a self, world: &'a World) -> Oracle<'a> {
        Oracle { world, who: self.oracle.who, home: Some(self.oracle.home.unwrap_or(self.oracle.world)) }
    }

    /// True if hooks can affect writes of an entity.
    fn is_hooked(&self, entity: Entity) -> bool {
        self.hooks.for_entity(entity.ix).is_some()
    }

    /// The row, if the action covers it.
    fn find_covered(&self, entity: Entity, action: &str, key: &Value) -> Result<&Stored, Decision> {
        let row = self.world().find(entity.ix, key).filter(|row| self.oracle.reads(entity, &row.values));
        match row {
            None => Err(Decision::Refused(404, "the row may not be read")),
            Some(row) if !self.oracle.covers(entity, action, &row.values) => {
                Err(Decision::Refused(403, "the row may be read, and the rule does not cover it"))
            }
            Some(row) => Ok(row),
        }
    }

    pub fn update(&self, entity: Entity, key: &Value, given: &[(FieldIx, Value)]) -> Decision {
        let row = match self.find_covered(entity, "update", key) {
            Ok(row) => row,
            Err(refused) => return refused,
        };
        let changed: Vec<FieldIx> = given.iter().filter(|(at, value)| row.value(*at) != value).map(|(at, _)| *at).collect();
        if changed.is_empty() {
            return Decision::Done(row.values.clone());
        }
        let mut values = self.set_automatic(entity, &row.values);
        for (at, value) in given {
            values[usize::from(*at)] = value.clone();
        }
        if self.oracle.who.confers_roles(self.oracle.app(), entity, &row.values, &values) {
            return Decision::Refused(422, "another account would get roles that the caller lacks");
        }
        if !self.oracle.covers(entity, "update", &values) {
            return Decision::Refused(self.oracle.status_of_refusal(entity, "update", &values, &changed), "the rule does not cover it");
        }
        self.decide_stored(entity, values, &changed, Some(key))
    }

    pub fn create(&self, entity: Entity, values: &[Value]) -> Decision {
        let all: Vec<FieldIx> = (0..entity.fields.len() as FieldIx).collect();
        if !self.oracle.covers(entity, "create", values) {
            return Decision::Refused(self.oracle.status_of_refusal(entity, "create", values, &all), "the rule does not cover such a row");
        }
        self.decide_stored(entity, values.to_vec(), &all, None)
    }

    pub fn transition(&self, entity: Entity, key: &Value, state: &str, given: &[(FieldIx, Value)]) -> Decision {
        let action = Oracle::transition_action(entity);
        let row = match self.find_covered(entity, action, key) {
            Ok(row) => row,
            Err(refused) => return refused,
        };
        let Some(states) = entity.states else { return Decision::Refused(404, "there are no states") };
        let Some(of) = entity.field(states.field).kind.enumeration() else { return Decision::Refused(404, "there are no states") };
        let place = |name: &str| of.values.iter().position(|value| value.name == name).and_then(|at| u16::try_from(at).ok());
        let from = if let Value::Text(name) = row.value(states.field) { place(name) } else { None };
        let sent: Vec<FieldIx> = given.iter().filter(|(at, value)| row.value(*at) != value).map(|(at, _)| *at).collect();
        if from == place(state) && sent.is_empty() {
            return self.check_free_changes(entity, key, action, &[], given).unwrap_or_else(|| Decision::Done(row.values.clone()));
        }
        let declared = states.transitions.iter().find(|(start, end, _)| Some(*start) == from && Some(*end) == place(state));
        let requires = declared.map_or(&[][..], |(.., at)| states.rows[usize::from(*at)].requires);
        if let Some(refused) = self.check_free_changes(entity, key, action, requires, given) {
            return refused;
        }
        let mut ruled = self.set_automatic(entity, &row.values);
        for (at, value) in given {
            ruled[usize::from(*at)] = value.clone();
        }
        if from == place(state) {
            return match self.oracle.covers(entity, action, &ruled) {
                true => self.decide_stored(entity, ruled, &sent, Some(key)),
                false => Decision::Refused(self.oracle.status_of_refusal(entity, action, &ruled, &sent), "the rule does not cover the row"),
            };
        }
        let Some(needs) = declared.map(|(.., at)| &states.rows[usize::from(*at)]).filter(|needs| needs.manual) else {
            return Decision::Refused(409, "there is no such move");
        };
        if needs.roles != 0 && needs.roles & self.oracle.who.roles_on(entity) == 0 {
            return Decision::Refused(403, "the move asks for a role");
        }
        if needs.requires.iter().any(|at| ruled[usize::from(*at)].is_null()) {
            return Decision::Refused(422, "the move asks for a field");
        }
        if !self.oracle.covers(entity, action, &ruled) {
            return Decision::Refused(self.oracle.status_of_refusal(entity, action, &ruled, &sent), "the rule does not cover the row");
        }
        let at = Scope { entity, values: &ruled, outer: None };
        if needs.guard.as_ref().is_some_and(|guard| self.oracle.truth(guard, at) != Some(true)) {
            return Decision::Refused(422, "the guard does not hold");
        }
        let mut values = ruled;
        values[usize::from(states.field)] = Value::Text(state.to_owned());
        self.decide_stored(entity, values, &sent, Some(key))
    }

    /// Fields that a transition does not require are checked by the update rule, if transitions have a rule of their own.
    fn check_free_changes(
        &self,
        entity: Entity,
        key: &Value,
        action: &str,
        requires: &[FieldIx],
        given: &[(FieldIx, Value)],
    ) -> Option<Decision> {
        if action != "transition" || given.iter().all(|(at, _)| requires.contains(at)) {
            return None;
        }
        if self.oracle.is_closed(entity, "update") {
            return Some(Decision::Refused(403, "its roles change no row"));
        }
        self.find_covered(entity, "update", key).err()
    }

    pub fn restore(&self, entity: Entity, key: &Value) -> Decision {
        let marked = self.world().rows[usize::from(entity.ix)].iter().find(|row| row.deleted && row.value(entity.pk) == key);
        let Some(row) = marked.filter(|row| self.oracle.covers(entity, "restore", &row.values)) else {
            return Decision::Refused(404, "no deleted row that the rule covers");
        };
        let refs: Vec<FieldIx> = (0..entity.fields.len() as FieldIx).collect();
        self.decide_stored(entity, self.set_automatic(entity, &row.values), &refs, Some(key))
    }

    /// The row with automatic values.
    fn set_automatic(&self, entity: Entity, values: &[Value]) -> Vec<Value> {
        let mut values = values.to_vec();
        for (value, field) in values.iter_mut().zip(entity.fields).filter(|(_, field)| field.auto == Auto::Update) {
            *value = self.current_time(field.kind);
        }
        values
    }

    pub fn current_time(&self, kind: Kind) -> Value {
        if kind.is_date() { Value::Date(self.oracle.who.today) } else { Value::DateTime(self.oracle.who.now) }
    }

    /// Checks everything except the rule: invariants, references and unique values.
    fn decide_stored(&self, entity: Entity, values: Vec<Value>, written: &[FieldIx], key: Option<&Value>) -> Decision {
        let before = key.and_then(|key| self.world().find(entity.ix, key)).map_or(&values, |row| &row.values);
        if !invariants::hold(self.oracle, entity, &values) || !invariants::hold_for_left_totals(self.oracle, entity, before, &values) {
            return Decision::Refused(422, "an invariant does not hold");
        }
        for at in written.iter().filter(|at| !values[usize::from(**at)].is_null()) {
            // dz sets the tenant to that of the caller.
            let is_set = entity.tenancy.tenant == Some(*at) && !self.oracle.who.is_everywhere(entity);
            if is_set || entity.field(*at).kind.target().is_none() {
                continue;
            }
            let target = self.world().target(entity, *at, &values);
            if !target.is_some_and(|(target, row)| self.oracle.can_name(target, &row.values)) {
                return Decision::Refused(422, "it refers to a row that may not be seen");
            }
        }
        let own = key.and_then(|key| self.world().rows[usize::from(entity.ix)].iter().position(|row| row.value(entity.pk) == key));
        let is_unique = self.inventor.is_unique(self.world(), entity, &values, own);
        if is_unique { Decision::Done(values) } else { Decision::Refused(409, "it would not be unique") }
    }

    /// Compares the response to a write, and the stored rows, with the oracle.
    pub fn check(&self, ask: &Operation, answer: &Answer, after: &[Vec<Stored>]) -> Verdict {
        let app = self.oracle.app();
        if let Operation::PageTransition(surface, ..) | Operation::PageDelete(surface, _) = ask
            && !self.oracle.who.is_for_page(surface)
        {
            check_closed(self.oracle, &answer.as_of_api())?;
            return self.check_unchanged(after);
        }
        if let Some(verdict) = self.check_page(ask, answer, after) {
            return verdict;
        }
        match ask {
            Operation::Update(entity, key, given) => self.check_one(entity, "update", answer, after, || self.update(entity, key, given)),
            Operation::Create(entity, values, _) => self.check_created(entity, values, answer, after),
            Operation::Transition(entity, key, state, given) => {
                self.check_one(entity, Oracle::transition_action(entity), answer, after, || self.transition(entity, key, state, given))
            }
            Operation::PageTransition(surface, key, state) => {
                let entity = app.entity(surface.entity);
                self.check_one(entity, Oracle::transition_action(entity), &answer.as_of_api(), after, || {
                    self.transition(entity, key, state, &[])
                })
            }
            Operation::Restore(entity, key) => self.check_one(entity, "restore", answer, after, || self.restore(entity, key)),
            Operation::Act(entity, key, action) => self.check_action(entity, key, action, answer),
            Operation::Delete(entity, key) => self.check_deleted(entity, key, answer, after),
            Operation::PageDelete(surface, key) => self.check_deleted(app.entity(surface.entity), key, &answer.as_of_api(), after),
            Operation::BulkUpdate(entity, keys, given) => {
                self.check_bulk(entity, "update", keys, answer, |writes, key| writes.update(entity, key, given))
            }
            Operation::BulkTransition(entity, keys, state) => {
                self.check_bulk(entity, Oracle::transition_action(entity), keys, answer, |writes, key| {
                    writes.transition(entity, key, state, &[])
                })
            }
            Operation::BulkQuery(entity, given) if !self.oracle.is_closed(entity, "update") && self.oracle.is_closed(entity, "list") => {
                let _ = given;
                check_closed(self.oracle, answer)
            }
            Operation::BulkQuery(entity, given) => {
                let rows = self.oracle.listed_rows(entity);
                let keys: Vec<Value> = rows.iter().map(|row| row.value(entity.pk).clone()).collect();
                self.check_bulk(entity, "update", &keys, answer, |writes, key| writes.update(entity, key, given))
            }
            Operation::List(..)
            | Operation::Csv(..)
            | Operation::Expanded(..)
            | Operation::Read(..)
            | Operation::Pick(..)
            | Operation::ListPage(..)
            | Operation::ViewPage(..)
            | Operation::EditPage(..)
            | Operation::Region(..)
            | Operation::Graph(..)
            | Operation::GraphQl(_)
            | Operation::Typed(..) => Ok(()),
        }
    }

    /// Checks a page that does not permit the action, or not for this row; `None` if the rules decide.
    fn check_page(&self, ask: &Operation, answer: &Answer, after: &[Vec<Stored>]) -> Option<Verdict> {
        let (surface, action, key) = match ask {
            Operation::PageTransition(surface, key, _) => {
                (surface, Oracle::transition_action(self.oracle.app().entity(surface.entity)), key)
            }
            Operation::PageDelete(surface, key) => (surface, "delete", key),
            Operation::List(..)
            | Operation::Csv(..)
            | Operation::Expanded(..)
            | Operation::Read(..)
            | Operation::Pick(..)
            | Operation::ListPage(..)
            | Operation::ViewPage(..)
            | Operation::EditPage(..)
            | Operation::Create(..)
            | Operation::Update(..)
            | Operation::Delete(..)
            | Operation::Transition(..)
            | Operation::Act(..)
            | Operation::Restore(..)
            | Operation::BulkUpdate(..)
            | Operation::BulkQuery(..)
            | Operation::BulkTransition(..)
            | Operation::Region(..)
            | Operation::Graph(..)
            | Operation::GraphQl(_)
            | Operation::Typed(..) => return None,
        };
        let entity = self.oracle.app().entity(surface.entity);
        if self.oracle.is_closed(entity, action) {
            return None;
        }
        let state = entity.states.filter(|_| matches!(ask, Operation::PageTransition(..))).map(|states| states.field);
        let hidden = |field| self.oracle.is_hidden(surface, &FieldPath::own_field(entity, field));
        let row = self.world().find(entity.ix, key);
        let (wanted, why) = match row {
            _ if self.oracle.is_read_only_page(surface) => (403, "nothing is changed from this page"),
            Some(row) if !self.oracle.is_on_page(surface, &row.values) => (404, "the page does not show the row"),
            _ if state.is_some_and(hidden) => (422, "the state is hidden on this page"),
            _ => return None,
        };
        Some(check_status(&answer.as_of_api(), &[wanted], why).and_then(|()| self.check_unchanged(after)))
    }

    fn check_one(&self, entity: Entity, action: &str, answer: &Answer, after: &[Vec<Stored>], decide: impl Fn() -> Decision) -> Verdict {
        if self.oracle.is_closed(entity, action) {
            check_closed(self.oracle, answer)?;
            return self.check_unchanged(after);
        }
        match decide() {
            Decision::Refused(wanted, why) => {
                let own = [409, 422];
                let wanted: &[u16] = if self.is_hooked(entity) && !matches!(wanted, 404) { &[wanted, own[0], own[1]] } else { &[wanted] };
                check_status(answer, wanted, why)?;
                self.check_unchanged(after)
            }
            Decision::Done(_) if self.is_hooked(entity) => {
                check_status(answer, &[200, 409, 422], "the rule covers the row before and after")
            }
            Decision::Done(values) => {
                check_status(answer, &[200], "the rule covers the row before and after")?;
                let key = &values[usize::from(entity.pk)];
                let stored = after[usize::from(entity.ix)].iter().find(|row| row.value(entity.pk) == key);
                match stored {
                    Some(row) if row.values == values && !row.deleted => self.check_reply(entity, row, answer, after),
                    Some(row) => Err(format!("the row is {:?} then, where it should be {values:?}", row.values)),
                    None => Err("the row is gone".to_owned()),
                }
            }
        }
    }

    fn check_created(&self, entity: Entity, values: &[Value], answer: &Answer, after: &[Vec<Stored>]) -> Verdict {
        if self.oracle.is_closed(entity, "create") {
            check_closed(self.oracle, answer)?;
            return self.check_unchanged(after);
        }
        match self.create(entity, values) {
            Decision::Refused(wanted, why) => {
                let wanted: &[u16] = if self.is_hooked(entity) { &[wanted, 409, 422] } else { &[wanted] };
                check_status(answer, wanted, why)?;
                self.check_unchanged(after)
            }
            Decision::Done(_) if self.is_hooked(entity) => check_status(answer, &[201, 409, 422], "the rule covers such a row"),
            Decision::Done(values) => {
                check_status(answer, &[201], "the rule covers such a row")?;
                let before = &self.whole.rows[usize::from(entity.ix)];
                let is_new = |row: &&Stored| before.iter().all(|old| old.value(entity.pk) != row.value(entity.pk));
                let made = after[usize::from(entity.ix)].iter().find(is_new).ok_or("no row was made")?;
                let mut values = values;
                values[usize::from(entity.pk)] = made.value(entity.pk).clone();
                match made.values == values {
                    true => self.check_reply(entity, made, answer, after),
                    false => Err(format!("the row is {:?} then, where it should be {values:?}", made.values)),
                }
            }
        }
    }

    /// The caller who wrote a row gets its key, and its values only if they can be read now.
    fn check_reply(&self, entity: Entity, row: &Stored, answer: &Answer, after: &[Vec<Stored>]) -> Verdict {
        let Ok(Json::Object(body)) = serde_json::from_str(&answer.body) else { return Ok(()) };
        let world = World { rows: after.to_vec(), ..self.whole.clone() }.visible_to(self.oracle.who);
        let reads = self.oracle_after(&world).reads(entity, &row.values);
        match (body.len() > 1, reads) {
            (true, false) => Err("the row is shown to somebody who may not read it as it is now".to_owned()),
            (false, true) => Err("the row is not shown to somebody who may read it as it is now".to_owned()),
            _ => Ok(()),
        }
    }

    fn check_action(&self, entity: Entity, key: &Value, action: &str, answer: &Answer) -> Verdict {
        if self.oracle.is_closed(entity, action) {
            return check_closed(self.oracle, answer);
        }
        match self.find_covered(entity, action, key) {
            Err(Decision::Refused(wanted, why)) => check_status(answer, &[wanted], why),
            _ if self.hooks.find_action(entity.ix, action).is_none() => {
                check_status(answer, &[501], "the rule covers the row, and nothing handles the action")
            }
            _ if matches!(answer.status, 401 | 404) => Err(format!("status {}, and the rule covers the row", answer.status)),
            _ => Ok(()),
        }
    }

    fn check_deleted(&self, entity: Entity, key: &Value, answer: &Answer, after: &[Vec<Stored>]) -> Verdict {
        if self.oracle.is_closed(entity, "delete") {
            check_closed(self.oracle, answer)?;
            return self.check_unchanged(after);
        }
        if let Err(Decision::Refused(wanted, why)) = self.find_covered(entity, "delete", key) {
            check_status(answer, &[wanted], why)?;
            return self.check_unchanged(after);
        }
        let held = self.is_hooked(entity) || self.whole.is_referred_to(entity, key);
        check_status(answer, if held { &[200, 204, 409, 422] } else { &[200, 204] }, "the rule covers the row")?;
        if answer.status >= 400 {
            self.check_named(entity, key, answer)?;
            return self.check_unchanged(after);
        }
        // Dependent rows need no permit, but their `forbid` applies. A row without a tenant deletes dependent rows in all tenants.
        let everywhere = Oracle { world: self.whole, who: self.oracle.who, home: Some(self.oracle.world) };
        let oracle = if entity.tenancy.tenant.is_none() { &everywhere } else { self.oracle };
        for (other, rows) in self.oracle.app().entities.iter().zip(&self.whole.rows) {
            let there =
                |row: &Stored| after[usize::from(other.ix)].iter().any(|it| !it.deleted && it.value(other.pk) == row.value(other.pk));
            for gone in rows.iter().filter(|row| !row.deleted && !there(row)) {
                let itself = other.ix == entity.ix && gone.value(other.pk) == key;
                if !itself && oracle.forbids(other, "delete", &gone.values) {
                    return Err(format!("{} {} went with it, and `forbid: delete` holds it", other.name, key_text(gone.value(other.pk))));
                }
            }
        }
        Ok(())
    }

    /// A refusal names only entities that the caller can list.
    fn check_named(&self, gone: Entity, key: &Value, answer: &Answer) -> Verdict {
        let Some((_, names)) = answer.body.split_once("as long as these refer to it: ") else { return Ok(()) };
        let names = names.split(['"', '<']).next().unwrap_or_default();
        for name in names.split(", ") {
            let of = self.oracle.app().entities.iter().find(|entity| entity.title_plural.to_lowercase() == name);
            let Some(entity) = of else { continue };
            let refers = |row: &&Stored| {
                let refs = (0..).zip(entity.fields).filter(|(_, field)| field.kind.target() == Some(gone.ix));
                refs.into_iter().any(|(at, _)| row.value(at) == key)
            };
            let rows: Vec<&Stored> = self.world().stored_rows(entity.ix).filter(refers).collect();
            let seen = |row: &&Stored| self.oracle.lists(entity, &row.values);
            // Any row can refer to it through a dependent row.
            let hidden = if rows.is_empty() { self.oracle.listed_rows(entity).is_empty() } else { !rows.iter().any(seen) };
            if hidden {
                return Err(format!("the refusal names {name}, and the caller may list none"));
            }
        }
        Ok(())
    }

    fn check_bulk(
        &self,
        entity: Entity,
        action: &str,
        keys: &[Value],
        answer: &Answer,
        decide: impl Fn(&WriteOracle<'_>, &Value) -> Decision,
    ) -> Verdict {
        if self.oracle.is_closed(entity, action) {
            return check_closed(self.oracle, answer);
        }
        check_status(answer, &[200], "its roles may cover some row")?;
        let body: Json = serde_json::from_str(&answer.body).map_err(|error| error.to_string())?;
        let results = body["results"].as_array().ok_or("no results")?;
        let id = |item: &Json| item["id"].as_str().map_or_else(|| item["id"].to_string(), str::to_owned);
        let found: Vec<String> = results.iter().map(id).collect();
        compare_rows(&found, &keys.iter().map(key_text).collect::<Vec<_>>(), false)?;
        // The rows are written one after another, so later ones see earlier changes.
        let mut world = self.world().clone();
        for item in results {
            let Some(key) = keys.iter().find(|key| key_text(key) == id(item)) else { continue };
            let oracle = self.oracle_after(&world);
            let decision = decide(&WriteOracle { oracle: &oracle, ..*self }, key);
            let told = item["status"].as_u64().unwrap_or_default();
            let (wanted, why, values) = match decision {
                Decision::Refused(status, why) => (status, why, None),
                Decision::Done(values) => (200, "the rule covers the row before and after", Some(values)),
            };
            let hooked = self.is_hooked(entity) && matches!(told, 409 | 422) && wanted != 404;
            if told != u64::from(wanted) && !hooked {
                return Err(format!("{} has status {told} where the rules say {wanted}: {why}", id(item)));
            }
            if let (Some(values), 200) = (values, told) {
                world.replace(entity, key, &values);
            }
        }
        Ok(())
    }

    /// Checks that a refused write changed nothing.
    pub fn check_unchanged(&self, after: &[Vec<Stored>]) -> Verdict {
        for (entity, (before, after)) in self.oracle.app().entities.iter().zip(self.whole.rows.iter().zip(after)) {
            for row in before {
                if !after.contains(row) {
                    return Err(format!("it was refused, and {} {} is not as it was", entity.name, key_text(row.value(entity.pk))));
                }
            }
            if before.len() != after.len() {
                return Err(format!("it was refused, and there are {} {} rows in the place of {}", after.len(), entity.name, before.len()));
            }
        }
        Ok(())
    }
}
