//! Values of existing rows for new required fields, by `--default ENTITY.FIELD=VALUE`.

use dz_dsl_file::{
    Analysis, Severity, SourceMap, Span, analyse,
    emit::schema::{
        Engine, Schema,
        unfilled::{Unfilled, unfilled},
    },
    model::{Field, Model},
};

/// `new` with the values that `defaults` give to existing rows. The values are checked as defaults of the declaration are.
pub fn fill(defaults: &[String], analysis: &Analysis, old: &Schema, new: &Schema, engine: Engine) -> Result<Schema, String> {
    let mut filled = new.clone();
    let missing = unfilled(old, new, engine);
    for text in defaults {
        let parts = text.split_once('=').and_then(|(path, value)| Some((path.trim().split_once('.')?, value.trim())));
        let ((entity, field), value) =
            parts.ok_or_else(|| format!("`--default {text}` is not ENTITY.FIELD=VALUE, such as `Task.priority=normal`"))?;
        let at = missing.iter().find(|it| it.entity.as_deref() == Some(entity) && it.column == field);
        let at =
            at.ok_or_else(|| format!("`--default {text}`: `{entity}.{field}` is not a field that becomes required without a default"))?;
        let model = with_text_or_literal(analysis, entity, field, value).map_err(|why| format!("`--default {text}`: {why}"))?;
        let schema = Schema::from_model(&model);
        let fill = schema.table(&at.table).and_then(|table| table.column(field)).and_then(|column| column.fill.clone());
        let fill = fill.ok_or_else(|| format!("`--default {text}`: existing rows can get a literal, `today` or `now`"))?;
        let columns = filled.tables.iter_mut().filter(|table| table.name == at.table).flat_map(|table| &mut table.columns);
        columns.filter(|column| column.name == field).for_each(|column| column.fill = Some(fill.clone()));
    }
    Ok(filled)
}

/// The model of the declaration in which a field has this default. A shell removes quotes, so a text, a date or an address can be
/// without them.
fn with_text_or_literal(analysis: &Analysis, entity: &str, field: &str, value: &str) -> Result<Model, String> {
    with_default(analysis, entity, field, value).or_else(|literal| {
        if value.starts_with(['"', '\'']) {
            return Err(literal);
        }
        let quoted = format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""));
        let mut fields = analysis.model.iter().flat_map(|model| &model.entities).filter(|it| it.name == entity).flat_map(|it| &it.fields);
        let is_text = fields.any(|it| it.name == field && it.ty.is_text());
        with_default(analysis, entity, field, &quoted).map_err(|text| if is_text { text } else { literal })
    })
}

/// The model of the declaration in which a field has this default.
fn with_default(analysis: &Analysis, entity: &str, field: &str, value: &str) -> Result<Model, String> {
    if value.contains(['\n', '\r']) {
        return Err("a value is one line".to_owned());
    }
    let found = analysis.model.iter().flat_map(|model| &model.entities).find(|it| it.name == entity);
    let field: &Field = found.and_then(|it| it.fields.iter().find(|it| it.name == field)).ok_or("there is no such field")?;
    let mut files = SourceMap::default();
    for (id, file) in analysis.files.files() {
        let at = field.end.end as usize;
        let text = if id == field.end.file { format!("{} = {value}{}", &file.text[..at], &file.text[at..]) } else { file.text.clone() };
        files.add(file.name.as_str(), text);
    }
    let edited = analyse(files);
    let inserted = Span { start: field.end.end, end: field.end.end + value.len() as u32 + 3, file: field.end.file };
    let mut errors = edited.diagnostics.iter().filter(|it| it.severity == Severity::Error);
    let about = |span: Span| span.file == inserted.file && span.start < inserted.end && span.end > inserted.start;
    match errors.clone().find(|it| about(it.span)).or_else(|| errors.next()) {
        Some(error) => Err(error.message.clone()),
        None => edited.model.ok_or_else(|| "the declaration has no model with it".to_owned()),
    }
}

/// The sentence about missing values; empty if no value is missing.
pub fn request(missing: &[Unfilled]) -> String {
    let names: Vec<String> = missing.iter().filter_map(|it| Some(format!("{}.{}", it.entity.as_deref()?, it.column))).collect();
    let Some(first) = names.first() else { return String::new() };
    let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    format!(
        "\nexisting rows need a value of {listed}: give the field a default in the declaration (`= value`) or here (`--default {first}=value`)"
    )
}
