//! The macros of generated structs, with one implementation for all rows, all new rows and all changes. An application lists the
//! position, the name, the type and the title of each field.

/// Declares the row struct of an entity, with its methods and the implementations for diesel and serde.
#[doc(hidden)]
#[macro_export]
macro_rules! row {
    (
        $(#[$meta:meta])*
        pub struct $row:ident in $table:ident by $key:ident: $key_type:ty as $raw_key:ty, from $new:ident, with $changes:ident {
            $($at:literal $field:ident: $type:ty = $title:literal;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $row {
            $(#[doc = $title] pub $field: $type,)*
        }

        impl $row {
            /// Reads the row with this key; 404 if the caller may not read it.
            pub fn find(tx: &mut $crate::Tx<'_>, id: $key_type) -> $crate::Result<Self> {
                $crate::typed_rows::find(tx, id)
            }

            /// The rows with these keys that the caller may read, in the order of the keys, each once.
            pub fn find_many(
                tx: &mut $crate::Tx<'_>,
                ids: impl ::core::iter::IntoIterator<Item = $key_type>,
            ) -> $crate::Result<::std::vec::Vec<Self>> {
                $crate::typed_rows::find_many(tx, ids)
            }

            /// True if a row has this key and the caller may read it.
            pub fn exists(tx: &mut $crate::Tx<'_>, id: $key_type) -> $crate::Result<bool> {
                $crate::typed_rows::exists::<Self>(tx, id)
            }

            /// Updates the row under the access rules, and returns it.
            pub fn update(&self, tx: &mut $crate::Tx<'_>, changes: $changes) -> $crate::Result<Self> {
                $crate::typed_rows::update(tx, self, changes)
            }

            /// Makes the same changes to rows under the access rules, all or none, and returns them.
            pub fn update_many<'row>(
                tx: &mut $crate::Tx<'_>,
                rows: impl ::core::iter::IntoIterator<Item = &'row Self>,
                changes: $changes,
            ) -> $crate::Result<::std::vec::Vec<Self>> {
                $crate::typed_rows::update_many(tx, rows, changes)
            }

            /// Deletes the row under the access rules.
            pub fn delete(self, tx: &mut $crate::Tx<'_>) -> $crate::Result<()> {
                $crate::typed_rows::delete(tx, self)
            }
        }

        /// A diesel query over the rows for which the caller may do `action`; sensitive fields are null as in the API.
        pub fn scoped<A: $crate::access::Action>(
            tx: &$crate::Tx<'_>,
            action: A,
        ) -> $crate::Result<$crate::ScopedRows<super::schema::$table::table>> {
            $crate::scoped::scoped(tx, super::schema::$table::table, &ENTITY, action)
        }

        impl $crate::Entity for $row {
            type New = $new;
            type Changes = $changes;
            type RawKey = $raw_key;
            const DEF: &'static $crate::def::EntityDef = &ENTITY;

            fn app() -> &'static $crate::def::AppDef {
                &super::__dz_app::APP
            }

            fn from_row(mut row: $crate::record::Row) -> $crate::Result<Self> {
                ::core::result::Result::Ok($row { $($field: row.take($at)?,)* })
            }

            fn key(&self) -> $crate::Value {
                $crate::IntoValue::into_value(::core::clone::Clone::clone(&self.$key))
            }
        }

        impl $crate::__serde::Serialize for $row {
            fn serialize<S: $crate::__serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                use $crate::__serde::ser::SerializeStruct as _;
                const FIELDS: &[$crate::def::FieldIx] = &[$($at),*];
                let mut fields = serializer.serialize_struct(::core::stringify!($row), FIELDS.len())?;
                $(fields.serialize_field(ENTITY.fields[$at].name, &self.$field)?;)*
                fields.end()
            }
        }

        impl<__DB, __ST> ::diesel::deserialize::Queryable<__ST, __DB> for $row
        where
            __DB: ::diesel::backend::Backend,
            ($($type,)*): ::diesel::deserialize::FromStaticSqlRow<__ST, __DB>,
        {
            type Row = ($($type,)*);

            fn build(($($field,)*): Self::Row) -> ::diesel::deserialize::Result<Self> {
                ::core::result::Result::Ok($row { $($field,)* })
            }
        }

        impl<DB: ::diesel::backend::Backend> ::diesel::Selectable<DB> for $row {
            type SelectExpression = <super::schema::$table::table as ::diesel::Table>::AllColumns;

            fn construct_selection() -> Self::SelectExpression {
                <super::schema::$table::table as ::diesel::Table>::all_columns()
            }
        }

        impl ::diesel::associations::HasTable for $row {
            type Table = super::schema::$table::table;

            fn table() -> Self::Table {
                super::schema::$table::table
            }
        }

        impl<'row> ::diesel::Identifiable for &'row $row {
            type Id = &'row $key_type;

            fn id(self) -> Self::Id {
                &self.$key
            }
        }

        impl<'row> ::diesel::Identifiable for &'_ &'row $row {
            type Id = &'row $key_type;

            fn id(self) -> Self::Id {
                &self.$key
            }
        }
    };
}

/// Declares the struct of a new row: required fields and, after `or default`, fields that get their default if they are `None`.
#[doc(hidden)]
#[macro_export]
macro_rules! new_row {
    (
        $(#[$meta:meta])*
        pub struct $new:ident of $row:ident in $table:ident {
            $($needed_at:literal $needed:ident: $needed_type:ty = $needed_title:literal;)*
        } or default {
            $($at:literal $field:ident: $type:ty = $title:literal;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        #[must_use = "no row is stored before `.create(tx)?`"]
        pub struct $new {
            $(#[doc = $needed_title] pub $needed: $needed_type,)*
            $(#[doc = $title] pub $field: ::core::option::Option<$type>,)*
        }

        impl $new {
            /// A new row with the required fields; the others get their defaults.
            #[allow(clippy::too_many_arguments)]
            pub fn new($($needed: impl ::core::convert::Into<$needed_type>),*) -> Self {
                $new { $($needed: ::core::convert::Into::into($needed),)* $($field: ::core::option::Option::None,)* }
            }

            /// Creates the row under the access rules.
            pub fn create(self, tx: &mut $crate::Tx<'_>) -> $crate::Result<$row> {
                $crate::typed_rows::create(tx, self)
            }

            /// Creates rows under the access rules, all or none.
            pub fn create_many(
                tx: &mut $crate::Tx<'_>,
                new: impl ::core::iter::IntoIterator<Item = Self>,
            ) -> $crate::Result<::std::vec::Vec<$row>> {
                $crate::typed_rows::create_many(tx, new)
            }

            /// Creates the row, or updates the row with the same value in this unique column, under the access rules.
            pub fn upsert<C: $crate::table::ColumnDef<super::schema::$table::table>>(
                self,
                tx: &mut $crate::Tx<'_>,
                by: $crate::table::Column<super::schema::$table::table, C>,
            ) -> $crate::Result<$row> {
                let _ = by;
                $crate::typed_rows::upsert(tx, self, C::NAME)
            }
        }

        impl $crate::record::NewRow for $new {
            type Row = $row;
        }

        $crate::fake! { $new }

        $crate::new_by_default! { $new $($needed)* }

        impl $crate::Draft for $new {
            fn into_values(self) -> $crate::FieldValues {
                let mut values = $crate::FieldValues::default();
                $(values.set($needed_at, self.$needed);)*
                $(values.set_optional($at, self.$field);)*
                values
            }

            #[allow(unused_mut)]
            fn from_values(mut values: $crate::FieldValues) -> $crate::Result<Self> {
                ::core::result::Result::Ok($new {
                    $($needed: values.take_required($needed_at)?,)*
                    $($field: values.take_optional($at)?,)*
                })
            }
        }

        impl ::diesel::Insertable<super::schema::$table::table> for $new {
            type Values = $crate::draft::New<super::schema::$table::table>;

            fn values(self) -> Self::Values {
                $crate::draft::new(&ENTITY, self)
            }
        }
    };
}

/// A new row without required fields implements `Default`.
#[doc(hidden)]
#[macro_export]
macro_rules! new_by_default {
    ($new:ident) => {
        impl ::core::default::Default for $new {
            fn default() -> Self {
                Self::new()
            }
        }
    };
    ($new:ident $($needed:ident)+) => {};
}

/// Declares the struct of changes to a row: an `Option` for each field that is never null, and a `Change` for each other one.
#[doc(hidden)]
#[macro_export]
macro_rules! changes {
    (
        $(#[$meta:meta])*
        pub struct $changes:ident of $row:ident in $table:ident {
            $($at:literal $field:ident: $type:ty = $title:literal;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Default)]
        #[must_use = "nothing changes before `row.update(tx, changes)?`"]
        pub struct $changes {
            $(#[doc = $title] pub $field: $type,)*
        }

        impl $changes {
            /// The row with the changes applied; nothing is stored and no rule is checked.
            #[allow(unused_mut, reason = "an entity can have no field that changes")]
            pub fn apply_to(&self, row: &$row) -> $row {
                let mut row = ::core::clone::Clone::clone(row);
                $($crate::record::ApplyChange::apply(&self.$field, &mut row.$field);)*
                row
            }
        }

        impl $crate::Draft for $changes {
            #[allow(unused_mut)]
            fn into_values(self) -> $crate::FieldValues {
                let mut values = $crate::FieldValues::default();
                $($crate::record::FieldChange::write(self.$field, &mut values, $at);)*
                values
            }

            #[allow(unused_mut, unused_variables)]
            fn from_values(mut values: $crate::FieldValues) -> $crate::Result<Self> {
                ::core::result::Result::Ok($changes { $($field: $crate::record::FieldChange::read(&mut values, $at)?,)* })
            }
        }

        impl ::diesel::AsChangeset for $changes {
            type Target = super::schema::$table::table;
            type Changeset = $crate::draft::Changes;

            fn as_changeset(self) -> Self::Changeset {
                $crate::draft::changes(&ENTITY, self)
            }
        }
    };
}
