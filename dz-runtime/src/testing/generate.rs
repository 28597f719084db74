//! Generates random rows, accounts and roles that the declaration permits.

use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::Decimal;

use super::{
    invariants,
    oracle::{Oracle, Scope, TestCaller},
    random::Random,
    tenants::{self, TenantState},
    world::{Stored, World},
};
use crate::{
    Value, caller,
    def::{AppDef, EntityDef, EntityIx, Expr, FieldDef, FieldIx, Kind},
    field,
};

/// The maximum number of rows of an entity; lists show them on one page, and pickers without a search.
const MAX_ROWS: usize = 6;
/// The maximum number of nodes and of edges of a graph. A node that is hidden between two visible ones is rare in a smaller graph.
const MAX_GRAPH_ROWS: usize = 14;
/// How often a row is generated again if it violates an invariant or is not unique.
const TRIES: usize = 12;

/// Generates worlds.
pub(super) struct Generator {
    app: &'static AppDef,
    /// Constants of rules, guards and filters, so that comparisons are sometimes true.
    texts: Vec<&'static str>,
    numbers: Vec<i64>,
    now: DateTime<Utc>,
}

impl Generator {
    pub fn new(app: &'static AppDef, now: DateTime<Utc>) -> Generator {
        let mut inventor = Generator { app, texts: vec!["Blue", "red", "Énorme", "aZ", "zürich"], numbers: vec![-1, 0, 1, 2, 7], now };
        for entity in app.entities {
            let rules = entity.rules.iter().flat_map(|rule| [&rule.permit, &rule.scope, &rule.forbid]).flatten();
            rules.for_each(|expr| inventor.collect_constants(expr));
            entity.invariants.iter().for_each(|invariant| inventor.collect_constants(&invariant.condition));
            entity
                .states
                .iter()
                .flat_map(|states| states.rows)
                .filter_map(|row| row.guard.as_ref())
                .for_each(|it| inventor.collect_constants(it));
        }
        let scopes = app.surfaces.iter().flat_map(|surface| surface.variants).filter_map(|variant| variant.scope.as_ref());
        scopes.for_each(|expr| inventor.collect_constants(expr));
        inventor
    }

    fn collect_constants(&mut self, expr: &Expr) {
        match expr {
            Expr::Text(text) => self.texts.push(text),
            Expr::Int(number) => self.numbers.extend([*number, number.saturating_add(1)]),
            Expr::Decimal(digits) => self.numbers.extend(digits.split('.').next().and_then(|whole| whole.parse::<i64>().ok())),
            Expr::List(parts) | Expr::And(parts) | Expr::Or(parts) | Expr::Call(_, parts, _) => {
                parts.iter().for_each(|part| self.collect_constants(part));
            }
            Expr::Not(inner) | Expr::Negate(inner) => self.collect_constants(inner),
            Expr::Compare(_, left, right) | Expr::In(left, right) | Expr::Arithmetic(_, left, right, _) => {
                self.collect_constants(left);
                self.collect_constants(right);
            }
            Expr::Aggregate { condition: Some(condition), .. } => self.collect_constants(condition),
            Expr::If(branches, otherwise) => {
                branches.iter().for_each(|(test, result)| [test, result].into_iter().for_each(|part| self.collect_constants(part)));
                self.collect_constants(otherwise);
            }
            _ => {}
        }
    }

    /// Generates rows of every entity and roles of every account. At least a fifth of the nullable values is null.
    pub fn world(&self, random: &mut Random) -> World {
        let mut world = World::empty(self.app);
        for ix in creation_order(self.app) {
            let entity = self.app.entity(ix);
            let is_of_graph = entity.node.is_some() || entity.edge.is_some();
            let most = if is_of_graph { MAX_GRAPH_ROWS } else { MAX_ROWS };
            for _ in 0..tenants::pick_count(random, &world, entity, most) {
                if let Some(values) = self.row(random, &world, entity) {
                    let deleted = entity.soft_delete && random.once_in(4);
                    world.rows[usize::from(ix)].push(Stored { values, deleted });
                }
            }
        }
        self.point_forward(random, &mut world);
        let account = self.app.account();
        let all = (1_u64 << self.app.roles.len()) - 1;
        for row in &world.rows[usize::from(account.ix)] {
            let roles = match random.below(3) {
                0 => 0,
                1 => 1 << random.below(self.app.roles.len().max(1)),
                _ => random.next(),
            };
            world.granted.insert(super::world::key_text(row.value(account.pk)), roles & all);
        }
        tenants::switch_tenants(random, &mut world);
        world
    }

    /// Sets references to rows that are generated later, and to rows of the same entity.
    fn point_forward(&self, random: &mut Random, world: &mut World) {
        for entity in self.app.entities {
            let refs: Vec<(FieldIx, EntityIx)> = (0..)
                .zip(entity.fields)
                .filter(|(_, field)| !field.required && !field.unique)
                .filter_map(|(at, field)| Some((at, field.kind.target()?)))
                .collect();
            for row in 0..world.rows[usize::from(entity.ix)].len() {
                for (at, to) in &refs {
                    if random.once_in(3) {
                        continue;
                    }
                    let pk = self.app.entity(*to).pk;
                    let Some(key) = random.pick(&world.rows[usize::from(*to)]).map(|row| row.value(pk).clone()) else { continue };
                    let mut values = world.rows[usize::from(entity.ix)][row].values.clone();
                    values[usize::from(*at)] = key;
                    // The row is first stored without references to later rows, which must also be valid.
                    let mut first = values.clone();
                    refs.iter().filter(|(at, _)| is_later(self.app, entity, *at)).for_each(|(at, _)| first[usize::from(*at)] = Value::Null);
                    if self.is_valid(world, entity, &values, Some(row)) && self.is_valid(world, entity, &first, Some(row)) {
                        world.rows[usize::from(entity.ix)][row].values = values;
                    }
                }
            }
        }
    }

    /// Generates a valid row; `None` if no attempt succeeded.
    pub fn row(&self, random: &mut Random, world: &World, entity: &'static EntityDef) -> Option<Vec<Value>> {
        for _ in 0..TRIES {
            let mut values = vec![Value::Null; entity.fields.len()];
            let whose = tenants::pick_tenant(random, world, entity);
            let near = world.referable_rows(whose.as_ref());
            for (at, field) in entity.fields.iter().enumerate().filter(|(_, field)| field.is_stored() && !field.secret) {
                let own = whose.as_ref().filter(|_| entity.tenancy.tenant == Some(at as FieldIx));
                values[at] = own.cloned().unwrap_or_else(|| self.value(random, &near, entity, at as FieldIx, field));
            }
            for at in 0..entity.fields.len() as FieldIx {
                if let Some((beside, currency)) = generate_currency(random, entity, at, &values[usize::from(at)]) {
                    values[usize::from(beside)] = currency;
                }
            }
            let whole = entity.fields.iter().zip(&values).all(|(field, value)| !field.required || field.secret || !value.is_null());
            if whole && self.is_valid(world, entity, &values, None) {
                return Some(values);
            }
        }
        None
    }

    /// Generates a value of a field, sometimes null.
    pub fn value(&self, random: &mut Random, world: &World, entity: &'static EntityDef, at: FieldIx, field: &'static FieldDef) -> Value {
        if !field.required && at != entity.pk && random.once_in(4) {
            return Value::Null;
        }
        if let Some(value) = tenants::generate_value(random, self.app, entity, at) {
            return value;
        }
        let tag = |random: &mut Random| format!("q{:06x}", random.next() & 0xFF_FFFF);
        let single = field.unique || at == entity.pk;
        let value = match field.kind {
            Kind::Uuid => generate_uuid(random),
            Kind::Int if single => Value::Int(1 + (random.next() % 1_000_000) as i64),
            Kind::Int => Value::Int(random.pick(&self.numbers).copied().unwrap_or_default()),
            Kind::Float => Value::Float(random.pick(&self.numbers).copied().unwrap_or_default() as f64 / 2.0),
            Kind::Decimal { scale, .. } => {
                let whole = Decimal::from(random.pick(&self.numbers).copied().unwrap_or_default());
                let mut value = if scale > 0 && random.once_in(3) { whole + Decimal::new(5, 1) } else { whole };
                value.rescale(scale.into());
                Value::Decimal(value)
            }
            // An inactive account cannot sign in, and not everyone can see its name.
            Kind::Bool if entity.account && field.name == "is_active" => Value::Bool(!random.once_in(3)),
            Kind::Bool => Value::Bool(random.once_in(2)),
            Kind::Date => Value::Date(caller::today(self.app, self.now) + TimeDelta::days(random.below(9) as i64 - 4)),
            Kind::DateTime => Value::DateTime(self.now + TimeDelta::minutes(random.below(9) as i64 * 600 - 2_400)),
            Kind::Enum(of) => random.pick(of.values).map_or(Value::Null, |value| Value::Text(value.name.to_owned())),
            Kind::Json => Value::Json(serde_json::json!([random.pick(&self.texts), random.below(3)])),
            Kind::Email => Value::Text(format!("{}@example.com", tag(random))),
            Kind::Url => Value::Text(format!("https://{}.example/", tag(random))),
            Kind::Timezone => Value::Text("Europe/Paris".to_owned()),
            Kind::Slug => Value::Text(tag(random)),
            Kind::Str(_) | Kind::Text => {
                let word = random.pick(&self.texts).copied().unwrap_or_default();
                // A unique text can be detected in a response that must not contain it.
                Value::Text(if single || random.once_in(2) { format!("{} {}", tag(random), word) } else { word.to_owned() })
            }
            Kind::Ref(to) => {
                let target = self.app.entity(to);
                random.pick(&world.rows[usize::from(to)]).map_or(Value::Null, |row| row.value(target.pk).clone())
            }
            // Uploads are not part of the proof, but a row can require a file.
            Kind::File { .. } if field.required => Value::Json(serde_json::json!({
                "id": uuid::Uuid::from_u64_pair(random.next(), random.next()), "name": tag(random), "size": 1, "type": "text/plain",
            })),
            // Relations have no column.
            Kind::Currency { .. } | Kind::File { .. } | Kind::HasMany { .. } | Kind::HasOne { .. } | Kind::ManyToMany { .. } => Value::Null,
        };
        fit_to_type(field, value)
    }

    /// True if the row is valid beside the others: types, unique values and invariants.
    pub fn is_valid(&self, world: &World, entity: &'static EntityDef, values: &[Value], instead_of: Option<usize>) -> bool {
        let valid = entity.fields.iter().zip(values).all(|(field, value)| value.is_null() || field::check(field, value).is_ok());
        let today = caller::today(self.app, self.now);
        let system = TestCaller { account: None, roles: 0, tenant_state: TenantState::default(), now: self.now, today };
        let oracle = Oracle::new(world, &system);
        valid
            && self.is_unique(world, entity, values, instead_of)
            && tenants::is_valid(world, entity, values, instead_of)
            && invariants::hold(&oracle, entity, values)
    }

    pub fn is_unique(&self, world: &World, entity: &'static EntityDef, values: &[Value], instead_of: Option<usize>) -> bool {
        let others = || world.rows[usize::from(entity.ix)].iter().enumerate().filter(|(at, _)| Some(*at) != instead_of);
        // Deleted rows count only for keys.
        let live = || others().filter(|(_, row)| !row.deleted);
        // Unique values are unique in a tenant, keys in all tenants.
        let beside = |row: &Stored| entity.tenancy.tenant.is_none_or(|at| row.values.get(usize::from(at)) == values.get(usize::from(at)));
        let same =
            |at: FieldIx| move |row: &Stored| !row.value(at).is_null() && row.values.get(usize::from(at)) == values.get(usize::from(at));
        let single = |at: FieldIx| at == entity.pk || entity.field(at).unique;
        let alone = (0..entity.fields.len() as FieldIx).filter(|at| single(*at)).all(|at| match at == entity.pk {
            true => others().all(|(_, row)| !same(at)(row)),
            false => live().all(|(_, row)| !(same(at)(row) && beside(row))),
        });
        let together = entity.indexes.iter().filter(|index| index.unique);
        let sole = !entity.tenancy.is_singleton() || !others().any(|(_, row)| beside(row));
        let today = caller::today(self.app, self.now);
        let system = TestCaller { account: None, roles: 0, tenant_state: TenantState::default(), now: self.now, today };
        let oracle = Oracle::new(world, &system);
        let is_about = |index: &crate::def::IndexDef, values: &[Value]| {
            let place = Scope { entity, values, outer: None };
            index.rows.as_ref().is_none_or(|rows| oracle.truth(&rows.condition, place) == Some(true))
        };
        let agrees = |index: &crate::def::IndexDef, row: &Stored| {
            beside(row)
                && index.columns.iter().all(|column| same(column.field)(row))
                && is_about(index, values)
                && is_about(index, &row.values)
        };
        alone && sole && together.into_iter().all(|index| live().all(|(_, row)| !agrees(index, row)))
    }
}

/// The value, or a similar one that the type of the field can store; null if there is none.
fn fit_to_type(field: &'static FieldDef, value: Value) -> Value {
    let near = match (value, field.kind.max_length(), field.kind.digits()) {
        (Value::Text(text), Some(most), _) => {
            let short: String = text.chars().take(most as usize).collect();
            Value::Text(short.trim().to_owned())
        }
        (Value::Decimal(number), _, Some((precision, scale))) => {
            let limit = 10_i128
                .checked_pow(u32::from(precision.saturating_sub(scale)))
                .and_then(|limit| Decimal::try_from_i128_with_scale(limit, 0).ok());
            Value::Decimal(limit.map_or(number, |limit| number % limit))
        }
        (value, _, _) => value,
    };
    if field::check(field, &near).is_ok() { near } else { Value::Null }
}

/// Generates the currency of an amount, if rows store it.
pub(super) fn generate_currency(random: &mut Random, entity: &'static EntityDef, at: FieldIx, amount: &Value) -> Option<(FieldIx, Value)> {
    let beside = entity.field(at).currency_in?;
    let code = random.pick(&["EUR", "KWD"]).filter(|_| !amount.is_null());
    Some((beside, code.map_or(Value::Null, |code| Value::Text((*code).to_owned()))))
}

/// Generates a key like those of dz.
pub(super) fn generate_uuid(random: &mut Random) -> Value {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&random.next().to_be_bytes());
    bytes[8..].copy_from_slice(&random.next().to_be_bytes());
    Value::Uuid(uuid::Builder::from_random_bytes(bytes).into_uuid())
}

/// True for a nullable reference to an entity whose rows are stored later.
pub(super) fn is_later(app: &'static AppDef, entity: &'static EntityDef, at: FieldIx) -> bool {
    let Some(target) = entity.field(at).kind.target() else { return false };
    let order = creation_order(app);
    let place = |ix: EntityIx| order.iter().position(|other| *other == ix);
    !entity.field(at).required && place(target) > place(entity.ix)
}

/// The entities in an order in which their rows can be created, referenced ones first.
pub(super) fn creation_order(app: &'static AppDef) -> Vec<EntityIx> {
    let mut order: Vec<EntityIx> = Vec::new();
    let needs = |entity: &'static EntityDef| {
        let refs = entity.fields.iter().filter(|field| field.required);
        refs.filter_map(|field| field.kind.target()).filter(|to| *to != entity.ix)
    };
    while order.len() < app.entities.len() {
        let open: Vec<_> = app.entities.iter().filter(|entity| !order.contains(&entity.ix)).collect();
        let next = open.iter().find(|entity| needs(entity).all(|to| order.contains(&to)));
        // Entities in a cycle of required references never have rows.
        order.extend(next.or(open.first()).map(|entity| entity.ix));
    }
    order
}
