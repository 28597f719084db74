//! Generates writes: new rows, changes and transitions with values that a client can send.

use std::mem::discriminant;

use super::{Planner, refers};
use crate::{
    Value,
    access::BUILT_IN,
    def::{Auto, EntityDef, Expr, FieldDef, FieldIx, Mode},
    field,
    testing::{
        generate::{generate_currency, generate_uuid},
        operation::Operation,
        oracle::{Oracle, Scope},
        random::Random,
        world::{Stored, key_text},
    },
};

impl Planner<'_> {
    /// The fields that a client can send.
    pub(super) fn writable(&self, entity: &'static EntityDef) -> Vec<(FieldIx, &'static FieldDef)> {
        let states = entity.states.map(|states| states.field);
        (0..)
            .zip(entity.fields)
            .filter(|(at, field)| {
                let address = entity.account && field.name == "email";
                let tenant = entity.tenancy.tenant == Some(*at) && !self.who.is_everywhere(entity);
                field.is_stored()
                    && !field.secret
                    && !field.is_currency_of_amount()
                    && !field.identity
                    && !field.kind.is_file()
                    && field.auto == Auto::No
                    && *at != entity.pk
                    && Some(*at) != states
                    && !address
                    && !tenant
            })
            .collect()
    }

    /// Generates changes, always of `first` if it is given.
    pub(super) fn pick_changes(
        &self,
        random: &mut Random,
        entity: &'static EntityDef,
        first: Option<FieldIx>,
    ) -> Option<Vec<(FieldIx, Value)>> {
        let fields = self.writable(entity);
        let mut given: Vec<(FieldIx, Value)> = Vec::new();
        for place in 0..1 + random.below(2) {
            let drawn = random.pick(&fields)?.0;
            let at = first.filter(|_| place == 0).unwrap_or(drawn);
            let field = entity.field(at);
            let value = self.value(random, entity, at);
            let missing = field.required && value.is_null();
            if !missing && given.iter().all(|(other, _)| *other != at) {
                let beside = generate_currency(random, entity, at, &value);
                given.push((at, value));
                given.extend(beside);
            }
        }
        (!given.is_empty()).then_some(given)
    }

    /// A value of a field, sometimes one of the caller's own account, which rules compare with.
    fn value(&self, random: &mut Random, entity: &'static EntityDef, at: FieldIx) -> Value {
        let field = entity.field(at);
        let own = || {
            let account = self.app.account();
            let row = self.world.find(account.ix, self.who.account.as_ref()?)?;
            if refers(field, account.ix) {
                return Some(row.value(account.pk).clone());
            }
            let same: Vec<&Value> = (account.fields.iter().zip(&row.values))
                .filter(|(other, value)| {
                    let same = discriminant(&other.kind) == discriminant(&field.kind) && other.kind.target() == field.kind.target();
                    other.is_stored() && !other.secret && !value.is_null() && same
                })
                .map(|(_, value)| value)
                .collect();
            Some((*same.first()?).clone())
        };
        let plain = !field.unique && at != entity.pk && (field.kind.is_text() || field.kind.is_int() || field.kind.target().is_some());
        let own = if plain && random.once_in(4) { own() } else { None };
        let drawn = own.or_else(|| self.pick_unnameable(random, field));
        drawn
            .filter(|value| field::check(field, value).is_ok())
            .unwrap_or_else(|| self.inventor.value(random, self.world, entity, at, field))
    }

    /// In some cases the key of a row that the caller cannot refer to, because a random write is rarely refused for this reason alone.
    fn pick_unnameable(&self, random: &mut Random, field: &FieldDef) -> Option<Value> {
        let to = field.kind.target()?;
        if !random.once_in(4) {
            return None;
        }
        let oracle = Oracle::new(self.world, self.who);
        let target = self.app.entity(to);
        let closed: Vec<&Stored> = self.world.stored_rows(to).filter(|row| !oracle.can_name(target, &row.values)).collect();
        random.pick(&closed).map(|row| row.value(target.pk).clone())
    }

    /// A complete new row, with the values that dz sets.
    pub(super) fn create(&self, random: &mut Random, entity: &'static EntityDef) -> Option<Operation> {
        let oracle = Oracle::new(self.world, self.who);
        let nothing = vec![Value::Null; entity.fields.len()];
        let here = Scope { entity, values: &nothing, outer: None };
        let open = self.writable(entity);
        let mut values = nothing.clone();
        let mut sent = Vec::new();
        for (at, field) in (0..).zip(entity.fields).filter(|(_, field)| field.is_stored() && !field.secret) {
            let named = at == entity.pk && field.kind.is_text();
            let address = entity.account && field.name == "email";
            let state = entity.states.is_some_and(|states| states.field == at);
            let value = match field.auto {
                Auto::Add | Auto::Update if field.kind.is_date() => Value::Date(self.who.today),
                Auto::Add | Auto::Update => Value::DateTime(self.who.now),
                Auto::No if state => first_state(entity),
                Auto::No if entity.tenancy.tenant == Some(at) && !self.who.is_everywhere(entity) => {
                    self.who.tenant_state.tenant.clone().unwrap_or_default()
                }
                Auto::No if named || address || open.iter().any(|(other, _)| *other == at) => {
                    let value = self.value(random, entity, at);
                    sent.push((at, value.clone()));
                    value
                }
                Auto::No if at == entity.pk => generate_uuid(random),
                Auto::No => match &field.default {
                    Some(default) => oracle.value(default, here),
                    None if field.required && field.kind.is_bool() => Value::Bool(false),
                    None => Value::Null,
                },
            };
            // A currency is generated with its amount, which is the field before it.
            if field.is_currency_of_amount() {
                continue;
            }
            if field.required && value.is_null() {
                return None;
            }
            if let Some((at, currency)) = generate_currency(random, entity, at, &value) {
                values[usize::from(at)] = currency.clone();
                sent.push((at, currency));
            }
            values[usize::from(at)] = value;
        }
        Some(Operation::Create(entity, values, sent))
    }

    pub(super) fn plan_transition(&self, random: &mut Random, entity: &'static EntityDef) -> Option<Operation> {
        let (key, state) = match self.find_almost_guarded(random, entity) {
            Some(found) => found,
            None => {
                let key = self.pick_key(random, entity, Oracle::transition_action(entity));
                let state = self.next_state(random, entity, &key).or_else(|| self.state(random, entity))?;
                (key, state)
            }
        };
        let pages = self.app.surfaces.iter().copied().filter(|surface| surface.mode == Mode::View && surface.entity == entity.ix);
        let page = pages.into_iter().next().filter(|_| random.once_in(3));
        if let Some(page) = page {
            return Some(Operation::PageTransition(page, key, state));
        }
        // The required fields of a transition can be sent with it.
        let wanted: Vec<FieldIx> = entity.states.iter().flat_map(|states| states.rows).flat_map(|row| row.requires).copied().collect();
        let mut given = Vec::new();
        if random.once_in(2)
            && let Some(at) = random.pick(&wanted)
            && self.writable(entity).iter().any(|(open, _)| open == at)
        {
            let value = self.value(random, entity, *at);
            let beside = generate_currency(random, entity, *at, &value);
            given.extend((!value.is_null()).then_some((*at, value)).into_iter().chain(beside).filter(|(_, value)| !value.is_null()));
        }
        Some(Operation::Transition(entity, key, state, given))
    }

    /// In some cases a transition that only one part of its guard refuses, because random transitions rarely are.
    fn find_almost_guarded(&self, random: &mut Random, entity: &'static EntityDef) -> Option<(Value, &'static str)> {
        let states = entity.states.filter(|_| random.once_in(3))?;
        let of = entity.field(states.field).kind.enumeration()?;
        let oracle = Oracle::new(self.world, self.who);
        let mut found = Vec::new();
        for row in self.world.stored_rows(entity.ix) {
            let here = Scope { entity, values: &row.values, outer: None };
            let in_state = |at: u16| {
                of.values.get(usize::from(at)).is_some_and(|state| row.value(states.field) == &Value::Text(state.name.to_owned()))
            };
            for (_, to, at) in states.transitions.iter().filter(|(from, ..)| in_state(*from)) {
                let needs = &states.rows[usize::from(*at)];
                let role = needs.roles == 0 || needs.roles & self.who.roles_on(entity) != 0;
                let almost = needs.guard.as_ref().is_some_and(|guard| failing_parts(&oracle, guard, here) == 1);
                if role
                    && almost
                    && oracle.reads(entity, &row.values)
                    && oracle.covers(entity, Oracle::transition_action(entity), &row.values)
                {
                    found.extend(of.values.get(usize::from(*to)).map(|state| (row.value(entity.pk).clone(), state.name)));
                }
            }
        }
        random.pick(&found).cloned()
    }

    fn state(&self, random: &mut Random, entity: &'static EntityDef) -> Option<&'static str> {
        let of = entity.field(entity.states?.field).kind.enumeration()?;
        random.pick(of.values).map(|value| value.name)
    }

    /// Sometimes a state with a declared transition from the current one.
    fn next_state(&self, random: &mut Random, entity: &'static EntityDef, key: &Value) -> Option<&'static str> {
        let states = entity.states.filter(|_| random.once_in(2))?;
        let of = entity.field(states.field).kind.enumeration()?;
        let name = |at: u16| of.values.get(usize::from(at)).map(|value| value.name);
        let row = self.world.find(entity.ix, key)?;
        let is_here = |from: u16| name(from).is_some_and(|from| *row.value(states.field) == Value::Text(from.to_owned()));
        let next: Vec<u16> = states.transitions.iter().filter(|(from, ..)| is_here(*from)).map(|(_, to, _)| *to).collect();
        random.pick(&next).and_then(|to| name(*to))
    }

    /// Generates one of the entity's own actions.
    pub(super) fn plan_action(&self, random: &mut Random, entity: &'static EntityDef) -> Option<Operation> {
        let own: Vec<&'static str> = entity.rules.iter().map(|rule| rule.action).filter(|action| !BUILT_IN.contains(action)).collect();
        let action = *random.pick(&own)?;
        Some(Operation::Act(entity, self.pick_key(random, entity, action), action))
    }

    pub(super) fn bulk(&self, random: &mut Random, entity: &'static EntityDef) -> Option<Operation> {
        let mut keys: Vec<Value> = self.world.rows[usize::from(entity.ix)].iter().map(|row| row.value(entity.pk).clone()).collect();
        keys.push(self.pick_key(random, entity, "update"));
        keys.sort_by_key(key_text);
        keys.dedup();
        Some(match random.below(3) {
            0 if entity.states.is_some() => Operation::BulkTransition(entity, keys, self.state(random, entity)?),
            1 => Operation::BulkQuery(entity, self.pick_changes(random, entity, None)?),
            _ => Operation::BulkUpdate(entity, keys, self.pick_changes(random, entity, None)?),
        })
    }
}

/// The number of false parts of a guard.
fn failing_parts(oracle: &Oracle<'_>, guard: &Expr, here: Scope<'_>) -> usize {
    match guard {
        Expr::And(parts) => parts.iter().filter(|part| oracle.truth(part, here) != Some(true)).count(),
        whole => usize::from(oracle.truth(whole, here) != Some(true)),
    }
}

/// The initial state of a new row.
fn first_state(entity: &'static EntityDef) -> Value {
    let Some(states) = entity.states else { return Value::Null };
    let initial = entity.field(states.field).kind.enumeration().and_then(|of| of.values.get(usize::from(states.initial)));
    initial.map_or(Value::Null, |value| Value::Text(value.name.to_owned()))
}
