//! Makes one word of a correct application wrong, each word in turn and in every plausible way: is it reported, at that word, with
//! the text to write?
//!
//! `cargo test -p dz-dsl-file --test mutations -- --nocapture` prints the shares and the failures; with `DZ_SWEEP=all` for every
//! mutant, with `DZ_MUTANTS_OF=app.dsl` for another application, and with `DZ_MUTANTS_SHOW="fixed once"` for those that fail in
//! these results. `DZ_MUTANTS_KIND="slip of the pen"` tries every mutant of one kind.

mod fixes;
mod repairs;
#[path = "../sweep/mod.rs"]
mod sweep;

use std::{collections::BTreeMap, ops::Range, sync::LazyLock};

use repairs::{repaired, tokens};

use dz_dsl_file::{Analysis, Diagnostic, SourceMap};

/// The application, or that of the file in `DZ_MUTANTS_OF`; then the shares are printed and not checked.
static APP: LazyLock<&'static str> = LazyLock::new(|| match std::env::var("DZ_MUTANTS_OF") {
    Ok(path) => std::fs::read_to_string(path).expect("an application").leak(),
    Err(_) => include_str!("../fixtures/whole/app.dsl"),
});

/// The results for a mutant: it is reported; at the right word; with the text to write; the suggested edits correct it, see
/// [`Mutant::allows`]; `dz lint --fix` corrects it; the text is the original one, word for word; and there is one report.
const SHARES: [&str; 7] = ["found", "right", "explained", "fixed", "automatic", "restored", "once"];

/// The least shares, in per cent. A typo can be corrected mechanically, a missing word mostly cannot. `--fix` corrects the spelling, the
/// layout and words of other dialects, and no transpositions.
const FLOORS: [(&str, [f64; 7]); 5] = [
    ("in all", [100.0, 99.5, 100.0, 92.0, 40.0, 79.0, 88.0]),
    ("slip of the pen", [100.0, 100.0, 100.0, 98.5, 85.0, 97.0, 89.0]),
    ("last letter lost", [100.0, 100.0, 100.0, 99.0, 80.0, 95.0, 88.0]),
    ("swapped", [100.0, 99.0, 100.0, 97.0, 0.0, 97.0, 74.0]),
    ("type of elsewhere", [100.0, 100.0, 100.0, 100.0, 80.0, 97.0, 97.0]),
];

/// The findings of a text.
fn analyse(text: &str) -> Analysis {
    dz_dsl_file::analyse(SourceMap::single("app.dsl", text))
}

/// A word or number of the application, outside of strings and comments.
#[derive(Debug, Clone)]
struct Word {
    range: Range<usize>,
    text: &'static str,
    line: usize,
    /// Its position among the words of its line.
    at: usize,
    /// The first words of the lines above it in the tree, from the margin on.
    blocks: Vec<&'static str>,
}

/// The words of each line.
fn words() -> Vec<Vec<Word>> {
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut start = 0;
    let mut lines = Vec::new();
    for (number, line) in APP.lines().enumerate() {
        let indent = line.len() - line.trim_start().len();
        open.retain(|(level, _)| *level < indent);
        let blocks: Vec<&str> = open.iter().map(|(_, word)| *word).collect();
        let found: Vec<Word> = split(line)
            .enumerate()
            .map(|(at, range)| Word {
                text: &APP[start + range.start..start + range.end],
                range: start + range.start..start + range.end,
                line: number,
                at,
                blocks: blocks.clone(),
            })
            .collect();
        if let Some(first) = found.first() {
            open.push((indent, first.text));
        }
        lines.push(found);
        start += line.len() + 1;
    }
    lines
}

/// The ranges of the words of a line.
fn split(line: &str) -> impl Iterator<Item = Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        let joins = ranges.last().is_some_and(|last| last.end == at);
        let decimal = c == '.' && joins && line[ranges[ranges.len() - 1].clone()].bytes().all(|byte| byte.is_ascii_digit());
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => break,
            c if !quoted && (c.is_alphanumeric() || c == '_' || decimal) => match ranges.last_mut() {
                Some(last) if joins => last.end = at + c.len_utf8(),
                _ => ranges.push(at..at + c.len_utf8()),
            },
            _ => {}
        }
    }
    ranges.into_iter()
}

impl Word {
    fn is_word(&self) -> bool {
        !self.text.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Its line.
    fn line(&self) -> &'static str {
        APP.lines().nth(self.line).unwrap_or_default()
    }

    /// The sign before it and the one after it, without spaces.
    fn around(&self) -> (char, char) {
        let before = APP[..self.range.start].trim_end_matches(' ').chars().next_back().unwrap_or('\n');
        let after = APP[self.range.end..].trim_start_matches(' ').chars().next().unwrap_or('\n');
        (before, after)
    }

    fn first_of_line(&self) -> &'static str {
        self.line().split_whitespace().next().unwrap_or_default().trim_end_matches(':')
    }

    /// True for a line of an entity or archetype that declares a field.
    fn is_field_line(&self) -> bool {
        let blocks =
            ["permit", "forbid", "access", "index", "unique", "intent", "domain", "patterns", "display_field", "plural", "was", "extends"];
        matches!(self.blocks.as_slice(), ["entity" | "archetype"]) && !blocks.contains(&self.first_of_line())
    }

    /// True for a name that nothing uses: another name is not a mistake.
    fn is_free(&self) -> bool {
        let line = self.first_of_line();
        match self.at {
            0 if self.blocks.last() == Some(&"aggregate") => true,
            0 if self.blocks.as_slice() == ["workspace"] => !matches!(self.text, "purpose" | "access"),
            0 => self.is_field_line() && self.line().trim_end().ends_with("uuid pk"),
            1 => matches!(line, "app" | "section" | "surface" | "workspace" | "domain" | "plural" | "was" | "patterns" | "code"),
            _ => false,
        }
    }

    /// True for a modifier of a field, a sort order, or another optional word: the text without it has another meaning, and no error.
    fn is_optional(&self) -> bool {
        const MODIFIERS: &[&str] =
            &["required", "unique", "indexed", "searchable", "restrict", "cascade", "nullify", "auto_add", "auto_update"];
        const OTHERS: &[&str] = &["asc", "desc", "ordered", "not", "read_only", "days_since"];
        // A list of one item can be empty, and a longer one can end in a comma.
        let alone = matches!(self.around(), ('[', ']') | (',', ']'));
        let joins = self.text == "or" && self.line().contains("auto after");
        joins || (self.is_field_line() && MODIFIERS.contains(&self.text)) || OTHERS.contains(&self.text) || alone
    }
}

/// A text with a mistake.
struct Mutant {
    kind: &'static str,
    /// The change, for messages.
    what: String,
    text: String,
    /// The changed places.
    places: Vec<Range<usize>>,
    /// The word that was removed: uses of it are wrong because of that.
    gone: Vec<&'static str>,
}

impl Mutant {
    /// `word` replaced by `new`.
    fn replaced(kind: &'static str, word: &Word, new: &str) -> Mutant {
        let mut text = APP.to_string();
        text.replace_range(word.range.clone(), new);
        let place = word.range.start..word.range.start + new.len();
        Mutant {
            kind,
            what: format!("`{}` becomes `{new}` in `{}`", word.text, word.line().trim()),
            text,
            places: vec![place],
            gone: vec![word.text],
        }
    }
}

/// Transposes two letters in the middle; doubles the last letter of a word of two.
fn slip(word: &str) -> Option<String> {
    let letters: Vec<char> = word.chars().collect();
    if letters.len() < 3 {
        return Some(format!("{word}{}", letters.last()?));
    }
    let middle = letters.len() / 2;
    let at = (0..letters.len() - 1).min_by_key(|at| (letters[*at] == letters[at + 1], *at == 0, at.abs_diff(middle)))?;
    let mut slipped = letters.clone();
    slipped.swap(at, at + 1);
    (slipped != letters).then(|| slipped.into_iter().collect())
}

fn renamed(lines: &[Vec<Word>], out: &mut Vec<Mutant>) {
    let exists = |text: &str| lines.iter().flatten().any(|word| word.text == text);
    for word in lines.iter().flatten().filter(|word| word.is_word() && !word.is_free()) {
        let short = (word.text.len() > 3).then(|| word.text[..word.text.len() - 1].to_owned());
        for (kind, new) in [("slip of the pen", slip(word.text)), ("last letter lost", short)] {
            // `14 day` is equivalent to `14 days`.
            out.extend(new.filter(|new| !exists(new) && new != "day").map(|new| Mutant::replaced(kind, word, &new)));
        }
    }
}

fn dropped(lines: &[Vec<Word>], out: &mut Vec<Mutant>) {
    for word in lines.iter().flatten().filter(|word| !word.is_optional()) {
        let mut text = APP.to_string();
        let space = usize::from(APP[word.range.end..].starts_with(' '));
        text.replace_range(word.range.start..word.range.end + space, "");
        // A missing word is reported between its neighbours.
        let line = &lines[word.line];
        let before = word.at.checked_sub(1).map_or(word.range.start, |at| line[at].range.start);
        let after = line.get(word.at + 1).map_or(word.range.start, |next| next.range.end - (word.range.len() + space));
        let what = format!("`{}` is dropped from `{}`", word.text, word.line().trim());
        let place = Range { start: before, end: after.max(word.range.start) };
        out.push(Mutant { kind: "dropped", what, text, places: Vec::from_iter([place]), gone: vec![word.text] });
    }
}

/// True if two neighbours can be transposed without a mistake: items of a list, modifiers, operands.
fn may_swap(left: &Word, right: &Word) -> bool {
    let between = APP[left.range.end..right.range.start].trim();
    let modifiers = left.is_field_line() && left.is_optional() && right.is_optional();
    // A list of values can contain a text.
    let list = between.starts_with(',') && between.ends_with(',');
    let sides = matches!(between, "=" | "!=" | "<" | "<=" | ">" | ">=");
    let numbers = !left.is_word() && !right.is_word();
    let keys = left.around().1 == ':' && right.around().1 == ':' && left.blocks.first() == Some(&"demo");
    let own_key = left.blocks.as_slice() == ["app"];
    let states = between == "->";
    states || modifiers || list || sides || numbers || keys || own_key || (left.is_free() && right.is_free())
}

fn swapped(lines: &[Vec<Word>], out: &mut Vec<Mutant>) {
    for line in lines {
        for pair in line.windows(2).filter(|pair| !may_swap(&pair[0], &pair[1]) && pair[0].text != pair[1].text) {
            let (left, right) = (&pair[0], &pair[1]);
            let between = &APP[left.range.end..right.range.start];
            let mut text = APP.to_string();
            text.replace_range(left.range.start..right.range.end, &format!("{}{between}{}", right.text, left.text));
            let first = left.range.start..left.range.start + right.text.len();
            let second = right.range.end - left.text.len()..right.range.end;
            let what = format!("`{}` and `{}` change places in `{}`", left.text, right.text, left.line().trim());
            out.push(Mutant { kind: "swapped", what, text, places: vec![first, second], gone: vec![left.text, right.text] });
        }
    }
}

/// Type words of other systems.
const ELSEWHERE: &[(&str, &str)] = &[
    ("uuid", "guid"),
    ("str", "varchar"),
    ("text", "string"),
    ("int", "integer"),
    ("float", "double"),
    ("decimal", "numeric"),
    ("bool", "boolean"),
    ("date", "day"),
    ("datetime", "timestamp"),
    ("enum", "choice"),
    ("json", "jsonb"),
    ("url", "link"),
    ("slug", "identifier"),
    ("timezone", "tz"),
    ("ref", "fk"),
    ("belongs_to", "belongsTo"),
    ("has_many", "hasMany"),
];

fn wrong_types(lines: &[Vec<Word>], out: &mut Vec<Mutant>) {
    for word in lines.iter().flatten() {
        let elsewhere = ELSEWHERE.iter().find(|(ours, _)| *ours == word.text).map(|(_, theirs)| *theirs);
        if let Some(theirs) = elsewhere.filter(|_| word.at == 1 && word.is_field_line()) {
            out.push(Mutant::replaced("type of elsewhere", word, theirs));
        }
        // A value of another type than the field.
        let is_value = matches!(word.around(), (':' | '=' | '>' | '<', '\n' | ',' | ')')) && !word.is_field_line()
            || (word.is_field_line() && word.around() == ('=', '\n'));
        let typed = word.blocks.first() == Some(&"demo") || word.is_field_line() || word.blocks.last() == Some(&"permit");
        if is_value && typed && word.around().0 != '@' && !matches!(word.first_of_line(), "title") {
            let wrong = if word.is_word() { "7" } else { "\"some text\"" };
            out.push(Mutant::replaced("value of another type", word, wrong));
        }
    }
}

/// Words of closed sets, and one that is in none.
const CLOSED: &[(&str, &str)] = &[
    ("list", "table"),
    ("view", "detail"),
    ("create", "new"),
    ("edit", "update"),
    ("asc", "ascending"),
    ("desc", "descending"),
    ("teal", "turquoise"),
    ("novice", "beginner"),
    ("expert", "master"),
    ("intermediate", "medium"),
];

fn wrong_values(lines: &[Vec<Word>], out: &mut Vec<Mutant>) {
    const VALUES: &[&str] = &["broken", "worn", "good", "low", "high", "available", "lent", "retired", "reported", "started", "finished"];
    for word in lines.iter().flatten() {
        let declares = word.blocks.first() == Some(&"enum") || word.line()[..].contains(&format!("enum[{}", word.text)) || {
            let (before, after) = word.around();
            word.is_field_line() && (before == ',' || before == '[') && (after == ',' || after == ']')
        };
        if VALUES.contains(&word.text) && !declares && !word.is_free() {
            out.push(Mutant::replaced("value of no enum", word, "closed"));
        }
        let closed = CLOSED.iter().find(|(ours, _)| *ours == word.text).map(|(_, other)| *other);
        let place = matches!(word.first_of_line(), "mode" | "theme" | "proficiency") || matches!(word.text, "asc" | "desc");
        if let Some(other) = closed.filter(|_| word.at > 0 && place) {
            out.push(Mutant::replaced("word of no set", word, other));
        }
    }
}

/// Removes blocks, and declarations that are used.
fn missing_blocks(lines: &[Vec<Word>], out: &mut Vec<Mutant>) {
    let texts: Vec<&str> = APP.split_inclusive('\n').collect();
    let indent = |line: &str| if line.trim().is_empty() { usize::MAX } else { line.len() - line.trim_start().len() };
    let start = |line: usize| texts[..line].iter().map(|text| text.len()).sum::<usize>();
    for (at, line) in texts.iter().enumerate() {
        let Some(first) = lines[at].first().filter(|_| line.trim_end().ends_with(':')) else { continue };
        let end = (at + 1..texts.len()).find(|next| indent(texts[*next]) <= indent(line)).unwrap_or(texts.len());
        let header = first.range.start..start(at + 1) - 1;
        let mut text = APP.to_string();
        text.replace_range(start(at + 1)..start(end), "");
        let inside: Vec<&str> = lines[at + 1..end].iter().flatten().map(|word| word.text).collect();
        out.push(Mutant {
            kind: "empty block",
            what: format!("no lines follow under `{}`", line.trim()),
            text,
            places: vec![header],
            gone: inside,
        });
        if matches!(first.text, "entity" | "enum" | "archetype" | "persona" | "permit") {
            let mut text = APP.to_string();
            text.replace_range(start(at)..start(end), "");
            let parent = lines[..at].iter().rev().flatten().find(|word| word.text == "entity").map_or(0..0, |word| word.range.clone());
            let place = APP[parent.start..].find('\n').map_or(parent.clone(), |length| parent.start..parent.start + length);
            let gone = lines[at].iter().map(|word| word.text).collect();
            out.push(Mutant { kind: "missing block", what: format!("`{}` is gone", line.trim()), text, places: vec![place], gone });
        }
    }
}

/// The results for a mutant, in the order of [`SHARES`].
fn evaluate(mutant: &Mutant) -> ([bool; 7], Analysis) {
    let analysis = analyse(&mutant.text);
    let touches = |start: u32, end: u32| {
        let (start, end) = (start as usize, end as usize);
        mutant.places.iter().any(|place| start <= place.end && place.start <= end)
    };
    let right = |found: &Diagnostic| {
        let text = analysis.files.text(found.span);
        let small = split(text).count() <= 6 && !text.trim_end().contains('\n');
        let place = touches(found.span.start, found.span.end) || found.labels.iter().any(|(span, _)| touches(span.start, span.end));
        small && (place || mutant.gone.contains(&text))
    };
    let found = &analysis.diagnostics;
    let repaired = repaired(&analysis, &mutant.text).filter(|(text, _)| mutant.allows(text));
    let explained = |it: &Diagnostic| it.help.is_some() || it.message.starts_with("expected ");
    let shares = [
        !found.is_empty(),
        found.iter().any(right),
        !found.is_empty() && found.iter().all(explained),
        repaired.is_some(),
        repaired.as_ref().is_some_and(|(_, unasked)| *unasked),
        repaired.as_ref().is_some_and(|(text, _)| tokens(text) == tokens(&APP)),
        found.len() == 1,
    ];
    (shares, analysis)
}

#[test]
fn the_application_is_correct() {
    let analysis = analyse(&APP);
    let found: Vec<&str> = analysis.diagnostics.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(found, Vec::<&str>::new());
}

#[test]
fn a_wrong_word_is_reported_at_its_place() {
    let lines = words();
    let mut mutants = Vec::new();
    for make in [renamed, dropped, swapped, wrong_types, wrong_values, missing_blocks] {
        make(&lines, &mut mutants);
    }
    let asked = |it: &Mutant| std::env::var("DZ_MUTANTS_KIND").is_ok_and(|kind| kind == it.kind);
    // A sample of a kind with few mutants is too small.
    let (few, many): (Vec<Mutant>, Vec<Mutant>) = mutants.into_iter().partition(|it| it.kind == "type of elsewhere" || asked(it));
    let mut mutants = sweep::sample(many, 16);
    mutants.extend(few);
    if std::env::var_os("DZ_MUTANTS_KIND").is_some() {
        mutants.retain(asked);
    }
    let shown = std::env::var("DZ_MUTANTS_SHOW").unwrap_or_else(|_| "found right explained".to_owned());
    let mut counts: BTreeMap<&str, [usize; 8]> = BTreeMap::new();
    for (mutant, (shares, analysis)) in mutants.iter().zip(sweep::tried(&mutants, evaluate)) {
        for kind in [mutant.kind, "in all"] {
            let count = counts.entry(kind).or_default();
            count[0] += 1;
            (0..7).for_each(|at| count[at + 1] += usize::from(shares[at]));
        }
        if SHARES.iter().zip(shares).any(|(name, share)| !share && shown.contains(name)) {
            println!("{}: {}", mutant.kind, mutant.what);
            for found in &analysis.diagnostics {
                println!("    {}", dz_dsl_file::render::short(&analysis.files, found));
            }
            if let Some((text, _)) = repaired(&analysis, &mutant.text) {
                let changed = text.lines().zip(mutant.text.lines()).filter(|(one, other)| one != other);
                changed.take(3).for_each(|(one, _)| println!("    becomes `{}`", one.trim()));
            }
        }
    }
    println!("{:24} {:>7} {}", "", "mutants", SHARES.map(|name| format!("{name:>8}")).join(" "));
    let share = |count: &[usize; 8], at: usize| 100.0 * count[at] as f64 / count[0] as f64;
    for (kind, count) in &counts {
        let shares: Vec<String> = (1..8).map(|at| format!("{:7.1}%", share(count, at))).collect();
        println!("{kind:24} {:>7} {}", count[0], shares.join(" "));
    }
    let asked = std::env::var_os("DZ_MUTANTS_OF").is_none() && std::env::var_os("DZ_MUTANTS_KIND").is_none();
    for (kind, floors) in FLOORS.into_iter().filter(|_| asked) {
        for (at, floor) in floors.into_iter().enumerate() {
            let count = counts[kind];
            // A sample can deviate by one standard error, a small one by three, and by at least one mutant.
            let (of, part) = (count[0] as f64, floor / 100.0);
            let errors = if sweep::is_quick() { 3.0 } else { 1.0 };
            let slack = if sweep::all() { 0.0 } else { errors * (of * part * (1.0 - part)).sqrt().max(1.0) };
            let share = share(&count, at + 1);
            let missing = of * part - count[at + 1] as f64;
            assert!(missing <= slack, "{kind}: {share:.1} % are {}, and {floor} % should be", SHARES[at]);
        }
    }
}
