//! The schema as a summary in JSON.

use serde_json::{Value, json};

use crate::{Argument, Field, Item, Operation, Schema, Source, Type};

impl Schema {
    /// Entities, queries, mutations and subscriptions with their types, and their numbers.
    pub fn summary(&self) -> Value {
        let (queries, mutations, subscriptions) = (self.object("Query"), self.object("Mutation"), self.object("Subscription"));
        // Every entity has exactly one query for a row, whose type is that of the entity.
        let names = queries.iter().filter(|field| matches!(field.source, Source::Root(_, Operation::Read))).map(|field| &field.ty.name);
        let entities: Vec<(&String, &[Field])> = names.map(|name| (name, self.object(name))).collect();
        let enums = self.types.iter().filter(|ty| matches!(ty.item, Item::Enum(..)));
        json!({
            "entities": entities.iter().map(|(name, fields)| json!({ "name": name, "fields": describe_fields(fields) })).collect::<Vec<_>>(),
            "queries": describe_fields(queries),
            "mutations": describe_fields(mutations),
            "subscriptions": describe_fields(subscriptions),
            "enums": enums.clone().map(describe_enum).collect::<Vec<_>>(),
            "stats": {
                "entities": entities.len(),
                "queries": queries.len(),
                "mutations": mutations.len(),
                "subscriptions": subscriptions.len(),
                "fields": entities.iter().map(|(_, fields)| fields.len()).sum::<usize>(),
                "enums": enums.count(),
            },
        })
    }
}

fn describe_fields(fields: &[Field]) -> Vec<Value> {
    let argument = |of: &Argument| json!({ "name": of.name, "type": of.ty.to_string() });
    let field = |of: &Field| {
        let mut described = json!({ "name": of.name, "type": of.ty.to_string() });
        if !of.arguments.is_empty() {
            described["arguments"] = of.arguments.iter().map(argument).collect();
        }
        described
    };
    fields.iter().map(field).collect()
}

fn describe_enum(ty: &Type) -> Value {
    let values = match &ty.item {
        Item::Enum(_, values) => values.iter().map(|value| Value::from(value.name.as_str())).collect(),
        Item::Input(_) | Item::Scalar | Item::Object(_) => Value::Null,
    };
    json!({ "name": ty.name, "values": values })
}
