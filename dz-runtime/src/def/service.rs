//! Services: functions with typed input and output that the application provides, and the typed values that they share with other
//! constructs.

use super::{AuthKind, FieldDef};

/// A service.
#[derive(Debug)]
pub struct ServiceDef {
    /// Identifier.
    pub name: &'static str,
    /// Title shown to people.
    pub title: &'static str,
    /// The inputs.
    pub input: &'static [ValueDef],
    /// The outputs.
    pub output: &'static [ValueDef],
    /// The guarantees, in order.
    pub guarantees: &'static [&'static str],
    /// The language of its stub.
    pub stub: Option<StubLanguage>,
    /// For a service of another system: how it is reached.
    pub external: Option<ExternalDef>,
}

/// The facts about a service of another system.
#[derive(Debug)]
pub struct ExternalDef {
    /// The address of its description.
    pub spec: Option<&'static str>,
    /// The authentication.
    pub auth: AuthKind,
    /// The options of the authentication, in order.
    pub options: &'static [(&'static str, &'static str)],
    /// The responsible person or team.
    pub owner: Option<&'static str>,
}

/// The language of the stub of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StubLanguage {
    /// Python: a worker process runs the file of the stub.
    Python {
        /// The folder of the application's package when it was built; the default folder of stubs is in it.
        package: &'static str,
    },
    /// Rust: the application registers an implementation.
    Rust,
}

/// An input or an output.
#[derive(Debug)]
pub struct ValueDef {
    /// Its name, type and default. A list has the type of its items.
    pub field: FieldDef,
    /// How many `list[…]` enclose the type.
    pub lists: u8,
    /// True for any value that can be written as text: a placeholder of a prompt without a declared input.
    pub printable: bool,
}

impl ValueDef {
    /// A single value.
    pub const fn one(field: FieldDef) -> ValueDef {
        ValueDef { field, lists: 0, printable: false }
    }

    /// The field name.
    pub const fn name(&self) -> &'static str {
        self.field.name
    }

    /// True for `list[T]`.
    pub const fn is_list(&self) -> bool {
        self.lists > 0
    }
}
