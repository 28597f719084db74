//! The types of a GraphQL schema, with the meaning of each field.

use std::fmt;

/// The types of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    /// The types, sorted by kind and name.
    pub types: Vec<Type>,
}

/// A named type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// Its content.
    pub item: Item,
}

/// The content of a type. The order of the variants is that of the schema language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// An enumeration, with the position of its facts.
    Enum(usize, Vec<EnumValue>),
    /// An input object.
    Input(Vec<Argument>),
    /// A scalar.
    Scalar,
    /// An object.
    Object(Vec<Field>),
}

/// A value of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumValue {
    /// Its name in GraphQL.
    pub name: String,
    /// Its title.
    pub description: String,
    /// The value as it is declared.
    pub value: String,
}

/// A field of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Its type.
    pub ty: TypeRef,
    /// Its meaning.
    pub source: Source,
}

/// An argument of a field, or a field of an input object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// Its type.
    pub ty: TypeRef,
}

/// A type where it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeRef {
    /// The name of the type.
    pub name: String,
    /// True for a list, whose elements are never null.
    pub list: bool,
    /// True if null is not allowed.
    pub required: bool,
}

/// The meaning of a field. Numbers are positions of entities, and of fields in their entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// An operation on an entity.
    Root(usize, Operation),
    /// The value of a field.
    Value(usize),
    /// The row that a reference refers to.
    Reference(usize),
    /// The rows of a relation.
    Many(usize),
    /// The row of a relation.
    One(usize),
    /// A member of an amount or a file, under this name in JSON.
    Member(&'static str),
    /// A part of a connection.
    Part(Part),
    /// A part of a change.
    Change(ChangePart),
    /// The number of rows.
    Count,
    /// The sum of a field, or the number of rows in which a boolean field is true.
    Sum(usize),
}

/// A part of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The rows with their cursors.
    Edges,
    /// The rows.
    Nodes,
    /// The place of the page.
    PageInfo,
    /// The number of rows on all pages.
    Total,
    /// True if there are more rows than were counted.
    TotalCapped,
    /// The cursor of an edge.
    Cursor,
    /// The row of an edge.
    Node,
}

/// A part of a change, which a subscription reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangePart {
    /// What happened.
    Kind,
    /// The key of the row.
    Key,
    /// The row.
    Node,
}

/// An operation on an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// Read a row.
    Read,
    /// List rows.
    List,
    /// List rows as a connection.
    Connection,
    /// Aggregate rows.
    Aggregate,
    /// Report changes of rows.
    Changes,
    /// Create a row.
    Create,
    /// Update a row.
    Update,
    /// Delete a row.
    Delete,
    /// Make a transition.
    Transition,
    /// Restore a row.
    Restore,
    /// Run a custom action.
    Act(String),
}

impl TypeRef {
    /// A type that allows null.
    pub fn optional(name: impl Into<String>) -> TypeRef {
        TypeRef { name: name.into(), list: false, required: false }
    }

    /// A type that does not allow null.
    pub fn required(name: impl Into<String>) -> TypeRef {
        TypeRef { required: true, ..TypeRef::optional(name) }
    }

    /// A list of values that are not null.
    pub fn list(name: impl Into<String>) -> TypeRef {
        TypeRef { list: true, ..TypeRef::optional(name) }
    }
}

impl fmt::Display for TypeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.list {
            write!(f, "[{}!]", self.name)?;
        } else {
            f.write_str(&self.name)?;
        }
        f.write_str(if self.required { "!" } else { "" })
    }
}

impl Schema {
    /// The type with this name.
    pub fn find(&self, name: &str) -> Option<&Type> {
        self.types.iter().find(|ty| ty.name == name)
    }

    /// The fields of the object with this name.
    pub fn object(&self, name: &str) -> &[Field] {
        match self.find(name).map(|ty| &ty.item) {
            Some(Item::Object(fields)) => fields,
            Some(Item::Enum(..) | Item::Input(_) | Item::Scalar) | None => &[],
        }
    }
}

impl Type {
    /// True if a field or an argument of it has the type with this name.
    pub(crate) fn names_type(&self, name: &str) -> bool {
        let is_named = |argument: &Argument| argument.ty.name == name;
        match &self.item {
            Item::Input(members) => members.iter().any(is_named),
            Item::Object(fields) => fields.iter().any(|field| field.ty.name == name || field.arguments.iter().any(is_named)),
            Item::Enum(..) | Item::Scalar => false,
        }
    }
}

impl Item {
    /// The position of its kind in the order of the schema language.
    pub(crate) fn order(&self) -> usize {
        match self {
            Item::Enum(..) => 0,
            Item::Input(_) => 1,
            Item::Scalar => 2,
            Item::Object(_) => 3,
        }
    }
}
