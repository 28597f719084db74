//! The options beside the path in `include_dsl!("app.dsl", migrations = "db/shop")`: they take precedence over `dz.toml`, so
//! that one package can hold several applications.

use dz_dsl_file::project::{self, Project};
use proc_macro2::TokenStream;
use syn::{
    Ident, LitStr, Token,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
};

/// The words in the call.
pub(super) struct Call {
    /// The declaration: a file or a folder.
    pub(super) path: LitStr,
    /// The text behind it.
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

/// `migrations = "db/shop"`.
struct OptionOfCall {
    name: Ident,
    value: LitStr,
}

impl Parse for OptionOfCall {
    fn parse(input: ParseStream) -> syn::Result<OptionOfCall> {
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(OptionOfCall { name, value: input.parse()? })
    }
}

impl Options {
    /// Reads the options behind the path; each mistake is an error at its word.
    pub(super) fn read(words: TokenStream) -> syn::Result<Options> {
        let given = Punctuated::<OptionOfCall, Token![,]>::parse_terminated.parse2(words)?;
        let mut options: Vec<(String, String)> = Vec::new();
        let mut mistakes: Option<syn::Error> = None;
        for OptionOfCall { name, value } in given {
            let (key, text) = (name.to_string(), value.value());
            let place = if project::OPTIONS_OF_CALL.contains(&key.as_str()) { value.span() } else { name.span() };
            let checked = match options.iter().any(|(known, _)| *known == key) {
                true => Err(syn::Error::new(name.span(), format!("the option `{key}` is given twice"))),
                false => Project::default().set_option(&key, &text).map_err(|wrong| syn::Error::new(place, wrong)),
            };
            match (checked, &mut mistakes) {
                (Ok(()), _) => options.push((key, text)),
                (Err(mistake), None) => mistakes = Some(mistake),
                (Err(mistake), Some(mistakes)) => mistakes.combine(mistake),
            }
        }
        mistakes.map_or(Ok(Options { options }), Err)
    }

    /// Replaces the values of `dz.toml` by those of the call.
    pub(super) fn apply(self, project: &mut Project) -> Result<(), String> {
        self.options.iter().try_for_each(|(name, text)| project.set_option(name, text))
    }
}

#[cfg(test)]
mod tests {
    use dz_dsl_file::emit::schema::Engine;

    use super::*;

    fn read(call: &str) -> Result<Project, Vec<String>> {
        let call: Call = syn::parse_str(call).expect("a path, then options");
        let mut project = Project { database: Some(Engine::Sqlite), templates: Some("pages".to_owned()), ..Project::default() };
        let options = Options::read(call.options).map_err(|error| error.into_iter().map(|it| it.to_string()).collect::<Vec<_>>())?;
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
