//! What a row is called: which value names it, and how that is written.

use crate::{
    Value,
    def::{AppDef, EntityDef, FieldDef, FieldIx, Path},
    field,
};

/// How many characters of a key stand for it.
const KEY: usize = 8;

/// What names the rows of an entity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name {
    /// The entity.
    entity: &'static EntityDef,
    /// The path of the value that names a row.
    pub path: Path,
    /// The field at its end.
    pub field: &'static FieldDef,
    /// The title that stands before the value, where the value alone is no name.
    title: Option<&'static str>,
}

impl Name {
    /// What names rows to people who may only see that they are there: nothing `sensitive`.
    pub fn of(app: &'static AppDef, entity: &'static EntityDef) -> Name {
        Name::found(app, entity).filter(|(_, sensitive)| !sensitive).map_or_else(|| Name::by_key(entity), |(name, _)| name)
    }

    /// What names rows to people who see their values, each of which is null where it is not theirs to see.
    pub fn of_shown(app: &'static AppDef, entity: &'static EntityDef) -> Name {
        Name::found(app, entity).map_or_else(|| Name::by_key(entity), |(name, _)| name)
    }

    /// The title with the beginning of the key.
    pub fn by_key(entity: &'static EntityDef) -> Name {
        Name { entity, path: Path::own(entity.ix, entity.pk), field: entity.key(), title: Some(entity.title) }
    }

    /// As declared, and whether a part of the way is `sensitive`.
    fn found(app: &'static AppDef, entity: &'static EntityDef) -> Option<(Name, bool)> {
        let path = entity.label_path();
        let end = path.end(app);
        let field = Some(end.field(app)).filter(|field| field.has_value() && !field.secret)?;
        let sensitive = path.steps(app).into_iter().any(|step| step.field(app).sensitive);
        let title = entity.label.is_titled().then_some(end.entity(app).title);
        Some((Name { entity, path, field, title }, sensitive))
    }

    /// The row's own field with the value that names it.
    pub fn own(&self) -> Option<FieldIx> {
        self.path.own_field()
    }

    /// True when the key alone names it.
    pub fn is_key(&self) -> bool {
        self.own() == Some(self.entity.pk)
    }

    /// True when every row has a value that names it.
    pub(crate) fn is_always_there(&self) -> bool {
        self.path.is_own() && self.field.computed.is_none() && (self.field.required || self.is_key())
    }

    /// What a row with this key is called, by the value that names it.
    pub fn text(&self, app: &'static AppDef, value: &Value, key: &Value) -> String {
        let zone = field::zone(app);
        let shown = match value {
            Value::Uuid(id) if self.title.is_some() => id.to_string().chars().take(KEY).collect(),
            Value::Int(number) if self.title.is_some() => number.to_string(),
            Value::DateTime(at) if self.title.is_some() => field::day(at.with_timezone(&zone).date_naive()),
            _ => field::display(self.field, value, zone),
        };
        match (self.title, value) {
            _ if shown.is_empty() => self.unnamed(app, key),
            (None, _) => shown,
            (Some(title), Value::Date(_) | Value::DateTime(_)) => format!("{title} of {shown}"),
            (Some(title), _) => format!("{title} {shown}"),
        }
    }

    /// What a row is called that nothing names.
    pub fn unnamed(&self, app: &'static AppDef, key: &Value) -> String {
        let key = field::display(self.entity.key(), key, field::zone(app));
        format!("{} {}", self.entity.title, key.chars().take(KEY).collect::<String>())
    }
}
