//! The version of the data of templates that a template of the application states.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;

/// A constant that does not compile if the template states another version than that of dz. A template without a version is not checked.
pub(super) fn check_version(name: &str, path: &Path) -> Option<TokenStream> {
    // askama reports a file that cannot be read.
    let stated = stated_version(&std::fs::read_to_string(path).unwrap_or_default())?;
    let message = format!(
        "the template `{name}` is written for version {stated} of the data of templates, and this version of dz has another one: compare \
         the fields that it uses with docs/templates.md, and change its first line"
    );
    Some(quote! {
        const _: () = ::core::assert!(#stated == ::dz::page::VERSION, #message);
    })
}

/// The version in the first comment of a template: `{# dz::page 1 #}`; 0 for any other text.
fn stated_version(template: &str) -> Option<u32> {
    let stated = template.strip_prefix("{#")?.trim_start_matches(['-', '+', '~']).trim_start().strip_prefix("dz::page")?;
    let (number, _) = stated.split_once("#}")?;
    Some(number.trim_end_matches(['-', '+', '~']).trim().parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_states_its_version_in_its_first_comment() {
        assert_eq!(stated_version("{# dz::page 1 #}\n<h1>"), Some(1));
        assert_eq!(stated_version("{#- dz::page 12 -#}<h1>"), Some(12));
        assert_eq!(stated_version("{# dz::page one #}"), Some(0));
        assert_eq!(stated_version("{# a page #}"), None);
        assert_eq!(stated_version("<h1>{# dz::page 1 #}"), None);
    }
}
