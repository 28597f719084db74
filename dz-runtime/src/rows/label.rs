//! What a row is called: which value names it, and how that is written.

use super::{Extra, Row};
use crate::{
    Value,
    db::emit::constant,
    def::{AppDef, EntityDef, FieldDef, FieldIx, Kind, Path},
    field,
};

/// How many characters of a key stand for it.
const KEY: usize = 8;

/// What names the rows of an entity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name {
    /// The entity.
    entity: &'static EntityDef,
    /// Refs to follow to the row that gives its name.
    pub hops: &'static [FieldIx],
    /// The field that names it, in the entity at the end.
    pub at: FieldIx,
    /// That field.
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
        Name { entity, hops: &[], at: entity.pk, field: entity.key(), title: Some(entity.title) }
    }

    /// As declared, and whether a part of the way is `sensitive`.
    fn found(app: &'static AppDef, entity: &'static EntityDef) -> Option<(Name, bool)> {
        let (mut end, mut sensitive) = (entity, false);
        for hop in entity.label.hops {
            let field = end.fields.get(usize::from(*hop))?;
            let Kind::Ref(next) = field.kind else { return None };
            sensitive |= field.sensitive;
            end = app.entity(next);
        }
        let field = end.fields.get(usize::from(entity.label.field)).filter(|field| field.has_value() && !field.secret)?;
        let title = entity.label.titled.then_some(end.title);
        let name = Name { entity, hops: entity.label.hops, at: entity.label.field, field, title };
        Some((name, sensitive || field.sensitive))
    }

    /// The path of the value that names a row.
    pub fn path(&self) -> Path {
        Path { from: self.entity.ix, hops: self.hops, field: self.at }
    }

    /// The row's own field with the value that names it.
    pub fn own(&self) -> Option<FieldIx> {
        self.hops.is_empty().then_some(self.at)
    }

    /// True when the key alone names it.
    pub fn is_key(&self) -> bool {
        self.own() == Some(self.entity.pk)
    }

    /// True when every row has a value that names it.
    fn is_always_there(&self) -> bool {
        self.hops.is_empty() && self.field.computed.is_none() && (self.field.required || self.at == self.entity.pk)
    }

    /// What a row with this key is called, by the value that names it.
    pub fn text(&self, app: &'static AppDef, value: &Value, key: &Value) -> String {
        let zone = constant::zone(app);
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
        let key = field::display(self.entity.key(), key, constant::zone(app));
        format!("{} {}", self.entity.title, key.chars().take(KEY).collect::<String>())
    }
}

/// The name of the row to which a ref leads, among the extra columns of a query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named {
    name: Name,
    /// The place of the value that names it.
    value: usize,
    /// The place of its key, where a row may have no such value.
    key: Option<usize>,
}

impl Named {
    /// Asks for what names the row to which the ref at the end of a path leads.
    pub fn ask(app: &'static AppDef, path: Path, target: &'static EntityDef, extra: &mut Vec<Extra>) -> Named {
        let name = Name::of(app, target);
        let value = extra.len();
        extra.push(Extra::Label(path));
        let key = (!name.is_always_there()).then(|| {
            extra.push(Extra::Key(path));
            value + 1
        });
        Named { name, value, key }
    }

    /// What the row is called; nothing where there is none that the caller may see.
    pub fn text(&self, app: &'static AppDef, row: &Row) -> Option<String> {
        let at = |at: usize| row.extra.get(at).unwrap_or(&Value::Null);
        let value = at(self.value);
        match self.key.map(at) {
            None if value.is_null() => None,
            Some(Value::Null) => None,
            key => Some(self.name.text(app, value, key.unwrap_or(&Value::Null))),
        }
    }
}
