//! The schema in the schema definition language.

use std::fmt::{self, Write};

use crate::{Argument, Field, Item, Schema, Type};

impl Schema {
    /// The schema in the schema definition language, sorted by kind and name.
    pub fn sdl(&self) -> String {
        let mut out = String::new();
        for (at, ty) in self.types.iter().enumerate() {
            if at > 0 {
                out.push('\n');
            }
            // Writing to memory cannot fail.
            let _ = write_type(&mut out, ty);
        }
        out
    }
}

fn write_type(out: &mut String, ty: &Type) -> fmt::Result {
    describe(out, "", ty.description.as_deref())?;
    let name = &ty.name;
    match &ty.item {
        Item::Scalar => writeln!(out, "scalar {name}"),
        Item::Enum(_, values) => {
            writeln!(out, "enum {name} {{")?;
            for value in values {
                describe(out, "  ", Some(&value.description))?;
                writeln!(out, "  {}", value.name)?;
            }
            writeln!(out, "}}")
        }
        Item::Input(members) => {
            writeln!(out, "input {name} {{")?;
            for member in members {
                describe(out, "  ", member.description.as_deref())?;
                writeln!(out, "  {}: {}", member.name, member.ty)?;
            }
            writeln!(out, "}}")
        }
        Item::Object(fields) => {
            writeln!(out, "type {name} {{")?;
            fields.iter().try_for_each(|field| write_field(out, field))?;
            writeln!(out, "}}")
        }
    }
}

fn write_field(out: &mut String, field: &Field) -> fmt::Result {
    describe(out, "  ", field.description.as_deref())?;
    write!(out, "  {}", field.name)?;
    if !field.arguments.is_empty() {
        let one = |argument: &Argument| format!("{}: {}", argument.name, argument.ty);
        write!(out, "({})", field.arguments.iter().map(one).collect::<Vec<_>>().join(", "))?;
    }
    writeln!(out, ": {}", field.ty)
}

/// Writes a description as a string of one line.
fn describe(out: &mut String, indent: &str, text: Option<&str>) -> fmt::Result {
    let Some(text) = text else { return Ok(()) };
    writeln!(out, "{indent}{}", serde_json::Value::from(text))
}
