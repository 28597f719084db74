//! What a row is called: which value names it, and how that is written.

use crate::{
    Value,
    def::{AppDef, EntityDef, FieldDef, FieldIx, Path},
    field,
};

/// How many characters of a key stand for it.
const KEY_CHARACTERS: usize = 8;

/// What names the rows of an entity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowLabel {
    /// The entity.
    entity: &'static EntityDef,
    /// The path of the value that names a row.
    pub path: Path,
    /// The field at its end.
    pub field: &'static FieldDef,
    /// The title that stands before the value, where the value alone is no name.
    title: Option<&'static str>,
}

impl RowLabel {
    /// What names rows to people who may only see that they are there: nothing `sensitive`.
    pub fn without_sensitive(app: &'static AppDef, entity: &'static EntityDef) -> RowLabel {
        RowLabel::find_declared(app, entity)
            .filter(|(_, sensitive)| !sensitive)
            .map_or_else(|| RowLabel::from_key(entity), |(name, _)| name)
    }

    /// What names rows to people who see their values, each of which is null where it is not theirs to see.
    pub fn with_sensitive(app: &'static AppDef, entity: &'static EntityDef) -> RowLabel {
        RowLabel::find_declared(app, entity).map_or_else(|| RowLabel::from_key(entity), |(name, _)| name)
    }

    /// The title with the beginning of the key.
    pub fn from_key(entity: &'static EntityDef) -> RowLabel {
        RowLabel { entity, path: Path::to_field(entity.ix, entity.pk), field: entity.key(), title: Some(entity.title) }
    }

    /// As declared, and whether a part of the way is `sensitive`.
    fn find_declared(app: &'static AppDef, entity: &'static EntityDef) -> Option<(RowLabel, bool)> {
        let path = entity.label_path();
        let end = path.end(app);
        let field = Some(end.field(app)).filter(|field| field.has_value() && !field.secret)?;
        let sensitive = path.steps(app).into_iter().any(|step| step.field(app).sensitive);
        let title = entity.label.is_titled().then_some(end.entity(app).title);
        Some((RowLabel { entity, path, field, title }, sensitive))
    }

    /// The row's own field with the value that names it.
    pub fn own_field(&self) -> Option<FieldIx> {
        self.path.own_field()
    }

    /// True when the key alone names it.
    pub fn is_key(&self) -> bool {
        self.own_field() == Some(self.entity.pk)
    }

    /// True when every row has a value that names it.
    pub(crate) fn is_always_set(&self) -> bool {
        self.path.is_own_field() && self.field.computed.is_none() && (self.field.required || self.is_key())
    }

    /// What a row with this key is called, by the value that names it.
    pub fn text(&self, app: &'static AppDef, value: &Value, key: &Value) -> String {
        let zone = field::zone(app);
        let text = match value {
            Value::Uuid(id) if self.title.is_some() => id.to_string().chars().take(KEY_CHARACTERS).collect(),
            Value::Int(number) if self.title.is_some() => number.to_string(),
            Value::DateTime(at) if self.title.is_some() => field::format_date(at.with_timezone(&zone).date_naive()),
            _ => field::display(self.field, value, zone),
        };
        match (self.title, value) {
            _ if text.is_empty() => self.text_from_key(app, key),
            (None, _) => text,
            (Some(title), Value::Date(_) | Value::DateTime(_)) => format!("{title} of {text}"),
            (Some(title), _) => format!("{title} {text}"),
        }
    }

    /// What a row is called that nothing names.
    pub fn text_from_key(&self, app: &'static AppDef, key: &Value) -> String {
        let key = field::display(self.entity.key(), key, field::zone(app));
        format!("{} {}", self.entity.title, key.chars().take(KEY_CHARACTERS).collect::<String>())
    }
}
