//! Typed keys in routes of the application: parameters, forms and `uri!`.

use std::fmt;

use rocket::{
    form::{self, FromFormField, ValueField},
    http::uri::fmt::{Formatter, FromUriParam, Part, UriDisplay},
    request::FromParam,
};

use crate::{Entity, Id, InvalidId};

impl<'r, E: Entity> FromParam<'r> for Id<E> {
    type Error = InvalidId;

    fn from_param(text: &'r str) -> Result<Self, InvalidId> {
        text.parse()
    }
}

impl<'r, E: Entity> FromFormField<'r> for Id<E> {
    fn from_value(field: ValueField<'r>) -> form::Result<'r, Self> {
        field.value.parse().map_err(|invalid: InvalidId| form::Error::validation(invalid.to_string()).into())
    }
}

impl<P: Part, E: Entity> UriDisplay<P> for Id<E> {
    fn fmt(&self, f: &mut Formatter<'_, P>) -> fmt::Result {
        f.write_value(self.to_string())
    }
}

impl<P: Part, E: Entity> FromUriParam<P, Id<E>> for Id<E> {
    type Target = Id<E>;

    fn from_uri_param(id: Id<E>) -> Id<E> {
        id
    }
}

impl<'a, P: Part, E: Entity> FromUriParam<P, &'a Id<E>> for Id<E> {
    type Target = &'a Id<E>;

    fn from_uri_param(id: &'a Id<E>) -> &'a Id<E> {
        id
    }
}
