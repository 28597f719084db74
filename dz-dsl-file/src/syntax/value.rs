//! Typed lists of the inputs and outputs of services, processes and language models.

use super::{
    field::{self, Modifier, TypeExpr},
    keyed, no_children,
};
use crate::{
    Diagnostics, Span,
    cursor::{Cursor, Name},
    layout::Line,
};

/// `NAME: type modifiers`
#[derive(Debug, Clone, PartialEq)]
pub struct ValueField {
    /// Its name; empty if it could not be parsed.
    pub name: Name,
    /// Its type; `None` if it could not be parsed.
    pub ty: Option<ValueType>,
    /// Its modifiers in order.
    pub modifiers: Vec<Modifier>,
}

/// The type of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueType {
    /// A field type.
    One(Box<TypeExpr>),
    /// `list[T]`, with the place of the word.
    List(Box<ValueType>, Span),
}

/// The largest depth of nested lists.
const MAX_DEPTH: usize = 8;

/// The fields under `input:` or `output:`.
pub(super) fn fields(line: &Line, out: &mut Diagnostics) -> Vec<ValueField> {
    keyed::block(line, out).iter().filter_map(|line| field(line, out)).collect()
}

fn field(line: &Line, out: &mut Diagnostics) -> Option<ValueField> {
    no_children(line, out);
    let mut cursor = keyed::entry(line, out);
    let here = cursor.here();
    let Some(name) = cursor.expect_name("a field such as `total: decimal(8,2) required`") else {
        return Some(ValueField { name: Name { text: String::new(), span: here }, ty: None, modifiers: Vec::new() });
    };
    if !cursor.expect(":") {
        return Some(ValueField { name, ty: None, modifiers: Vec::new() });
    }
    let Some(mut ty) = value_type(&mut cursor, 0) else {
        cursor.skip();
        return Some(ValueField { name, ty: None, modifiers: Vec::new() });
    };
    let modifiers = match &mut ty {
        ValueType::One(ty) => field::modifiers(&mut cursor, ty),
        ValueType::List(inner, _) => field::modifiers(&mut cursor, innermost(inner)),
    };
    Some(ValueField { name, ty: Some(ty), modifiers })
}

fn innermost(ty: &mut ValueType) -> &mut TypeExpr {
    match ty {
        ValueType::One(ty) => ty,
        ValueType::List(inner, _) => innermost(inner),
    }
}

fn value_type(cursor: &mut Cursor<'_>, depth: usize) -> Option<ValueType> {
    let is_list = cursor.at_word("list") && cursor.peek_at(1).is_some_and(|token| token.is("["));
    if !is_list || depth == MAX_DEPTH {
        return field::type_expr(cursor).filter(|(_, whole)| *whole).map(|(ty, _)| ValueType::One(Box::new(ty)));
    }
    let span = cursor.here();
    cursor.take();
    cursor.take();
    let inner = value_type(cursor, depth + 1)?;
    if !cursor.expect("]") {
        cursor.skip();
        return None;
    }
    Some(ValueType::List(Box::new(inner), span))
}
