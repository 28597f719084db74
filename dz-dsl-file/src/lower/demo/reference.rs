//! References between rows: by `@name`, by label, or by key; and values that must be unique.

use std::{
    cell::Cell,
    collections::{HashMap, HashSet},
};

use crate::{
    Diagnostic, Span,
    cursor::Name,
    diagnostic::near_word,
    lower::{Lowering, literal},
    model::{DemoRow, DemoValue, EntityId, Expr, FieldId, TODAY, Unique},
    suggestion::Replacement,
    syntax::{
        demo::Row,
        expr::{self as written, ExprKind},
    },
};

/// Rows that can be referenced, those of `before` first.
pub(super) struct KnownRows<'b> {
    before: Option<&'b KnownRows<'b>>,
    /// The number of rows, including earlier ones.
    count: usize,
    /// The place of every name, also of later rows.
    places: HashMap<String, Span>,
    named: HashMap<String, (usize, EntityId)>,
    /// Names of rows that could not be understood.
    broken: HashSet<String>,
    /// Entities with rows whose labels are unknown; `None` means every entity.
    unclear: HashSet<Option<EntityId>>,
    /// Rows by label and by key; `None` if several share it.
    shown: HashMap<(EntityId, String), Option<usize>>,
    unique: HashMap<(EntityId, Vec<FieldId>, Vec<String>), Span>,
    /// The remaining number of unknown rows for which a similar name is searched.
    hints: Cell<usize>,
}

const HINTS: usize = 100;

/// A label or a key that refers to another row, without the `@name` of the row.
pub(super) fn written_text(value: &written::Expr) -> Option<String> {
    match &value.kind {
        ExprKind::Text(text) if !literal::is_uuid(text) => Some(text.clone()),
        ExprKind::Number(digits) => Some(digits.clone()),
        ExprKind::Path(path) if path.len() == 1 && path[0].text != "current_user" => Some(path[0].text.clone()),
        _ => None,
    }
}

impl<'b> KnownRows<'b> {
    /// The rows of `before`, and the names of the rows that follow.
    pub fn new<'n>(before: Option<&'b KnownRows<'b>>, names: impl Iterator<Item = &'n Name>, unclear: bool) -> Self {
        let mut places = HashMap::new();
        for name in names {
            places.entry(name.text.clone()).or_insert(name.span);
        }
        KnownRows {
            before,
            count: before.map_or(0, |before| before.count),
            places,
            named: HashMap::new(),
            broken: HashSet::new(),
            unclear: HashSet::from_iter(unclear.then_some(None)),
            shown: HashMap::new(),
            unique: HashMap::new(),
            hints: Cell::new(HINTS),
        }
    }

    /// Adds a row that could not be understood: references to it are not reported.
    pub fn add_broken(&mut self, row: &Row) {
        self.broken.extend(row.label.as_ref().map(|label| label.text.clone()));
        self.unclear.insert(None);
    }

    /// Adds a row, and reports a name or a value that another row has.
    pub fn add(&mut self, it: &mut Lowering<'_>, row: &Row, lowered: &DemoRow) {
        let at = self.count;
        self.count += 1;
        if is_unclear(it, row, lowered) {
            self.unclear.insert(Some(lowered.entity));
        }
        if let Some(label) = &row.label {
            let before = self.before.and_then(|before| before.places.get(&label.text)).copied();
            let first = before.or_else(|| self.named.get(&label.text).and_then(|_| self.places.get(&label.text)).copied());
            match first {
                Some(first) => it.out.push(
                    Diagnostic::error("duplicate-name", label.span, format!("row `@{}` is declared twice", label.text))
                        .label(first, "first declared here")
                        .help("rename or remove one of them"),
                ),
                None => {
                    self.named.insert(label.text.clone(), (at, lowered.entity));
                }
            }
        }
        let entity = &it.entities[lowered.entity.0];
        for field in entity.label.field().into_iter().chain([entity.pk]) {
            let Some((_, DemoValue::Literal(value))) = lowered.values.iter().find(|(given, _)| *given == field) else { continue };
            let text = match value {
                Expr::Text(text) => text.clone(),
                Expr::Int(number) => number.to_string(),
                _ => continue,
            };
            self.shown.entry((lowered.entity, text)).and_modify(|first| *first = first.filter(|first| *first == at)).or_insert(Some(at));
        }
        self.only_one(it, row, lowered);
    }

    /// Reports values that another row has although they must be unique.
    fn only_one(&mut self, it: &mut Lowering<'_>, row: &Row, lowered: &DemoRow) {
        let entity = &it.entities[lowered.entity.0];
        let single = entity.fields.iter().enumerate().filter(|(at, field)| field.unique != Unique::No || *at == entity.pk.0);
        let together = entity
            .indexes
            .iter()
            .filter(|index| index.unique && index.rows.is_none())
            .map(|index| index.columns.iter().map(|it| it.field).collect());
        let sets: Vec<Vec<FieldId>> = single.map(|(at, _)| vec![FieldId(at)]).chain(together).collect();
        for mut fields in sets {
            // Unique values are unique within a tenant.
            if let Some(tenant) = entity.tenant.filter(|tenant| fields != [entity.pk] && !fields.contains(tenant)) {
                fields.insert(0, tenant);
            }
            let keys = fields.iter().map(|field| lowered.key_of(&entity.fields, *field));
            let Some(keys) = keys.collect::<Option<Vec<String>>>() else { continue };
            let names: Vec<String> = fields
                .iter()
                .filter(|field| fields.len() == 1 || Some(**field) != entity.tenant)
                .map(|field| format!("`{}`", entity.fields[field.0].name))
                .collect();
            let in_tenant = if names.len() < fields.len() { " in one tenant" } else { "" };
            let last = fields.last().map(|field| entity.fields[field.0].name.as_str());
            let span = row.values.iter().find(|(name, _)| Some(name.text.as_str()) == last).map_or(row.span, |(name, _)| name.span);
            let group = (lowered.entity, fields, keys);
            // The rows of a scenario can be stored on a later day.
            let before = self.before.filter(|_| !group.2.iter().any(|key| key == TODAY));
            let first = before.and_then(|before| before.unique.get(&group)).or_else(|| self.unique.get(&group)).copied();
            match first {
                Some(first) => it.out.push(
                    Diagnostic::error(
                        "duplicate-value",
                        span,
                        format!("two rows of `{}` have the same {}{in_tenant}", entity.name, names.join(" and ")),
                    )
                    .label(first, "the other one")
                    .help("change one of them"),
                ),
                None => {
                    self.unique.insert(group, span);
                }
            }
        }
    }

    /// Resolves `@name`.
    pub fn by_name(&self, it: &mut Lowering<'_>, name: &Name, target: EntityId) -> Option<usize> {
        let found = self.named.get(&name.text).or_else(|| self.before?.named.get(&name.text)).copied();
        if let Some((at, entity)) = found {
            if entity == target {
                let own = self.named.contains_key(&name.text);
                let places = if own { Some(&self.places) } else { self.before.map(|before| &before.places) };
                if let Some(declared) = places.and_then(|places| places.get(&name.text)) {
                    it.used(name.span, *declared);
                }
                return Some(at);
            }
            let known = self.names_of(target);
            let (entity, target) = (it.entities[entity.0].name.clone(), it.entities[target.0].name.clone());
            let found =
                Diagnostic::error("type-mismatch", name.span, format!("`@{}` is a row of `{entity}`, not of `{target}`", name.text))
                    .suggest(name.span, &name.text, known)
                    .or_else_help(&format!("label a row of `{target}` above this one: `- @name …`"));
            it.out.push(found);
            return None;
        }
        if self.broken.contains(&name.text) || self.before.is_some_and(|before| before.broken.contains(&name.text)) {
            return None;
        }
        if let Some(place) = self.places.get(&name.text) {
            let unfinished = Diagnostic::error("unknown-row", name.span, format!("`@{}` is declared later", name.text));
            it.out.push(
                unfinished.label(*place, "it is declared here").help("put that row before this one: a row can only reference earlier ones"),
            );
            return None;
        }
        if self.may_be(None) {
            return None;
        }
        let known = if self.may_hint() { self.names_of(target) } else { Vec::new() };
        let target = &it.entities[target.0].name;
        let found = Diagnostic::error("unknown-row", name.span, format!("there is no earlier row `@{}`", name.text))
            .suggest(name.span, &name.text, known)
            .or_else_help(&format!("label a row of `{target}` above this one: `- @{} …`", name.text));
        it.out.push(found);
        None
    }

    fn may_hint(&self) -> bool {
        self.hints.replace(self.hints.get().saturating_sub(1)) > 0
    }

    /// True if the entity has a row with an unknown label.
    fn may_be(&self, entity: Option<EntityId>) -> bool {
        self.unclear.contains(&entity) || self.before.is_some_and(|before| before.may_be(entity))
    }

    /// The names of the rows of an entity so far, in order.
    fn names_of(&self, entity: EntityId) -> Vec<&str> {
        let names = self.before.iter().flat_map(|before| &before.named).chain(&self.named);
        let mut rows: Vec<(usize, &str)> = names.filter(|(_, row)| row.1 == entity).map(|(name, row)| (row.0, name.as_str())).collect();
        rows.sort_unstable();
        rows.into_iter().map(|(_, name)| name).collect()
    }

    /// The row of `target` with the label or key `text`.
    pub fn by_label(&self, it: &mut Lowering<'_>, text: &str, value: &written::Expr, target: EntityId) -> Option<usize> {
        let bare = matches!(value.kind, ExprKind::Path(_));
        let key = (target, text.to_owned());
        let found = self.shown.get(&key).or_else(|| self.before?.shown.get(&key));
        let entity = it.entities[target.0].name.clone();
        match found {
            Some(Some(at)) if !bare => return Some(*at),
            Some(None) => {
                it.out.push(
                    Diagnostic::error("ambiguous-row", value.span, format!("several rows of `{entity}` have the label `{text}`"))
                        .help(format!("name the intended row, `- @{}`, and use this name here", entity.to_lowercase())),
                );
                return None;
            }
            _ => {}
        }
        if self.may_be(None) || self.may_be(Some(target)) {
            return None;
        }
        let unknown = Diagnostic::error("unknown-row", value.span, format!("no earlier row of `{entity}` has the label `{text}`"));
        let named = |known: &KnownRows<'_>| known.named.get(text).is_some_and(|(_, entity)| *entity == target);
        let replacement: Option<Replacement> = if named(self) || self.before.is_some_and(named) {
            Some(format!("@{text}").into())
        } else if found.is_some() {
            Some(format!("\"{text}\"").into())
        } else if !self.may_hint() {
            None
        } else {
            let all = self.shown.keys().chain(self.before.iter().flat_map(|before| before.shown.keys()));
            near_word(text, all.filter(|(of, _)| *of == target).map(|(_, text)| text.as_str()))
                .map(|near| near.spelled_as(|near| format!("\"{near}\"")).into())
        };
        it.out.push(match replacement {
            Some(near) => unknown.help(format!("did you mean {}?", near.text())).replace(value.span, near),
            None => unknown.help("rows are named by `@name`, by what labels them, or by their key"),
        });
        None
    }
}

/// True if the label of the row could not be understood.
fn is_unclear(it: &Lowering<'_>, row: &Row, lowered: &DemoRow) -> bool {
    let entity = &it.entities[lowered.entity.0];
    let calls = |at: usize| entity.label.field() == Some(FieldId(at)) || entity.pk.0 == at;
    let lost = |name: &Name| match it.field_names[lowered.entity.0].get(&name.text) {
        Some(at) => calls(*at) && !lowered.values.iter().any(|(field, _)| field.0 == *at),
        None => lowered.account.is_none() || !matches!(name.text.as_str(), "password" | "roles"),
    };
    row.broken || row.values.iter().any(|(name, _)| lost(name))
}
