//! New rows for references: beside a picker, a form offers "New …". The form of the new row opens, and after saving the first form is
//! shown again, with all entered texts and with the new row selected.
//!
//! The form of the new row contains the values of the first form, so that the server stores nothing in between, and no script is needed.
//! The rules apply to each of the two forms as if it were opened by itself.

use url::form_urlencoded;

use super::{
    FormState, WritableField, child_rows, list_writable, render,
    submit::{self, Submitted},
};
use crate::{
    Result, Tx, Value,
    access::List,
    def::{AppDef, EntityDef, Mode, SectionBody, SurfaceDef},
    web::{
        Call, Reply,
        page::{
            Control, FormField, FormPage,
            columns::{self, key_text},
            form::picker,
            shell,
            variant::Variant,
        },
        request::{csrf, form_parameters},
    },
};

/// The form parameter with the first form: its surface, and for a stored row a slash and its key.
const BACK: &str = "dz.back";
/// The form parameter with the control of the first form that gets the new row.
const CONTROL: &str = "dz.back.control";
/// The form parameter with the values of the first form.
const VALUES: &str = "dz.back.values";
/// The value of the button that returns to the first form without saving.
const RETURN: &str = "back";
/// The maximum length of the values of the first form. The limit of a request body is larger, also after the second encoding.
const MOST_VALUES: usize = 1 << 18;

/// A row that was created for a reference of the form.
pub(crate) struct NewRow {
    control: String,
    notice: String,
}

/// The references of a form that the caller can set.
struct References {
    variant: Variant,
    own: Vec<WritableField>,
}

impl References {
    fn new(tx: &Tx<'_>, surface: &'static SurfaceDef) -> References {
        References { variant: Variant::resolve(tx, surface), own: list_writable(tx, surface) }
    }

    /// The entity to whose rows the control refers.
    fn target(&self, app: &'static AppDef, control: &str) -> Option<&'static EntityDef> {
        let target = match child_rows::split_name(control) {
            None => self.own.iter().find(|of| of.field.name == control)?.field.kind.target(),
            Some((section, _, name)) => {
                let part = self.variant.sections(app).into_iter().find(|part| part.section.name == section)?;
                let SectionBody::Nested(list) = &part.section.body else { return None };
                let (at, field) = app.entity(list.entity).find(name)?;
                let has_line = |column: &&crate::def::ColumnDef| column.path.own_field() == Some(at) && !column.read_only;
                list.columns.iter().find(has_line).and(field.kind.target())
            }
        };
        target.map(|target| app.entity(target))
    }
}

/// The form for a new row of an entity, if the caller can create rows with it and choose among them.
fn find_form(tx: &Tx<'_>, target: &'static EntityDef) -> Option<&'static SurfaceDef> {
    tx.ask::<List>(target).ok()?;
    columns::find_page(tx, target, Mode::Create)
}

/// The form that a form for a new row returns to.
pub(super) struct FirstForm {
    surface: &'static SurfaceDef,
    id: Option<String>,
    control: String,
    values: String,
}

impl FirstForm {
    /// The first form that a request names; `None` if it names none that the application has.
    pub fn read(app: &'static AppDef, call: &Call) -> Option<FirstForm> {
        let place = form_parameters::find(&call.form, BACK)?;
        let (name, id) = place.split_once('/').map_or((place, None), |(name, id)| (name, Some(id.to_owned())));
        let surface = app.surfaces.iter().copied().find(|surface| surface.name == name)?;
        let fits = match surface.mode {
            Mode::Create => id.is_none(),
            Mode::Edit => id.is_some(),
            Mode::List | Mode::View => false,
        };
        let text = |name: &str| form_parameters::find(&call.form, name).unwrap_or_default().to_owned();
        fits.then(|| FirstForm { surface, id, control: text(CONTROL), values: text(VALUES) })
    }

    /// The parameters of the form for the new row.
    fn hidden(&self) -> Vec<(&'static str, String)> {
        let place = self.id.as_ref().map_or_else(|| self.surface.name.to_owned(), |id| format!("{}/{id}", self.surface.name));
        vec![(BACK, place), (CONTROL, self.control.clone()), (VALUES, self.values.clone())]
    }

    fn address(&self) -> String {
        self.id.as_ref().map_or_else(|| self.surface.address(), |id| columns::address_of_key(self.surface, id))
    }

    /// Returns to the first form without a new row.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn return_to(&self, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
        Ok(self.show(tx, call, None)?.unwrap_or_else(|| Reply::see_other(self.address())))
    }

    /// The first form with the saved row; `None` if the caller can no longer open it, for example because its row was deleted.
    ///
    /// # Errors
    /// 503 if the database is unavailable.
    pub fn show(&self, tx: &mut Tx<'_>, call: &Call, saved: Option<(&'static EntityDef, &Value)>) -> Result<Option<Reply>> {
        if !shell::can_open(tx, self.surface) {
            return Ok(None);
        }
        let mut form: Vec<(String, String)> = form_urlencoded::parse(self.values.as_bytes()).into_owned().collect();
        let new_row = match saved {
            Some((entity, key)) => Some(self.select(tx, entity, key, &mut form)?),
            None => None,
        };
        // The form is shown and not saved, whatever buttons its values name.
        form.retain(|(name, _)| !matches!(name.as_str(), form_parameters::FIND | form_parameters::THEN | form_parameters::NEW));
        form.push((form_parameters::FIND.to_owned(), "-".to_owned()));
        let first = Call { form, ..without_values(call) };
        let shown = match &self.id {
            None => submit::save_new(tx, &first, self.surface, &[]),
            Some(id) => submit::save_changes(tx, &first, self.surface, id, &[]),
        };
        match shown {
            // The new row is saved, and another status would undo this.
            Ok(Submitted::Shown(mut state, _)) => {
                state.new_row = new_row;
                render(tx, &first, self.surface, *state, 200).map(Some)
            }
            Ok(Submitted::Saved(..) | Submitted::Repeated(_)) => Ok(None),
            Err(error) if error.status < 500 => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Selects the saved row in the values of the first form, if the caller can see it.
    fn select(&self, tx: &mut Tx<'_>, entity: &'static EntityDef, key: &Value, form: &mut Vec<(String, String)>) -> Result<NewRow> {
        let fits = References::new(tx, self.surface).target(tx.app, &self.control).is_some_and(|target| target.ix == entity.ix);
        let (control, key) = (self.control.clone(), key_text(key).unwrap_or_default());
        let label = if fits { picker::find_label(tx, entity, &key)? } else { None };
        let Some(label) = label else {
            let notice = say!("dz-new-row-not-visible", "The new row is saved. You cannot see it, so it is not selected.").to_owned();
            return Ok(NewRow { control, notice });
        };
        // The words and the choice of a search belong to the former value.
        let is_former = |name: &str| name.strip_prefix(control.as_str()).is_some_and(|rest| matches!(rest, "" | ".q" | ".found"));
        form.retain(|(name, _)| !is_former(name));
        form.push((control.clone(), key));
        let notice = say!("dz-new-row-selected", "{label} is saved and selected. The form below is not saved yet.", label = label);
        Ok(NewRow { control, notice })
    }
}

/// True for the button that returns to the first form without saving.
pub(super) fn returns(call: &Call) -> bool {
    form_parameters::find(&call.form, form_parameters::THEN) == Some(RETURN)
}

/// The same request without values.
fn without_values(call: &Call) -> Call {
    Call { form: Vec::new(), query: Vec::new(), uploads: Vec::new(), too_large: Vec::new(), ..call.clone() }
}

/// Shows a form again, or opens the form of a new row if its button was used.
///
/// # Errors
/// 503 if the database is unavailable.
pub(super) fn show(
    tx: &mut Tx<'_>,
    call: &Call,
    surface: &'static SurfaceDef,
    id: Option<&str>,
    mut state: FormState,
    status: u16,
) -> Result<Reply> {
    let control = form_parameters::find(&call.form, form_parameters::NEW).filter(|_| status == 200 && call.too_large.is_empty());
    if let Some(control) = control
        && let Some(target) = References::new(tx, surface).target(tx.app, control)
        && let Some(opened) = find_form(tx, target)
    {
        let values = values_to_keep(call);
        if values.len() <= MOST_VALUES {
            let first = FirstForm { surface, id: id.map(str::to_owned), control: control.to_owned(), values };
            let form = first.hidden().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            let call = Call { form, ..without_values(call) };
            let state = super::new_state(tx, &call, opened)?;
            return render(tx, &call, opened, state, status);
        }
        let problem =
            say!("dz-too-much-text", "This form has too much text to open another one. Save it first, or create the row in another tab.");
        state.problem = Some(problem.to_owned());
    }
    render(tx, call, surface, state, status)
}

/// The values of a form, with the uploads in place of the former files.
fn values_to_keep(call: &Call) -> String {
    let is_own =
        |name: &str| matches!(name, "csrf" | csrf::PREFIXED_TOKEN | form_parameters::FIND | form_parameters::THEN | form_parameters::NEW);
    let is_replaced = |name: &str| call.uploads.iter().any(|it| it.part == name || name.strip_suffix(".remove") == Some(&it.part));
    let mut values = form_urlencoded::Serializer::new(String::new());
    for (name, value) in call.form.iter().filter(|(name, _)| !is_own(name) && !is_replaced(name)) {
        values.append_pair(name, value);
    }
    for upload in &call.uploads {
        values.append_pair(&upload.part, &upload.facts.id.to_string());
    }
    values.finish()
}

/// Adds to the page of a form: the buttons for new rows, the row that was created, and the return to the first form.
pub(super) fn complete(tx: &Tx<'_>, call: &Call, surface: &'static SurfaceDef, state: &FormState, page: &mut FormPage) {
    let references = References::new(tx, surface);
    for field in fields(page) {
        if matches!(field.control, Control::Select { .. } | Control::Radio { .. } | Control::Pick { .. }) {
            let target = references.target(tx.app, &field.name).filter(|target| find_form(tx, target).is_some());
            field.create = target.map(|target| say!("dz-new-thing", "New {thing}", thing = columns::lower_title(target.title)));
        }
        field.focused = state.new_row.as_ref().is_some_and(|new| new.control == field.name);
    }
    page.notice = state.new_row.as_ref().map(|new| new.notice.clone());
    let Some(first) = FirstForm::read(tx.app, call).filter(|_| surface.mode == Mode::Create) else { return };
    page.hidden.extend(first.hidden());
    // Any other way out of this form would lose the first one.
    (page.primary, page.submit_and_new) = (None, None);
    page.links.clear();
    page.submits.clear();
    page.crumbs.clear();
    page.submit = say!("dz-save-thing", "Save {thing}", thing = columns::lower_title(tx.app.entity(surface.entity).title));
    page.cancel = first.address();
    page.back = Some(say!("dz-back-without-saving", "Back without saving"));
    let intro = say!(
        "dz-new-row-intro",
        "After saving, the form \"{title}\" is shown again, with the new row selected.",
        title = first.surface.title
    );
    page.notice.get_or_insert(intro);
}

/// All fields of a page, also of rows of other entities.
fn fields(page: &mut FormPage) -> impl Iterator<Item = &mut FormField> {
    page.sections.iter_mut().flat_map(|section| {
        let rows = section.rows.iter_mut().flat_map(|of| &mut of.rows).flat_map(|row| &mut row.fields);
        section.fields.iter_mut().chain(rows)
    })
}
