//! The options after the path in `include_dsl!("app.dsl", migrations = "db/shop")`. They replace those of `dz.toml`, so that one
//! package can contain several applications.

use darling::{Error, FromMeta, ast::NestedMeta};
use dz_dsl_file::project::{self, Project};
use proc_macro2::TokenStream;
use syn::{
    LitStr, Token,
    parse::{Parse, ParseStream},
};

/// The tokens of the call.
pub(super) struct Call {
    /// The path: a file or a folder.
    pub(super) path: LitStr,
    /// The tokens after it.
    pub(super) options: TokenStream,
}

impl Parse for Call {
    fn parse(input: ParseStream) -> syn::Result<Call> {
        let path = input.parse()?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        Ok(Call { path, options: input.parse()? })
    }
}

/// The options of one call.
#[derive(Debug, Default, FromMeta)]
pub(super) struct Options {
    database: Option<Database>,
    migrations: Option<String>,
    templates: Option<String>,
}

#[derive(Debug)]
struct Database(String);

impl FromMeta for Database {
    fn from_string(value: &str) -> darling::Result<Database> {
        project::engine(value).map(|name| Database(name.to_owned())).map_err(Error::custom)
    }
}

impl Options {
    /// Parses the options; each error is at its token.
    pub(super) fn read(words: TokenStream) -> darling::Result<Options> {
        Options::from_list(&NestedMeta::parse_meta_list(words)?)
    }

    /// Replaces the options of `dz.toml` by those of the call.
    pub(super) fn apply(self, project: &mut Project) {
        let database = self.database.map(|it| it.0);
        for (said, kept) in
            [(database, &mut project.database), (self.migrations, &mut project.migrations), (self.templates, &mut project.templates)]
        {
            if said.is_some() {
                *kept = said;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(call: &str) -> Result<Project, Vec<String>> {
        let call: Call = syn::parse_str(call).expect("a path, then options");
        let mut project = Project { database: Some("sqlite".to_owned()), templates: Some("pages".to_owned()), ..Project::default() };
        let options =
            Options::read(call.options).map_err(|error| error.flatten().into_iter().map(|it| it.to_string()).collect::<Vec<_>>())?;
        options.apply(&mut project);
        Ok(project)
    }

    #[test]
    fn what_the_call_says_wins_over_the_file() {
        let project = read("\"app.dsl\", database = \"postgres\", migrations = \"db\",").expect("options");
        assert_eq!(
            (project.database.as_deref(), project.migrations.as_deref(), project.templates.as_deref()),
            (Some("postgres"), Some("db"), Some("pages"))
        );
        assert_eq!(read("\"app.dsl\"").expect("none").database.as_deref(), Some("sqlite"));
        assert_eq!(read("\"app.dsl\",").expect("none").templates.as_deref(), Some("pages"));
    }

    #[test]
    fn every_mistake_is_reported_with_its_correction() {
        let wrong = read("\"app.dsl\", template = \"pages\", database = \"mysql\"").expect_err("two mistakes");
        let told = wrong.join("\n");
        assert!(told.contains("Did you mean `templates`?"), "{told}");
        assert!(told.contains("`database` is \"sqlite\" or \"postgres\", not \"mysql\""), "{told}");
        assert!(read("\"app.dsl\", templates = 3").is_err());
        assert!(read("\"app.dsl\", templates = \"a\", templates = \"b\"").is_err());
    }
}
