//! The long texts of an application: the SQL of its tables, and the access matrix. They are at the end of the expansion, so that
//! the code is easier to read.

use dz_dsl_file::{
    emit::{
        access,
        schema::{Engine, Schema, partitions},
    },
    model::Model,
    project::Project,
};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

pub(super) fn expand(model: &Model, project: &Project) -> TokenStream {
    let schema = Schema::from_project(model, project);
    let refusal = partitions::refusal(model, project).map(|refusal| quote!(::core::compile_error!(#refusal);));
    let (sqlite, postgres) = (schema_of(model, &schema, Engine::Sqlite), schema_of(model, &schema, Engine::Postgres));
    let access = raw(&access::matrix(model).json());
    quote! {
        #refusal
        #[doc = " Documents that are served or run unchanged."]
        mod __dz_documents {
            use ::dz::__private::def::SchemaDef;

            pub(super) const SQLITE: SchemaDef = #sqlite;
            pub(super) const POSTGRES: SchemaDef = #postgres;
            pub(super) const ACCESS: &str = #access;
        }
    }
}

fn schema_of(model: &Model, schema: &Schema, engine: Engine) -> TokenStream {
    let (sql, columns, fingerprint) = (raw(&schema.sql(engine)), raw(&schema.columns(engine)), schema.fingerprint(engine));
    let indexes: String = schema.purposes(model).iter().map(|it| format!("{}\t{}\n", it.index, it.why.join("; "))).collect();
    let (constraints, indexes) = (raw(&schema.constraints()), raw(&indexes));
    quote!(SchemaDef { sql: #sql, columns: #columns, constraints: #constraints, indexes: #indexes, fingerprint: #fingerprint })
}

/// A raw string with as many `#` as the text needs; Rust's raw strings can contain everything except a lone carriage return.
fn raw(text: &str) -> Literal {
    let mut fence = String::from("#");
    while text.contains(&format!("\"{fence}")) {
        fence.push('#');
    }
    let raw = format!("r{fence}\"{text}\"{fence}");
    if text.contains('\r') { Literal::string(text) } else { raw.parse().unwrap_or_else(|_| Literal::string(text)) }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens as _;

    use super::*;

    #[test]
    fn a_raw_string_holds_its_own_fence() {
        for text in ["", "a\nb", "say \"#\"", "\"##\"#", "\\n", "a\rb"] {
            let literal: syn::LitStr = syn::parse2(raw(text).into_token_stream()).expect("a string");
            assert_eq!(literal.value(), text);
        }
        assert_eq!(raw("one\ntwo").to_string(), "r#\"one\ntwo\"#");
    }
}
