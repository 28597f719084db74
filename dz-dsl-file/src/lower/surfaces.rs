//! Surfaces: columns resolved, sections and nested lists completed.

use std::collections::HashMap;

use super::{
    Lowering, collect,
    expr::{self, Position, Typer},
};
use crate::{
    Diagnostic,
    cursor::Name,
    diagnostic::nearest,
    model::{
        Auto, Column, Comparison, EntityId, Expr, FieldId, FieldType, ListUx, Mode, NestedList, Path, Section, SectionBody, SortKey,
        Surface,
    },
    names,
    syntax::{File, Item, surface as written},
};

pub(super) fn lower(it: &mut Lowering<'_>, files: &[File]) {
    let mut seen = HashMap::new();
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Surface(surface) = item else { continue };
        if collect::first(it, &mut seen, "surface", &surface.name)
            && let Some(lowered) = lower_surface(it, surface)
        {
            it.surfaces.push(lowered);
        }
    }
}

fn lower_surface(it: &mut Lowering<'_>, surface: &written::Surface) -> Option<Surface> {
    if surface.entity.is_none() {
        it.out.push(
            Diagnostic::error("missing-entity", surface.name.span, format!("surface `{}` does not say what it shows", surface.name.text))
                .help("add `uses entity NAME`"),
        );
    }
    if surface.mode.is_none() {
        it.out.push(
            Diagnostic::error("missing-mode", surface.name.span, format!("surface `{}` does not say what it does", surface.name.text))
                .help("add `mode: list`, `view`, `create` or `edit`"),
        );
    }
    let entity = it.entity(surface.entity.as_ref()?)?;
    let mode = mode(it, surface.mode.as_ref()?)?;
    let mut sections = Vec::new();
    let mut seen = HashMap::new();
    for section in &surface.sections {
        if collect::first(it, &mut seen, "section", &section.name) {
            sections.extend(lower_section(it, entity, mode, section));
        }
    }
    if !sections.iter().any(|section| matches!(section.body, SectionBody::Fields(_))) {
        let columns = default_columns(it, entity, mode);
        sections.insert(0, Section { name: "main".to_owned(), title: None, note: None, body: SectionBody::Fields(columns) });
    }
    let ux = list_ux(it, entity, &surface.ux);
    Some(Surface {
        name: surface.name.text.clone(),
        title: surface.title.as_ref().map_or_else(|| names::humanise(&surface.name.text), |it| it.text.clone()),
        entity,
        mode,
        sections,
        purpose: surface.ux.purpose.as_ref().map(|it| it.text.clone()),
        ux,
        span: surface.name.span,
    })
}

fn mode(it: &mut Lowering<'_>, name: &Name) -> Option<Mode> {
    let mode = match name.text.as_str() {
        "list" => Mode::List,
        "view" => Mode::View,
        "create" => Mode::Create,
        "edit" => Mode::Edit,
        _ => {
            let near = nearest(&name.text, ["list", "view", "create", "edit"]).map(str::to_owned);
            it.unknown("unknown-value", "mode", name.span, &name.text, near.or_else(|| Some("list".to_owned())));
            return None;
        }
    };
    Some(mode)
}

/// Every field that the mode can show, or write.
fn default_columns(it: &Lowering<'_>, entity: EntityId, mode: Mode) -> Vec<Column> {
    let writes = matches!(mode, Mode::Create | Mode::Edit);
    let shown = |at: &usize| {
        let field = &it.entities[entity.0].fields[*at];
        let key = FieldId(*at) == it.entities[entity.0].pk;
        let typed_key = key && matches!(field.ty, FieldType::Str(_) | FieldType::Slug) && mode == Mode::Create;
        field.ty.is_stored()
            && !field.secret
            && (!key || typed_key)
            && !(writes && (field.auto != Auto::No || field.identity || field.computed.is_some()))
    };
    (0..it.entities[entity.0].fields.len())
        .filter(shown)
        .map(|at| Column {
            path: expr::own(entity, at),
            label: it.entities[entity.0].fields[at].title.clone(),
            help: None,
            read_only: false,
            widget: None,
        })
        .collect()
}

fn lower_section(it: &mut Lowering<'_>, entity: EntityId, mode: Mode, section: &written::Section) -> Option<Section> {
    let body = match &section.entity {
        None => {
            let columns = columns(it, entity, &section.fields);
            SectionBody::Fields(columns)
        }
        Some(child) if mode == Mode::View => SectionBody::Nested(nested(it, entity, child, section)?),
        Some(child) => {
            it.out.push(
                Diagnostic::error("not-allowed-here", child.span, "a nested list stands on a surface of mode `view` only")
                    .help("move the section to the entity's view surface"),
            );
            return None;
        }
    };
    Some(Section {
        name: section.name.text.clone(),
        title: section.title.as_ref().map(|it| it.text.clone()),
        note: section.note.as_ref().map(|it| it.text.clone()),
        body,
    })
}

fn columns(it: &mut Lowering<'_>, entity: EntityId, fields: &[written::FieldLine]) -> Vec<Column> {
    let mut seen = HashMap::new();
    let mut columns = Vec::new();
    for field in fields {
        let Some(path) = path(it, entity, &field.path) else { continue };
        let whole = Name { text: field.path.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join("."), span: field.path[0].span };
        if !collect::first(it, &mut seen, "field", &whole) {
            continue;
        }
        columns.push(Column {
            path,
            label: field.label.as_ref().map_or_else(|| expr::title_of(&field.path), |it| it.text.clone()),
            help: field.help.as_ref().map(|it| it.text.clone()),
            read_only: field.read_only,
            widget: field.widget.as_ref().map(|it| it.text.clone()),
        });
    }
    columns
}

/// A path of a column, filter, sort or search: `unknown-path` at the hop that fails.
fn path(it: &mut Lowering<'_>, entity: EntityId, names: &[Name]) -> Option<Path> {
    let mut at = entity;
    for (position, name) in names.iter().enumerate() {
        let field = it.field_names[at.0].get(&name.text).copied().filter(|field| !it.entities[at.0].fields[*field].secret);
        let Some(field) = field else {
            let known =
                it.entities[at.0].fields.iter().filter(|field| field.ty.is_stored() && !field.secret).map(|field| field.name.as_str());
            let near = nearest(&name.text, known).map(str::to_owned);
            let entity = it.entities[at.0].name.clone();
            it.unknown("unknown-path", &format!("field of `{entity}`"), name.span, &name.text, near);
            return None;
        };
        let ty = it.entities[at.0].fields[field].ty;
        match ty {
            FieldType::Ref(target) if position + 1 < names.len() => at = target,
            _ if position + 1 < names.len() => {
                it.out.push(Diagnostic::error(
                    "hop-through-non-ref",
                    name.span,
                    format!("`{}` is no reference and cannot be followed", name.text),
                ));
                return None;
            }
            _ if !ty.is_stored() => {
                it.out.push(
                    Diagnostic::error("unknown-path", name.span, format!("`{}` lists other rows and cannot stand here", name.text))
                        .help("show it as a nested section: `uses entity NAME` in a section of its own"),
                );
                return None;
            }
            _ => {}
        }
    }
    let mut typer = Typer { it, position: Position::Filter, scope: Some(entity), outer: None, names_anonymous: false };
    typer.resolve(entity, names)
}

fn nested(it: &mut Lowering<'_>, parent: EntityId, child: &Name, section: &written::Section) -> Option<NestedList> {
    let entity = it.entity(child)?;
    let filter = match &section.filter {
        None => None,
        Some(filter) => Some(expr::condition(it, Position::Filter, entity, Some(parent), filter)?.0),
    };
    let (via, rest) = split_filter(filter);
    let via = match via {
        Some(via) => via,
        None => only_ref(it, parent, entity, child)?,
    };
    let mut columns = columns(it, entity, &section.fields);
    if columns.is_empty() {
        columns = default_columns(it, entity, Mode::List).into_iter().filter(|column| column.path.field != via).collect();
    }
    Some(NestedList { entity, via, filter: rest, columns })
}

/// Takes `field = this` out of a filter: the ref that joins the two.
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

fn only_ref(it: &mut Lowering<'_>, parent: EntityId, entity: EntityId, child: &Name) -> Option<FieldId> {
    let refs: Vec<usize> =
        (0..it.entities[entity.0].fields.len()).filter(|at| it.entities[entity.0].fields[*at].ty == FieldType::Ref(parent)).collect();
    let parent = it.entities[parent.0].name.clone();
    match refs.as_slice() {
        [one] => Some(FieldId(*one)),
        [] => {
            it.out.push(
                Diagnostic::error("missing-inverse", child.span, format!("`{}` has no ref to `{parent}`", child.text))
                    .help("list an entity that refers to this one"),
            );
            None
        }
        many => {
            let first = it.entities[entity.0].fields[many[0]].name.clone();
            it.out.push(
                Diagnostic::error("ambiguous-inverse", child.span, format!("`{}` has several refs to `{parent}`", child.text))
                    .help(format!("say which: `filter: {first} = this`")),
            );
            None
        }
    }
}

fn list_ux(it: &mut Lowering<'_>, entity: EntityId, ux: &written::Ux) -> ListUx {
    let mut lowered = ListUx { empty: ux.empty.as_ref().map(|it| it.text.clone()), ..ListUx::default() };
    for (names, descending) in &ux.sort {
        if let Some(path) = open_path(it, entity, names, "sorted") {
            lowered.sort.push(SortKey { path, descending: *descending });
        }
    }
    lowered.filter = ux.filter.iter().filter_map(|names| open_path(it, entity, names, "filtered")).collect();
    for names in &ux.search {
        let Some(path) = open_path(it, entity, names, "searched") else { continue };
        let (owner, field) = end(it, &path);
        if it.entities[owner.0].fields[field.0].ty.is_text() {
            lowered.search.push(path);
        } else {
            let last = &names[names.len() - 1];
            it.out.push(
                Diagnostic::error("unsearchable-field", last.span, format!("`{}` is not text, so it cannot be searched", last.text))
                    .help("search looks into text fields; use `filter:` for the others"),
            );
        }
    }
    lowered
}

/// A path that clients may ask for: sensitive fields are closed to that, since an order or a filter tells values.
fn open_path(it: &mut Lowering<'_>, entity: EntityId, names: &[Name], verb: &str) -> Option<Path> {
    let path = path(it, entity, names)?;
    let (owner, field) = end(it, &path);
    let field = &it.entities[owner.0].fields[field.0];
    if field.sensitive || field.ty == FieldType::Json {
        let last = &names[names.len() - 1];
        let what = if field.sensitive { "sensitive" } else { "json" };
        it.out.push(Diagnostic::error("not-allowed-here", last.span, format!("`{}` is {what} and cannot be {verb}", last.text)));
        return None;
    }
    Some(path)
}

/// Entity and field at the end of a path.
fn end(it: &Lowering<'_>, path: &Path) -> (EntityId, FieldId) {
    let mut entity = path.from;
    for hop in &path.hops {
        if let FieldType::Ref(target) = it.entities[entity.0].fields[hop.0].ty {
            entity = target;
        }
    }
    (entity, path.field)
}
