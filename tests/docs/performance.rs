//! The figures of `docs/performance.md` are those of the benchmarks and of the budgets.

use std::{collections::BTreeSet, fs};

use crate::{page, root};

/// The text below a heading of the page.
fn section(heading: &str) -> String {
    let text = page("docs/performance.md").text;
    let (_, below) = text.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no heading `{heading}`"));
    below.split("\n## ").next().unwrap_or_default().to_owned()
}

/// The numbers of a text: digits with points and commas.
fn numbers(text: &str) -> BTreeSet<String> {
    let parts = text.split(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ','));
    parts.map(|part| part.trim_matches(['.', ',']).to_owned()).filter(|part| !part.is_empty()).collect()
}

#[test]
fn the_numbers_of_statements_are_the_budgets() {
    let budgets = fs::read_to_string(root().join("tests/budget/routes.rs")).expect("the budgets");
    let section = section("Statements of a request");
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(rows.len() > 10, "{rows:?}");
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, number] = cells.as_slice() else { panic!("{row}") };
        let budget = format!("budget(\"{}\", {number}),", name.trim_matches('`'));
        assert!(budgets.contains(&budget), "tests/budget/routes.rs has no `{budget}`");
    }
}

#[test]
fn the_figures_are_those_of_the_benchmarks() {
    let known = numbers(&page("benches/README.md").text);
    let stated = numbers(&section("Figures"));
    let unknown: Vec<&String> = stated.difference(&known).collect();
    assert!(unknown.is_empty(), "benches/README.md does not contain {unknown:?}");
    assert!(stated.len() > 20, "{stated:?}");
    assert_eq!(numbers("1.5 times, 10,000 rows."), ["1.5", "10,000"].map(str::to_owned).into());
}
