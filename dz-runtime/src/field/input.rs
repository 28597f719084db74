//! The inputs of typed actions: their Rust types and their descriptions.

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::{
    def::{Expr, FieldDef, Kind, ValueDef},
    record::{Entity, Id, RawKey},
};

/// A type that an input of an action can have.
#[diagnostic::on_unimplemented(
    message = "an input of an action cannot have the type `{Self}`",
    note = "inputs are `String`, `i64`, `f64`, `bool`, `dz::Decimal`, `dz::NaiveDate`, `dz::DateTime<dz::Utc>`, `dz::Uuid`, `dz::Id<…>`, \
            an enum of the declaration, or an `Option` of one of them"
)]
pub trait InputType {
    #[doc(hidden)]
    const KIND: Kind;

    #[doc(hidden)]
    const REQUIRED: bool = true;

    #[doc(hidden)]
    const DEFAULT: Option<Expr> = None;
}

macro_rules! input_types {
    ($($type:ty = $kind:expr;)*) => {$(
        impl InputType for $type {
            const KIND: Kind = $kind;
        }
    )*};
}

input_types! {
    String = Kind::Text;
    i64 = Kind::Int;
    f64 = Kind::Float;
    Decimal = Kind::Decimal { precision: 18, scale: 4 };
    NaiveDate = Kind::Date;
    DateTime<Utc> = Kind::DateTime;
    Uuid = Kind::Uuid;
}

/// The check box of a form sends nothing for false.
impl InputType for bool {
    const KIND: Kind = Kind::Bool;
    const DEFAULT: Option<Expr> = Some(Expr::Bool(false));
}

impl<E: Entity> InputType for Id<E> {
    const KIND: Kind = <E::RawKey as RawKey>::KIND;
}

impl<T: InputType> InputType for Option<T> {
    const KIND: Kind = T::KIND;
    const REQUIRED: bool = false;
}

/// Describes an input; the macro calls this.
#[doc(hidden)]
pub const fn describe_input<T: InputType>(name: &'static str, title: &'static str) -> ValueDef {
    ValueDef::one(FieldDef { required: T::REQUIRED, default: T::DEFAULT, ..FieldDef::new(name, title, T::KIND) })
}
