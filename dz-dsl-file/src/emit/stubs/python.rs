//! The stub of a service in Python: a dataclass of its outputs and a typed function.

mod lines;
mod types;
mod update;

use self::types::Types;
pub(super) use self::update::update;
use super::sentences;
use crate::{
    model::{Model, Service, ValueField, ValueType},
    names,
};

/// The parts of a stub.
struct Parts {
    /// The imports, as module and name, sorted.
    imports: Vec<(&'static str, String)>,
    /// The class of the outputs.
    output: String,
    /// The fields of that class, a line each.
    fields: Vec<String>,
    /// `def NAME(…) -> NameOutput:`
    signature: String,
    /// The documentation between the quotes; lines after the first one are not indented.
    documentation: String,
}

/// The class of the values that a call carries beside its inputs.
const CONTEXT: &str = "class Context(Protocol):
    \"\"\"The call: `key` is equal for all attempts of one step, `attempt` counts them from 1.\"\"\"

    @property
    def key(self) -> str: ...

    @property
    def attempt(self) -> int: ...
";

/// The content of a new stub.
pub(super) fn create(model: &Model, service: &Service) -> String {
    let parts = Parts::new(model, service);
    let mut text = String::new();
    for line in import_lines(&parts.imports) {
        text.push_str(&format!("{line}\n"));
    }
    text.push_str(&format!("\n\n{CONTEXT}\n\n{}", parts.class()));
    text.push_str(&format!("\n\n{}", parts.function(service)));
    text
}

impl Parts {
    fn new(model: &Model, service: &Service) -> Parts {
        let mut types = Types::new(model, service);
        let output = format!("{}Output", names::variant(&service.name));
        let inputs = ordered(&service.input).map(|field| types.parameter(field)).collect::<Vec<_>>();
        let fields = ordered(&service.output).map(|field| types.attribute(field)).collect::<Vec<_>>();
        let mut parameters = inputs;
        parameters.extend(["*".to_owned(), "context: Context".to_owned()]);
        let fields = if fields.is_empty() { vec!["pass".to_owned()] } else { fields };
        Parts {
            signature: format!("def {}({}) -> {output}:", types::identifier(&service.name), parameters.join(", ")),
            imports: types.imports(),
            output,
            fields,
            documentation: documentation(service),
        }
    }

    fn class(&self) -> String {
        let fields: String = self.fields.iter().map(|field| format!("    {field}\n")).collect();
        format!("@dataclass\nclass {}:\n{fields}", self.output)
    }

    fn function(&self, service: &Service) -> String {
        let documentation = self.docstring("    ");
        format!("{}\n    {documentation}\n    raise NotImplementedError({})\n", self.signature, types::text_literal(&service.name))
    }

    /// The documentation as a literal; lines after the first one begin with `indent`.
    fn docstring(&self, indent: &str) -> String {
        let mut text = String::new();
        for (at, line) in self.documentation.lines().enumerate() {
            match (at, line.is_empty()) {
                (0, _) => text.push_str(line),
                (_, true) => text.push('\n'),
                (_, false) => text.push_str(&format!("\n{indent}{line}")),
            }
        }
        if self.documentation.contains('\n') {
            text.push_str(&format!("\n{indent}"));
        }
        format!("\"\"\"{text}\"\"\"")
    }
}

/// Required values first, then the others, each group in declared order.
fn ordered(fields: &[ValueField]) -> impl Iterator<Item = &ValueField> {
    let (first, others): (Vec<_>, Vec<_>) = fields.iter().partition(|field| is_needed(field));
    first.into_iter().chain(others)
}

/// True if a caller has to give the value.
fn is_needed(field: &ValueField) -> bool {
    field.required && field.default.is_none()
}

/// True for `list[T]`.
fn is_list(ty: &ValueType) -> bool {
    match ty {
        ValueType::List(_) => true,
        ValueType::One(_) | ValueType::Printable => false,
    }
}

/// The title, and each guarantee as `- sentence`. Nothing in it ends the literal.
fn documentation(service: &Service) -> String {
    let (title, guarantees) = sentences(service);
    let mut lines = vec![title];
    if !guarantees.is_empty() {
        lines.push(String::new());
        lines.extend(guarantees);
    }
    let text = lines.join("\n").replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    match text.strip_suffix('"') {
        Some(rest) if !text.contains('\n') => format!("{rest}\\\""),
        _ => text,
    }
}

/// An import statement for each module.
fn import_lines(imports: &[(&'static str, String)]) -> Vec<String> {
    let mut modules: Vec<&str> = imports.iter().map(|(module, _)| *module).collect();
    modules.dedup();
    let names = |of: &str| imports.iter().filter(|(module, _)| *module == of).map(|(_, name)| name.as_str()).collect::<Vec<_>>();
    modules.into_iter().map(|module| format!("from {module} import {}", names(module).join(", "))).collect()
}
