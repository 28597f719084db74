//! The modules of a crate, read from its files.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use syn::{Attribute, Expr, Item, Lit, Meta};

use crate::attributes::is_test;

/// The path of a module from the root of its crate.
pub type ModulePath = Vec<String>;

/// A crate, with the items of each module. Modules that exist in tests only are left out.
pub struct Crate {
    /// The name in paths.
    pub name: String,
    /// The items of each module.
    pub modules: BTreeMap<ModulePath, Vec<Item>>,
}

impl Crate {
    /// Reads a crate from the file of its root.
    ///
    /// # Panics
    /// If a file cannot be read or parsed.
    #[must_use]
    pub fn read(name: &str, root: &Path) -> Crate {
        let mut found = Crate { name: name.to_owned(), modules: BTreeMap::new() };
        let folder = root.parent().expect("a folder").to_path_buf();
        found.add_file(Vec::new(), root, &folder);
        found
    }

    /// Adds the module of a file; its modules are in `folder`.
    fn add_file(&mut self, path: ModulePath, file: &Path, folder: &Path) {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.add_items(path, parsed.items, file, folder);
    }

    fn add_items(&mut self, path: ModulePath, items: Vec<Item>, file: &Path, folder: &Path) {
        let items: Vec<Item> = items.into_iter().filter(|item| !is_test(crate::attributes::attributes_of(item))).collect();
        for item in &items {
            let Item::Mod(module) = item else { continue };
            let name = module.ident.to_string();
            let inner: ModulePath = path.iter().cloned().chain([name.clone()]).collect();
            match &module.content {
                Some((_, items)) => self.add_items(inner, items.clone(), file, &folder.join(name)),
                None => {
                    let next = match named_file(&module.attrs) {
                        Some(named) => file.parent().expect("a folder").join(named),
                        None => folder.join(format!("{name}.rs")),
                    };
                    self.add_file(inner, &next, &folder.join(name));
                }
            }
        }
        self.modules.entry(path).or_default().extend(items);
    }
}

/// The file that `#[path = "…"]` names.
fn named_file(attributes: &[Attribute]) -> Option<PathBuf> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(it) if it.path.is_ident("path") => match &it.value {
            Expr::Lit(value) => match &value.lit {
                Lit::Str(text) => Some(PathBuf::from(text.value())),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })
}
