//! Facts about LLM intents for the application.

use crate::model::{Auto, Duration, EntityId, FieldType, Model, ValueField, ValueType};

/// The fields of an entity that an answer can have: without the key, and without values that dz or the database sets, files and
/// secrets.
///
/// ```
/// use dz_dsl_file::{SourceMap, analyse, emit::llm, model::{EntityId, FieldType, ValueType}};
/// let text = "entity Repair:\n  id: uuid pk\n  title: str(40) required\n  price: money\n  photo: file\n  added: datetime auto_add\n  \
///             parts: has_many Part\nentity Part:\n  id: uuid pk\n  repair: ref Repair\n";
/// let model = analyse(SourceMap::single("app.dsl", text)).model.expect("the declaration is correct");
/// let fields = llm::answer_fields(&model, EntityId(0));
/// assert_eq!(fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>(), ["title", "price", "price_currency"]);
/// assert_eq!(fields[2].ty, ValueType::One(FieldType::Str(3)));
/// ```
pub fn answer_fields(model: &Model, id: EntityId) -> Vec<ValueField> {
    let entity = model.entity(id);
    let mut fields = Vec::new();
    for (at, field) in entity.fields.iter().enumerate() {
        let is_set_by_dz = at == entity.pk.0
            || entity.tenant.is_some_and(|tenant| tenant.0 == at)
            || field.auto != Auto::No
            || field.computed.is_some()
            || field.secret
            || field.identity;
        let Some(ty) = answer_type(field.ty).filter(|_| !is_set_by_dz) else { continue };
        fields.push(ValueField {
            name: field.name.clone(),
            title: field.title.clone(),
            ty: ValueType::One(ty),
            required: field.required && field.default.is_none(),
            default: None,
            sensitive: field.sensitive,
            span: field.span,
        });
    }
    fields
}

/// The type of a field in an answer; `None` for relations and files, which an answer cannot contain.
fn answer_type(ty: FieldType) -> Option<FieldType> {
    // A currency is a code of three letters.
    let ty = ty.amount().map_or(ty, |_| FieldType::Str(3));
    (ty.is_stored() && !ty.is_file()).then_some(ty)
}

/// The length of a duration in seconds; a month has 30 days.
pub fn seconds(duration: Duration) -> i64 {
    duration.months.saturating_mul(30 * 86_400).saturating_add(duration.seconds)
}
