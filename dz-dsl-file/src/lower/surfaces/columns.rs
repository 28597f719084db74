//! Columns: the fields of a section, with their options.

use std::collections::HashMap;

use crate::{
    Diagnostic, Span,
    cursor::Name,
    lower::{
        Lowering,
        expr::{self, Position},
        paths,
    },
    model::{Archetype, Auto, Column, EntityId, FieldId, FieldType, Format, Mode, Path, Placed, Widget, Word},
    syntax::surface::section::FieldLine,
};

/// Every field that the mode can show or write. In a list the label comes first, and the fields that the system sets last.
pub(super) fn default(it: &Lowering<'_>, entity: EntityId, mode: Mode, span: Span) -> Vec<Column> {
    // The tenant is always the active one. A page shows it if the declaration has the field, and for members of all tenants.
    let own = &it.entities[entity.0];
    let tenant = own.tenant;
    let shows_tenant = own.kind == Some(Archetype::UserMembership) || tenant.is_some_and(|tenant| own.has_written(&own.fields[tenant.0]));
    let shown = |at: &usize| {
        let field = &it.entities[entity.0].fields[*at];
        let key = FieldId(*at) == it.entities[entity.0].pk;
        let typed_key = key && field.ty.is_chosen_key() && mode == Mode::Create;
        let is_tenant = tenant == Some(FieldId(*at));
        let written_by_system = field.auto != Auto::No || field.identity || field.computed.is_some();
        let system = (is_tenant && !shows_tenant) || mode.writes() && (written_by_system || is_tenant);
        let beside = field.ty.amount().is_some();
        field.ty.is_stored() && !field.secret && !beside && (!key || typed_key) && !system
    };
    let fields = &it.entities[entity.0].fields;
    let label = &it.entities[entity.0].label.path;
    let names = |at: usize| mode == Mode::List && label.hops.first().unwrap_or(&label.field).0 == at;
    let mut places: Vec<usize> = (0..fields.len()).filter(shown).collect();
    places.sort_by_key(|at| (fields[*at].auto != Auto::No, !names(*at)));
    places.into_iter().map(|at| plain(expr::own(entity, at), fields[at].title.clone(), span)).collect()
}

/// A column without options.
pub(super) fn plain(path: Path, label: String, span: Span) -> Column {
    Column { path, label, help: None, read_only: false, widget: None, format: None, when: None, span }
}

/// The columns of `field` lines.
pub(super) fn lower(it: &mut Lowering<'_>, entity: EntityId, fields: &[FieldLine]) -> Vec<Column> {
    let mut seen = HashMap::new();
    let mut columns = Vec::new();
    for field in fields {
        let path = paths::displayed_path(it, entity, &field.path);
        // The condition is checked even if the field is unknown.
        let when = field.when.as_ref().and_then(|when| {
            let (condition, _) = expr::condition(it, Position::When, entity, None, when)?;
            Some(Placed { it: condition, span: when.span })
        });
        let Some(path) = path else { continue };
        let ty = paths::end(it, &path.it).ty;
        let widget = field.widget.as_ref().and_then(|name| fitting(it, "widget", name, ty, widget_fits));
        let format = field.format.as_ref().and_then(|name| fitting(it, "format", name, ty, format_fits));
        if paths::once(it, &mut seen, &field.path) {
            let label = field.label.as_ref().map_or_else(|| expr::title_of(&field.path), |it| it.text.clone());
            let help = field.help.as_ref().map(|it| it.text.clone());
            columns.push(Column { help, read_only: field.read_only, widget, format, when, ..plain(path.it, label, path.span) });
        }
    }
    columns
}

/// Resolves a widget or format, if it fits a field of type `ty`.
fn fitting<T: Word>(it: &mut Lowering<'_>, what: &str, name: &Name, ty: FieldType, fits: fn(T, FieldType) -> bool) -> Option<T> {
    let found: T = it.word("unknown-value", what, name)?;
    if fits(found, ty) {
        return Some(found);
    }
    let fitting: Vec<String> = T::ALL.iter().filter(|it| fits(**it, ty)).map(|it| format!("`{}`", it.word())).collect();
    let help =
        if fitting.is_empty() { format!("remove it; no {what} is for such a field") } else { format!("those are {}", fitting.join(", ")) };
    it.out.push(Diagnostic::error("type-mismatch", name.span, format!("{what} `{}` is not for fields of this type", name.text)).help(help));
    None
}

fn widget_fits(widget: Widget, ty: FieldType) -> bool {
    use Widget::*;
    match widget {
        Text => ty.is_text() || ty.is_number(),
        Phone | Color => ty.is_str(),
        Textarea | Markdown => ty.is_free_text() || ty == FieldType::Json,
        Number | Range => ty.is_number(),
        Checkbox | Switch => ty == FieldType::Bool,
        Select | Radio => ty.has_choices(),
        Picker => ty.target().is_some() || ty == FieldType::Timezone,
        Date => ty.is_time(),
        Datetime => ty == FieldType::DateTime,
    }
}

fn format_fits(format: Format, ty: FieldType) -> bool {
    use Format::*;
    let moment = ty.is_time();
    match format {
        Short | Long | Relative | Month | Year => moment,
        Date | Time => ty == FieldType::DateTime,
        Integer | Percent | Compact => ty.is_number(),
        YesNo => ty == FieldType::Bool,
        Badge => ty.has_few_values(),
        Link => ty.is_free_text() || ty == FieldType::Url || ty == FieldType::Email,
        Code => ty.is_text() || ty == FieldType::Json || ty == FieldType::Uuid,
        Upper | Lower => ty.is_text(),
    }
}
