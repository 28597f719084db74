//! The scalars of dz, as Juniper describes and parses them.

use juniper::{
    ArcStr, ExecutionResult, Executor, FieldError, FromInputValue, GraphQLType, GraphQLValue, ParseError, ParseScalarResult,
    ParseScalarValue, Registry, ScalarToken, Selection, Type, meta::MetaType,
};

use super::{
    node::Context,
    scalar::{Input, Scalar},
};

/// Declares the Rust types of scalars. Juniper checks a literal with a function of its type, so that each scalar needs one.
macro_rules! scalars {
    ($($name:ident = $text:literal, $parse:expr, $accepts:expr;)*) => {
        $(
            struct $name;

            impl GraphQLType<Scalar> for $name {
                fn name(_: &Option<ArcStr>) -> Option<ArcStr> {
                    Some(ArcStr::from($text))
                }

                fn meta(about: &Option<ArcStr>, registry: &mut Registry<Scalar>) -> MetaType<Scalar> {
                    let meta = registry.build_scalar_type::<$name>(about);
                    match about {
                        Some(about) => meta.description(about.clone()).into_meta(),
                        None => meta.into_meta(),
                    }
                }
            }

            impl GraphQLValue<Scalar> for $name {
                type Context = Context;
                type TypeInfo = Option<ArcStr>;

                fn type_name(&self, about: &Option<ArcStr>) -> Option<ArcStr> {
                    Self::name(about)
                }

                fn resolve(
                    &self,
                    _: &Option<ArcStr>,
                    _: Option<&[Selection<'_, Scalar>]>,
                    _: &Executor<'_, '_, Context, Scalar>,
                ) -> ExecutionResult<Scalar> {
                    Ok(juniper::Value::null())
                }
            }

            impl FromInputValue<Scalar> for $name {
                type Error = FieldError<Scalar>;

                fn from_input_value(value: &Input) -> Result<$name, FieldError<Scalar>> {
                    let accepts: fn(&Scalar) -> bool = $accepts;
                    match value {
                        Input::Scalar(scalar) if accepts(scalar) => Ok($name),
                        _ => Err(FieldError::new(concat!("this is not a value of the scalar `", $text, "`"), juniper::Value::null())),
                    }
                }
            }

            impl ParseScalarValue<Scalar> for $name {
                fn from_str(token: ScalarToken<'_>) -> ParseScalarResult<Scalar> {
                    let parse: fn(ScalarToken<'_>) -> ParseScalarResult<Scalar> = $parse;
                    parse(token)
                }
            }
        )*

        /// The type of a scalar of dz with this name, registered with its description.
        pub(super) fn register(name: &str, about: Option<ArcStr>, registry: &mut Registry<Scalar>) -> Option<Type> {
            match name {
                $($text => Some(registry.get_type::<$name>(&about)),)*
                _ => None,
            }
        }
    };
}

scalars! {
    BigInt = "BigInt", parse_digits, |value| matches!(value, Scalar::Int(_) | Scalar::Long(_) | Scalar::Text(_));
    Date = "Date", parse_text, is_text;
    DateTime = "DateTime", parse_text, is_text;
    Decimal = "Decimal", parse_digits, |value| matches!(value, Scalar::Int(_) | Scalar::Long(_) | Scalar::Float(_) | Scalar::Text(_));
    JsonText = "JSON", parse_json, |_| true;
    Uuid = "UUID", parse_text, is_text;
}

fn is_text(value: &Scalar) -> bool {
    matches!(value, Scalar::Text(_))
}

fn parse_text(token: ScalarToken<'_>) -> ParseScalarResult<Scalar> {
    <String as ParseScalarValue<Scalar>>::from_str(token)
}

/// Numbers keep their digits as text.
fn parse_digits(token: ScalarToken<'_>) -> ParseScalarResult<Scalar> {
    match token {
        ScalarToken::Int(digits) | ScalarToken::Float(digits) => Ok(Scalar::Text(digits.to_owned())),
        text @ ScalarToken::String(_) => parse_text(text),
    }
}

/// JSON is text in a document.
fn parse_json(token: ScalarToken<'_>) -> ParseScalarResult<Scalar> {
    let text = match token {
        ScalarToken::Int(digits) | ScalarToken::Float(digits) => digits.to_owned(),
        text @ ScalarToken::String(_) => {
            let parsed = parse_text(text)?;
            let Scalar::Text(text) = parsed else { return Ok(parsed) };
            text
        }
    };
    serde_json::from_str(&text).map(Scalar::Json).map_err(|_| ParseError::ExpectedScalarError("JSON as text"))
}
