//! Files of rows: the module that stores them, and the addresses of each field.

use dz_dsl_file::model::{Entity, Field, Model};

use super::columns::is_required;
use crate::{Tree, names};

/// The text of the addresses of an entity and of a field; words in capitals are replaced.
pub(super) const ROUTES: &str = include_str!("../../template/file_routes.rs.txt");
const ROUTE: &str = include_str!("../../template/file_route.rs.txt");

/// The limit of a file whose field has none.
const USUAL_LIMIT: u64 = 10_000_000;

/// True if rows have files.
pub(crate) fn exist(model: &Model) -> bool {
    model.entities.iter().any(has)
}

/// True for an entity whose rows have files.
pub(super) fn has(entity: &Entity) -> bool {
    fields(entity).next().is_some()
}

/// The fields with files.
pub(crate) fn fields(entity: &Entity) -> impl Iterator<Item = &Field> {
    names::row_fields(entity).filter(|field| field.ty.is_file())
}

/// The most bytes of any file.
pub(crate) fn largest(model: &Model) -> Option<u64> {
    model.entities.iter().flat_map(fields).map(|field| field.ty.file_limit().unwrap_or(USUAL_LIMIT)).max()
}

/// Writes the module of files.
pub(super) fn write(model: &Model, tree: &mut Tree) {
    let columns: String = model
        .entities
        .iter()
        .filter(|entity| has(entity))
        .map(|entity| {
            let columns: Vec<String> = fields(entity).map(|field| names::literal(&field.name)).collect();
            format!("({:?}, &[{}]),\n", entity.table, columns.join(", "))
        })
        .collect();
    let text = include_str!("../../template/files.rs.txt").replace("%COLUMNS%", &columns);
    tree.add("backend/src/files.rs", super::choose(&text, "/*IF TENANTS*/", "/*END TENANTS*/", model.tenant.is_some()));
    for (name, text) in [
        ("cleanup", include_str!("../../template/files_cleanup.rs.txt")),
        ("content", include_str!("../../template/files_content.rs.txt")),
        ("storage", include_str!("../../template/files_storage.rs.txt")),
        ("upload", include_str!("../../template/files_upload.rs.txt")),
    ] {
        tree.add(format!("backend/src/files/{name}.rs"), text);
    }
}

/// The addresses of the fields of an entity.
pub(super) fn routes(entity: &Entity) -> String {
    let route = |field: &Field| {
        let limit = field.ty.file_limit().map_or("None".to_owned(), |limit| format!("Some({})", grouped(limit)));
        ROUTE.replace("%LIMIT%", &limit).replace("%FIELD%", &field.name)
    };
    fields(entity).map(route).collect()
}

/// A number as Rust code, in groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let is_first = |at: usize| at > 0 && (digits.len() - at).is_multiple_of(3);
    digits.char_indices().flat_map(|(at, digit)| is_first(at).then_some('_').into_iter().chain([digit])).collect()
}

/// The words of the templates.
pub(super) fn words(entity: &Entity) -> Vec<(&'static str, String)> {
    let mounted = fields(entity).map(|field| format!(", upload_{0}, download_{0}", field.name)).collect();
    let attach = |field: &Field| {
        let name = names::ident(&field.name);
        let (before, now) = match is_required(entity, field) {
            true => (format!("before.map(|it| &it.{name})"), format!("Some(&mut row.{name})")),
            false => (format!("before.and_then(|it| it.{name}.as_ref())"), format!("row.{name}.as_mut()")),
        };
        format!("    files.attach({:?}, {before}, {now})?;\n", field.name)
    };
    vec![("FILE_ROUTES", mounted), ("ATTACH", fields(entity).map(attach).collect())]
}

/// The JSON of a field of `row`, with the address of its file.
pub(super) fn json(entity: &Entity, field: &Field) -> String {
    let (key, name) = (names::ident(&entity.fields[entity.pk.0].name), names::ident(&field.name));
    let stored = if is_required(entity, field) { format!("Some(&row.{name})") } else { format!("row.{name}.as_ref()") };
    format!("crate::values::file({stored}, {:?}, &row.{key}, {:?})", entity.table, field.name)
}
