//! A model without the parts that a running application can take over, and without places.

use std::mem::take;

use dz_dsl_file::model::{Column, Entity, Model, Section, SectionBody, Surface, Variant, Workspace};

use super::is_list;

/// The rest of a model as text, which is equal for two declarations of one program.
pub(super) fn describe(model: &Model) -> String {
    let mut rest = model.clone();
    rest.app.title.clear();
    rest.personas.iter_mut().for_each(|it| it.title.clear());
    rest.enums.iter_mut().flat_map(|of| &mut of.values).for_each(|value| value.title.clear());
    rest.entities.iter_mut().for_each(entity);
    rest.surfaces.iter_mut().for_each(surface);
    rest.workspaces.iter_mut().for_each(workspace);
    for experience in &mut rest.experiences {
        experience.title.clear();
        experience.steps.iter_mut().for_each(|step| step.title.clear());
    }
    without_places(&format!("{rest:#?}"))
}

fn entity(entity: &mut Entity) {
    entity.title.clear();
    entity.title_plural.clear();
    entity.fields.iter_mut().for_each(|field| field.title.clear());
    entity.invariants.iter_mut().for_each(|it| clear(&mut it.message));
    for row in entity.states.iter_mut().flat_map(|states| &mut states.rows) {
        clear(&mut row.label);
        clear(&mut row.message);
    }
}

/// A text that exists in both declarations can differ; whether it exists is part of the program.
fn clear(text: &mut Option<String>) {
    text.iter_mut().for_each(String::clear);
}

fn surface(surface: &mut Surface) {
    surface.title.clear();
    clear(&mut surface.purpose);
    surface.actions.iter_mut().for_each(|it| it.title.clear());
    surface.attention.iter_mut().for_each(|it| it.message.clear());
    surface.variants.iter_mut().for_each(variant);
    for related in &mut surface.related {
        related.title.clear();
        related.lists.iter_mut().flat_map(|list| &mut list.columns).for_each(column);
    }
    surface.sections.iter_mut().for_each(section);
    if is_list(surface) {
        surface.ux = Default::default();
        // A column with a condition, a control or a format of its own is part of the program, wherever it is shown.
        let columns = take(&mut surface.sections).into_iter().flat_map(|section| match section.body {
            SectionBody::Fields(columns) => columns,
            SectionBody::Nested(_) => Vec::new(),
        });
        let mut own: Vec<Column> = columns.filter(has_own_display).collect();
        own.sort_by_key(|column| (column.path.hops.clone(), column.path.field));
        let first = own.first().map(|column| Section {
            name: String::new(),
            title: None,
            note: None,
            span: column.span,
            body: SectionBody::Fields(own.clone()),
        });
        surface.sections.extend(first);
    } else {
        clear(&mut surface.ux.empty);
    }
}

fn has_own_display(column: &Column) -> bool {
    column.when.is_some() || column.widget.is_some() || column.format.is_some()
}

fn section(section: &mut Section) {
    clear(&mut section.title);
    clear(&mut section.note);
    match &mut section.body {
        SectionBody::Fields(columns) => columns.iter_mut().for_each(column),
        SectionBody::Nested(nested) => nested.columns.iter_mut().for_each(column),
    }
}

fn column(column: &mut Column) {
    column.label.clear();
    clear(&mut column.help);
}

fn variant(variant: &mut Variant) {
    clear(&mut variant.purpose);
    clear(&mut variant.empty);
    variant.aggregates.iter_mut().for_each(|it| it.title.clear());
}

fn workspace(workspace: &mut Workspace) {
    workspace.title.clear();
    clear(&mut workspace.purpose);
    for region in &mut workspace.regions {
        region.title.clear();
        clear(&mut region.empty);
        region.metrics.iter_mut().for_each(|metric| metric.title.clear());
    }
    workspace.variants.iter_mut().for_each(|it| clear(&mut it.purpose));
}

/// The text of a value without the lines of its spans.
fn without_places(debug: &str) -> String {
    let mut rest = String::with_capacity(debug.len() / 2);
    let mut lines = debug.lines();
    while let Some(line) = lines.next() {
        // A text is one line that ends with a quotation mark.
        if line.ends_with("Span {") {
            lines.by_ref().find(|line| line.trim_start().starts_with('}'));
        } else {
            rest.push_str(line);
            rest.push('\n');
        }
    }
    rest
}
