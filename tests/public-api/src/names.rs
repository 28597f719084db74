//! What a path names: modules, items and macros of the crates that were read, or something of another crate.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Item, UseTree};

use crate::{attributes, source::Crate};

/// The crates that were read; others are external.
pub struct World {
    /// The facade first.
    pub crates: Vec<Crate>,
}

/// The item that a name refers to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Named {
    /// A module.
    Module(usize, Vec<String>),
    /// An item with this name in a module.
    Item(usize, Vec<String>, String),
    /// An item that the call of a macro in a module declares.
    ByMacro(usize, Vec<String>, String),
    /// A macro that a crate exports.
    Macro(usize, String),
    /// An item of another crate.
    External(String),
}

/// A `use` of one name: the path, the name that it gets (`*` for all names of the path), and its item.
pub struct Use<'a> {
    /// The path.
    pub path: Vec<String>,
    /// The name, or `*`.
    pub name: String,
    /// The whole declaration.
    pub item: &'a syn::ItemUse,
}

/// The single names of a `use`.
#[must_use]
pub fn uses(item: &syn::ItemUse) -> Vec<Use<'_>> {
    fn add<'a>(tree: &UseTree, before: &[String], item: &'a syn::ItemUse, found: &mut Vec<Use<'a>>) {
        let with = |name: String| before.iter().cloned().chain([name]).collect::<Vec<_>>();
        match tree {
            UseTree::Path(it) => add(&it.tree, &with(it.ident.to_string()), item, found),
            UseTree::Group(it) => it.items.iter().for_each(|inner| add(inner, before, item, found)),
            UseTree::Glob(_) => found.push(Use { path: before.to_vec(), name: "*".to_owned(), item }),
            UseTree::Name(it) if it.ident == "self" => {
                found.push(Use { path: before.to_vec(), name: before.last().cloned().unwrap_or_default(), item });
            }
            UseTree::Name(it) => found.push(Use { path: with(it.ident.to_string()), name: it.ident.to_string(), item }),
            UseTree::Rename(it) => {
                let path = if it.ident == "self" { before.to_vec() } else { with(it.ident.to_string()) };
                found.push(Use { path, name: it.rename.to_string(), item });
            }
        }
    }
    let mut found = Vec::new();
    add(&item.tree, &[], item, &mut found);
    found
}

/// The largest number of `use` in a row.
const DEPTH: usize = 24;

impl World {
    /// The items of a module.
    #[must_use]
    pub fn items(&self, of: usize, module: &[String]) -> &[Item] {
        self.crates[of].modules.get(module).map_or(&[], Vec::as_slice)
    }

    /// What a path names in a module; several if they are in different name spaces.
    #[must_use]
    pub fn resolve(&self, of: usize, module: &[String], path: &[String]) -> Vec<Named> {
        self.resolve_within(of, module, path, DEPTH)
    }

    fn resolve_within(&self, of: usize, module: &[String], path: &[String], depth: usize) -> Vec<Named> {
        let Some((first, rest)) = path.split_first() else { return vec![Named::Module(of, module.to_vec())] };
        if depth == 0 {
            return Vec::new();
        }
        let start = match first.as_str() {
            "crate" => vec![Named::Module(of, Vec::new())],
            "self" => vec![Named::Module(of, module.to_vec())],
            "super" => vec![Named::Module(of, module[..module.len().saturating_sub(1)].to_vec())],
            name => {
                let local = self.find(of, module, name, depth);
                match self.crates.iter().position(|it| it.name == name) {
                    Some(other) if local.is_empty() => vec![Named::Module(other, Vec::new())],
                    _ if local.is_empty() => return vec![Named::External(path.join("::"))],
                    _ => local,
                }
            }
        };
        if rest.is_empty() {
            return start;
        }
        let mut found = Vec::new();
        for named in start {
            match named {
                Named::Module(of, module) => match rest.split_first() {
                    Some((next, [])) => found.extend(self.find(of, &module, next, depth - 1)),
                    _ => found.extend(self.resolve_within(of, &module, rest, depth - 1)),
                },
                Named::External(path) => found.push(Named::External(format!("{path}::{}", rest.join("::")))),
                // A variant or an associated item.
                Named::Item(..) | Named::ByMacro(..) | Named::Macro(..) => {}
            }
        }
        found
    }

    /// The item that a name refers to in a module.
    fn find(&self, of: usize, module: &[String], name: &str, depth: usize) -> Vec<Named> {
        let mut found = Vec::new();
        let inner: Vec<String> = module.iter().cloned().chain([name.to_owned()]).collect();
        if self.crates[of].modules.contains_key(&inner) {
            found.push(Named::Module(of, inner));
        }
        for item in self.items(of, module) {
            if attributes::name_of(item).is_some_and(|(own, _)| own == name) {
                found.push(Named::Item(of, module.to_vec(), name.to_owned()));
            }
            let Item::Use(item) = item else { continue };
            for used in uses(item).into_iter().filter(|used| used.name == name || used.name == "*") {
                let is_own = used.path.last().is_some_and(|last| last == name) && used.path.len() == 1;
                if depth == 0 || is_own {
                    continue;
                }
                let targets = self.resolve_within(of, module, &used.path, depth - 1);
                match used.name.as_str() {
                    "*" => found.extend(targets.into_iter().flat_map(|target| match target {
                        Named::Module(of, inner) if inner != module => self.find(of, &inner, name, depth - 1),
                        _ => Vec::new(),
                    })),
                    _ => found.extend(targets),
                }
            }
        }
        if module.is_empty() && self.exported_macro(of, name).is_some() {
            found.push(Named::Macro(of, name.to_owned()));
        }
        if found.is_empty() && self.calls(of, module).any(|call| has_word(&call.mac.tokens, name)) {
            found.push(Named::ByMacro(of, module.to_vec(), name.to_owned()));
        }
        found.sort();
        found.dedup();
        found
    }

    /// The calls of macros in a module.
    pub fn calls(&self, of: usize, module: &[String]) -> impl Iterator<Item = &syn::ItemMacro> {
        self.items(of, module).iter().filter_map(|item| match item {
            Item::Macro(it) if it.ident.is_none() => Some(it),
            _ => None,
        })
    }

    /// A macro that a crate exports with `#[macro_export]`.
    #[must_use]
    pub fn exported_macro(&self, of: usize, name: &str) -> Option<&syn::ItemMacro> {
        self.macros(of).find(|it| {
            let is_exported = it.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"));
            is_exported && it.ident.as_ref().is_some_and(|own| own == name)
        })
    }

    /// Every `macro_rules!` of a crate.
    pub fn macros(&self, of: usize) -> impl Iterator<Item = &syn::ItemMacro> {
        self.crates[of].modules.values().flatten().filter_map(|item| match item {
            Item::Macro(it) if it.ident.is_some() => Some(it),
            _ => None,
        })
    }
}

/// Whether tokens contain a word.
#[must_use]
pub fn has_word(tokens: &TokenStream, word: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(it) => it == word,
        TokenTree::Group(it) => has_word(&it.stream(), word),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
