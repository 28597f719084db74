//! Selects the next request: a random one on a random channel.

mod target;
mod write;

use super::{
    check_graph::GraphQuery,
    check_reads::regions,
    generate::{Generator, generate_uuid},
    graphql,
    operation::{FieldPath, ListFilter, Operation, Target},
    oracle::{Oracle, TestCaller},
    random::Random,
    world::{Stored, World, key_text},
};
use crate::{
    Engine, Value,
    access::BUILT_IN,
    def::{AppDef, EntityDef, EntityIx, FieldAt, FieldDef, FieldIx, Mode, OnDelete, RegionDef, SurfaceDef, Via, WorkspaceDef},
    web::api::params,
};

/// Generates requests to a world.
pub(super) struct Planner<'p> {
    pub app: &'static AppDef,
    pub inventor: &'p Generator,
    pub world: &'p World,
    pub who: &'p TestCaller,
    pub engine: Engine,
    /// What most requests are about.
    pub focus: Option<&'p Focus>,
}

/// What most requests are about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Focus {
    pub entity: EntityIx,
    /// The name of a page.
    pub page: Option<&'static str>,
    /// The targets of most requests; without one, they are drawn near the entity and the page.
    pub targets: Vec<Target>,
}

/// The channels of random requests, each as often as it is drawn.
const CHANNELS: [&str; 25] = [
    "list",
    "list",
    "filter",
    "filter",
    "filter",
    "csv",
    "expand",
    "read",
    "read",
    "picker",
    "region",
    "page",
    "page",
    "page",
    "create",
    "update",
    "update",
    "delete",
    "transition",
    "action",
    "bulk",
    "restore",
    "typed",
    "typed",
    "typed",
];

impl Planner<'_> {
    /// Generates a request, a fifth of them for GraphQL; `None` if the selected channel has none for the selected entity.
    pub fn plan_operation(&self, random: &mut Random) -> Option<Operation> {
        let planned = self.plan_of_channel(random)?;
        let is_document = cfg!(feature = "graphql") && random.once_in(5) && graphql::request(self.app, &planned).is_some();
        Some(if is_document { Operation::GraphQl(Box::new(planned)) } else { planned })
    }

    fn plan_of_channel(&self, random: &mut Random) -> Option<Operation> {
        let targets = self.focus.map(|focus| &focus.targets[..]).unwrap_or_default();
        if let Some(target) = random.pick(targets).filter(|_| !random.once_in(4)) {
            return self.plan_target(random, target);
        }
        let mut entity = *random.pick(self.app.entities)?;
        if let Some(focus) = self.focus.filter(|_| !random.once_in(3)) {
            entity = self.app.entity(focus.entity);
        }
        let regions = regions::comparable(self.app);
        let focused = |(_, region): &&(&'static WorkspaceDef, &'static RegionDef)| self.focus.is_some_and(|it| it.page == Some(region.id));
        if let Some((workspace, region)) = regions.iter().find(focused).filter(|_| random.once_in(2)) {
            return Some(Operation::Region(workspace, region));
        }
        if let Some(page) = self.focused_page().filter(|_| random.once_in(2)) {
            return self.plan_page(random, page);
        }
        if let Some(query) = self.plan_graph(random, entity).filter(|_| !random.once_in(3)) {
            return Some(Operation::Graph(entity, query));
        }
        let channel = *random.pick(&CHANNELS)?;
        match channel {
            "create" | "update" => {
                let (entity, by) = self.find_referrer(random, entity).map_or((entity, None), |(from, by)| (from, Some(by)));
                if channel == "create" { self.create(random, entity) } else { self.plan_update(random, entity, by) }
            }
            "delete" => match random.once_in(2).then(|| self.find_parent(random, entity)).flatten() {
                Some((above, key)) => Some(Operation::Delete(above, key)),
                None => self.plan_on(random, "delete", entity),
            },
            "transition" | "action" | "restore" => {
                let able = |entity: &&'static EntityDef| match channel {
                    "transition" => entity.states.is_some(),
                    "action" => entity.rules.iter().any(|rule| !BUILT_IN.contains(&rule.action)),
                    _ => entity.soft_delete,
                };
                let entities: Vec<_> = self.app.entities.iter().copied().filter(able).collect();
                let entity = *random.pick(&entities)?;
                self.plan_on(random, channel, entity)
            }
            "region" if !regions.is_empty() => random.pick(&regions).map(|(workspace, region)| Operation::Region(workspace, region)),
            "region" | "page" => {
                let page = self.page(random)?;
                self.plan_page(random, page)
            }
            channel => self.plan_on(random, channel, entity),
        }
    }

    /// A request to the graph, for an entity of nodes or edges.
    fn plan_graph(&self, random: &mut Random, entity: &'static EntityDef) -> Option<GraphQuery> {
        if entity.node.is_none() && entity.edge.is_none() {
            return None;
        }
        if entity.node.is_none() {
            return Some(GraphQuery::Edges);
        }
        let key = self.pick_key(random, entity, "read");
        let depth = 1 + random.below(3) as u8;
        #[cfg(feature = "graph-algorithms")]
        match random.below(4) {
            0 => return Some(GraphQuery::Components),
            1 => return Some(GraphQuery::Path(key, self.pick_key(random, entity, "read"))),
            _ => {}
        }
        Some(GraphQuery::Around(key, depth))
    }

    /// The page of the focus; the page of a singleton has no key and is not used.
    fn focused_page(&self) -> Option<&'static SurfaceDef> {
        let name = self.focus?.page?;
        self.app.surfaces.iter().copied().find(|surface| surface.name == name && !self.app.entity(surface.entity).tenancy.is_singleton())
    }

    fn page(&self, random: &mut Random) -> Option<&'static SurfaceDef> {
        let meant = |surface: &&SurfaceDef| surface.mode != Mode::Create && !self.app.entity(surface.entity).tenancy.is_singleton();
        let pages: Vec<&'static SurfaceDef> = self.app.surfaces.iter().copied().filter(meant).collect();
        let near: Vec<_> = pages.iter().copied().filter(|surface| self.is_near(self.app.entity(surface.entity))).collect();
        // There are few forms, and they reveal more of referenced rows than other pages.
        let forms: Vec<_> = near.iter().copied().filter(|surface| surface.mode == Mode::Edit).collect();
        let tried = [&forms, &near, &pages];
        let first = random.below(tried.len());
        tried[first..].iter().find_map(|some| random.pick(some)).copied()
    }

    /// Generates a request to a page.
    fn plan_page(&self, random: &mut Random, surface: &'static SurfaceDef) -> Option<Operation> {
        let entity = self.app.entity(surface.entity);
        Some(match surface.mode {
            Mode::List => {
                let narrow = self.pick_filter(random, entity).filter(|_| random.once_in(2));
                Operation::ListPage(surface, narrow.unwrap_or(ListFilter::Nothing))
            }
            Mode::View if random.once_in(3) => Operation::PageDelete(surface, self.pick_key(random, entity, "delete")),
            Mode::View => Operation::ViewPage(surface, self.pick_key(random, entity, "read")),
            Mode::Edit => Operation::EditPage(surface, self.pick_key(random, entity, "update")),
            Mode::Create => return None,
        })
    }

    /// Writes a reference to the entity of the focus in some cases, because the permission to refer to a row is checked only there.
    fn find_referrer(&self, random: &mut Random, entity: &'static EntityDef) -> Option<(&'static EntityDef, FieldIx)> {
        self.focus.filter(|_| random.once_in(2))?;
        let refs = |from: &'static EntityDef| {
            self.writable(from).into_iter().filter(|(_, field)| refers(field, entity.ix)).map(move |(at, _)| (from, at))
        };
        let all: Vec<_> = self.app.entities.iter().copied().flat_map(refs).collect();
        random.pick(&all).copied()
    }

    /// True if the rows, or rows that show their labels, are in focus.
    fn is_near(&self, entity: &'static EntityDef) -> bool {
        let Some(Focus { entity: focus, .. }) = self.focus else { return false };
        entity.ix == *focus || entity.fields.iter().any(|field| refers(field, *focus))
    }

    /// A row whose deletion also deletes one of this entity; often one that the caller can delete.
    fn find_parent(&self, random: &mut Random, entity: &'static EntityDef) -> Option<(&'static EntityDef, Value)> {
        let cascades = |at: &FieldIx| entity.field(*at).on_delete == OnDelete::Cascade;
        let refs: Vec<FieldIx> = (0..entity.fields.len() as FieldIx).filter(cascades).collect();
        let up = |row: &'_ Stored| refs.iter().filter_map(|at| self.world.target(entity, *at, &row.values)).collect::<Vec<_>>();
        let all: Vec<_> = self.world.stored_rows(entity.ix).flat_map(up).collect();
        let oracle = Oracle::new(self.world, self.who);
        let open =
            |(above, row): &(&'static EntityDef, &Stored)| oracle.reads(above, &row.values) && oracle.covers(above, "delete", &row.values);
        let open: Vec<_> = all.iter().copied().filter(open).collect();
        let any = open.is_empty() || random.once_in(3);
        random.pick(if any { &all } else { &open }).map(|(above, row)| (*above, row.value(above.pk).clone()))
    }

    /// The key of a row: often of one that the action covers, otherwise of any, sometimes of none or of a deleted one.
    fn pick_key(&self, random: &mut Random, entity: &'static EntityDef, action: &str) -> Value {
        let nobody = match entity.key().kind {
            kind if kind.is_uuid() => generate_uuid(random),
            kind if kind.is_int() => Value::Int(999_999_999),
            _ => Value::Text("nobody".to_owned()),
        };
        if random.once_in(20) {
            return nobody;
        }
        let rows: Vec<_> = self.world.rows[usize::from(entity.ix)].iter().collect();
        let oracle = Oracle::new(self.world, self.who);
        let covered = |row: &&&Stored| !row.deleted && oracle.reads(entity, &row.values) && oracle.covers(entity, action, &row.values);
        let open: Vec<_> = rows.iter().filter(covered).copied().collect();
        let any = open.is_empty() || random.once_in(2);
        random.pick(if any { &rows } else { &open }).map_or(nobody, |row| row.value(entity.pk).clone())
    }

    fn pick_relation(&self, random: &mut Random, entity: &'static EntityDef) -> Option<FieldIx> {
        let all: Vec<FieldIx> = (0..)
            .zip(entity.fields)
            .filter(|(_, field)| {
                field.kind.target().is_some() || field.kind.relation().is_some_and(|it| matches!(it.via, Via::Ref(_)) && !it.is_single)
            })
            .map(|(at, _)| at)
            .collect();
        random.pick(&all).copied()
    }

    /// Some letters of some text, visible to the caller or not.
    fn pick_words(&self, random: &mut Random) -> Option<String> {
        let entity = *random.pick(self.app.entities)?;
        let row = random.pick(&self.world.rows[usize::from(entity.ix)])?;
        let text = |value: &Value| match value {
            Value::Text(text) => Some(text.clone()),
            Value::Date(day) => Some(day.to_string()),
            // The label of a row without one.
            key @ (Value::Uuid(_) | Value::Int(_)) => Some(key_text(key)),
            _ => None,
        };
        let texts: Vec<String> = row.values.iter().filter_map(text).collect();
        let text: Vec<char> = random.pick(&texts)?.chars().collect();
        let from = random.below(text.len().saturating_sub(2));
        let part: String = text.iter().skip(from).take(1 + random.below(7)).collect();
        let part = if random.once_in(2) { part.to_uppercase() } else { part };
        (!part.trim().is_empty()).then(|| part.trim().to_owned())
    }

    fn pick_filter(&self, random: &mut Random, entity: &'static EntityDef) -> Option<ListFilter> {
        if random.once_in(4) {
            params::list_surface(self.app, entity).filter(|surface| !surface.ux.search.is_empty())?;
            return self.pick_words(random).map(ListFilter::Search);
        }
        let (reach, at, field) = self.pick_field(random, entity)?;
        if random.once_in(3) {
            let orders = field.kind.is_comparable() && !field.kind.is_float();
            return orders.then(|| ListFilter::Sort(reach, random.once_in(2)));
        }
        // A value of some row, visible to the caller or not, because a filter must not reveal it.
        let row = random.pick(&self.world.rows[usize::from(at.ix)])?;
        let value = Oracle::new(self.world, self.who).field_value(at, reach.end.position_in(at)?, &row.values);
        let plain = match &value {
            Value::Text(text) => !text.is_empty() && text.trim() == text,
            Value::Int(_) | Value::Bool(_) | Value::Date(_) | Value::Uuid(_) | Value::Decimal(_) => true,
            _ => false,
        };
        Some(match random.below(5) {
            0 => ListFilter::IsNull(reach),
            1 if plain => ListFilter::Differs(reach, value),
            _ if plain => ListFilter::Equals(reach, value),
            _ => ListFilter::IsNull(reach),
        })
    }

    /// A field for a filter or an order: of the entity itself, or of a referenced one.
    fn pick_field(&self, random: &mut Random, entity: &'static EntityDef) -> Option<(FieldPath, &'static EntityDef, &'static FieldDef)> {
        let refs: Vec<(FieldIx, &'static EntityDef)> = (0..)
            .zip(entity.fields)
            .filter(|(_, field)| !field.sensitive)
            .filter_map(|(at, field)| Some((at, self.app.entity(field.kind.target()?))))
            .collect();
        let (refs, at) = match random.pick(&refs) {
            Some((hop, target)) if !random.once_in(3) => (vec![FieldAt::new(entity.ix, *hop)], *target),
            _ => (Vec::new(), entity),
        };
        let open = |field: &FieldDef| field.has_value() && !field.secret && !field.sensitive;
        let fields: Vec<FieldIx> = (0..).zip(at.fields).filter(|(_, field)| open(field)).map(|(ix, _)| ix).collect();
        let field = *random.pick(&fields)?;
        Some((FieldPath { refs, end: FieldAt::new(at.ix, field) }, at, at.field(field)))
    }
}

fn refers(field: &FieldDef, entity: EntityIx) -> bool {
    field.kind.target() == Some(entity)
}
