//! The one type that implements Juniper's traits for every type of the schema.
//!
//! An operation is executed twice. The first execution plans: it records the selected fields and their arguments, with fragments,
//! directives and variables resolved by Juniper, and touches no row. The second one writes the response from the data that were
//! loaded for the plan. Juniper therefore knows nothing of the database, and a level of the query is one statement.

use std::sync::{Arc, Mutex, PoisonError};

use dz_graphql::{Argument, Field, Item, Schema, TypeRef};
use juniper::{
    ArcStr, Arguments, ExecutionResult, Executor, FieldError, FromInputValue, GraphQLType, GraphQLValue, ID, Registry, RootNode, Type,
    Value,
    meta::{EnumMeta, EnumValue, InputObjectMeta, MetaType},
};

use super::{
    data::{Data, Object},
    plan::{Selected, Selection},
    scalar::{Input, Output, Scalar},
    scalars,
};

/// The schema with its names in Juniper's form.
#[derive(Debug)]
pub(super) struct Shared {
    pub schema: Schema,
    names: Vec<ArcStr>,
}

/// A type of the schema, by its position.
#[derive(Debug, Clone)]
pub(super) struct Info {
    pub shared: Arc<Shared>,
    pub ty: usize,
}

impl Info {
    fn item(&self) -> &Item {
        &self.shared.schema.types[self.ty].item
    }

    fn fields(&self) -> &[Field] {
        match self.item() {
            Item::Object(fields) => fields,
            Item::Enum(..) | Item::Input(_) | Item::Scalar => &[],
        }
    }

    fn at(&self, ty: usize) -> Info {
        Info { shared: self.shared.clone(), ty }
    }
}

impl Shared {
    pub fn new(schema: Schema) -> Shared {
        let names = schema.types.iter().map(|ty| ArcStr::from(ty.name.as_str())).collect();
        Shared { schema, names }
    }

    /// The position of the type with this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.schema.types.iter().position(|ty| ty.name == name)
    }

    /// The position of the object type with this name.
    pub fn object(&self, name: &str) -> Option<usize> {
        self.position(name).filter(|at| matches!(self.schema.types[*at].item, Item::Object(_)))
    }
}

/// What an execution does.
pub(super) enum Mode {
    /// Records the selected fields.
    Plan(Mutex<Selection>),
    /// Writes the response from loaded data.
    Data(Object),
}

/// The state of an execution.
pub(super) struct Context {
    pub mode: Mode,
    /// Writes an error as the extensions of its entry in `errors`.
    pub extensions: Box<dyn Fn(&crate::Error) -> serde_json::Value + Send + Sync>,
}

impl juniper::Context for Context {}

/// A value of an execution.
pub(super) enum Node<'d> {
    /// The root, or a value of an input type.
    Root,
    /// The object at a place of the plan.
    Plan(Vec<usize>),
    /// An object of the response.
    Object(&'d Object),
}

/// The schema as Juniper executes it.
pub(super) type Root = RootNode<Node<'static>, Node<'static>, Node<'static>, Scalar>;

/// Creates the executable schema, whose queries select fields of the type `query`.
pub(super) fn create_root(shared: &Arc<Shared>, query: &str) -> Root {
    let root = |name: &str| Info { shared: shared.clone(), ty: shared.position(name).unwrap_or_default() };
    Root::new_with_info(Node::Root, Node::Root, Node::Root, root(query), root("Mutation"), root("Subscription"))
}

impl GraphQLType<Scalar> for Node<'_> {
    fn name(info: &Info) -> Option<ArcStr> {
        info.shared.names.get(info.ty).cloned()
    }

    fn meta(info: &Info, registry: &mut Registry<Scalar>) -> MetaType<Scalar> {
        let ty = &info.shared.schema.types[info.ty];
        let name = info.shared.names[info.ty].clone();
        let about = ty.description.as_deref().map(ArcStr::from);
        match &ty.item {
            Item::Object(fields) => {
                let fields: Vec<_> = fields.iter().map(|field| describe_field(info, field, registry)).collect();
                let meta = registry.build_object_type::<Node<'static>>(info, &fields);
                about.into_iter().fold(meta, |meta, about| meta.description(about)).into_meta()
            }
            Item::Input(members) => {
                let members: Vec<_> = members.iter().map(|member| describe_argument(info, member, registry)).collect();
                let meta = InputObjectMeta::new::<Node<'static>>(name, &members);
                about.into_iter().fold(meta, |meta, about| meta.description(about)).into_meta()
            }
            Item::Enum(_, values) => {
                let value = |value: &dz_graphql::EnumValue| EnumValue::new(value.name.as_str()).description(value.description.as_str());
                let meta = EnumMeta::new::<Node<'static>>(name, &values.iter().map(value).collect::<Vec<_>>());
                about.into_iter().fold(meta, |meta, about| meta.description(about)).into_meta()
            }
            // Scalars have types of their own.
            Item::Scalar => registry.build_object_type::<Node<'static>>(info, &[]).into_meta(),
        }
    }
}

fn describe_field(info: &Info, field: &Field, registry: &mut Registry<Scalar>) -> juniper::meta::Field<Scalar> {
    let mut described = registry.field::<bool>(field.name.as_str(), &());
    described.field_type = describe_type(info, &field.ty, registry);
    described.description = field.description.as_deref().map(ArcStr::from);
    for argument in &field.arguments {
        described = described.argument(describe_argument(info, argument, registry));
    }
    described
}

fn describe_argument(info: &Info, argument: &Argument, registry: &mut Registry<Scalar>) -> juniper::meta::Argument<Scalar> {
    let described = juniper::meta::Argument::new(argument.name.as_str(), describe_type(info, &argument.ty, registry));
    argument.description.as_deref().into_iter().fold(described, |described, about| described.description(about))
}

/// A type where it is used; registers the named type.
fn describe_type(info: &Info, of: &TypeRef, registry: &mut Registry<Scalar>) -> Type {
    register(info, &of.name, registry);
    let mut ty = Type::nullable(of.name.as_str());
    if of.list {
        ty = ty.wrap_non_null().wrap_list(None);
    }
    if of.required { ty.wrap_non_null() } else { ty }
}

fn register(info: &Info, name: &str, registry: &mut Registry<Scalar>) {
    let built_in = match name {
        "String" => Some(registry.get_type::<String>(&())),
        "Int" => Some(registry.get_type::<i32>(&())),
        "Float" => Some(registry.get_type::<f64>(&())),
        "Boolean" => Some(registry.get_type::<bool>(&())),
        "ID" => Some(registry.get_type::<ID>(&())),
        _ => None,
    };
    let Some(at) = info.shared.position(name).filter(|_| built_in.is_none()) else { return };
    let about = info.shared.schema.types[at].description.as_deref().map(ArcStr::from);
    if scalars::register(name, about, registry).is_none() {
        registry.get_type::<Node<'static>>(&info.at(at));
    }
}

impl GraphQLValue<Scalar> for Node<'_> {
    type Context = Context;
    type TypeInfo = Info;

    fn type_name(&self, info: &Info) -> Option<ArcStr> {
        <Node<'_> as GraphQLType<Scalar>>::name(info)
    }

    fn concrete_type_name(&self, _: &Context, info: &Info) -> String {
        info.shared.schema.types[info.ty].name.clone()
    }

    fn resolve_field(
        &self,
        info: &Info,
        name: &str,
        arguments: &Arguments<'_, Scalar>,
        executor: &Executor<'_, '_, Context, Scalar>,
    ) -> ExecutionResult<Scalar> {
        match (self, &executor.context().mode) {
            (Node::Plan(path), Mode::Plan(plan)) => plan_field(path, plan, info, name, arguments, executor),
            (_, Mode::Plan(plan)) => plan_field(&[], plan, info, name, arguments, executor),
            (Node::Object(object), Mode::Data(_)) => write_field(object, info, executor),
            (_, Mode::Data(root)) => write_field(root, info, executor),
        }
    }
}

/// Records a selected field, and the fields that are selected in it.
fn plan_field(
    path: &[usize],
    plan: &Mutex<Selection>,
    info: &Info,
    name: &str,
    arguments: &Arguments<'_, Scalar>,
    executor: &Executor<'_, '_, Context, Scalar>,
) -> ExecutionResult<Scalar> {
    let missing = || FieldError::new(format!("unknown field {name}"), Value::null());
    let at = info.fields().iter().position(|field| field.name == name).ok_or_else(missing)?;
    let field = &info.fields()[at];
    let object = info.shared.object(&field.ty.name);
    let given = field.arguments.iter().filter_map(|argument| {
        let value = arguments.get_input_value(&argument.name)?;
        Some((argument.name.clone(), value.item.clone()))
    });
    let selected = Selected {
        key: executor.look_ahead().field_name().to_owned(),
        field: at,
        arguments: given.collect(),
        selection: Selection { ty: object.unwrap_or(info.ty), fields: Vec::new() },
    };
    let place = plan.lock().unwrap_or_else(PoisonError::into_inner).at_mut(path).add(selected);
    let Some(ty) = object else { return Ok(Value::scalar(true)) };
    let inner = executor.resolve(&info.at(ty), &Node::Plan([path, &[place]].concat()))?;
    Ok(if field.ty.list { Value::list(vec![inner]) } else { inner })
}

/// Writes a field of the response.
fn write_field(object: &Object, info: &Info, executor: &Executor<'_, '_, Context, Scalar>) -> ExecutionResult<Scalar> {
    let look_ahead = executor.look_ahead();
    match object.field(look_ahead.field_name()) {
        Some(data) => write_data(data, info, executor),
        None => Err(FieldError::new("the field was not loaded", Value::null())),
    }
}

fn write_data(data: &Data, info: &Info, executor: &Executor<'_, '_, Context, Scalar>) -> ExecutionResult<Scalar> {
    match data {
        Data::Leaf(value) => Ok(value.clone()),
        Data::Object(object) => executor.resolve(&info.at(object.selection.ty), &Node::Object(object)),
        Data::List(items) => {
            let items: Vec<Output> = items.iter().map(|item| write_data(item, info, executor)).collect::<Result<_, _>>()?;
            // No element of a list can be null.
            Ok(if items.iter().any(Value::is_null) { Value::null() } else { Value::list(items) })
        }
        Data::Failed(error) => {
            let extensions = (executor.context().extensions)(error);
            Err(FieldError::new(&error.detail, Value::Scalar(Scalar::Json(extensions))))
        }
    }
}

impl FromInputValue<Scalar> for Node<'_> {
    type Error = FieldError<Scalar>;

    fn from_input_value(_: &Input) -> Result<Self, FieldError<Scalar>> {
        Ok(Node::Root)
    }
}
