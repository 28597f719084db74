//! Fields without an entity in the context: positions with their entity, and paths over references.
//!
//! A position is valid only for one entity. A position that can belong to another entity than that of the context is therefore a
//! [`FieldAt`], and the parts of a [`Path`] are private: they are available only together with their entities.

use super::{AppDef, EntityDef, EntityIx, FieldDef, FieldIx};

/// The position of a field, with its entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FieldAt {
    entity: EntityIx,
    at: FieldIx,
}

impl FieldAt {
    /// The field at a position of an entity.
    pub const fn new(entity: EntityIx, at: FieldIx) -> FieldAt {
        FieldAt { entity, at }
    }

    /// The entity that has the field.
    pub fn entity(self, app: &'static AppDef) -> &'static EntityDef {
        app.entity(self.entity)
    }

    /// The position of its entity.
    pub const fn entity_ix(self) -> EntityIx {
        self.entity
    }

    /// Its position in its entity.
    pub const fn position(self) -> FieldIx {
        self.at
    }

    /// The field.
    pub fn field(self, app: &'static AppDef) -> &'static FieldDef {
        self.entity(app).field(self.at)
    }

    /// The position, if the field belongs to `entity`.
    pub fn position_in(self, entity: &EntityDef) -> Option<FieldIx> {
        (self.entity == entity.ix).then_some(self.at)
    }

    /// True for the primary key of its entity.
    pub fn is_key(self, app: &'static AppDef) -> bool {
        self.at == self.entity(app).pk
    }

    /// True for the label of its entity.
    pub fn is_label(self, app: &'static AppDef) -> bool {
        Some(self.at) == self.entity(app).label.own_field()
    }

    /// The target of a reference; `None` for other fields.
    pub fn target(self, app: &'static AppDef) -> Option<&'static EntityDef> {
        self.field(app).kind.target().map(|target| app.entity(target))
    }

    /// Another field of the same entity.
    pub const fn sibling(self, at: FieldIx) -> FieldAt {
        FieldAt { at, ..self }
    }

    /// The path that consists of this field.
    pub const fn path(self) -> Path {
        Path::to_field(self.entity, self.at)
    }
}

/// A path from an entity: references, then a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Path {
    /// The entity at the start.
    from: EntityIx,
    /// The references, each a position in the target of the one before.
    references: &'static [FieldIx],
    /// The field at the end, a position in the target of the last reference.
    field: FieldIx,
}

impl Path {
    /// The path to a field of the entity itself.
    pub const fn to_field(from: EntityIx, field: FieldIx) -> Path {
        Path { from, references: &[], field }
    }

    /// The path over references to a field.
    pub const fn new(from: EntityIx, references: &'static [FieldIx], field: FieldIx) -> Path {
        Path { from, references, field }
    }

    /// The path over these fields, of which all except the last are references; `None` for no field. Each list of references is
    /// leaked once: a client can use only those of the application, and at most four in one path.
    pub(crate) fn from_fields(fields: &[FieldAt]) -> Option<Path> {
        let (end, refs) = fields.split_last()?;
        let first = refs.first().unwrap_or(end);
        Some(Path { from: first.entity, references: intern(refs.iter().map(|step| step.at).collect()), field: end.at })
    }

    /// The entity at the start.
    pub fn origin(self, app: &'static AppDef) -> &'static EntityDef {
        app.entity(self.from)
    }

    /// The position of the entity at the start.
    pub const fn origin_ix(self) -> EntityIx {
        self.from
    }

    /// True for a field of the entity itself.
    pub const fn is_own_field(self) -> bool {
        self.references.is_empty()
    }

    /// The position of the field, if the path has no reference.
    pub const fn own_field(self) -> Option<FieldIx> {
        if self.references.is_empty() { Some(self.field) } else { None }
    }

    /// The first reference, or the field of a path without references.
    pub fn first(self) -> FieldAt {
        FieldAt::new(self.from, self.references.first().copied().unwrap_or(self.field))
    }

    /// The references and the field at the end, in order, each with its entity. A field that is not a reference ends the list.
    pub fn steps(self, app: &'static AppDef) -> Vec<FieldAt> {
        let mut steps = Vec::with_capacity(self.references.len() + 1);
        let mut entity = self.from;
        for at in self.references.iter().copied().chain([self.field]) {
            let step = FieldAt::new(entity, at);
            steps.push(step);
            let Some(target) = step.field(app).kind.target() else { break };
            entity = target;
        }
        steps
    }

    /// The field at the end.
    pub fn end(self, app: &'static AppDef) -> FieldAt {
        let mut end = self.first();
        for at in self.references.iter().skip(1).chain((!self.references.is_empty()).then_some(&self.field)) {
            let Some(target) = end.field(app).kind.target() else { return end };
            end = FieldAt::new(target, *at);
        }
        end
    }

    /// The path to the currency of the amount at the end; `None` unless the currency is in a field.
    pub(crate) fn currency(self, app: &'static AppDef) -> Option<Path> {
        Some(Path { field: self.end(app).field(app).currency_in?, ..self })
    }

    /// The dotted name, as in request parameters.
    pub(crate) fn name(self, app: &'static AppDef) -> String {
        self.steps(app).into_iter().map(|step| step.field(app).name).collect::<Vec<_>>().join(".")
    }
}

fn intern(references: Vec<FieldIx>) -> &'static [FieldIx] {
    static INTERNED: std::sync::Mutex<Vec<&'static [FieldIx]>> = std::sync::Mutex::new(Vec::new());
    if references.is_empty() {
        return &[];
    }
    let mut interned = INTERNED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(known) = interned.iter().find(|known| ***known == *references) {
        return known;
    }
    let leaked: &'static [FieldIx] = references.leak();
    interned.push(leaked);
    leaked
}
