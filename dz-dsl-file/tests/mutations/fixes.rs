//! `dz lint --fix` changes no meaning: a wrong text becomes the original one or keeps an error, and a text without errors keeps its
//! meaning.

use dz_dsl_file::{Analysis, Severity, SourceMap, model::Model, repair, rules};

use super::{APP, Mutant, dropped, missing_blocks, renamed, repairs::tokens, swapped, sweep, words, wrong_types, wrong_values};

/// A model as text, without places, which edits change, and without imports, of which unused ones are removed.
fn model_text(model: &Model) -> String {
    let debug = format!("{:?}", Model { imports: Vec::new(), ..model.clone() });
    let mut parts = debug.split("Span {");
    let mut text = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| text.push_str(part.split_once('}').map_or(part, |(_, rest)| rest)));
    text
}

fn analysed(text: &str) -> Analysis {
    dz_dsl_file::analyse(SourceMap::single("app.dsl", text))
}

fn fails(analysis: &Analysis) -> bool {
    analysis.diagnostics.iter().any(|it| it.severity == Severity::Error)
}

/// The wrong edits of a text; `meant` is the original text.
fn wrong_edits(text: &str, meant: Option<(&str, &Mutant)>) -> Option<String> {
    let before = analysed(text);
    let repaired = repair(SourceMap::single("app.dsl", text), |_| true);
    if repaired.repairs == 0 || fails(&repaired.analysis) {
        return None;
    }
    let (_, file) = repaired.analysis.files.files().next()?;
    let model = repaired.analysis.model.as_ref().map(model_text)?;
    let right = match (&before.model, meant) {
        (Some(before), _) => model_text(before) == model,
        (None, Some((meant, mutant))) => {
            tokens(&file.text) == tokens(meant)
                || analysed(meant).model.as_ref().map(model_text) == Some(model)
                || renames(&file.text, meant, mutant)
        }
        (None, None) => true,
    };
    let changed = || file.text.lines().zip(text.lines()).filter(|(after, before)| after != before).map(|(after, _)| after.trim());
    (!right).then(|| changed().collect::<Vec<_>>().join(" / "))
}

/// True if the text is the original one except for a declared name with a typo: all its uses have the spelling of the declaration
/// now.
fn renames(text: &str, meant: &str, mutant: &Mutant) -> bool {
    let ([place], [old]) = (mutant.places.as_slice(), mutant.gone.as_slice()) else { return false };
    let Some(new) = mutant.text.get(place.clone()) else { return false };
    let (after, before) = (tokens(text), tokens(meant));
    after.len() == before.len() && after.iter().zip(&before).all(|(one, other)| one == other || (one == new && other == old))
}

/// Lines with one level too little or too much.
fn shift_lines(out: &mut Vec<Mutant>) {
    for (at, line) in APP.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let deeper = format!("  {line}");
        for (what, new) in [("too little", line.strip_prefix("  ")), ("too far", Some(deeper.as_str()))] {
            let Some(new) = new else { continue };
            let lines: Vec<&str> = APP.lines().enumerate().map(|(other, line)| if other == at { new } else { line }).collect();
            out.push(Mutant {
                kind: "moved",
                what: format!("`{}` is indented {what}", line.trim()),
                text: lines.join("\n") + "\n",
                places: Vec::new(),
                gone: Vec::new(),
            });
        }
    }
}

/// Missing signs.
fn signs(out: &mut Vec<Mutant>) {
    for (at, sign) in APP.char_indices().filter(|(_, c)| matches!(c, ':' | ',' | '(' | ')' | '[' | ']' | '"' | '=' | '.' | '-')) {
        let mut text = APP.to_string();
        text.remove(at);
        let line = APP[..at].lines().count();
        out.push(Mutant { kind: "sign", what: format!("`{sign}` is gone from line {line}"), text, places: Vec::new(), gone: Vec::new() });
    }
}

#[test]
fn fix_restores_what_was_meant_or_leaves_the_error() {
    let lines = words();
    let mut mutants = Vec::new();
    for make in [renamed, dropped, swapped, wrong_types, wrong_values, missing_blocks] {
        make(&lines, &mut mutants);
    }
    shift_lines(&mut mutants);
    signs(&mut mutants);
    let mutants = sweep::sample(mutants, 64);
    let reported = |it: &Mutant| wrong_edits(&it.text, Some((*APP, it))).map(|edits| format!("{}: {} -> {edits}", it.kind, it.what));
    let wrong: Vec<String> = sweep::tried(&mutants, reported).into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} of {} edits change the meaning:\n{}", wrong.len(), mutants.len(), wrong.join("\n"));
}

#[test]
fn a_text_with_a_meaning_keeps_it() {
    let mut tried = 0;
    for rule in rules() {
        for text in [rule.wrong, rule.right] {
            tried += usize::from(analysed(text).model.is_some());
            assert_eq!(wrong_edits(text, None), None, "{}:\n{text}", rule.name);
        }
    }
    assert!(tried > 100, "{tried} texts have a model");
}
