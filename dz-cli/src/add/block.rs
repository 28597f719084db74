//! The text of each kind of block.

use clap::{Args, ValueEnum};
use dz_dsl_file::{
    model::Model,
    names::{humanise, plural_title},
};

use super::{Add, Block, Options, place::Wanted};

/// `dz add entity`
#[derive(Args)]
pub struct Entity {
    /// The name, such as `Invoice`
    name: String,
    /// Fields as in a declaration, such as `"due: date required"`; without a `pk` the field `id: uuid pk` is added
    fields: Vec<String>,
    /// The title; by default the name as words
    #[arg(long)]
    title: Option<String>,
    /// The roles that may list, read, create, update and delete its rows
    #[arg(long, value_delimiter = ',', default_value = "admin")]
    role: Vec<String>,
    #[command(flatten)]
    options: Options,
}

/// `dz add field`
#[derive(Args)]
pub struct Field {
    /// The name of the entity
    entity: String,
    /// The field as in a declaration, such as `"due: date required"`
    field: String,
    #[command(flatten)]
    options: Options,
}

/// `dz add surface`
#[derive(Args)]
pub struct Surface {
    /// The name, which is also part of the address: `invoice_list` has the address `/app/invoice_list`
    name: String,
    /// The entity that it shows
    #[arg(long)]
    entity: String,
    /// The mode of the page
    #[arg(long, value_enum)]
    mode: Mode,
    /// The title; by default that of the entity
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    options: Options,
}

/// The modes of surfaces.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Mode {
    List,
    View,
    Create,
    Edit,
}

/// `dz add enum`
#[derive(Args)]
pub struct Enum {
    /// The name, such as `Priority`
    name: String,
    /// The values in their order
    #[arg(required = true)]
    values: Vec<String>,
    /// The title; by default the name as words
    #[arg(long)]
    title: Option<String>,
    /// The values have an order and can be compared with `<`
    #[arg(long)]
    ordered: bool,
    #[command(flatten)]
    options: Options,
}

/// `dz add role`
#[derive(Args)]
pub struct Role {
    /// The name, as rules use it: `role(clerk)`
    name: String,
    /// The title; by default the name as words
    #[arg(long)]
    title: Option<String>,
    /// The purpose of the role
    #[arg(long)]
    description: Option<String>,
    #[command(flatten)]
    options: Options,
}

impl Add {
    /// The options of all kinds.
    pub(super) fn options(&self) -> &Options {
        match self {
            Add::Entity(it) => &it.options,
            Add::Field(it) => &it.options,
            Add::Surface(it) => &it.options,
            Add::Enum(it) => &it.options,
            Add::Role(it) => &it.options,
        }
    }

    /// The requested block, for the present declaration.
    pub(super) fn block(&self, model: Option<&Model>) -> Result<Block, String> {
        match self {
            Add::Entity(it) => it.block(),
            Add::Field(it) => it.block(),
            Add::Surface(it) => it.block(model),
            Add::Enum(it) => it.block(),
            Add::Role(it) => it.block(),
        }
    }
}

impl Entity {
    fn block(&self) -> Result<Block, String> {
        let name = checked_name(&self.name)?;
        let mut text = format!("entity {name} {}:\n", title(&self.title, name)?);
        if !self.fields.iter().any(|field| field.split_whitespace().any(|word| word == "pk")) {
            text.push_str("  id: uuid pk\n");
        }
        for field in &self.fields {
            text.push_str(&format!("  {}\n", one_line(field)?));
        }
        let roles = self.role.iter().map(|role| checked_name(role)).collect::<Result<Vec<_>, _>>()?.join(", ");
        text.push_str("  permit:\n");
        for action in ["list", "read", "create", "update", "delete"] {
            text.push_str(&format!("    {action}: role({roles})\n"));
        }
        Ok(Block { what: format!("entity `{name}`"), text, place: Wanted::After { construct: "entity" } })
    }
}

impl Field {
    fn block(&self) -> Result<Block, String> {
        let (entity, field) = (checked_name(&self.entity)?, one_line(&self.field)?);
        let name = field.split_once(':').map_or(field, |(name, _)| name).trim();
        let text = format!("entity {entity}:\n  {field}\n");
        Ok(Block { what: format!("field `{name}`"), text, place: Wanted::Within { entity: entity.to_owned() } })
    }
}

impl Surface {
    fn block(&self, model: Option<&Model>) -> Result<Block, String> {
        let (name, entity) = (checked_name(&self.name)?, checked_name(&self.entity)?);
        let known = model.and_then(|model| model.entities.iter().find(|it| it.name == entity));
        let of_entity = known.map_or_else(|| humanise(entity), |it| it.title.clone());
        let (mode, usual) = match self.mode {
            Mode::List => ("list", known.map_or_else(|| plural_title(&of_entity), |it| it.title_plural.clone())),
            Mode::View => ("view", of_entity),
            Mode::Create => ("create", format!("New {}", dz_dsl_file::names::within(&of_entity))),
            Mode::Edit => ("edit", format!("Edit {}", dz_dsl_file::names::within(&of_entity))),
        };
        let title = quoted(self.title.as_deref().unwrap_or(&usual))?;
        let mut text = format!("surface {name} {title}:\n  uses entity {entity}\n  mode: {mode}\n");
        let label = known.and_then(|it| it.fields.get(it.label.field().unwrap_or(it.pk).0)).filter(|field| field.is_stored());
        if let (Mode::List, Some(label)) = (self.mode, label) {
            text.push_str(&format!("  ux:\n    sort: {} asc\n", label.name));
        }
        Ok(Block { what: format!("surface `{name}`"), text, place: Wanted::After { construct: "surface" } })
    }
}

impl Enum {
    fn block(&self) -> Result<Block, String> {
        let name = checked_name(&self.name)?;
        let ordered = if self.ordered { " ordered" } else { "" };
        let mut text = format!("enum {name}{ordered} {}:\n", title(&self.title, name)?);
        for value in &self.values {
            let word = if checked_name(value).is_ok() { value.clone() } else { quoted(value)? };
            text.push_str(&format!("  {word}\n"));
        }
        Ok(Block { what: format!("enum `{name}`"), text, place: Wanted::After { construct: "enum" } })
    }
}

impl Role {
    fn block(&self) -> Result<Block, String> {
        let name = checked_name(&self.name)?;
        let mut text = format!("persona {name} {}", title(&self.title, name)?);
        match &self.description {
            Some(description) => text.push_str(&format!(":\n  description: {}\n", quoted(description)?)),
            None => text.push('\n'),
        }
        Ok(Block { what: format!("role `{name}`"), text, place: Wanted::After { construct: "persona" } })
    }
}

/// An identifier; the rules of the language check its case.
fn checked_name(name: &str) -> Result<&str, String> {
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    match begins && name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        true => Ok(name),
        false => Err(format!("`{}` is not a name: write a letter, then letters, digits and `_`", name.escape_debug())),
    }
}

/// A text without line breaks.
fn one_line(text: &str) -> Result<&str, String> {
    match text.contains(['\n', '\r']) {
        true => Err(format!("`{}` has several lines; write one", text.escape_debug())),
        false => Ok(text.trim()),
    }
}

fn title(given: &Option<String>, name: &str) -> Result<String, String> {
    quoted(given.as_deref().unwrap_or(&humanise(name)))
}

/// A text of the language.
fn quoted(text: &str) -> Result<String, String> {
    Ok(format!("\"{}\"", one_line(text)?.replace('\\', "\\\\").replace('"', "\\\"")))
}
