//! The labels of rows: their source, and their text.

use crate::{
    Value,
    def::{AppDef, EntityDef, FieldDef, FieldIx, Path},
    field,
};

/// The number of characters of a key in a label.
const KEY_CHARACTERS: usize = 8;

/// The source of the labels of an entity's rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowLabel {
    /// The entity.
    entity: &'static EntityDef,
    /// The path of the label value.
    pub path: Path,
    /// The field at its end.
    pub field: &'static FieldDef,
    /// The title that precedes the value, if the value alone is not a label.
    title: Option<&'static str>,
}

impl RowLabel {
    /// The label for callers who may only know that the row exists: without sensitive fields.
    pub fn without_sensitive(app: &'static AppDef, entity: &'static EntityDef) -> RowLabel {
        RowLabel::find_declared(app, entity)
            .filter(|(_, sensitive)| !sensitive)
            .map_or_else(|| RowLabel::from_key(entity), |(name, _)| name)
    }

    /// The label for callers who can read the row; each value is null if it is not visible to them.
    pub fn with_sensitive(app: &'static AppDef, entity: &'static EntityDef) -> RowLabel {
        RowLabel::find_declared(app, entity).map_or_else(|| RowLabel::from_key(entity), |(name, _)| name)
    }

    /// The title with the first characters of the key.
    pub fn from_key(entity: &'static EntityDef) -> RowLabel {
        RowLabel { entity, path: Path::to_field(entity.ix, entity.pk), field: entity.key(), title: Some(entity.title) }
    }

    /// The declared label, and whether its path contains a `sensitive` field.
    fn find_declared(app: &'static AppDef, entity: &'static EntityDef) -> Option<(RowLabel, bool)> {
        let path = entity.label_path();
        let end = path.end(app);
        let field = Some(end.field(app)).filter(|field| field.has_value() && !field.secret)?;
        let sensitive = path.steps(app).into_iter().any(|step| step.field(app).sensitive);
        let title = entity.label.is_titled().then_some(end.entity(app).title);
        Some((RowLabel { entity, path, field, title }, sensitive))
    }

    /// The field of the label, if it belongs to the row itself.
    pub fn own_field(&self) -> Option<FieldIx> {
        self.path.own_field()
    }

    /// True if the label is the key.
    pub fn is_key(&self) -> bool {
        self.own_field() == Some(self.entity.pk)
    }

    /// True if the label value is never null.
    pub(crate) fn is_always_set(&self) -> bool {
        self.path.is_own_field() && self.field.computed.is_none() && (self.field.required || self.is_key())
    }

    /// The label of the row with this key and label value.
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
            (Some(title), Value::Date(_) | Value::DateTime(_)) => say!("dz-label-of-date", "{title} of {date}", title = title, date = text),
            (Some(title), _) => format!("{title} {text}"),
        }
    }

    /// The label of a row without a label value.
    pub fn text_from_key(&self, app: &'static AppDef, key: &Value) -> String {
        let key = field::display(self.entity.key(), key, field::zone(app));
        format!("{} {}", self.entity.title, key.chars().take(KEY_CHARACTERS).collect::<String>())
    }
}
