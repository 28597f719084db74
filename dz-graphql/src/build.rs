//! The schema of an application, from its facts.

use crate::{
    Api, Argument, Entity, EntityField, Enum, EnumValue, Field, Item, Kind, Operation, Schema, Source, Type, TypeRef, children,
    connections, enum_value, field_name, filters, list_name, single_name, subscriptions,
};

/// The scalars beyond those of GraphQL, with their forms.
const SCALARS: &[(&str, &str)] = &[
    ("BigInt", "A whole number of at most 64 bits, as a number or as text."),
    ("Date", "A date: `2026-01-31`."),
    ("DateTime", "A timestamp (RFC 3339): `2026-01-31T09:30:00Z`."),
    ("Decimal", "An exact decimal as text: `\"48.50\"`."),
    ("JSON", "Any JSON: in variables as it is, in a document as text."),
    ("UUID", "An identifier (RFC 9562)."),
];

impl Schema {
    /// The schema of an application.
    pub fn new(api: &Api<'_>) -> Schema {
        let mut types: Vec<Type> = api.enums.iter().enumerate().map(|(at, of)| enumeration(at, of)).collect();
        for entity in &api.entities {
            types.extend([output(api, entity), input(api, entity), filters::entity_filter(api, entity), aggregate(api, entity)]);
            types.extend(children::input(api, entity));
            types.extend(connections::types(api, entity));
            types.push(subscriptions::change(api, entity));
        }
        types.extend(filters::comparisons(api));
        types.extend(composites(api));
        types.push(connections::page_info());
        types.push(root("Query", "Reads of rows.", api, queries));
        types.push(root("Mutation", "Writes of rows, executed in their order.", api, mutations));
        types.push(root("Subscription", "Changes of rows, as server-sent events.", api, subscriptions::subscription));
        let used = |name: &str| types.iter().any(|ty| ty.names_type(name));
        let scalars: Vec<Type> =
            SCALARS.iter().filter(|(name, _)| used(name)).map(|(name, form)| named(name, form, Item::Scalar)).collect();
        types.extend(scalars);
        types.sort_by(|a, b| (a.item.order(), &a.name).cmp(&(b.item.order(), &b.name)));
        Schema { types }
    }
}

pub(crate) fn named(name: &str, description: &str, item: Item) -> Type {
    Type { name: name.to_owned(), description: Some(description.to_owned()), item }
}

pub(crate) fn argument(name: &str, description: &str, ty: TypeRef) -> Argument {
    Argument { name: name.to_owned(), description: Some(description.to_owned()), ty }
}

fn enumeration(at: usize, of: &Enum<'_>) -> Type {
    let value =
        |(value, title): &(&str, &str)| EnumValue { name: enum_value(value), description: (*title).to_owned(), value: (*value).to_owned() };
    Type { name: of.name.to_owned(), description: None, item: Item::Enum(at, of.values.iter().map(value).collect()) }
}

/// The type of a value; `None` for rows, and for the currency of an amount, which is a part of the amount.
pub(crate) fn scalar_name(api: &Api<'_>, kind: Kind) -> Option<String> {
    let name = match kind {
        Kind::Uuid => "UUID",
        Kind::Text => "String",
        Kind::Int => "Int",
        Kind::BigInt => "BigInt",
        Kind::Float => "Float",
        Kind::Decimal => "Decimal",
        Kind::Money | Kind::Amount => "Money",
        Kind::Boolean => "Boolean",
        Kind::Date => "Date",
        Kind::DateTime => "DateTime",
        Kind::Enum(at) => api.enums[at].name,
        Kind::Json => "JSON",
        Kind::File => "File",
        Kind::Currency | Kind::Ref(_) | Kind::Many(_) | Kind::One(_) => return None,
    };
    Some(name.to_owned())
}

/// The name of a type that dz adds for a declared one. If it is the name of an entity or an enumeration, the declared name takes precedence.
pub(crate) fn added_type(api: &Api<'_>, of: &str, suffix: &str) -> String {
    let mut name = format!("{of}{suffix}");
    let is_declared = |name: &str| {
        let names = |entity: &Entity<'_>| entity.name == name || name.strip_suffix("Input") == Some(entity.name);
        api.entities.iter().any(names) || api.enums.iter().any(|of| of.name == name)
    };
    while is_declared(&name) {
        name.insert_str(of.len(), "Row");
    }
    name
}

fn describe(entity: &Entity<'_>) -> String {
    entity.intent.map_or_else(|| entity.title.to_owned(), |intent| format!("{}: {intent}", entity.title))
}

/// The object type of an entity.
fn output(api: &Api<'_>, entity: &Entity<'_>) -> Type {
    let shown = entity.fields.iter().enumerate().filter(|(_, field)| !field.secret);
    let fields = shown.filter_map(|(at, field)| output_field(api, entity, at, field)).collect();
    Type { name: entity.name.to_owned(), description: Some(describe(entity)), item: Item::Object(fields) }
}

fn output_field(api: &Api<'_>, entity: &Entity<'_>, at: usize, field: &EntityField<'_>) -> Option<Field> {
    let target = |target: usize| api.entities[target].name;
    let (ty, source, arguments) = match field.kind {
        _ if at == entity.key => (TypeRef::required("ID"), Source::Value(at), Vec::new()),
        Kind::Ref(to) => (TypeRef::optional(target(to)), Source::Reference(at), Vec::new()),
        Kind::One(to) => (TypeRef::optional(target(to)), Source::One(at), Vec::new()),
        Kind::Many(to) => {
            let page = filters::page().into_iter().filter(|argument| argument.name != "sort").collect();
            (TypeRef { required: true, ..TypeRef::list(target(to)) }, Source::Many(at), page)
        }
        Kind::Currency => return None,
        // A division can make a computed field null, and masking a sensitive one.
        Kind::Uuid
        | Kind::Text
        | Kind::Int
        | Kind::BigInt
        | Kind::Float
        | Kind::Decimal
        | Kind::Money
        | Kind::Amount
        | Kind::Boolean
        | Kind::Date
        | Kind::DateTime
        | Kind::Enum(_)
        | Kind::Json
        | Kind::File => {
            let required = field.required && !field.computed && !field.sensitive;
            (TypeRef { required, ..TypeRef::optional(scalar_name(api, field.kind)?) }, Source::Value(at), Vec::new())
        }
    };
    Some(Field { name: field_name(field.name), description: Some(field.title.to_owned()), arguments, ty, source })
}

/// The input type of an entity. All fields allow null: an update does not change absent fields.
fn input(api: &Api<'_>, entity: &Entity<'_>) -> Type {
    let is_writable = |at: usize, field: &EntityField<'_>| {
        at != entity.key && Some(at) != entity.tenant && !field.auto && !field.computed && !field.secret
    };
    let written = entity.fields.iter().enumerate().filter(|(at, field)| is_writable(*at, field));
    let arguments = written
        .filter_map(|(_, field)| Some(argument(&field_name(field.name), field.title, TypeRef::optional(input_type(api, field.kind)?))));
    let mut arguments: Vec<Argument> = arguments.collect();
    if arguments.is_empty() {
        // An input type without fields is not valid.
        arguments.push(argument("_", "Has no effect: these rows have no field that can be written.", TypeRef::optional("Boolean")));
    }
    Type { name: format!("{}Input", entity.name), description: Some(format!("Values for {}.", entity.title)), item: Item::Input(arguments) }
}

/// The type of a value that is written; `None` for fields that are not written.
fn input_type(api: &Api<'_>, kind: Kind) -> Option<String> {
    match kind {
        Kind::Ref(_) | Kind::File => Some("ID".to_owned()),
        Kind::Money | Kind::Amount => Some("MoneyInput".to_owned()),
        Kind::Uuid
        | Kind::Text
        | Kind::Int
        | Kind::BigInt
        | Kind::Float
        | Kind::Decimal
        | Kind::Boolean
        | Kind::Date
        | Kind::DateTime
        | Kind::Enum(_)
        | Kind::Json
        | Kind::Currency
        | Kind::Many(_)
        | Kind::One(_) => scalar_name(api, kind),
    }
}

/// The aggregates of the rows of an entity.
fn aggregate(api: &Api<'_>, entity: &Entity<'_>) -> Type {
    let mut fields = vec![field("count", "The number of rows.", TypeRef::required("Int"), Source::Count)];
    let open = entity.fields.iter().enumerate().filter(|(at, field)| *at != entity.key && !field.secret && !field.sensitive);
    for (at, of) in open.filter(|(_, of)| !of.computed) {
        let (suffix, about, ty) = match of.kind {
            Kind::Int | Kind::BigInt => ("Sum", "the sum", "BigInt"),
            Kind::Float => ("Sum", "the sum", "Float"),
            Kind::Decimal => ("Sum", "the sum", "Decimal"),
            Kind::Money => ("Sum", "the sum", "Money"),
            Kind::Boolean => ("Count", "the number of rows in which it is true", "Int"),
            Kind::Uuid
            | Kind::Text
            | Kind::Amount
            | Kind::Currency
            | Kind::Date
            | Kind::DateTime
            | Kind::Enum(_)
            | Kind::Json
            | Kind::File
            | Kind::Ref(_)
            | Kind::Many(_)
            | Kind::One(_) => continue,
        };
        let name = format!("{}{suffix}", field_name(of.name));
        fields.push(field(&name, &format!("{}: {about}.", of.title), TypeRef::optional(ty), Source::Sum(at)));
    }
    Type {
        name: added_type(api, entity.name, "Aggregate"),
        description: Some(format!("Aggregates of {}.", entity.title_plural)),
        item: Item::Object(fields),
    }
}

pub(crate) fn field(name: &str, description: &str, ty: TypeRef, source: Source) -> Field {
    Field { name: name.to_owned(), description: Some(description.to_owned()), arguments: Vec::new(), ty, source }
}

/// The object types of amounts and files, if a field has such a value.
fn composites(api: &Api<'_>) -> Vec<Type> {
    let has = |wanted: &[Kind]| api.entities.iter().flat_map(|entity| &entity.fields).any(|field| wanted.contains(&field.kind));
    let mut types = Vec::new();
    if has(&[Kind::Money, Kind::Amount]) {
        let parts = [("amount", "Decimal"), ("currency", "String")];
        let output = parts.map(|(name, ty)| member(name, ty));
        types.push(named("Money", "An amount with its currency (ISO 4217).", Item::Object(output.to_vec())));
        let members = parts.map(|(name, ty)| Argument { name: name.to_owned(), description: None, ty: TypeRef::required(ty) });
        types.push(named("MoneyInput", "An amount with its currency (ISO 4217).", Item::Input(members.to_vec())));
    }
    if has(&[Kind::File]) {
        let members = [("id", "ID"), ("name", "String"), ("size", "BigInt"), ("type", "String"), ("url", "String")];
        types.push(named("File", "A stored file.", Item::Object(members.map(|(name, ty)| member(name, ty)).to_vec())));
    }
    types
}

fn member(name: &'static str, ty: &str) -> Field {
    Field { description: None, ..field(name, "", TypeRef::required(ty), Source::Member(name)) }
}

fn root(name: &str, description: &str, api: &Api<'_>, fields: fn(&Api<'_>, usize, &Entity<'_>) -> Vec<Field>) -> Type {
    let all = api.entities.iter().enumerate().flat_map(|(at, entity)| fields(api, at, entity)).collect();
    named(name, description, Item::Object(all))
}

fn id() -> Argument {
    argument("id", "The key of the row.", TypeRef::required("ID"))
}

fn queries(api: &Api<'_>, at: usize, entity: &Entity<'_>) -> Vec<Field> {
    let selected = filters::arguments(api, entity);
    let list = list_name(entity.name, entity.table);
    let plural = entity.title_plural;
    let page = selected.iter().cloned().chain(filters::page()).collect();
    vec![
        Field {
            arguments: vec![id()],
            ..field(
                &single_name(entity.name),
                &format!("Reads one row of {plural}."),
                TypeRef::optional(entity.name),
                Source::Root(at, Operation::Read),
            )
        },
        Field {
            arguments: page,
            ..field(
                &list,
                &format!("Lists {plural}."),
                TypeRef { required: true, ..TypeRef::list(entity.name) },
                Source::Root(at, Operation::List),
            )
        },
        connections::query(api, at, entity, &list, &selected),
        Field {
            arguments: selected,
            ..field(
                &format!("{list}Aggregate"),
                &format!("Aggregates {plural}."),
                TypeRef::required(added_type(api, entity.name, "Aggregate")),
                Source::Root(at, Operation::Aggregate),
            )
        },
    ]
}

fn mutations(api: &Api<'_>, at: usize, entity: &Entity<'_>) -> Vec<Field> {
    let (name, title) = (entity.name, entity.title);
    let row = || TypeRef::optional(name);
    let make = |prefix: &str, about: String, arguments: Vec<Argument>, ty: TypeRef, operation: Operation| Field {
        arguments,
        ..field(&format!("{prefix}{name}"), &about, ty, Source::Root(at, operation))
    };
    let values = argument("input", "The values of fields.", TypeRef::required(format!("{name}Input")));
    let key = &entity.fields[entity.key];
    let chosen = argument(&field_name(key.name), key.title, TypeRef::required("ID"));
    let created: Vec<Argument> = (!entity.is_key_generated).then_some(chosen).into_iter().chain([values.clone()]).collect();
    let belonging = children::argument(api, entity).filter(|own| created.iter().all(|known| known.name != own.name));
    let with_children = belonging.map(|belonging| Field {
        arguments: created.iter().cloned().chain([belonging]).collect(),
        ..field(
            &format!("create{name}WithChildren"),
            &format!("Creates {title} together with the rows that belong to it."),
            row(),
            Source::Root(at, Operation::Create),
        )
    });
    let mut all = vec![
        make("create", format!("Creates {title}."), created, row(), Operation::Create),
        make("update", format!("Updates {title}; absent fields do not change."), vec![id(), values.clone()], row(), Operation::Update),
        make("delete", format!("Deletes {title}."), vec![id()], TypeRef::optional("Boolean"), Operation::Delete),
    ];
    all.extend(with_children);
    if let Some(state) = entity.state.and_then(|state| scalar_name(api, entity.fields[state].kind)) {
        let to = argument("to", "The new state.", TypeRef::required(state));
        let further = argument("input", "Fields that are set in the same transition.", TypeRef::optional(format!("{name}Input")));
        all.push(make("transition", format!("Transitions {title} to a state."), vec![id(), to, further], row(), Operation::Transition));
    }
    if entity.soft_delete {
        all.push(make("restore", format!("Restores a deleted {title}."), vec![id()], row(), Operation::Restore));
    }
    for action in &entity.actions {
        let input = argument("input", "The values that the action expects.", TypeRef::optional("JSON"));
        let about = format!("Runs the action `{action}` on {title}.");
        all.push(make(&field_name(action), about, vec![id(), input], TypeRef::optional("JSON"), Operation::Act((*action).to_owned())));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(name: &'static str, table: &'static str) -> Entity<'static> {
        let key = EntityField {
            name: "id",
            title: "Id",
            kind: Kind::Uuid,
            required: true,
            auto: false,
            computed: false,
            sensitive: false,
            secret: false,
            via: None,
        };
        Entity {
            name,
            title: name,
            title_plural: name,
            table,
            intent: None,
            fields: vec![key],
            key: 0,
            is_key_generated: true,
            tenant: None,
            state: None,
            soft_delete: false,
            temporal: false,
            actions: Vec::new(),
        }
    }

    #[test]
    fn a_declared_name_takes_precedence_over_a_type_that_is_added() {
        let entities = vec![entity("Water", "waters"), entity("WaterFilter", "water_filters"), entity("WaterEdge", "water_edges")];
        let schema = Schema::new(&Api { entities, enums: Vec::new() });
        let mut names: Vec<&str> = schema.types.iter().map(|ty| ty.name.as_str()).collect();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
        let ty = |field: &str| schema.object("Query").iter().find(|it| it.name == field).map(|it| it.ty.to_string()).expect("a query");
        assert_eq!((ty("water").as_str(), ty("waterFilter").as_str()), ("Water", "WaterFilter"));
        for name in ["WaterRowFilter", "WaterRowEdge", "WaterConnection", "WaterChange", "WaterFilterFilter", "WaterEdgeEdge"] {
            assert!(schema.find(name).is_some(), "{name}");
        }
        assert!(schema.find("WaterChildren").is_none(), "there are no relations");
    }
}
