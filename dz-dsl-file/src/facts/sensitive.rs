//! The sensitive field from which a value is computed.

use std::collections::HashMap;

use crate::model::{EntityId, Expr, Field, FieldId, Model, Path, Reads, Via};

/// A field with the entity that has it.
type FieldAt = (EntityId, FieldId);

/// The sensitive fields that computed fields read, determined once for each field.
pub(crate) struct Sources<'m> {
    model: &'m Model,
    found: HashMap<FieldAt, Option<FieldAt>>,
}

impl<'m> Sources<'m> {
    /// The sensitive fields of a model.
    pub fn new(model: &'m Model) -> Self {
        Sources { model, found: HashMap::new() }
    }

    /// The first sensitive field that an expression reads: directly, along a path, in an aggregate, or through a computed field.
    pub fn find(&mut self, expr: &Expr) -> Option<FieldAt> {
        let mut read: Vec<FieldAt> = Vec::new();
        expr.visit(&mut |part| self.add_read(part, &mut read));
        read.into_iter().find_map(|field| self.source_of_field(field))
    }

    /// The sensitive field that the children of a relation reveal: the ref that connects them to the row.
    pub fn revealed_by_relation(&self, entity: EntityId, field: FieldId) -> Option<FieldAt> {
        let refs = self.refs_of_relation(entity, field);
        refs.into_iter().find(|(entity, field)| self.model.field(*entity, *field).sensitive)
    }

    fn source_of_field(&mut self, at: FieldAt) -> Option<FieldAt> {
        if let Some(known) = self.found.get(&at) {
            return *known;
        }
        // A field that is computed from itself is reported elsewhere.
        self.found.insert(at, None);
        let field: &Field = self.model.field(at.0, at.1);
        let source = match &field.computed {
            _ if field.sensitive => Some(at),
            Some(computed) => self.find(computed),
            None => None,
        };
        self.found.insert(at, source);
        source
    }

    fn add_read(&self, expr: &Expr, read: &mut Vec<FieldAt>) {
        let mut add = |path: &Path| read.extend(path.steps(&self.model.entities));
        match expr.reads() {
            Reads::Field(path) => add(path),
            Reads::Rows(_, value) => value.into_iter().for_each(add),
            Reads::Relation(relation, value) => {
                value.into_iter().for_each(&mut add);
                add(relation);
                read.extend(self.refs_of_relation(relation.from, relation.field));
            }
            Reads::Nothing | Reads::Key => {}
        }
    }

    fn refs_of_relation(&self, entity: EntityId, field: FieldId) -> Vec<FieldAt> {
        match self.model.field(entity, field).ty.relation() {
            Some((entity, Via::Ref(via))) => vec![(entity, via)],
            Some((_, Via::Junction(through))) => vec![(through.entity, through.near), (through.entity, through.far)],
            None => Vec::new(),
        }
    }
}
