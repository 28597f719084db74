//! The primary button of a page, which a variant of the caller declares.

use crate::{
    Tx, Value,
    def::{AppDef, EntityDef, FieldIx, Mode, PrimaryButtonDef, SurfaceDef},
    record::Row,
    web::page::{Icon, Link, PrimaryButton, columns, variant::Variant},
};

/// The target of the primary button, for callers who can open it.
pub(crate) struct PrimaryTarget {
    surface: &'static SurfaceDef,
    via: Option<FieldIx>,
}

impl PrimaryTarget {
    /// The target that the variant names, if the caller can open it; no form on a read-only page.
    pub fn resolve(tx: &Tx<'_>, variant: &Variant) -> Option<PrimaryTarget> {
        PrimaryTarget::open(tx, variant.primary()?, variant.is_read_only())
    }

    /// The target of a declared button, if the caller can open it; no form on a read-only page.
    pub fn open(tx: &Tx<'_>, opening: PrimaryButtonDef, read_only: bool) -> Option<PrimaryTarget> {
        let surface = *tx.app.surfaces.get(usize::from(opening.surface))?;
        let closed = columns::is_form(surface.mode) && (read_only || Variant::resolve(tx, surface).is_read_only());
        (!closed && crate::web::page::shell::can_open(tx, surface)).then_some(PrimaryTarget { surface, via: opening.via })
    }

    /// True if the target is the page of one row, which the current row determines.
    pub fn needs_row(&self, app: &'static AppDef) -> bool {
        matches!(self.surface.mode, Mode::View | Mode::Edit) && !app.entity(self.surface.entity).tenancy.is_singleton()
    }

    /// The field of the current row that determines the target.
    pub fn field(&self) -> Option<FieldIx> {
        self.via
    }

    /// True if the target is this surface.
    pub fn is_surface(&self, surface: Option<&'static SurfaceDef>) -> bool {
        surface.is_some_and(|other| std::ptr::eq(other, self.surface))
    }

    /// The address of the target for a row of `entity`; `None` if the row has no target.
    pub fn href(&self, entity: &'static EntityDef, row: &Row) -> Option<String> {
        let key = row.value(self.via.unwrap_or(entity.pk));
        (*key != Value::Null).then(|| columns::row_address(self.surface, key))
    }

    /// The button on a page: of `row`, or one that needs no row.
    pub fn button(&self, app: &'static AppDef, of: Option<(&'static EntityDef, &Row)>) -> Option<PrimaryButton> {
        let href = match (self.needs_row(app), of) {
            (false, _) if matches!(self.surface.mode, Mode::View) => return None,
            (false, _) => self.surface.address(),
            (true, None) => return None,
            (true, Some((entity, row))) => self.href(entity, row)?,
        };
        let thing = columns::lower_title(app.entity(self.surface.entity).title);
        let other = self.via.is_some() || of.is_none_or(|(entity, _)| entity.ix != self.surface.entity);
        let (icon, label) = match self.surface.mode {
            Mode::Create => ("plus", format!("New {thing}")),
            Mode::Edit if other => ("edit", format!("Edit {thing}")),
            Mode::Edit => ("edit", "Edit".to_owned()),
            Mode::View => ("arrow", format!("Open {thing}")),
            Mode::List => ("rows", self.surface.title.to_owned()),
        };
        Some(PrimaryButton { icon: Icon(icon), link: Link::new(href, label) })
    }
}
