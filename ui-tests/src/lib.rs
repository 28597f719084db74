//! The goldens of the macros, compiled: an expansion that raises a warning, for a missing comment for example, does not build.

#![deny(warnings)]

/// A golden in a module of its own, with empty documents in place of those that it leaves out.
macro_rules! golden {
    ($name:ident, $file:literal, $doc:literal) => {
        #[doc = $doc]
        pub mod $name {
            include!($file);

            mod __dz_documents {
                use dz::__private::def::SchemaDef;

                pub(super) const SQLITE: SchemaDef = SchemaDef::NONE;
                pub(super) const POSTGRES: SchemaDef = SQLITE;
                pub(super) const ACCESS: &str = "";
            }
        }
    };
}

golden!(five_lines, "../../dz-macros/goldens/five_lines.rs", "One entity with two fields.");
golden!(shop, "../../dz-macros/goldens/shop.rs", "References, enumerations, access rules and surfaces.");
golden!(states_and_tenants, "../../dz-macros/goldens/states_and_tenants.rs", "A state machine, and entities of a tenant.");
golden!(computed_and_variants, "../../dz-macros/goldens/computed_and_variants.rs", "Computed fields, and variants of a list.");
golden!(files, "../../dz-macros/goldens/files.rs", "Fields with files.");
golden!(typed_services, "../../dz-macros/goldens/services.rs", "Services with typed inputs and outputs.");
golden!(typed_keys, "../../dz-macros/goldens/typed_keys.rs", "Keys with a type for each entity.");
