//! Lists of rows that reference the shown row: nested sections and related lists.

use super::columns;
use crate::{
    Diagnostic,
    cursor::Name,
    lower::{
        Lowering,
        expr::{self, Position},
        paths,
    },
    model::{Column, Comparison, EntityId, Expr, FieldId, FieldType, Mode, NestedList, Via},
    syntax::{paths::Path, surface::section::Section},
};

/// The number of columns of a related list that names none: the label, and some of the other fields.
const RELATED_COLUMNS: usize = 6;

/// A nested section.
pub(super) fn lower(it: &mut Lowering<'_>, parent: EntityId, child: &Name, section: &Section) -> Option<NestedList> {
    let mut list = lower_list(it, parent, child, section)?;
    if list.columns.is_empty() {
        list.columns = default_columns(it, list.entity, Mode::List, section, list.via);
    }
    Some(list)
}

/// A nested section of a form: its rows are saved together with the row of the form.
pub(super) fn lower_in_form(it: &mut Lowering<'_>, parent: EntityId, child: &Name, section: &Section) -> Option<NestedList> {
    let mut list = lower_list(it, parent, child, section)?;
    if let Via::Junction(_) = list.via {
        it.out.push(
            Diagnostic::error("not-allowed-here", child.span, format!("a form has no rows of `{}`, which a junction connects", child.text))
                .help("list them on the entity's view surface, or list the rows of the junction here"),
        );
        return None;
    }
    if list.columns.is_empty() {
        list.columns = default_columns(it, list.entity, Mode::Create, section, list.via);
    }
    Some(list)
}

/// All fields that a mode shows, except the reference to the row to which the list belongs.
fn default_columns(it: &Lowering<'_>, entity: EntityId, mode: Mode, section: &Section, via: Via) -> Vec<Column> {
    columns::default(it, entity, mode, section.name.span).into_iter().filter(|it| shows_more(it, via)).collect()
}

/// A nested section with its written columns.
fn lower_list(it: &mut Lowering<'_>, parent: EntityId, child: &Name, section: &Section) -> Option<NestedList> {
    let entity = it.entity(child)?;
    let filter = match &section.filter {
        None => None,
        Some(filter) => Some(expr::condition(it, Position::Filter, entity, Some(parent), filter)?.0),
    };
    let (via, rest) = split_filter(filter);
    let via = match (via, connection(it, parent, entity)) {
        (Some(via), _) => Via::Ref(via),
        (None, Some(relation)) => relation,
        (None, None) => Via::Ref(only_ref(it, parent, entity, child, |field| format!("name one: `filter: {field} = this`"))?),
    };
    let columns = columns::lower(it, entity, &section.fields);
    Some(NestedList { entity, via, filter: rest, columns, entity_span: child.span })
}

/// Lowers one list of `related`: `name` is an entity that references this one, or a `has_many` field of this one.
pub(super) fn related(it: &mut Lowering<'_>, parent: EntityId, name: &Name, columns: &[Path]) -> Option<NestedList> {
    let field = it.field_names[parent.0].get(&name.text).copied();
    let relation = field.map(|at| it.entities[parent.0].fields[at].ty);
    let relation = relation.and_then(FieldType::relation);
    if let (Some(field), Some(_)) = (field, relation) {
        it.field_used(name.span, parent, field);
    }
    let (entity, via) = match relation {
        Some(relation) => relation,
        None => {
            report_unknown_list(it, parent, name)?;
            let entity = it.entity(name)?;
            let way = |_: &str| "name the has_many field that lists them instead".to_owned();
            match connection(it, parent, entity) {
                Some(relation) => (entity, relation),
                None => (entity, Via::Ref(only_ref(it, parent, entity, name, way)?)),
            }
        }
    };
    let mut shown: Vec<_> = paths::list(it, columns, |it, names| paths::displayed_path(it, entity, names))
        .into_iter()
        .map(|path| {
            let label = paths::end(it, &path.it).title.clone();
            columns::plain(path.it, label, path.span)
        })
        .collect();
    if shown.is_empty() {
        shown = columns::default(it, entity, Mode::List, name.span)
            .into_iter()
            .filter(|it| shows_more(it, via))
            .take(RELATED_COLUMNS)
            .collect();
    }
    Some(NestedList { entity, via, filter: None, columns: shown, entity_span: name.span })
}

/// Reports a name that is neither a relation of `parent` nor an entity.
fn report_unknown_list(it: &mut Lowering<'_>, parent: EntityId, name: &Name) -> Option<()> {
    if it.entity_names.contains_key(&name.text) {
        return Some(());
    }
    if it.unreadable.has_field(parent, &name.text) {
        return None;
    }
    let fields = it.entities[parent.0].fields.iter().filter(|field| field.ty.relation().is_some()).map(|field| field.name.clone());
    let mut known: Vec<String> = it.entity_names.keys().cloned().collect();
    known.sort_unstable();
    let known: Vec<String> = fields.chain(known).collect();
    it.unknown_among("unknown-entity", format!("unknown entity or relation `{}`", name.text), name.span, &name.text, &known, "");
    None
}

/// True for a column that shows more than the row to which the list belongs.
fn shows_more(column: &Column, via: Via) -> bool {
    !column.path.hops.is_empty() || via != Via::Ref(column.path.field)
}

/// The only relation of `parent` over a junction to `entity`, if `entity` has no ref to it.
fn connection(it: &Lowering<'_>, parent: EntityId, entity: EntityId) -> Option<Via> {
    let refers = it.entities[entity.0].fields.iter().any(|field| field.ty == FieldType::Ref(parent));
    let mut relations = it.entities[parent.0].fields.iter().filter_map(|field| match field.ty.relation() {
        Some((to, Via::Junction(through))) if to == entity => Some(Via::Junction(through)),
        Some((_, Via::Ref(_) | Via::Junction(_))) | None => None,
    });
    match (relations.next(), relations.next()) {
        (Some(one), None) if !refers => Some(one),
        _ => None,
    }
}

/// Removes `field = this` from a filter, and returns the ref of that comparison.
fn split_filter(filter: Option<Expr>) -> (Option<FieldId>, Option<Expr>) {
    let joins = |expr: &Expr| match expr {
        Expr::Compare(Comparison::Eq, left, right) => match (&**left, &**right) {
            (Expr::Path(path), Expr::This(None)) | (Expr::This(None), Expr::Path(path)) if path.hops.is_empty() => Some(path.field),
            _ => None,
        },
        _ => None,
    };
    match filter {
        Some(Expr::And(parts)) => {
            let via = parts.iter().find_map(joins);
            let mut rest: Vec<Expr> = parts.into_iter().filter(|part| joins(part).is_none()).collect();
            let rest = if rest.len() == 1 { rest.pop() } else { Some(Expr::And(rest)) };
            (via, rest)
        }
        Some(one) => match joins(&one) {
            Some(via) => (Some(via), None),
            None => (None, Some(one)),
        },
        None => (None, None),
    }
}

/// The only ref of `entity` to `parent`; `way` returns how to choose among several.
fn only_ref(it: &mut Lowering<'_>, parent: EntityId, entity: EntityId, child: &Name, way: impl Fn(&str) -> String) -> Option<FieldId> {
    let fields = &it.entities[entity.0].fields;
    let mut refs = (0..fields.len()).filter(|at| fields[*at].ty == FieldType::Ref(parent));
    let parent = &it.entities[parent.0].name;
    let found = match (refs.next(), refs.next()) {
        (Some(one), None) => return Some(FieldId(one)),
        (None, _) => Diagnostic::error("missing-inverse", child.span, format!("`{}` has no ref to `{parent}`", child.text))
            .help("list an entity that refers to this one"),
        (Some(first), Some(_)) => {
            Diagnostic::error("ambiguous-inverse", child.span, format!("`{}` has several refs to `{parent}`", child.text))
                .help(way(&fields[first].name))
        }
    };
    it.out.push(found);
    None
}
