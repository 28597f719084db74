//! The primary button of a page, which a variant of the caller declares.

use crate::{
    Result, Tx, Value,
    access::{Action as _, Read, Update},
    def::{AppDef, EntityDef, FieldIx, Mode, PrimaryButtonDef, SurfaceDef},
    record::Row,
    rows,
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

    /// The icon of a button that opens the target.
    pub fn icon(&self) -> Icon {
        Icon(match self.surface.mode {
            Mode::Create => "plus",
            Mode::Edit => "edit",
            Mode::View => "arrow",
            Mode::List => "rows",
        })
    }

    /// The field of the current row that determines the target.
    pub fn field(&self) -> Option<FieldIx> {
        self.via
    }

    /// True if the target is this surface.
    pub fn is_surface(&self, surface: Option<&'static SurfaceDef>) -> bool {
        surface.is_some_and(|other| std::ptr::eq(other, self.surface))
    }

    /// The addresses of the target for some rows of `entity`, of which the caller can read each; `None` where the caller cannot open
    /// it. It takes at most one statement.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn addresses(&self, tx: &mut Tx<'_>, entity: &'static EntityDef, rows: &[&Row]) -> Result<Vec<Option<String>>> {
        if !self.needs_row(tx.app) {
            return Ok(vec![self.address_without_row(); rows.len()]);
        }
        let target = tx.app.entity(self.surface.entity);
        let action = if self.surface.mode == Mode::Edit { Update::NAME } else { Read::NAME };
        let scope = Variant::resolve(tx, self.surface).within();
        // The rows of the page are readable, so only their references, further rules and rows of the surface are checked.
        let is_open = self.via.is_none() && scope.is_all() && (action == Read::NAME || !rows::depends_on_row(tx, target, action));
        let at = self.via.unwrap_or(entity.pk);
        if is_open {
            return Ok(rows.iter().map(|row| Some(columns::row_address(self.surface, row.value(at)))).collect());
        }
        let wanted: Vec<Value> = rows.iter().map(|row| row.value(at).clone()).filter(|key| !key.is_null()).collect();
        let found = rows::reachable_keys(tx, target, action, &scope, wanted)?;
        Ok(rows.iter().map(|row| found.contains(row.value(at)).then(|| columns::row_address(self.surface, row.value(at)))).collect())
    }

    /// The address of a target without a row; a view always has one.
    pub fn address_without_row(&self) -> Option<String> {
        (self.surface.mode != Mode::View).then(|| self.surface.address())
    }

    /// The button on a page: of `row`, or one that needs no row; `None` if the caller cannot open the target.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn button(&self, tx: &mut Tx<'_>, of: Option<(&'static EntityDef, &Row)>) -> Result<Option<PrimaryButton>> {
        let Some((entity, row)) = of.filter(|_| self.needs_row(tx.app)) else {
            return Ok(self.page_button(tx.app));
        };
        let other = self.via.is_some() || entity.ix != self.surface.entity;
        let href = self.addresses(tx, entity, &[row])?.pop().flatten();
        Ok(href.map(|href| PrimaryButton { icon: self.icon(), link: Link::new(href, self.label(tx.app, other)) }))
    }

    /// The button of a target that needs no row.
    pub fn page_button(&self, app: &'static AppDef) -> Option<PrimaryButton> {
        let href = self.address_without_row().filter(|_| !self.needs_row(app))?;
        Some(PrimaryButton { icon: self.icon(), link: Link::new(href, self.label(app, true)) })
    }

    /// The text of a button without a declared one; `other` for the row of another entity.
    fn label(&self, app: &'static AppDef, other: bool) -> String {
        let thing = columns::lower_title(app.entity(self.surface.entity).title);
        match self.surface.mode {
            Mode::Create => say!("dz-new-thing", "New {thing}", thing = thing),
            Mode::Edit if other => say!("dz-edit-thing", "Edit {thing}", thing = thing),
            Mode::Edit => say!("dz-edit", "Edit").to_owned(),
            Mode::View => say!("dz-open-thing", "Open {thing}", thing = thing),
            Mode::List => self.surface.title.to_owned(),
        }
    }
}
