//! Links between pages lead to files and headings that exist.

use std::{fs, path::Path};

use crate::{pages, root};

/// The targets of the links of a text, with their lines; code is left out.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (number, line) in (1..).zip(text.lines()) {
        fenced ^= line.trim_start().starts_with("```");
        if fenced {
            continue;
        }
        // Every other part lies between backticks.
        let prose: Vec<&str> = line.split('`').step_by(2).collect();
        let targets = prose.join(" ");
        let targets = targets.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        found.extend(targets.map(|target| (number, target.to_owned())));
    }
    found
}

/// The anchors of a page, as GitHub makes them of headings.
fn anchors(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        let title = line.trim_start_matches('#');
        if fenced || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let kept = title.trim().to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        found.push(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
    }
    found
}

/// The error of a link in a file, if there is one.
fn broken(from: &Path, target: &str) -> Option<String> {
    if target.starts_with("https://") || target.starts_with("http://") {
        return None;
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let file = if path.is_empty() { from.to_path_buf() } else { from.parent().expect("a folder").join(path) };
    if !file.exists() {
        return Some(format!("`{target}` does not exist"));
    }
    let anchor = anchor?;
    let text = fs::read_to_string(&file).unwrap_or_default();
    (!anchors(&text).iter().any(|known| known == anchor)).then(|| format!("`{target}` has no such heading"))
}

#[test]
fn every_link_has_a_target() {
    let generated = fs::read_dir(root().join("docs/language")).expect("a folder");
    let generated = generated.map(|entry| format!("docs/language/{}", entry.expect("an entry").file_name().to_string_lossy()));
    let all: Vec<String> = pages().into_iter().map(|page| page.path).chain(generated).collect();
    let mut checked = 0;
    let mut wrong = Vec::new();
    for path in all {
        let text = fs::read_to_string(root().join(&path)).expect("a page");
        for (line, target) in links(&text) {
            checked += 1;
            wrong.extend(broken(&root().join(&path), &target).map(|why| format!("{path}:{line}: {why}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 150, "{checked} links are fewer than the pages have");
}

#[test]
fn a_broken_link_is_found() {
    let from = root().join("docs/README.md");
    assert_eq!(broken(&from, "api.md#idempotency"), None);
    assert!(broken(&from, "api.md#idempotence").is_some());
    assert!(broken(&from, "no-such-page.md").is_some());
    assert_eq!(links("see [a](b.md) and `[c](d.md)`\n```\n[e](f.md)\n```\n"), [(1, "b.md".to_owned())]);
}

/// Readers do not find a page that no other page names.
#[test]
fn the_index_lists_every_page() {
    let index = fs::read_to_string(root().join("docs/README.md")).expect("the index");
    let listed: Vec<String> = links(&index).into_iter().map(|(_, target)| target).collect();
    let is_page = |it: &String| it != "README.md" && it != "SUMMARY.md";
    for page in pages().iter().filter_map(|page| page.path.strip_prefix("docs/").map(str::to_owned)).filter(is_page) {
        assert!(listed.contains(&page), "docs/README.md does not list {page}");
    }
}

/// mdBook reads only pages that its summary lists.
#[test]
fn the_summary_of_the_book_lists_every_page() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the summary");
    let listed: Vec<String> = links(&summary).into_iter().map(|(_, target)| target).collect();
    let files = |folder: &str, prefix: &str| {
        let entries = fs::read_dir(root().join(folder)).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        names.filter(|name| name.ends_with(".md")).map(|name| format!("{prefix}{name}")).collect::<Vec<_>>()
    };
    for page in [files("docs", ""), files("docs/language", "language/")].concat() {
        assert!(page == "SUMMARY.md" || listed.contains(&page), "docs/SUMMARY.md does not list {page}");
    }
}

/// The paths of files and folders that a text names in backticks, with their lines; `a/{b,c}` names two.
fn named_paths(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let is_path = |it: &&str| it.contains('/') && it.chars().all(|c| c.is_ascii_alphanumeric() || "_-./{,}".contains(c));
        for code in line.split('`').skip(1).step_by(2).filter(is_path).filter(|it| !it.starts_with(['/', '.'])) {
            let (start, rest) = code.split_once('{').unwrap_or((code, "}"));
            let (choices, end) = rest.split_once('}').unwrap_or((rest, ""));
            found.extend(choices.split(',').map(|choice| (number, format!("{start}{choice}{end}").trim_end_matches('/').to_owned())));
        }
    }
    found
}

/// Every file without its extension `rs`, and every folder, below a folder, each as `/path`.
fn places(folder: &Path, all: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if matches!(name.as_str(), "target" | "node_modules" | ".git") {
            continue;
        }
        let place = path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
        all.push(format!("/{}", place.trim_end_matches(".rs")));
        if path.is_dir() {
            places(&path, all);
        }
    }
}

/// Contributors find the file of a change by the path that these pages name.
#[test]
fn paths_in_the_pages_for_contributors_exist() {
    // The files of a new construct, and a folder that dz does not have.
    let others = ["syntax/x.rs", "model/x.rs", "base"];
    let mut all = Vec::new();
    places(&root(), &mut all);
    let mut wrong = Vec::new();
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root().join(page)).expect("a page");
        for (line, path) in named_paths(&text).into_iter().filter(|(_, path)| !others.contains(&path.as_str())) {
            let place = format!("/{}", path.trim_end_matches(".rs"));
            if !all.iter().any(|it| it.ends_with(&place)) {
                wrong.push(format!("{page}:{line}: `{path}` does not exist"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(named_paths("see `a/{b,c}.rs`, `d` and `/e/f`"), [(1, "a/b.rs".to_owned()), (1, "a/c.rs".to_owned())]);
}
