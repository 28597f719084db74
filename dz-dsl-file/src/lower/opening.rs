//! Resolves the surface that a row, a button or a region opens, and the reference that selects its row.

use super::Lowering;
use crate::{
    Diagnostic,
    cursor::Name,
    model::{Archetype, EntityId, FieldId, FieldType, Mode, Opening, SurfaceId},
};

/// How a row determines the row that a surface shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
    /// The surface needs no row, or finds its single row, or its entity is unknown for a reported reason.
    Free,
    /// The row itself is shown.
    Own,
    /// One ref points to the shown row.
    Via(FieldId),
    /// Several refs point to rows of the entity.
    Several,
    /// No ref points to a row of the entity.
    None,
}

fn link(it: &Lowering<'_>, surface: SurfaceId, row: Option<EntityId>) -> Link {
    let head = &it.surface_heads[surface.0];
    let (Some(target), Some(Mode::View | Mode::Edit)) = (head.entity, head.mode) else { return Link::Free };
    if it.entities[target.0].kind.is_some_and(Archetype::is_singleton) {
        return Link::Free;
    }
    let Some(row) = row else { return Link::None };
    if row == target {
        return Link::Own;
    }
    let fields = &it.entities[row.0].fields;
    let mut refs = (0..fields.len()).filter(|at| fields[*at].ty == FieldType::Ref(target));
    match (refs.next(), refs.next()) {
        (Some(field), None) => Link::Via(FieldId(field)),
        (Some(_), Some(_)) => Link::Several,
        (None, _) => Link::None,
    }
}

/// Resolves a surface that opens in the context of a row of `row`, or of none.
pub(super) fn from_row(it: &mut Lowering<'_>, name: &Name, row: Option<EntityId>) -> Option<Opening> {
    let surface = it.surface(name)?;
    match link(it, surface, row) {
        Link::Free | Link::Own => Some(Opening { surface, via: None, span: name.span }),
        Link::Via(field) => Some(Opening { surface, via: Some(field), span: name.span }),
        found @ (Link::Several | Link::None) => {
            refuse(it, name, surface, row, found);
            None
        }
    }
}

/// The surface that a region opens.
#[derive(Default)]
pub(super) struct OfRegion {
    /// A button with a surface that needs no row.
    pub button: Option<Opening>,
    /// For each source, a surface of one row.
    pub rows: Vec<Option<Opening>>,
}

/// Resolves a surface that a region opens: from the rows of sources that determine it, or as a button.
pub(super) fn from_region(it: &mut Lowering<'_>, name: &Name, sources: &[EntityId]) -> OfRegion {
    let Some(surface) = it.surface(name) else { return OfRegion::default() };
    let opening = |via| Opening { surface, via, span: name.span };
    if link(it, surface, None) == Link::Free {
        return OfRegion { button: Some(opening(None)), rows: Vec::new() };
    }
    let links: Vec<Link> = sources.iter().map(|source| link(it, surface, Some(*source))).collect();
    if !links.iter().any(|link| matches!(link, Link::Own | Link::Via(_))) {
        let several = links.contains(&Link::Several);
        refuse(it, name, surface, sources.first().copied(), if several { Link::Several } else { Link::None });
    }
    let rows = links.iter().map(|link| match link {
        Link::Own => Some(opening(None)),
        Link::Via(field) => Some(opening(Some(*field))),
        Link::Free | Link::Several | Link::None => None,
    });
    OfRegion { button: None, rows: rows.collect() }
}

fn refuse(it: &mut Lowering<'_>, name: &Name, surface: SurfaceId, row: Option<EntityId>, link: Link) {
    let head = &it.surface_heads[surface.0];
    let (Some(target), label) = (head.entity, head.span) else { return };
    let target = it.entities[target.0].name.clone();
    let message = match row.map(|row| it.entities[row.0].name.clone()) {
        None => format!("surface `{}` shows one `{target}`, and this place has none", name.text),
        Some(row) if link == Link::Several => format!("surface `{}` shows one `{target}`, and `{row}` has several refs to it", name.text),
        Some(row) => format!("surface `{}` shows one `{target}`, and a `{row}` has no reference to one", name.text),
    };
    it.out.push(
        Diagnostic::error("surface-needs-row", name.span, message)
            .label(label, "declared here")
            .help("open a surface of the row's entity, or one of mode `list` or `create`"),
    );
}
