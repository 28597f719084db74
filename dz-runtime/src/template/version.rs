//! The version of the data that templates of applications read.

/// The version of the data of templates. It grows when a field of [`ListPage`](super::ListPage), [`ListRows`](super::ListRows),
/// [`ViewPage`](super::ViewPage), [`FormPage`](super::FormPage) or of a type in them is removed or changes; a new field does not change it.
///
/// A template that begins with `{# dz::page 1 #}` is a compile error under another version.
pub const VERSION: u32 = 1;

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs, path::Path};

    use expect_test::expect_file;

    use super::VERSION;

    /// The data of the templates that an application can replace.
    const ROOTS: [&str; 4] = ["ListPage", "ListRows", "ViewPage", "FormPage"];

    /// The public fields of each struct, and the variants of each enum.
    fn read_types() -> BTreeMap<String, Vec<String>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let parts = fs::read_dir(folder.join("template")).expect("a folder").map(|entry| entry.expect("a file").path());
        let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for path in parts.chain([folder.join("template.rs")]) {
            let text = fs::read_to_string(&path).expect("a text");
            // The name of the type, and true for a struct.
            let mut inside: Option<(&str, bool)> = None;
            for line in text.lines() {
                let begin = [("pub struct ", true), ("pub enum ", false)].into_iter().find_map(|(word, is_struct)| {
                    let name = line.strip_prefix(word)?.strip_suffix(" {")?;
                    Some((name, is_struct))
                });
                inside = if line == "}" { None } else { begin.or(inside) };
                let Some((name, is_struct)) = inside.filter(|_| begin.is_none()) else { continue };
                let member = line.trim().trim_end_matches(',');
                let member = if is_struct { member.strip_prefix("pub ").unwrap_or_default() } else { member };
                if !member.is_empty() && !member.starts_with("///") && !member.starts_with("#[") {
                    types.entry(name.to_owned()).or_default().push(member.to_owned());
                }
            }
        }
        types
    }

    /// The names of types and fields in a text.
    fn identifiers(text: &str) -> impl Iterator<Item = &str> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
    }

    #[test]
    fn a_changed_field_has_a_new_version() {
        let types = read_types();
        let mut reached: Vec<&str> = ROOTS.to_vec();
        let mut at = 0;
        while let Some(name) = reached.get(at).copied() {
            let found = types.get(name).into_iter().flatten().flat_map(|member| identifiers(member));
            let new: Vec<&str> = found.filter(|word| types.contains_key(*word)).collect();
            for word in new {
                if !reached.contains(&word) {
                    reached.push(word);
                }
            }
            at += 1;
        }
        reached.sort_unstable();
        // After a removed or changed line, raise `VERSION` and describe the change in docs/templates.md; after a new line, only update the file.
        let mut text = format!("version {VERSION}\n");
        for name in reached {
            text += &format!("\n{name}\n");
            text.extend(types.get(name).into_iter().flatten().map(|member| format!("  {member}\n")));
        }
        expect_file!["version.txt"].assert_eq(&text);
    }

    #[test]
    fn the_documentation_has_every_field_and_the_version() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/templates.md");
        let page = fs::read_to_string(page).expect("the page");
        assert!(page.contains(&format!("{{# dz::page {VERSION} #}}")), "the version");
        let types = read_types();
        for root in ROOTS {
            let section = page.split(&format!("### `{root}`")).nth(1).and_then(|rest| rest.split("\n#").next()).unwrap_or_default();
            for member in &types[root] {
                let name = member.split(':').next().unwrap_or_default();
                assert!(section.contains(&format!("`{name}`")), "docs/templates.md has no `{name}` of `{root}`");
            }
        }
    }
}
