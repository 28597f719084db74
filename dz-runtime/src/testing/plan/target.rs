//! Generates requests to a given target.

use super::Planner;
use crate::{
    def::{EntityDef, FieldIx, Mode},
    testing::{
        check_reads::regions,
        operation::{ListFilter, Operation, Target},
        random::Random,
    },
};

impl Planner<'_> {
    /// Generates a request to a target of an earlier request.
    pub(super) fn plan_target(&self, random: &mut Random, target: &Target) -> Option<Operation> {
        if let Some(page) = self.app.surfaces.iter().copied().find(|page| page.name == target.name) {
            return match (target.channel, page.mode) {
                ("transition" | "form", Mode::View) if random.once_in(2) => self.plan_transition(random, self.app.entity(page.entity)),
                _ => self.plan_page(random, page),
            };
        }
        if target.channel == "region" {
            let regions = regions::comparable(self.app);
            let (workspace, region) = regions.iter().find(|(_, region)| region.id == target.name)?;
            return Some(Operation::Region(workspace, region));
        }
        let entity = self.app.entities.iter().copied().find(|entity| entity.name == target.name)?;
        self.plan_on(random, target.channel, entity)
    }

    /// Generates a request on a channel for an entity.
    pub(super) fn plan_on(&self, random: &mut Random, channel: &str, entity: &'static EntityDef) -> Option<Operation> {
        match channel {
            "list" => Some(Operation::List(entity, ListFilter::Nothing)),
            "filter" | "sort" | "search" => Some(Operation::List(entity, self.pick_filter(random, entity)?)),
            "csv" => Some(Operation::Csv(entity, self.pick_filter(random, entity).unwrap_or(ListFilter::Nothing))),
            "expand" => Some(Operation::Expanded(entity, self.pick_relation(random, entity)?)),
            "read" => Some(Operation::Read(entity, self.pick_key(random, entity, "read"))),
            "picker" => Some(Operation::Pick(entity, random.once_in(2).then(|| self.pick_words(random)).flatten())),
            "create" => self.create(random, entity),
            "update" => self.plan_update(random, entity, None),
            "delete" => Some(Operation::Delete(entity, self.pick_key(random, entity, "delete"))),
            "transition" => self.plan_transition(random, entity),
            "action" => self.plan_action(random, entity),
            "bulk" => self.bulk(random, entity),
            "restore" => {
                let rows: Vec<_> = self.world.rows[usize::from(entity.ix)].iter().filter(|row| row.deleted || random.once_in(4)).collect();
                Some(Operation::Restore(entity, random.pick(&rows)?.value(entity.pk).clone()))
            }
            "typed" => self.plan_typed(random, entity),
            "graph" => Some(Operation::Graph(entity, self.plan_graph(random, entity)?)),
            _ => None,
        }
    }

    /// Generates an update, always of the field `first` if it is given.
    pub(super) fn plan_update(&self, random: &mut Random, entity: &'static EntityDef, first: Option<FieldIx>) -> Option<Operation> {
        Some(Operation::Update(entity, self.pick_key(random, entity, "update"), self.pick_changes(random, entity, first)?))
    }
}
