//! The types of the values that services, processes and language models take and return.

use crate::model::{FieldType, Model, ValueType};

/// The field type of each value.
pub(crate) fn field_types(model: &Model) -> impl Iterator<Item = FieldType> {
    let services = model.services.iter().flat_map(|service| service.input.iter().chain(&service.output));
    let processes = model.processes.iter().flat_map(|process| {
        let outputs = process.output.iter().map(|output| &output.field);
        process.input.iter().map(|input| &input.field).chain(outputs)
    });
    let fields = services.chain(processes).chain(model.llm_intents.iter().flat_map(|intent| &intent.input));
    fields.filter_map(|field| element_type(&field.ty))
}

fn element_type(ty: &ValueType) -> Option<FieldType> {
    match ty {
        ValueType::One(ty) => Some(*ty),
        ValueType::List(inner) => element_type(inner),
        ValueType::Printable => None,
    }
}
