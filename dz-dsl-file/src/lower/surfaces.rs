//! Surfaces: their columns, their actions, their related lists.

mod automatic;
mod columns;
mod effects;
mod nested;
mod variants;

use std::collections::HashMap;

use super::{
    Lowering, collect,
    expr::{self, Position},
    opening,
    page_names::SurfaceHead,
    paths,
};
use crate::{
    Diagnostic,
    cursor::Name,
    model::{
        Attention, EntityId, Event, Level, ListUx, Mode, Placed, Priority, Related, RelatedDisplay, Section, SectionBody, Surface,
        SurfaceAction, SurfaceId,
    },
    names,
    syntax::{File, Item, surface as written},
};

/// Collects the names of surfaces, with the facts that other constructs need.
pub(super) fn collect(it: &mut Lowering<'_>, files: &[File]) {
    let mut seen = HashMap::new();
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Surface(surface) = item else { continue };
        if !collect::first(it, &mut seen, "surface", &surface.name) {
            continue;
        }
        let (name, span) = (&surface.name.text, surface.name.span);
        let said = |word: &str| surface.broken || surface.keys.iter().any(|key| key.text == word);
        if !said("uses") {
            it.out.push(
                Diagnostic::error("missing-entity", span, format!("surface `{name}` names no entity")).help("add `uses entity NAME`"),
            );
        }
        if !said("mode") {
            it.out.push(
                Diagnostic::error("missing-mode", span, format!("surface `{name}` has no mode"))
                    .help("add `mode: list`, `view`, `create` or `edit`"),
            );
        }
        let entity = surface.entity.as_ref().and_then(|entity| it.entity(entity));
        let mode = surface.mode.as_ref().and_then(|mode| it.word("unknown-value", "mode", mode));
        it.surface_names.insert(name.clone(), SurfaceId(it.surface_heads.len()));
        it.surface_heads.push(SurfaceHead { entity, mode, span });
    }
    automatic::collect(it);
}

/// Lowers the contents of surfaces.
pub(super) fn lower(it: &mut Lowering<'_>, files: &[File]) {
    for item in files.iter().flat_map(|file| &file.items) {
        let Item::Surface(surface) = item else { continue };
        let head = it.surface_names.get(&surface.name.text).map(|id| &it.surface_heads[id.0]);
        let Some(SurfaceHead { entity: Some(entity), mode, span }) = head else { continue };
        if *span != surface.name.span {
            continue;
        }
        // Without a mode, the lines are checked as those of the mode that allows most.
        let (entity, known) = (*entity, mode.is_some());
        let lowered = lower_surface(it, surface, entity, mode.unwrap_or(Mode::View));
        if known {
            effects::report(it, &surface.ux, lowered.mode);
            it.surfaces.push(lowered);
        }
    }
    automatic::lower(it);
}

fn lower_surface(it: &mut Lowering<'_>, surface: &written::Surface, entity: EntityId, mode: Mode) -> Surface {
    let span = surface.name.span;
    let mut sections = Vec::new();
    let mut seen = HashMap::new();
    for section in &surface.sections {
        if collect::first(it, &mut seen, "section", &section.name) {
            sections.extend(lower_section(it, entity, mode, section));
        }
    }
    if !sections.iter().any(|section| matches!(section.body, SectionBody::Fields(_))) {
        let body = SectionBody::Fields(columns::default(it, entity, mode, span));
        sections.insert(0, Section { name: "main".to_owned(), title: None, note: None, body, span });
    }
    let actions = actions(it, surface, entity, mode);
    let related = related(it, surface, entity, mode);
    let access = surface.access.as_ref().and_then(|access| it.audience(access));
    let priority = surface.priority.as_ref().and_then(|name| it.word("unknown-value", "priority", name));
    let ux = list_ux(it, entity, &surface.ux);
    let attention = surface.ux.attention.iter().filter_map(|attention| lower_attention(it, entity, attention)).collect();
    let variants = variants::lower(it, entity, surface, &sections);
    Surface {
        name: surface.name.text.clone(),
        title: surface.title.as_ref().map_or_else(|| names::humanise(&surface.name.text), |it| it.text.clone()),
        entity,
        entity_span: surface.entity.as_ref().map_or(span, |it| it.span),
        mode,
        route: None,
        access,
        priority: priority.unwrap_or(Priority::Medium),
        sections,
        actions,
        related,
        purpose: surface.ux.purpose.as_ref().map(|it| it.text.clone()),
        ux,
        attention,
        variants,
        declared: true,
        span,
    }
}

fn lower_section(it: &mut Lowering<'_>, entity: EntityId, mode: Mode, section: &written::section::Section) -> Option<Section> {
    let body = match &section.entity {
        None => SectionBody::Fields(columns::lower(it, entity, &section.fields)),
        Some(child) if mode == Mode::View => SectionBody::Nested(nested::lower(it, entity, child, section)?),
        Some(child) if mode.writes() => SectionBody::Nested(nested::lower_in_form(it, entity, child, section)?),
        Some(child) => {
            it.out.push(
                Diagnostic::error("not-allowed-here", child.span, "a surface of mode `list` has no nested lists")
                    .help("put the section on the entity's view, create or edit surface"),
            );
            return None;
        }
    };
    Some(Section {
        name: section.name.text.clone(),
        title: section.title.as_ref().map(|it| it.text.clone()),
        note: section.note.as_ref().map(|it| it.text.clone()),
        body,
        span: section.name.span,
    })
}

fn actions(it: &mut Lowering<'_>, surface: &written::Surface, entity: EntityId, mode: Mode) -> Vec<SurfaceAction> {
    let mut seen = HashMap::new();
    let mut actions = Vec::new();
    for action in &surface.actions {
        if !collect::first(it, &mut seen, "action", &action.name) {
            continue;
        }
        let event = it.word("unknown-value", "event", &action.event);
        if event == Some(Event::Submit) && !mode.writes() {
            it.out.push(
                Diagnostic::error("not-allowed-here", action.event.span, "only a form is submitted, a surface of mode `create` or `edit`")
                    .help("write `on click`")
                    .replace(action.event.span, "click"),
            );
        }
        // A form has no row before it is submitted.
        let row = (mode != Mode::Create || event != Some(Event::Click)).then_some(entity);
        let opens = opening::from_row(it, &action.surface, row);
        if let (Some(event), Some(opens)) = (event, opens) {
            let title = collect::title(&action.title, &action.name);
            actions.push(SurfaceAction { name: action.name.text.clone(), title, event, opens, span: action.name.span });
        }
    }
    actions
}

fn related(it: &mut Lowering<'_>, surface: &written::Surface, entity: EntityId, mode: Mode) -> Vec<Related> {
    let mut seen = HashMap::new();
    let mut lowered = Vec::new();
    for related in &surface.related {
        if !collect::first(it, &mut seen, "related list", &related.name) {
            continue;
        }
        if mode != Mode::View {
            it.out.push(
                Diagnostic::error("not-allowed-here", related.name.span, "a related list is allowed on a surface of mode `view` only")
                    .help("put it on the entity's view surface"),
            );
            continue;
        }
        let mut shown = HashMap::new();
        let mut lists = Vec::new();
        for name in related.show.iter().flatten() {
            if collect::once(it, &mut shown, name, |name| format!("`{name}` is named twice")) {
                lists.extend(nested::related(it, entity, name, &related.columns));
            }
        }
        let display = related.display.as_ref().and_then(|name| it.word("unknown-display", "display of related rows", name));
        lowered.push(Related {
            name: related.name.text.clone(),
            title: collect::title(&related.title, &related.name),
            lists,
            display: display.unwrap_or(RelatedDisplay::List),
            limit: it.limit(related.limit),
            span: related.name.span,
        });
    }
    lowered
}

fn list_ux(it: &mut Lowering<'_>, entity: EntityId, ux: &written::ux::Ux) -> ListUx {
    let search = paths::list(it, &ux.search, |it, names| {
        let path = paths::open(it, entity, names, "searched")?;
        if !paths::end(it, &path.it).ty.is_text() {
            let last = names.last()?;
            it.out.push(
                Diagnostic::warning("unsearchable-field", last.span, format!("`{}` is not text, so it cannot be searched", last.text))
                    .help("search looks into text fields; use `filter:` for the others"),
            );
            return None;
        }
        Some(path)
    });
    ListUx {
        show: paths::list(it, &ux.show, |it, names| paths::displayed_path(it, entity, names)),
        sort: paths::sort(it, entity, &ux.sort),
        filter: paths::list(it, &ux.filter, |it, names| paths::open(it, entity, names, "filtered")),
        search,
        empty: ux.empty.as_ref().map(|it| it.text.clone()),
    }
}

fn lower_attention(it: &mut Lowering<'_>, entity: EntityId, attention: &written::ux::Attention) -> Option<Attention> {
    let name: &Name = attention.level.as_ref()?;
    let level: Option<Level> = it.word("unknown-value", "level of attention", name);
    let when = attention.when.as_ref().and_then(|when| {
        let (condition, _) = expr::condition(it, Position::When, entity, None, when)?;
        Some(Placed { it: condition, span: when.span })
    });
    let action = attention.action.as_ref().and_then(|action| opening::from_row(it, action, Some(entity)));
    let message = attention.message.as_ref()?.text.clone();
    Some(Attention { level: level?, when: when?, message, action, span: name.span })
}
