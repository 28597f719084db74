//! Files in the rows of a form: the fields that can have one, and the parts of a form that contain them.

use super::{ChildRow, sent};
use crate::{
    def::{AppDef, EntityDef, FieldIx, SectionBody, SurfaceDef},
    field,
    web::{
        Call,
        page::form::{control::WritableField, submit},
    },
};

/// The file fields of the rows that a form can contain: for each section with such rows.
fn fields_of_sections(
    app: &'static AppDef,
    surface: &'static SurfaceDef,
) -> impl Iterator<Item = (&'static str, &'static EntityDef, FieldIx)> {
    surface.sections.iter().flat_map(move |section| {
        let list = if let SectionBody::Nested(list) = &section.body { Some(list) } else { None };
        list.into_iter().flat_map(move |list| {
            let entity = app.entity(list.entity);
            let own = list.columns.iter().filter_map(|column| column.path.own_field());
            own.filter(|at| field::is_file(entity.field(*at))).map(move |at| (section.name, entity, at))
        })
    })
}

/// The file fields of the rows that a form can contain, with their entities.
pub(crate) fn file_fields(app: &'static AppDef, surface: &'static SurfaceDef) -> impl Iterator<Item = (&'static EntityDef, FieldIx)> {
    let is_form = super::columns::is_form(surface.mode);
    fields_of_sections(app, surface).filter(move |_| is_form).map(|(_, entity, at)| (entity, at))
}

/// The file field of a row in a form, by the name of its control.
pub(crate) fn find_file_field(app: &'static AppDef, surface: &'static SurfaceDef, part: &str) -> Option<(&'static EntityDef, FieldIx)> {
    let (section, _, name) = sent::split_name(part)?;
    fields_of_sections(app, surface)
        .find(|(of, entity, at)| *of == section && entity.field(*at).name == name)
        .map(|(_, entity, at)| (entity, at))
}

/// True for the name of a control of a row in a form.
pub(crate) fn is_control_name(part: &str) -> bool {
    sent::split_name(part).is_some()
}

impl ChildRow {
    /// Shows at each file control of the row that its file is above the limit; true if there is such a file.
    pub(super) fn report_too_large(&mut self, writable: &[WritableField], call: &Call, section: &str, number: usize) -> bool {
        let mut is_reported = false;
        for of in writable {
            let name = sent::control_name(section, number, of.field.name);
            if let Some((_, message)) = call.too_large.iter().find(|(part, _)| *part == name) {
                self.state.errors.insert(of.field.name.to_owned(), submit::to_sentence(message));
                is_reported = true;
            }
        }
        is_reported
    }
}
