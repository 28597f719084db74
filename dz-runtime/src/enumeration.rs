//! The macro of generated enums, with one implementation for all.

/// Declares an enum of an application: text in the database and in JSON, a Rust enum in code.
#[doc(hidden)]
#[macro_export]
macro_rules! enumeration {
    (
        $(#[$meta:meta])*
        pub enum $name:ident ($text:literal, ordered = $ordered:literal) {
            $($variant:ident = $value:literal, $title:literal;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $(#[doc = $title] $variant,)*
        }

        impl $name {
            /// The description of the enum.
            pub const DEF: &'static $crate::def::EnumDef = &$crate::def::EnumDef {
                name: $text,
                values: &[$($crate::def::EnumValueDef { name: $value, title: $title },)*],
                ordered: $ordered,
            };

            /// Every value, in declared order.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The name in the database and in JSON.
            pub const fn as_str(self) -> &'static ::core::primitive::str {
                match self { $($name::$variant => $value,)* }
            }

            /// The value with this name.
            pub fn parse(name: &::core::primitive::str) -> ::core::option::Option<$name> {
                match name { $($value => ::core::option::Option::Some($name::$variant),)* _ => ::core::option::Option::None }
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::__serde::Serialize for $name {
            fn serialize<S: $crate::__serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl $crate::IntoValue for $name {
            fn into_value(self) -> $crate::Value {
                $crate::IntoValue::into_value(self.as_str())
            }
        }

        impl $crate::FromValue for $name {
            fn from_value(value: $crate::Value) -> $crate::Result<Self> {
                let text = <::std::string::String as $crate::FromValue>::from_value(value)?;
                $name::parse(&text).ok_or_else(|| $crate::Error::validation($text, ::std::format!("`{text}` is not one of its values")))
            }
        }

        impl $crate::field::InputType for $name {
            const KIND: $crate::def::Kind = $crate::def::Kind::Enum(Self::DEF);
        }

        impl<DB> ::diesel::deserialize::FromSql<::diesel::sql_types::Text, DB> for $name
        where
            DB: ::diesel::backend::Backend,
            ::std::string::String: ::diesel::deserialize::FromSql<::diesel::sql_types::Text, DB>,
        {
            fn from_sql(bytes: DB::RawValue<'_>) -> ::diesel::deserialize::Result<Self> {
                let text = <::std::string::String as ::diesel::deserialize::FromSql<::diesel::sql_types::Text, DB>>::from_sql(bytes)?;
                $name::parse(&text).ok_or_else(|| ::std::format!("`{text}` is not a value of {}", $text).into())
            }
        }

        impl<DB, ST> ::diesel::deserialize::Queryable<ST, DB> for $name
        where
            DB: ::diesel::backend::Backend,
            ST: ::diesel::sql_types::SingleValue,
            Self: ::diesel::deserialize::FromSql<ST, DB>,
        {
            type Row = Self;

            fn build(row: Self) -> ::diesel::deserialize::Result<Self> {
                ::core::result::Result::Ok(row)
            }
        }

        impl<DB, ST> ::diesel::serialize::ToSql<ST, DB> for $name
        where
            DB: ::diesel::backend::Backend,
            ST: $crate::sql_types::TextType,
            ::core::primitive::str: ::diesel::serialize::ToSql<::diesel::sql_types::Text, DB>,
        {
            fn to_sql<'b>(&'b self, out: &mut ::diesel::serialize::Output<'b, '_, DB>) -> ::diesel::serialize::Result {
                <::core::primitive::str as ::diesel::serialize::ToSql<::diesel::sql_types::Text, DB>>::to_sql(self.as_str(), out)
            }
        }

        impl<ST: $crate::sql_types::TextType> ::diesel::expression::AsExpression<ST> for $name {
            type Expression = $crate::sql_types::Bound<ST, Self>;

            fn as_expression(self) -> Self::Expression {
                $crate::sql_types::Bound::new(self)
            }
        }

        impl<ST: $crate::sql_types::TextType> ::diesel::expression::AsExpression<ST> for &$name {
            type Expression = $crate::sql_types::Bound<ST, Self>;

            fn as_expression(self) -> Self::Expression {
                $crate::sql_types::Bound::new(self)
            }
        }
    };
}
