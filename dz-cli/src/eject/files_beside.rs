//! The application's own translations and templates, which the tree does not contain: the folders `locales` and `templates`.

use std::{fs, path::Path};

use dz_dsl_file::{locales, model::Model, project::Project};
use dz_eject::Tree;

use super::add_note;

/// Names the translations and the templates in the notes of a tree, and in its list of missing parts.
pub fn note(root: &Path, settings: &Project, model: &Model, tree: &mut Tree) {
    let folder = settings.locales.as_deref().unwrap_or("locales");
    let translations: Vec<String> = files(&root.join(folder))
        .into_iter()
        .filter(|name| name.strip_suffix(&format!(".{}", locales::EXTENSION)).is_some_and(locales::is_language))
        .map(|name| format!("`{folder}/{name}`"))
        .collect();
    if !translations.is_empty() {
        let instead =
            format!("The tree has the texts of the declaration alone. These files are not part of it: {}.", translations.join(", "));
        add_note(tree, "Texts in other languages", &instead);
    }
    let folder = settings.templates.as_deref().unwrap_or("templates");
    let templates: Vec<String> = files(&root.join(folder))
        .into_iter()
        .map(|name| match model.surfaces.iter().find(|surface| is_template_of(&name, &surface.name)) {
            Some(surface) => format!("`{folder}/{name}` (replaces the surface `{}`)", surface.name),
            None => format!("`{folder}/{name}`"),
        })
        .collect();
    if !templates.is_empty() {
        let instead = format!(
            "The React application has a generated component in place of each replaced page. These files are not part of the tree: {}.",
            templates.join(", ")
        );
        add_note(tree, "Templates of the application", &instead);
    }
}

/// Whether a file is the template of a surface, or of the rows of its list.
fn is_template_of(name: &str, surface: &str) -> bool {
    name.strip_suffix(".html").is_some_and(|stem| stem == surface || stem.strip_suffix(".rows") == Some(surface))
}

/// The files of a folder and of the folders in it, by their paths from it, sorted; a folder that cannot be read has none.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => found.extend(files(&entry.path()).into_iter().map(|inner| format!("{name}/{inner}"))),
            _ if name.starts_with('.') => {}
            _ => found.push(name),
        }
    }
    found.sort();
    found
}
