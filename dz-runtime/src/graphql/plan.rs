//! The selected fields of an operation, and its cost.

use dz_graphql::{Operation, Schema, Source};

use super::{
    children, input,
    limits::{DEFAULT_LIMIT, EXPECTED_CHILDREN, MAX_COMPLEXITY, MAX_LIMIT, MAX_RELATIONS, MAX_ROOT_FIELDS},
    scalar::{Input, Scalar},
};
use crate::{Error, Result};

/// The fields that are selected on an object, by the keys of the response.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Selection {
    /// The position of the object type in the schema.
    pub ty: usize,
    pub fields: Vec<Selected>,
}

/// A selected field.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Selected {
    /// The alias or the name.
    pub key: String,
    /// The position of the field in its type.
    pub field: usize,
    /// The arguments, with variables resolved.
    pub arguments: Vec<(String, Input)>,
    /// The fields that are selected in it; empty for scalars.
    pub selection: Selection,
}

impl Selection {
    /// The selection at a place of the plan.
    pub fn at_mut(&mut self, path: &[usize]) -> &mut Selection {
        path.iter().fold(self, |selection, at| &mut selection.fields[*at].selection)
    }

    /// Adds a field and returns its place; a field that is selected twice has one place.
    pub fn add(&mut self, selected: Selected) -> usize {
        match self.position(&selected.key) {
            Some(known) => known,
            None => {
                self.fields.push(selected);
                self.fields.len() - 1
            }
        }
    }

    /// The place of a key of the response.
    pub fn position(&self, key: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.key == key)
    }
}

impl Selected {
    /// The argument with this name, if it is present.
    pub fn argument(&self, name: &str) -> Option<&Input> {
        self.arguments.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The field in the schema.
    pub fn describe<'s>(&self, schema: &'s Schema, ty: usize) -> Option<&'s dz_graphql::Field> {
        schema.object(&schema.types[ty].name).get(self.field)
    }

    /// The number of rows to skip and the maximum number of rows of a list.
    ///
    /// # Errors
    /// 422 for a number that is out of bounds.
    pub fn page(&self) -> Result<(u64, u64)> {
        let name = if self.argument("first").is_some() { "first" } else { "limit" };
        let limit = self.number(name, MAX_LIMIT)?.unwrap_or(DEFAULT_LIMIT);
        Ok((self.number("offset", i64::MAX as u64 / 2)?.unwrap_or(0), limit))
    }

    fn number(&self, name: &str, most: u64) -> Result<Option<u64>> {
        match self.argument(name) {
            None | Some(Input::Null) => Ok(None),
            Some(Input::Scalar(Scalar::Int(number))) if u64::try_from(*number).is_ok_and(|number| number <= most) => {
                Ok(u64::try_from(*number).ok())
            }
            Some(_) if most == MAX_LIMIT => Err(Error::validation(name, format!("must be a number from 0 to {most}"))),
            Some(_) => Err(Error::validation(name, "must be a number of at least 0")),
        }
    }
}

/// Checks the cost and the arguments of an operation, before anything is loaded.
///
/// # Errors
/// 422 `TOO_COMPLEX`, and 422 for an argument that is not a value of its type.
pub(super) fn check(schema: &Schema, plan: &Selection) -> Result<()> {
    if plan.fields.len() > MAX_ROOT_FIELDS {
        return Err(too_complex(format!(
            "An operation has at most {MAX_ROOT_FIELDS} fields at its root; this one has {}",
            plan.fields.len()
        )));
    }
    children::check_count(plan)?;
    let relations = count_relations(schema, plan);
    if relations > MAX_RELATIONS {
        let detail = format!("An operation selects at most {MAX_RELATIONS} references and relations; this one selects {relations}");
        return Err(too_complex(detail));
    }
    let cost = complexity(schema, plan)?;
    if cost > MAX_COMPLEXITY {
        let detail = format!("The operation can load {cost} values, and the maximum is {MAX_COMPLEXITY}; select less or lower `limit`");
        return Err(too_complex(detail));
    }
    Ok(())
}

fn too_complex(detail: String) -> Error {
    Error::new(422, "TOO_COMPLEX", detail)
}

fn count_relations(schema: &Schema, selection: &Selection) -> usize {
    let count = |selected: &Selected| {
        let source = selected.describe(schema, selection.ty).map(|field| &field.source);
        let own = usize::from(matches!(source, Some(Source::Reference(_) | Source::Many(_) | Source::One(_))));
        own + count_relations(schema, &selected.selection)
    };
    selection.fields.iter().map(count).sum()
}

fn complexity(schema: &Schema, selection: &Selection) -> Result<u64> {
    let mut sum: u64 = 0;
    for selected in &selection.fields {
        let Some(field) = selected.describe(schema, selection.ty) else { continue };
        for (argument, value) in &selected.arguments {
            let known = field.arguments.iter().find(|it| it.name == *argument);
            known.map_or(Ok(()), |known| input::check_type(schema, &known.ty.name, value))?;
        }
        let rows = match field.source {
            Source::Many(_) if selected.argument("limit").is_none_or(Input::is_null) => selected.page()?.1.min(EXPECTED_CHILDREN),
            Source::Many(_) | Source::Root(_, Operation::List | Operation::Connection) => selected.page()?.1,
            Source::Root(..) | Source::Value(_) | Source::Reference(_) | Source::One(_) | Source::Member(_) => 1,
            Source::Part(_) | Source::Change(_) | Source::Count | Source::Sum(_) => 1,
        };
        let inner = complexity(schema, &selected.selection)?;
        sum = sum.saturating_add(rows.saturating_mul(inner.saturating_add(1)));
    }
    Ok(sum)
}
