//! Forms for new and existing rows.

pub(crate) mod additional_fields;
pub(crate) mod child_rows;
pub(crate) mod conditions;
pub(crate) mod conflict;
pub(crate) mod control;
mod create_new;
mod once;
pub(crate) mod picker;
pub(crate) mod submit;

use std::collections::BTreeMap;

use askama::Template;

use crate::{
    Error, Result, Tx, Value,
    access::{self, Create, Read, Update},
    def::{AppDef, Auto, ColumnDef, EntityDef, FieldDef, Mode, SurfaceDef},
    field, files,
    rows::{self, Row},
    web::{
        Call, Reply,
        page::{
            Answer, Conflict, Control, Document, FieldError, FormField, FormPage, FormSection, Icon, Link, PrimaryButton,
            columns::{self, Columns},
            form::{
                child_rows::ChildRows,
                control::{TypedTexts, WritableField},
            },
            primary_button::PrimaryTarget,
            shell::{self, Shell},
            surface_actions::{self, SurfaceActions},
            variant::{Variant, VariantSection, token_parameter, version_parameter},
            view::transitions,
        },
        request::form_parameters,
    },
};

#[derive(Template)]
#[template(path = "form.html")]
struct FormHtml<'a> {
    title: &'a str,
    purpose: Option<&'a str>,
    notice: Option<&'a str>,
    primary: &'a Option<crate::web::page::PrimaryButton>,
    links: &'a [crate::web::page::PrimaryButton],
    controls: &'a str,
    crumbs: &'a [Link],
    action: &'a str,
    hidden: &'a [(&'static str, String)],
    was: &'a [(String, String)],
    problem: &'a Option<String>,
    errors: &'a [FieldError],
    conflicts: &'a [Conflict],
    sections: &'a [FormSection],
    /// True if the form contains files.
    files: bool,
    /// True if the caller can add rows of another entity.
    may_add: bool,
    submit: &'a str,
    submit_event: Option<&'a str>,
    submits: &'a [(String, &'static str)],
    submit_and_new: Option<&'a str>,
    back: Option<&'a str>,
    cancel: &'a str,
}

impl FormPage {
    /// The content of the page by the template of the runtime.
    ///
    /// # Errors
    ///
    /// If the template fails, which valid data does not cause.
    pub fn content(&self) -> askama::Result<String> {
        FormHtml {
            title: &self.title,
            purpose: self.purpose,
            notice: self.notice.as_deref(),
            primary: &self.primary,
            links: &self.links,
            controls: &self.controls,
            crumbs: &self.crumbs,
            action: &self.action,
            hidden: &self.hidden,
            was: &self.was,
            problem: &self.problem,
            errors: &self.errors,
            conflicts: &self.conflicts,
            sections: &self.sections,
            files: self.sections.iter().any(FormSection::has_files),
            may_add: self.sections.iter().any(FormSection::may_add),
            submit: &self.submit,
            submit_event: self.submit_event,
            submits: &self.submits,
            submit_and_new: self.submit_and_new,
            back: self.back,
            cancel: &self.cancel,
        }
        .render()
    }
}

/// The state of a form in a request.
#[derive(Default)]
pub(crate) struct FormState {
    /// The texts in the controls.
    pub typed: TypedTexts,
    /// The errors of fields.
    pub errors: BTreeMap<String, String>,
    /// The error of the whole form.
    pub problem: Option<String>,
    /// Fields that another user changed.
    pub conflicts: Vec<Conflict>,
    /// The row; `None` for a new row.
    pub row: Option<Row>,
    /// The reference whose search button was used, or `-` for another button that shows the form again.
    pub searched: Option<String>,
    /// The rows of other entities in the form, of each section that has such rows.
    pub child_rows: Vec<ChildRows>,
    /// The row that was created for a reference of the form.
    pub new_row: Option<create_new::NewRow>,
}

/// True for a form that can contain files, of its row or of rows in it.
pub(crate) fn has_file_fields(app: &'static AppDef, surface: &'static SurfaceDef) -> bool {
    files::has_file_fields(app.entity(surface.entity)) || child_rows::file_fields(app, surface).next().is_some()
}

/// The fields of the surface that the caller can set.
pub(crate) fn list_writable(tx: &Tx<'_>, surface: &'static SurfaceDef) -> Vec<WritableField> {
    let entity = tx.app.entity(surface.entity);
    let variant = Variant::resolve(tx, surface);
    let columns = if variant.is_read_only() { Vec::new() } else { variant.columns(tx.app) };
    list_writable_columns(tx, entity, surface.mode, columns.into_iter())
}

/// The fields among some field lines that the caller can set in a row of an entity.
fn list_writable_columns(
    tx: &Tx<'_>,
    entity: &'static EntityDef,
    mode: Mode,
    columns: impl Iterator<Item = &'static ColumnDef>,
) -> Vec<WritableField> {
    let may_write = |of: &WritableField| {
        let field = of.field;
        let own = !of.column.read_only && field.is_stored();
        let key = of.at == entity.pk && (mode == Mode::Edit || field.kind.is_generated_key());
        own && !key && field.auto == Auto::No && !field.secret && (!field.identity || tx.caller().system_admin)
    };
    // Fields of referenced rows are shown but never written.
    let own = |column: &'static ColumnDef| column.path.own_field().map(|at| WritableField { column, at, field: entity.field(at) });
    let all = columns.filter_map(own);
    // An amount is written with its currency.
    let beside = |of: &WritableField| of.field.currency_in.map(|at| of.currency_field(tx.app, at));
    all.filter(may_write).flat_map(|of| std::iter::once(of).chain(beside(&of))).collect()
}

/// `GET /app/{surface}`: the form of a new row.
pub(crate) fn show_create(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef) -> Result<Reply> {
    let state = new_state(tx, call, surface)?;
    render(tx, call, surface, state, 200)
}

/// The form of a new row with its initial values.
///
/// # Errors
/// 401 and 403 without permission.
pub(crate) fn new_state(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef) -> Result<FormState> {
    let entity = tx.app.entity(surface.entity);
    access::ask::<Create>(tx.app, tx.engine(), tx.caller(), entity)?;
    let variant = Variant::resolve(tx, surface);
    variant.check_writable()?;
    let mut state = FormState { child_rows: child_rows::list_new(tx, &variant)?, ..FormState::default() };
    for of in list_writable(tx, surface) {
        let given = call.query.iter().find(|(name, _)| name == of.field.name).map(|(_, value)| value.clone());
        if let Some(text) = given.or_else(|| initial_text(tx, &variant, &of)) {
            state.typed.insert(of.field.name.to_owned(), text);
        }
    }
    Ok(state)
}

/// The text of a field in the form of a new row: the default of the variants, else that of the field.
pub(crate) fn initial_text(tx: &Tx<'_>, variant: &Variant, of: &WritableField) -> Option<String> {
    let own = variant.default(tx, of.at, of.field).map(|value| control::control_text(tx.app, of.field, &value));
    own.or_else(|| control::default_text(tx, of.field)).map(|text| of.text(text))
}

/// `GET /app/{surface}/{id}`: the form of an existing row.
pub(crate) fn show_edit(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, id: &str) -> Result<Reply> {
    let state = stored_state(tx, surface, id)?;
    render(tx, call, surface, state, 200)
}

/// The form of an existing row with its stored values.
///
/// # Errors
/// 401, 403 and 404 without permission.
pub(crate) fn stored_state(tx: &mut Tx<'_>, surface: &'static SurfaceDef, id: &str) -> Result<FormState> {
    let (key, row) = load_row(tx, surface, id)?;
    let variant = Variant::resolve(tx, surface);
    let mut state = FormState { child_rows: child_rows::load(tx, &variant, &key)?, ..FormState::default() };
    for of in list_writable(tx, surface) {
        state.typed.insert(of.field.name.to_owned(), control::stored_text(tx.app, &of, &row));
    }
    state.row = Some(row);
    Ok(state)
}

/// `GET` and `POST` of the form of a singleton.
pub(crate) fn show_singleton(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef) -> Result<Reply> {
    let entity = tx.app.entity(surface.entity);
    access::ask::<Update>(tx.app, tx.engine(), tx.caller(), entity)?;
    access::ask::<Read>(tx.app, tx.engine(), tx.caller(), entity)?;
    let key = rows::singleton::find_or_create(tx, entity)?;
    let id = columns::key_text(&key).unwrap_or_default();
    if call.method == "POST" { crate::web::page::form::submit::update(tx, call, surface, &id) } else { show_edit(tx, call, surface, &id) }
}

/// Loads the row of a form; requires that the caller can read it, and can update rows.
pub(crate) fn load_row(tx: &mut Tx<'_>, surface: &'static SurfaceDef, id: &str) -> Result<(Value, Row)> {
    let entity = tx.app.entity(surface.entity);
    access::ask::<Update>(tx.app, tx.engine(), tx.caller(), entity)?;
    let variant = Variant::resolve(tx, surface);
    let grant = access::ask::<Read>(tx.app, tx.engine(), tx.caller(), entity)?.narrow_to(variant.within());
    let key = parse_key(tx, entity, id)?;
    let extra = all_columns(tx, &variant).extra;
    let row = rows::read(tx, &grant, &key, &extra)?;
    Ok((key, row))
}

/// Parses the key in an address; 404 for an invalid key.
pub(crate) fn parse_key(tx: &Tx<'_>, entity: &'static EntityDef, id: &str) -> Result<Value> {
    let key = columns::parse_value(tx.app, entity.key(), id).ok().filter(|key| !key.is_null());
    key.ok_or_else(Error::not_found)
}

/// All field lines of a surface as columns, for those that are read-only.
fn all_columns(tx: &Tx<'_>, variant: &Variant) -> Columns {
    Columns::new(tx.app, variant.columns(tx.app))
}

/// Renders the page of a form.
pub(crate) fn render(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, state: FormState, status: u16) -> Result<Reply> {
    let mut data = build_page(tx, call, surface, &state)?;
    create_new::complete(tx, call, surface, &state, &mut data);
    let content = surface.templates.form.map_or_else(|| data.content(), |render| render(&data)).map_err(Error::internal)?;
    let shell = Shell::app(tx, call, data.title.clone(), shell::PageKind::Form, Some(surface));
    Ok(Answer::<Document>::document(shell.render(&content)?).reply(status, call.markup))
}

/// The hidden inputs: the form token, and the version of the row or the key of a new form.
fn list_hidden(entity: &'static EntityDef, call: &Call, row: Option<&Row>) -> Vec<(&'static str, String)> {
    let own = match row {
        Some(row) => (version_parameter(entity), row.version.to_string()),
        None => (once::PARAMETER, once::new_key()),
    };
    vec![(token_parameter(entity), call.csrf.clone()), own]
}

/// The data of the page.
///
/// # Errors
/// 503 if the database is unavailable.
pub(crate) fn build_page(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, state: &FormState) -> Result<FormPage> {
    let (app, entity) = (tx.app, tx.app.entity(surface.entity));
    let variant = Variant::resolve(tx, surface);
    let writable = list_writable(tx, surface);
    let thing = columns::lower_title(entity.title);
    let list_link = columns::find_page(tx, entity, Mode::List).map(|list| Link::new(list.address(), list.title));
    let mut crumbs: Vec<Link> = list_link.clone().into_iter().collect();
    let hidden = list_hidden(entity, call, state.row.as_ref());
    let mut was = Vec::new();
    let (title, action, cancel, submit_and_new);
    match &state.row {
        Some(row) => {
            let key = &row.values[usize::from(entity.pk)];
            let view = columns::find_page(tx, entity, Mode::View).map(|view| columns::row_address(view, key));
            let label = variant.load_label(tx, row)?;
            for of in &writable {
                was.push((format!("{}{}", form_parameters::WAS, of.field.name), conflict::digest(&control::stored_text(app, of, row))));
            }
            title = match entity.tenancy.is_singleton() {
                true => surface.title.to_owned(),
                false if variant.is_read_only() => label.clone(),
                false => say!("dz-edit-label", "Edit {label}", label = label),
            };
            action = columns::row_address(surface, key);
            if let Some(view) = &view {
                crumbs.push(Link::new(view.clone(), label));
            }
            cancel = view;
            submit_and_new = None;
        }
        None => {
            title = surface.title.to_owned();
            action = surface.address();
            cancel = None;
            submit_and_new = Some(say!("dz-save-and-add-more", "Save and add more")).filter(|_| !variant.is_read_only());
        }
    }
    let hidden_fields = conditions::find_hidden(tx, &variant, &writable, &state.typed, state.row.as_ref())?;
    let sections = build_sections(tx, &variant, state, &writable, &hidden_fields)?;
    let row = state.row.as_ref().map(|row| (entity, row));
    let (primary, links) = load_buttons(tx, &variant, row)?;
    let mut submits = if variant.is_read_only() { Vec::new() } else { surface_actions::submit_buttons(&variant) };
    let first = (!submits.is_empty()).then(|| submits.remove(0).1);
    Ok(FormPage {
        title,
        purpose: variant.purpose(),
        notice: None,
        primary,
        links,
        controls: list_controls(tx, &variant, &writable, state),
        action,
        hidden,
        was,
        problem: state.problem.clone(),
        errors: build_summary(&sections),
        conflicts: state.conflicts.clone(),
        sections,
        submit: match state.conflicts.is_empty() {
            _ if variant.is_read_only() => String::new(),
            true => first.map_or_else(|| say!("dz-save-thing", "Save {thing}", thing = thing), str::to_owned),
            false => say!("dz-save-with-these-choices", "Save with these choices").to_owned(),
        },
        submit_event: None,
        submits,
        submit_and_new,
        back: None,
        cancel: cancel.or_else(|| list_link.map(|link| link.href)).unwrap_or_else(|| "/app".to_owned()),
        crumbs,
    })
}

/// The primary button of a form, and the buttons that open other surfaces.
fn load_buttons(
    tx: &mut Tx<'_>,
    variant: &Variant,
    row: Option<(&'static EntityDef, &Row)>,
) -> Result<(Option<PrimaryButton>, Vec<PrimaryButton>)> {
    let primary = PrimaryTarget::resolve(tx, variant).map_or(Ok(None), |target| target.button(tx, row))?;
    Ok((primary, SurfaceActions::clicks(tx, variant).buttons(tx, row)?))
}

/// The names of the controls on which conditions depend, separated by commas.
fn list_controls(tx: &Tx<'_>, variant: &Variant, writable: &[WritableField], state: &FormState) -> String {
    let entity = tx.app.entity(variant.surface().entity);
    let own = conditions::controlling_fields(entity, &variant.columns(tx.app), writable).into_iter().map(str::to_owned);
    let rows = state.child_rows.iter().flat_map(|of| of.controlling_names(tx, variant));
    own.chain(rows).collect::<Vec<_>>().join(",")
}

fn build_sections(
    tx: &mut Tx<'_>,
    variant: &Variant,
    state: &FormState,
    writable: &[WritableField],
    hidden: &[&'static ColumnDef],
) -> Result<Vec<FormSection>> {
    let mut sections = Vec::new();
    for VariantSection { section, columns } in variant.sections(tx.app) {
        let mut fields: Vec<FormField> = Vec::new();
        for column in columns.into_iter().filter(|column| !conditions::contains(hidden, column)) {
            let of = writable.iter().find(|of| std::ptr::eq(of.column, column));
            if let Some(of) = of {
                let name = of.field.name;
                let searched = state.searched.as_deref() == Some(name);
                let beside = of.field.currency_in.map(|at| of.currency_field(tx.app, at).field.name);
                let error = state.errors.get(name).or_else(|| state.errors.get(beside?));
                let mut field = control::build_surface_field(tx, *of, &state.typed, error, searched)?;
                transitions::limit_states(tx, tx.app.entity(variant.surface().entity), of.at, state.row.as_ref(), &mut field.control);
                fields.push(field);
            } else if let Some(row) = &state.row {
                fields.extend(read_only_field(tx, variant, column, row));
            }
        }
        let rows = match state.child_rows.iter().find(|of| of.section.name == section.name) {
            Some(of) => of.build(tx, variant, state.searched.as_deref())?,
            None => None,
        };
        if !fields.is_empty() || rows.is_some() {
            sections.push(FormSection { id: format!("s-{}", section.name), title: section.title, note: section.note, fields, rows });
        }
    }
    Ok(sections)
}

/// A field line without a control.
fn read_only_field(tx: &Tx<'_>, variant: &Variant, column: &'static crate::def::ColumnDef, row: &Row) -> Option<FormField> {
    let columns = all_columns(tx, variant);
    let shown = columns.shown.iter().find(|shown| shown.def.path == column.path)?;
    Some(control::build_fixed_field(column, shown.field, shown.cell(tx, row)))
}

/// The summary of errors, in the order of the fields.
fn build_summary(sections: &[FormSection]) -> Vec<FieldError> {
    let error = |field: &FormField, of: Option<&str>| {
        let id = if let Control::Pick { .. } = field.control { format!("{}-q", field.name) } else { field.name.clone() };
        let label = of.map_or_else(|| field.label.clone(), |of| format!("{of}, {}", field.label));
        Some(FieldError { id, label, message: field.error.clone()? })
    };
    let of_section = |section: &FormSection| -> Vec<FieldError> {
        let own = section.fields.iter().filter_map(|field| error(field, None));
        let rows = section.rows.iter().flat_map(|of| &of.rows);
        own.chain(rows.flat_map(|row| row.fields.iter().filter_map(|field| error(field, Some(&row.title))))).collect()
    };
    sections.iter().flat_map(of_section).collect()
}

/// The cell of the texts of a control, to compare two versions of a value.
pub(crate) fn build_cell(tx: &mut Tx<'_>, field: &'static FieldDef, texts: &[String]) -> Result<crate::web::page::Cell> {
    match texts {
        [amount, currency] if !amount.is_empty() => Ok(match columns::parse_value(tx.app, field, amount) {
            Ok(value) => columns::show_amount(field, &value, &Value::Text(currency.clone())),
            Err(_) => crate::web::page::Cell::text(format!("{amount} {currency}")),
        }),
        texts => build_text_cell(tx, field, texts.first().map_or("", String::as_str)),
    }
}

fn build_text_cell(tx: &mut Tx<'_>, field: &'static FieldDef, text: &str) -> Result<crate::web::page::Cell> {
    if text.is_empty() {
        return Ok(crate::web::page::Cell::empty(say!("dz-not-set", "Not set")));
    }
    if field::is_file(field) {
        let file = match uuid::Uuid::try_parse(text) {
            Ok(id) => files::find(tx, id)?,
            Err(_) => None,
        };
        return Ok(file.map_or_else(
            || crate::web::page::Cell::empty(say!("dz-not-set", "Not set")),
            |file| crate::web::page::Cell::from_file(&file, None, false),
        ));
    }
    if let Some(target) = field.kind.target() {
        let target = tx.app.entity(target);
        let label = crate::web::page::form::picker::find_label(tx, target, text)?
            .unwrap_or_else(|| say!("dz-not-visible-to-you", "Not visible to you").to_owned());
        return Ok(crate::web::page::Cell::from_ref(tx.app, target, label, None));
    }
    Ok(match columns::parse_value(tx.app, field, text) {
        Ok(value) => columns::show(tx.app, field, &value),
        Err(_) => crate::web::page::Cell::text(text),
    })
}
