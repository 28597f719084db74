//! Names, types and values of the language in Python.

use std::collections::BTreeSet;

use super::{is_list, is_needed};
use crate::model::{EnumId, Expr, FieldType, Model, Service, Type, ValueField, ValueType};

/// The words that Python reserves.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try",
    "while", "with", "yield",
];

/// A name of the declaration in Python: a reserved word, and the parameter `context`, get an underscore.
pub(super) fn identifier(name: &str) -> String {
    if KEYWORDS.contains(&name) || name == "context" { format!("{name}_") } else { name.to_owned() }
}

/// A text literal.
pub(super) fn text_literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '\\' => literal.push_str("\\\\"),
            '"' => literal.push_str("\\\""),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            c if c.is_control() => literal.push_str(&format!("\\U{:08x}", u32::from(c))),
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}

/// The types of a stub, and the imports that they need.
pub(super) struct Types<'m> {
    model: &'m Model,
    /// Names that the stub declares itself. A type with such a name is imported under another one.
    taken: Vec<String>,
    used: BTreeSet<(&'static str, String)>,
}

impl<'m> Types<'m> {
    pub fn new(model: &'m Model, service: &Service) -> Types<'m> {
        let fields = service.output.iter().map(|field| identifier(&field.name));
        let taken = fields.chain([identifier(&service.name)]).collect();
        let mut types = Types { model, taken, used: BTreeSet::new() };
        types.used.insert(("dataclasses", "dataclass".to_owned()));
        types.used.insert(("typing", "Protocol".to_owned()));
        types
    }

    /// The imports, sorted by module and name.
    pub fn imports(self) -> Vec<(&'static str, String)> {
        self.used.into_iter().collect()
    }

    /// An input as a parameter.
    pub fn parameter(&mut self, field: &ValueField) -> String {
        let (name, ty) = (identifier(&field.name), self.value_type(&field.ty));
        if is_needed(field) {
            return format!("{name}: {ty}");
        }
        let value = field.default.as_ref().and_then(|default| self.value(default));
        match value {
            Some(value) => format!("{name}: {ty} = {value}"),
            None => format!("{name}: {} = None", nullable(&ty)),
        }
    }

    /// An output as an attribute of the dataclass.
    pub fn attribute(&mut self, field: &ValueField) -> String {
        let (name, ty) = (identifier(&field.name), self.value_type(&field.ty));
        if is_needed(field) {
            return format!("{name}: {ty}");
        }
        match &field.default {
            // A dataclass refuses a list as a default, because all instances would share it.
            Some(_) if is_list(&field.ty) => {
                let (factory, list) = (self.import_name("dataclasses", "field"), self.import_name("builtins", "list"));
                format!("{name}: {ty} = {factory}(default_factory={list})")
            }
            Some(default) if !matches!(default, Expr::Typed(Type::Json, _)) => match self.value(default) {
                Some(value) => format!("{name}: {ty} = {value}"),
                None => format!("{name}: {} = None", nullable(&ty)),
            },
            _ => format!("{name}: {} = None", nullable(&ty)),
        }
    }

    fn value_type(&mut self, ty: &ValueType) -> String {
        match ty {
            ValueType::One(ty) => self.field_type(*ty),
            ValueType::List(inner) => {
                let inner = self.value_type(inner);
                format!("{}[{inner}]", self.import_name("builtins", "list"))
            }
            ValueType::Printable => self.import_name("builtins", "str"),
        }
    }

    fn field_type(&mut self, ty: FieldType) -> String {
        match ty {
            FieldType::Uuid
            | FieldType::Str(_)
            | FieldType::Text
            | FieldType::Email
            | FieldType::Url
            | FieldType::Timezone
            | FieldType::Slug
            | FieldType::Currency { .. } => self.import_name("builtins", "str"),
            FieldType::Int { .. } => self.import_name("builtins", "int"),
            FieldType::Float => self.import_name("builtins", "float"),
            FieldType::Bool => self.import_name("builtins", "bool"),
            FieldType::Decimal { .. } | FieldType::Money(_) => self.import_name("decimal", "Decimal"),
            FieldType::Date => self.import_name("datetime", "date"),
            FieldType::DateTime => self.import_name("datetime", "datetime"),
            FieldType::Enum(id) => self.literal_type(id),
            FieldType::Ref(entity) => self.field_type(self.model.field(entity, self.model.entity(entity).pk).ty),
            FieldType::Json
            | FieldType::File { .. }
            // The language refuses relations as values.
            | FieldType::HasMany { .. }
            | FieldType::HasOne { .. }
            | FieldType::ManyToMany { .. } => self.import_name("typing", "Any"),
        }
    }

    fn literal_type(&mut self, id: EnumId) -> String {
        let values: Vec<String> = self.model.enums[id.0].values.iter().map(|value| text_literal(&value.name)).collect();
        format!("{}[{}]", self.import_name("typing", "Literal"), values.join(", "))
    }

    /// The name of a type in the stub; it is imported if it has to be.
    fn import_name(&mut self, module: &'static str, name: &str) -> String {
        let is_taken = self.taken.iter().any(|taken| taken == name);
        if is_taken {
            self.used.insert((module, format!("{name} as {name}_type")));
            return format!("{name}_type");
        }
        if module != "builtins" {
            self.used.insert((module, name.to_owned()));
        }
        name.to_owned()
    }

    /// A default as a value; `None` for a value that depends on the time or the caller, which dz passes with each call.
    fn value(&mut self, default: &Expr) -> Option<String> {
        match default {
            Expr::Bool(true) => Some("True".to_owned()),
            Expr::Bool(false) => Some("False".to_owned()),
            Expr::Int(number) => Some(number.to_string()),
            Expr::Float(number) => Some(format!("{number:?}")),
            Expr::Decimal(digits) => Some(format!("{}(\"{digits}\")", self.import_name("decimal", "Decimal"))),
            Expr::Text(value) | Expr::Typed(Type::Uuid, value) => Some(text_literal(value)),
            Expr::Typed(Type::Date, value) => {
                Some(format!("{}.fromisoformat({})", self.import_name("datetime", "date"), text_literal(value)))
            }
            Expr::Typed(Type::DateTime, value) => {
                // Python 3.10 does not accept `Z`.
                let value = value.strip_suffix('Z').map_or_else(|| value.clone(), |value| format!("{value}+00:00"));
                Some(format!("{}.fromisoformat({})", self.import_name("datetime", "datetime"), text_literal(&value)))
            }
            Expr::Typed(Type::Json, value) => Some(format!("{}({})", self.import_name("json", "loads"), text_literal(value))),
            Expr::EnumValue(id, at) => self.model.enums[id.0].values.get(*at).map(|value| text_literal(&value.name)),
            Expr::Negate(inner) => match inner.as_ref() {
                Expr::Decimal(digits) => Some(format!("{}(\"-{digits}\")", self.import_name("decimal", "Decimal"))),
                inner => Some(format!("-{}", self.value(inner)?)),
            },
            Expr::List(items) => {
                let items = items.iter().map(|item| self.value(item)).collect::<Option<Vec<_>>>()?;
                Some(format!("[{}]", items.join(", ")))
            }
            _ => None,
        }
    }
}

/// A type that also accepts `None`.
fn nullable(ty: &str) -> String {
    if ty.rsplit('.').next() == Some("Any") { ty.to_owned() } else { format!("{ty} | None") }
}
