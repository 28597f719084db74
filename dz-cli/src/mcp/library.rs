//! The resources: the files of the declaration, the pages of the language reference, and the rules.

use std::{fs, path::PathBuf};

use dz_dsl_file::{Rule, rules};
use dz_reference::reference;
use rmcp::{
    ErrorData,
    model::{ReadResourceResult, Resource, ResourceContents},
};
use url::Url;

const LANGUAGE: &str = "dz:language/";
const RULES: &str = "dz:rules/";
const MARKDOWN: &str = "text/markdown";

/// Every resource.
pub fn resources(files: &[PathBuf]) -> Vec<Resource> {
    let declarations = files.iter().filter_map(|path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some(Resource::new(uri(path)?, name).with_mime_type("text/plain").with_description("A file of the declaration"))
    });
    let pages = reference().into_iter().map(|(file, _)| {
        let page = page_name(&file);
        Resource::new(format!("{LANGUAGE}{page}"), page).with_mime_type(MARKDOWN).with_description("A page of the language reference")
    });
    let rules = rules()
        .map(|rule| Resource::new(format!("{RULES}{}", rule.name), rule.name).with_mime_type(MARKDOWN).with_description(rule.summary));
    declarations.chain(pages).chain(rules).collect()
}

fn uri(path: &PathBuf) -> Option<String> {
    Url::from_file_path(path).ok().map(String::from)
}

fn page_name(file: &str) -> &str {
    file.trim_end_matches(".md")
}

/// The present content of a resource.
pub fn read(files: &[PathBuf], wanted: &str) -> Result<ReadResourceResult, ErrorData> {
    let unknown = || ErrorData::invalid_params(format!("there is no resource `{wanted}`; `resources/list` lists them"), None);
    let (text, mime) = if let Some(page) = wanted.strip_prefix(LANGUAGE) {
        (reference().into_iter().find(|(file, _)| page_name(file) == page).map(|(_, text)| text).ok_or_else(unknown)?, MARKDOWN)
    } else if let Some(name) = wanted.strip_prefix(RULES) {
        (rules().find(|rule| rule.name == name).map(page_of).ok_or_else(unknown)?, MARKDOWN)
    } else {
        let path = files.iter().find(|path| uri(path).is_some_and(|it| it == wanted)).ok_or_else(unknown)?;
        let text = fs::read_to_string(path).map_err(|error| ErrorData::internal_error(format!("it cannot be read: {error}"), None))?;
        (text, "text/plain")
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, wanted).with_mime_type(mime)]))
}

fn page_of(rule: &Rule) -> String {
    format!(
        "# {}\n\n{}: {}\n\nWrong:\n\n```dz\n{}```\n\nRight:\n\n```dz\n{}```\n",
        rule.name,
        rule.severity.as_str(),
        rule.summary,
        rule.wrong,
        rule.right
    )
}
