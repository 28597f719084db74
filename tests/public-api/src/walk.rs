//! The public names of a crate, from its root through `pub mod` and `pub use`.

use std::collections::{BTreeMap, BTreeSet};

use syn::Item;

use crate::{
    attributes::{attributes_of, conditions, is_hidden, is_public, name_of},
    names::{Named, World, uses},
};

/// Where something is public: each path, with the conditions under which it exists.
pub type Places = BTreeMap<String, BTreeSet<String>>;

/// Everything that is public, with its places.
pub type Public = BTreeMap<Named, Places>;

struct Walk<'a> {
    world: &'a World,
    public: Public,
}

/// Everything that is public in a crate.
#[must_use]
pub fn public_names(world: &World, of: usize) -> Public {
    let mut walk = Walk { world, public: Public::new() };
    let name = world.crates[of].name.clone();
    walk.visit(Named::Module(of, Vec::new()), name, &BTreeSet::new());
    walk.public
}

impl Walk<'_> {
    /// Adds a name at a path, and what is in it.
    fn visit(&mut self, named: Named, path: String, under: &BTreeSet<String>) {
        let places = self.public.entry(named.clone()).or_default();
        let is_first = places.is_empty();
        places.insert(path.clone(), under.clone());
        // The content of a module is listed at its first path.
        if let (Named::Module(of, module), true) = (named, is_first) {
            self.visit_module(of, &module, &path, under);
        }
    }

    fn visit_module(&mut self, in_crate: usize, module: &[String], path: &str, under: &BTreeSet<String>) {
        let world = self.world;
        for item in world.items(in_crate, module).iter().filter(|item| !is_hidden(attributes_of(item))) {
            let under: BTreeSet<String> = under.iter().cloned().chain(conditions(attributes_of(item))).collect();
            match item {
                Item::Mod(it) if is_public(&it.vis) => {
                    let inner = module.iter().cloned().chain([it.ident.to_string()]).collect();
                    self.visit(Named::Module(in_crate, inner), format!("{path}::{}", it.ident), &under);
                }
                Item::Use(it) if is_public(&it.vis) => {
                    for used in uses(it) {
                        for named in world.resolve(in_crate, module, &used.path) {
                            match (&named, used.name.as_str()) {
                                (Named::Module(of, inner), "*") => self.visit_module(*of, inner, path, &under),
                                (_, "*") => self.visit(named, format!("{path}::*"), &under),
                                (_, name) => self.visit(named, format!("{path}::{name}"), &under),
                            }
                        }
                    }
                }
                _ => {
                    if let Some((name, _)) = name_of(item).filter(|(_, visibility)| is_public(visibility)) {
                        self.visit(Named::Item(in_crate, module.to_vec(), name.clone()), format!("{path}::{name}"), &under);
                    }
                }
            }
        }
        self.visit_calls(in_crate, module, path, under);
    }

    /// What calls of macros declare in a public module: each name after `pub struct`, `pub enum` or `pub trait` is in the macro, so the
    /// whole call is listed at the path of the module.
    fn visit_calls(&mut self, in_crate: usize, module: &[String], path: &str, under: &BTreeSet<String>) {
        let calls = self.world.calls(in_crate, module).filter(|call| !is_hidden(&call.attrs));
        for call in calls.filter_map(|call| call.mac.path.get_ident().map(ToString::to_string)).collect::<BTreeSet<_>>() {
            let declares = self.world.macros(in_crate).filter(|it| it.ident.as_ref().is_some_and(|name| *name == call));
            let is_public =
                |text: String| ["pub struct $", "pub enum $", "pub trait $"].iter().any(|start| text.replace("$ ", "$").contains(start));
            if declares.map(|it| it.mac.tokens.to_string()).any(is_public) {
                self.visit(Named::ByMacro(in_crate, module.to_vec(), call.clone()), format!("{path}::{call}!"), under);
            }
        }
    }
}
