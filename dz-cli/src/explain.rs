//! `dz explain`

use std::{
    io::{stderr, stdout},
    process::ExitCode,
};

use clap::Args;
use dz_dsl_file::{AREAS, Rule, Severity, SourceMap, analyse, diagnostic::nearest, locales, render, rules};

use serde_json::{Value, json};

use crate::output::{Coloured, Shape, counted, put};

/// Options of `dz explain`.
#[derive(Args)]
pub struct Options {
    /// The name of a rule, as findings show it in square brackets; without it, all rules by area
    rule: Option<String>,
    /// The format of the text
    #[arg(long, value_enum, default_value = "human")]
    format: Shape,
    #[command(flatten)]
    colours: Coloured,
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    let as_json = options.format == Shape::Json;
    let Some(name) = &options.rule else {
        put(stdout(), &if as_json { rules_json() } else { list_rules() });
        return ExitCode::SUCCESS;
    };
    let found = AREAS.iter().find_map(|area| Some((area.name, area.rules.iter().find(|rule| rule.name == name)?)));
    match found {
        Some((area, rule)) if as_json => {
            put(stdout(), &format!("{}\n", rule_json(area, rule)));
            ExitCode::SUCCESS
        }
        Some((area, rule)) => {
            put(stdout(), &describe_rule(area, rule, options.colours.on(&stdout())));
            ExitCode::SUCCESS
        }
        None if name == locales::RULE => {
            let text = match as_json {
                true => json!({ "rule": name, "area": "languages", "severity": "warning", "summary": locales::EXPLANATION }).to_string(),
                false => format!("{name} (warning)\n\n{}", locales::EXPLANATION),
            };
            put(stdout(), &format!("{text}\n"));
            ExitCode::SUCCESS
        }
        None => {
            let help = match nearest(name, rules().map(|rule| rule.name)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`dz explain` lists all rules".to_owned(),
            };
            put(stderr(), &format!("error: there is no rule `{name}`; {help}\n{}", pages_of_word(name)));
            ExitCode::FAILURE
        }
    }
}

/// The pages of the language that describe a word that was given as a rule.
#[cfg(any(feature = "lsp", feature = "mcp"))]
fn pages_of_word(word: &str) -> String {
    let pages: Vec<String> = dz_reference::pages_of(word).into_iter().map(|page| format!("docs/language/{page}")).collect();
    match pages.is_empty() {
        true => String::new(),
        false => format!("help: `{word}` is a word of the language: see {}\n", pages.join(", ")),
    }
}

#[cfg(not(any(feature = "lsp", feature = "mcp")))]
fn pages_of_word(_: &str) -> String {
    String::new()
}

/// A rule for programs, as the operation `explain` of the knowledge graph gives it.
fn rule_json(area: &str, rule: &Rule) -> Value {
    json!({
        "rule": rule.name,
        "area": area,
        "severity": rule.severity.as_str(),
        "summary": rule.summary,
        "wrong": rule.wrong,
        "right": rule.right,
    })
}

/// All rules for programs.
fn rules_json() -> String {
    let all: Vec<Value> = AREAS.iter().flat_map(|area| area.rules.iter().map(|rule| rule_json(area.name, rule))).collect();
    format!("{}\n", json!({ "count": all.len(), "rules": all }))
}

/// All rules by area, one line for each.
fn list_rules() -> String {
    let name_width = rules().map(|rule| rule.name.len()).max().unwrap_or_default();
    let severity_width = rules().map(|rule| rule.severity.as_str().len()).max().unwrap_or_default();
    let mut text = String::new();
    for area in AREAS {
        text.push_str(&format!("{} ({})\n", area.name, area.rules.len()));
        for rule in area.rules {
            text.push_str(&format!("  {:name_width$}  {:severity_width$}  {}\n", rule.name, rule.severity.as_str(), rule.summary));
        }
        text.push('\n');
    }
    text.push_str(&format!("{} in {}; `dz explain RULE` shows examples\n", counted(rules().count(), "rule"), counted(AREAS.len(), "area")));
    text
}

fn describe_rule(area: &str, rule: &Rule, colour: render::Colour) -> String {
    let mut text = format!("{} ({}, {area}): {}\n\n", rule.name, rule.severity.as_str(), rule.summary);
    text.push_str(&format!("Wrong:\n\n{}\n", indented(rule.wrong)));
    let analysis = analyse(SourceMap::single("wrong.dsl", rule.wrong));
    for found in analysis.diagnostics.iter().filter(|it| it.rule == rule.name) {
        text.push_str(&render::human(&analysis.files, found, colour));
        text.push_str("\n\n");
    }
    text.push_str(&format!("Right:\n\n{}", indented(rule.right)));
    if rule.severity != Severity::Error {
        text.push_str(&format!(
            "\nFor one construct, write `# dz: allow({name}) because …` on the line above what is found. For all of them,\n\
             write `{name} = \"allow\"` (or \"warn\", \"deny\") under `[lints]` in dz.toml.\n",
            name = rule.name
        ));
    }
    text
}

fn indented(example: &str) -> String {
    example.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") }).collect()
}
