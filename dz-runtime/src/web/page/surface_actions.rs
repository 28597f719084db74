//! Declared actions of a surface: buttons that open another surface, and the surface that opens after a form.

use crate::{
    Result, Tx,
    def::{ActionDef, EntityDef, FieldIx},
    record::Row,
    web::{
        page::{Link, PrimaryButton, primary_button::PrimaryTarget, variant::Variant},
        request::form_parameters,
    },
};

/// The actions whose surfaces the caller can open.
pub(crate) struct SurfaceActions(Vec<(&'static ActionDef, PrimaryTarget)>);

impl SurfaceActions {
    /// The buttons of a surface.
    pub fn clicks(tx: &Tx<'_>, variant: &Variant) -> SurfaceActions {
        let open = |action: &'static ActionDef| Some((action, PrimaryTarget::open(tx, action.opens, variant.is_read_only())?));
        SurfaceActions(variant.surface().clicks.iter().filter_map(open).collect())
    }

    /// The fields of the row that determine the targets.
    pub fn fields(&self) -> impl Iterator<Item = FieldIx> + '_ {
        self.0.iter().filter_map(|(_, target)| target.field())
    }

    /// The buttons of a page: those of its row, and those that need none.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn buttons(&self, tx: &mut Tx<'_>, of: Option<(&'static EntityDef, &Row)>) -> Result<Vec<PrimaryButton>> {
        let mut buttons = Vec::new();
        for (action, target) in &self.0 {
            let button = target.button(tx, of)?;
            buttons.extend(button.map(|button| PrimaryButton { link: Link { label: action.title.to_owned(), ..button.link }, ..button }));
        }
        Ok(buttons)
    }

    /// The buttons of each row of a list: those that need a row.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn row_buttons(&self, tx: &mut Tx<'_>, entity: &'static EntityDef, rows: &[&Row]) -> Result<Vec<Vec<PrimaryButton>>> {
        let mut buttons: Vec<Vec<PrimaryButton>> = vec![Vec::new(); rows.len()];
        for (action, target) in &self.0 {
            if !target.needs_row(tx.app) {
                continue;
            }
            let icon = target.icon();
            for (of_row, href) in buttons.iter_mut().zip(target.addresses(tx, entity, rows)?) {
                of_row.extend(href.map(|href| PrimaryButton { icon, link: Link::new(href, action.title) }));
            }
        }
        Ok(buttons)
    }
}

/// The submit buttons of a form: the value of the parameter `dz.then`, and the text. The first is the default one.
pub(crate) fn submit_buttons(variant: &Variant) -> Vec<(String, &'static str)> {
    variant.surface().submits.iter().enumerate().map(|(at, action)| (format!("open.{at}"), action.title)).collect()
}

/// The address of the surface that opens after a form was saved; `None` if the form declares none, or the caller cannot open it.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn address_after(
    tx: &mut Tx<'_>,
    variant: &Variant,
    form: &[(String, String)],
    entity: &'static EntityDef,
    saved: Option<&Row>,
) -> Result<Option<String>> {
    let then = form_parameters::find(form, form_parameters::THEN).and_then(|value| value.strip_prefix("open.")?.parse::<usize>().ok());
    let Some(action) = variant.surface().submits.get(then.unwrap_or(0)) else { return Ok(None) };
    let Some(target) = PrimaryTarget::open(tx, action.opens, false) else { return Ok(None) };
    match (target.needs_row(tx.app), saved) {
        (false, _) => Ok(target.address_without_row()),
        (true, None) => Ok(None),
        (true, Some(row)) => Ok(target.addresses(tx, entity, &[row])?.pop().flatten()),
    }
}
