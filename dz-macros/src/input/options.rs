//! The options after the path in `include_dsl!("app.dsl", migrations = "db/shop")`. They take precedence over `dz.toml`, so that
//! one package can contain several applications.

use darling::{Error, FromMeta, ast::NestedMeta, util::path_to_string};
use dz_dsl_file::project::{self, Project};
use proc_macro2::TokenStream;
use syn::{
    LitStr, Meta, Token,
    parse::{Parse, ParseStream},
};

/// The tokens of the call.
pub(super) struct Call {
    /// The declaration: a file or a folder.
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
#[derive(Debug, Default)]
pub(super) struct Options {
    options: Vec<(String, String)>,
}

impl Options {
    /// Parses the options after the path; each error is at its token.
    pub(super) fn read(tokens: TokenStream) -> darling::Result<Options> {
        let (mut options, mut errors) = (Vec::new(), Error::accumulator());
        for item in NestedMeta::parse_meta_list(tokens)? {
            options.extend(errors.handle(read_option(&item, &options)));
        }
        errors.finish_with(Options { options })
    }

    /// Replaces the values of `dz.toml` by those of the call.
    pub(super) fn apply(self, project: &mut Project) -> Result<(), String> {
        self.options.iter().try_for_each(|(name, text)| project.set_option(name, text))
    }
}

/// One option, such as `migrations = "db/shop"`, checked against the earlier ones and the settings of a project.
fn read_option(item: &NestedMeta, earlier: &[(String, String)]) -> darling::Result<(String, String)> {
    let NestedMeta::Meta(Meta::NameValue(pair)) = item else {
        return Err(Error::custom("an option is a name and a text: `migrations = \"db/shop\"`").with_span(item));
    };
    let (key, text) = (path_to_string(&pair.path), String::from_expr(&pair.value)?);
    if earlier.iter().any(|(known, _)| *known == key) {
        return Err(Error::custom(format!("the option `{key}` is given twice")).with_span(&pair.path));
    }
    let is_known = project::OPTIONS_OF_CALL.contains(&key.as_str());
    Project::default().set_option(&key, &text).map_err(|problem| {
        let error = Error::custom(problem);
        if is_known { error.with_span(&pair.value) } else { error.with_span(&pair.path) }
    })?;
    Ok((key, text))
}

#[cfg(test)]
mod tests {
    use dz_dsl_file::emit::schema::Engine;

    use super::*;

    fn read(call: &str) -> Result<Project, Vec<String>> {
        let call: Call = syn::parse_str(call).expect("a path, then options");
        let mut project = Project { database: Some(Engine::Sqlite), templates: Some("pages".to_owned()), ..Project::default() };
        let options =
            Options::read(call.options).map_err(|error| error.flatten().into_iter().map(|it| it.to_string()).collect::<Vec<_>>())?;
        options.apply(&mut project).expect("options that were checked");
        Ok(project)
    }

    #[test]
    fn options_of_the_call_take_precedence() {
        let project = read("\"app.dsl\", database = \"postgres\", migrations = \"db\",").expect("options");
        assert_eq!(
            (project.database, project.migrations.as_deref(), project.templates.as_deref()),
            (Some(Engine::Postgres), Some("db"), Some("pages"))
        );
        assert_eq!(read("\"app.dsl\"").expect("none").database, Some(Engine::Sqlite));
        assert_eq!(read("\"app.dsl\",").expect("none").templates.as_deref(), Some("pages"));
    }

    #[test]
    fn every_mistake_is_reported_with_its_correction() {
        let wrong = read("\"app.dsl\", template = \"pages\", database = \"mysql\"").expect_err("two mistakes");
        assert_eq!(wrong, ["unknown key `template`; did you mean `templates`?", "`database` is `\"mysql\"`; write `sqlite` or `postgres`"]);
        assert!(read("\"app.dsl\", templates = 3").is_err());
        assert_eq!(
            read("\"app.dsl\", templates = \"a\", templates = \"b\"").expect_err("a mistake"),
            ["the option `templates` is given twice"]
        );
    }
}
