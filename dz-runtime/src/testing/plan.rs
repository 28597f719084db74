//! Which request comes next: a random one on a random channel.

use super::{
    ask::{Ask, Narrow, Reach},
    invent::{Inventor, beside, uuid},
    judge::{Judge, Place, Who},
    random::Random,
    world::World,
};
use crate::{
    Value,
    access::BUILT_IN,
    def::{AppDef, Auto, EntityDef, EntityIx, FieldDef, FieldIx, Kind, Mode, SurfaceDef},
    http::params,
};

/// Makes requests about a world.
pub(super) struct Planner<'p> {
    pub app: &'static AppDef,
    pub inventor: &'p Inventor,
    pub world: &'p World,
    pub who: &'p Who,
    /// The entity that most requests are about, if there is one.
    pub focus: Option<EntityIx>,
}

impl Planner<'_> {
    /// A request; nothing when the channel that was drawn has none for the entity that was drawn.
    pub fn ask(&self, random: &mut Random) -> Option<Ask> {
        let mut entity = *random.pick(self.app.entities)?;
        if let Some(focus) = self.focus.filter(|_| !random.once_in(3)) {
            entity = self.app.entity(focus);
        }
        let page = |random: &mut Random, mode| {
            // A page of the only row of an entity has no key.
            let meant = |surface: &&SurfaceDef| surface.mode == mode && !self.app.entity(surface.entity).tenancy.is_singleton();
            let pages: Vec<&'static SurfaceDef> = self.app.surfaces.iter().copied().filter(meant).collect();
            random.pick(&pages).copied()
        };
        Some(match random.below(22) {
            0 | 1 => Ask::List(entity, Narrow::Nothing),
            2..=4 => Ask::List(entity, self.narrow(random, entity)?),
            5 => Ask::Csv(entity, self.narrow(random, entity).unwrap_or(Narrow::Nothing)),
            6 => Ask::Expanded(entity, self.relation(random, entity)?),
            7 | 8 => Ask::Read(entity, self.key(random, entity)),
            9 => Ask::Pick(entity, random.once_in(2).then(|| self.words(random)).flatten()),
            10 => {
                let surface = page(random, Mode::List)?;
                let narrow = self.narrow(random, self.app.entity(surface.entity)).filter(|_| random.once_in(2));
                Ask::ListPage(surface, narrow.unwrap_or(Narrow::Nothing))
            }
            11 => {
                let surface = page(random, Mode::View)?;
                Ask::ViewPage(surface, self.key(random, self.app.entity(surface.entity)))
            }
            12 => {
                let surface = page(random, Mode::Edit)?;
                Ask::EditPage(surface, self.key(random, self.app.entity(surface.entity)))
            }
            13 => self.create(random, entity)?,
            14 | 15 => Ask::Update(entity, self.key(random, entity), self.given(random, entity)?),
            16 => Ask::Delete(entity, self.key(random, entity)),
            17 => self.moves(random)?,
            18 => self.action(random)?,
            19 => self.bulk(random, entity)?,
            20 => {
                let surface = page(random, Mode::View)?;
                Ask::PageDelete(surface, self.key(random, self.app.entity(surface.entity)))
            }
            _ => {
                let marked: Vec<_> = self.app.entities.iter().copied().filter(|entity| entity.soft_delete).collect();
                let entity = *random.pick(&marked)?;
                let rows: Vec<_> = self.world.rows[usize::from(entity.ix)].iter().filter(|row| row.deleted || random.once_in(4)).collect();
                Ask::Restore(entity, random.pick(&rows)?.value(entity.pk).clone())
            }
        })
    }

    /// The key of some row, now and then of none or of a deleted one.
    fn key(&self, random: &mut Random, entity: &'static EntityDef) -> Value {
        let nobody = match entity.key().kind {
            Kind::Uuid => uuid(random),
            Kind::Int => Value::Int(999_999_999),
            _ => Value::Text("nobody".to_owned()),
        };
        if random.once_in(20) {
            return nobody;
        }
        random.pick(&self.world.rows[usize::from(entity.ix)]).map_or(nobody, |row| row.value(entity.pk).clone())
    }

    fn relation(&self, random: &mut Random, entity: &'static EntityDef) -> Option<FieldIx> {
        let all: Vec<FieldIx> = (0..)
            .zip(entity.fields)
            .filter(|(_, field)| matches!(field.kind, Kind::Ref(_) | Kind::HasMany { .. }))
            .map(|(at, _)| at)
            .collect();
        random.pick(&all).copied()
    }

    /// Some letters of some text, whoever may see it.
    fn words(&self, random: &mut Random) -> Option<String> {
        let entity = *random.pick(self.app.entities)?;
        let row = random.pick(&self.world.rows[usize::from(entity.ix)])?;
        let texts: Vec<&String> =
            row.values.iter().filter_map(|value| if let Value::Text(text) = value { Some(text) } else { None }).collect();
        let text: Vec<char> = random.pick(&texts)?.chars().collect();
        let from = random.below(text.len().saturating_sub(2));
        let part: String = text.iter().skip(from).take(1 + random.below(7)).collect();
        let part = if random.once_in(2) { part.to_uppercase() } else { part };
        (!part.trim().is_empty()).then(|| part.trim().to_owned())
    }

    fn narrow(&self, random: &mut Random, entity: &'static EntityDef) -> Option<Narrow> {
        if random.once_in(4) {
            params::list_surface(self.app, entity).filter(|surface| !surface.ux.search.is_empty())?;
            return self.words(random).map(Narrow::Search);
        }
        let (reach, at, field) = self.reach(random, entity)?;
        if random.once_in(3) {
            let orders = !matches!(field.kind, Kind::Json | Kind::File { .. } | Kind::Float);
            return orders.then(|| Narrow::Sort(reach, random.once_in(2)));
        }
        // A value that some row has, whoever may see it: no filter is an oracle.
        let row = random.pick(&self.world.rows[usize::from(at.ix)])?;
        let value = Judge::new(self.world, self.who).held(at, reach.field, &row.values);
        let plain = match &value {
            Value::Text(text) => !text.is_empty() && text.trim() == text,
            Value::Int(_) | Value::Bool(_) | Value::Date(_) | Value::Uuid(_) | Value::Decimal(_) => true,
            _ => false,
        };
        Some(match random.below(5) {
            0 => Narrow::IsNull(reach),
            1 if plain => Narrow::Differs(reach, value),
            _ if plain => Narrow::Equals(reach, value),
            _ => Narrow::IsNull(reach),
        })
    }

    /// A field that may shape a list: one of the entity's own, or one that a ref leads to.
    fn reach(&self, random: &mut Random, entity: &'static EntityDef) -> Option<(Reach, &'static EntityDef, &'static FieldDef)> {
        let refs: Vec<(FieldIx, &'static EntityDef)> = (0..)
            .zip(entity.fields)
            .filter_map(|(at, field)| if let Kind::Ref(to) = field.kind { Some((at, self.app.entity(to))) } else { None })
            .collect();
        let (hops, at) = match random.pick(&refs) {
            Some((hop, target)) if !random.once_in(3) => (vec![*hop], *target),
            _ => (Vec::new(), entity),
        };
        let open = |field: &FieldDef| field.has_value() && !field.secret && !field.sensitive;
        let fields: Vec<FieldIx> = (0..).zip(at.fields).filter(|(_, field)| open(field)).map(|(ix, _)| ix).collect();
        let field = *random.pick(&fields)?;
        Some((Reach { hops, field }, at, at.field(field)))
    }

    /// Fields that a client may send at all.
    fn writable(&self, entity: &'static EntityDef) -> Vec<(FieldIx, &'static FieldDef)> {
        let states = entity.states.map(|states| states.field);
        (0..)
            .zip(entity.fields)
            .filter(|(at, field)| {
                let address = entity.account && field.name == "email";
                let tenant = entity.tenancy.tenant == Some(*at) && !self.who.is_everywhere(entity);
                field.is_stored()
                    && !field.secret
                    && !field.is_beside()
                    && !field.identity
                    && !matches!(field.kind, Kind::File { .. })
                    && field.auto == Auto::No
                    && *at != entity.pk
                    && Some(*at) != states
                    && !address
                    && !tenant
            })
            .collect()
    }

    fn given(&self, random: &mut Random, entity: &'static EntityDef) -> Option<Vec<(FieldIx, Value)>> {
        let fields = self.writable(entity);
        let mut given: Vec<(FieldIx, Value)> = Vec::new();
        for _ in 0..1 + random.below(2) {
            let (at, field) = *random.pick(&fields)?;
            let value = self.inventor.value(random, self.world, entity, at, field);
            let missing = field.required && value.is_null();
            if !missing && given.iter().all(|(other, _)| *other != at) {
                let beside = beside(random, entity, at, &value);
                given.push((at, value));
                given.extend(beside);
            }
        }
        (!given.is_empty()).then_some(given)
    }

    /// A whole new row, with what dz fills in itself.
    fn create(&self, random: &mut Random, entity: &'static EntityDef) -> Option<Ask> {
        let judge = Judge::new(self.world, self.who);
        let nothing = vec![Value::Null; entity.fields.len()];
        let here = Place { entity, values: &nothing, outer: None };
        let open = self.writable(entity);
        let mut values = nothing.clone();
        let mut sent = Vec::new();
        for (at, field) in (0..).zip(entity.fields).filter(|(_, field)| field.is_stored() && !field.secret) {
            let named = at == entity.pk && field.kind.is_text();
            let address = entity.account && field.name == "email";
            let state = entity.states.is_some_and(|states| states.field == at);
            let value = match field.auto {
                Auto::Add | Auto::Update if matches!(field.kind, Kind::Date) => Value::Date(self.who.today),
                Auto::Add | Auto::Update => Value::DateTime(self.who.now),
                Auto::No if state => first_state(entity),
                Auto::No if entity.tenancy.tenant == Some(at) && !self.who.is_everywhere(entity) => {
                    self.who.place.tenant.clone().unwrap_or_default()
                }
                Auto::No if named || address || open.iter().any(|(other, _)| *other == at) => {
                    let value = self.inventor.value(random, self.world, entity, at, field);
                    sent.push((at, value.clone()));
                    value
                }
                Auto::No if at == entity.pk => uuid(random),
                Auto::No => match (&field.default, field.kind) {
                    (Some(default), _) => judge.value(default, here),
                    (None, Kind::Bool) if field.required => Value::Bool(false),
                    _ => Value::Null,
                },
            };
            // A currency comes with its amount, which stands before it.
            if field.is_beside() {
                continue;
            }
            if field.required && value.is_null() {
                return None;
            }
            if let Some((at, currency)) = beside(random, entity, at, &value) {
                values[usize::from(at)] = currency.clone();
                sent.push((at, currency));
            }
            values[usize::from(at)] = value;
        }
        Some(Ask::Create(entity, values, sent))
    }

    fn moves(&self, random: &mut Random) -> Option<Ask> {
        let all: Vec<_> = self.app.entities.iter().copied().filter(|entity| entity.states.is_some()).collect();
        let entity = *random.pick(&all)?;
        let state = self.state(random, entity)?;
        let pages = self.app.surfaces.iter().copied().filter(|surface| surface.mode == Mode::View && surface.entity == entity.ix);
        let page = pages.into_iter().next().filter(|_| random.once_in(3));
        let key = self.key(random, entity);
        if let Some(page) = page {
            return Some(Ask::PageMove(page, key, state));
        }
        // What a move asks for may be sent with it.
        let wanted: Vec<FieldIx> = entity.states.iter().flat_map(|states| states.rows).flat_map(|row| row.requires).copied().collect();
        let mut given = Vec::new();
        if random.once_in(2)
            && let Some(at) = random.pick(&wanted)
            && self.writable(entity).iter().any(|(open, _)| open == at)
        {
            let value = self.inventor.value(random, self.world, entity, *at, entity.field(*at));
            let beside = beside(random, entity, *at, &value);
            given.extend((!value.is_null()).then_some((*at, value)).into_iter().chain(beside).filter(|(_, value)| !value.is_null()));
        }
        Some(Ask::Move(entity, key, state, given))
    }

    fn state(&self, random: &mut Random, entity: &'static EntityDef) -> Option<&'static str> {
        let Kind::Enum(of) = entity.field(entity.states?.field).kind else { return None };
        random.pick(of.values).map(|value| value.name)
    }

    fn action(&self, random: &mut Random) -> Option<Ask> {
        let own = |entity: &'static EntityDef| {
            entity.rules.iter().filter(|rule| !BUILT_IN.contains(&rule.action)).map(move |rule| (entity, rule.action))
        };
        let all: Vec<_> = self.app.entities.iter().copied().flat_map(own).collect();
        let (entity, action) = *random.pick(&all)?;
        Some(Ask::Act(entity, self.key(random, entity), action))
    }

    fn bulk(&self, random: &mut Random, entity: &'static EntityDef) -> Option<Ask> {
        let mut keys: Vec<Value> = self.world.rows[usize::from(entity.ix)].iter().map(|row| row.value(entity.pk).clone()).collect();
        keys.push(self.key(random, entity));
        keys.sort_by_key(super::world::key_text);
        keys.dedup();
        Some(match random.below(3) {
            0 if entity.states.is_some() => Ask::BulkMove(entity, keys, self.state(random, entity)?),
            1 => Ask::BulkQuery(entity, self.given(random, entity)?),
            _ => Ask::BulkUpdate(entity, keys, self.given(random, entity)?),
        })
    }
}

/// The state that a new row begins in.
fn first_state(entity: &'static EntityDef) -> Value {
    let Some(states) = entity.states else { return Value::Null };
    match entity.field(states.field).kind {
        Kind::Enum(of) => of.values.get(usize::from(states.initial)).map_or(Value::Null, |value| Value::Text(value.name.to_owned())),
        _ => Value::Null,
    }
}
