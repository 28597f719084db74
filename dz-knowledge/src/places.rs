//! The places where names are used: the construct of each use, and its line in words.

use std::collections::BTreeSet;

use dz_dsl_file::{Readable, Span, lower::Use};
use serde_json::{Value, json};

use crate::{Kind, units::word_and_name};

/// A construct of the declarations: its range and its node.
struct Construct {
    whole: Span,
    id: String,
    kind: String,
    name: String,
}

/// A use of a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Affected {
    file: String,
    line: usize,
    id: String,
    kind: String,
    name: String,
    reason: String,
}

impl Affected {
    /// As JSON.
    pub fn json(&self) -> Value {
        json!({ "id": self.id, "type": self.kind, "name": self.name, "reason": self.reason, "file": self.file, "line": self.line })
    }

    /// The id of the construct.
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// The uses of names whose declaration is one of these, by place.
pub(crate) fn uses_of(read: &Readable, declared: &[Span]) -> Vec<Affected> {
    let quoted = quoted(read);
    let uses = read.uses.iter().chain(&quoted).filter(|it| declared.contains(&it.declared));
    let constructs = constructs(read);
    let all: BTreeSet<Affected> = uses.filter_map(|it| find_affected(read, &constructs, it.at)).collect();
    all.into_iter().collect()
}

/// The states that stories quote: uses of a field, and of one of its values.
fn quoted(read: &Readable) -> Vec<Use> {
    let model = &read.model;
    let sentences = model.stories.iter().flat_map(|story| {
        let exceptions = story.unless.iter().flat_map(|it| it.then.iter().chain([&it.text]));
        story.given.iter().chain(&story.when).chain(&story.then).chain(exceptions)
    });
    let mut uses = Vec::new();
    for state in sentences.flat_map(|sentence| &sentence.states) {
        let field = model.field(state.entity, state.field);
        uses.push(Use { at: state.span, declared: field.span });
        let value = field.ty.enumeration().and_then(|it| model.enums[it.0].values.get(state.value));
        uses.extend(value.map(|value| Use { at: state.span, declared: value.span }));
    }
    uses
}

/// A place without a name in the text, such as a surface that an archetype generates.
pub(crate) fn generated(read: &Readable, kind: Kind, name: &str, span: Span, reason: String) -> Affected {
    let file = read.files.file(span.file);
    let line = file.line_column(span.start).0;
    Affected { file: file.name.clone(), line, id: kind.id(name), kind: kind.word().to_owned(), name: name.to_owned(), reason }
}

/// The constructs of each text, in order.
fn constructs(read: &Readable) -> Vec<Vec<Construct>> {
    let mut files = Vec::new();
    for lines in &read.lines {
        let (mut all, mut in_demo) = (Vec::new(), false);
        for line in lines.iter().filter(|line| line.depth <= 1) {
            let text = read.files.text(line.line);
            let Some((word, name)) = word_and_name(text) else { continue };
            // The rows of each entity are a node of their own.
            if line.depth == 1 {
                if in_demo {
                    let kind = Kind::Demo;
                    all.push(Construct { whole: line.whole, id: kind.id(word), kind: kind.word().to_owned(), name: word.to_owned() });
                }
                continue;
            }
            in_demo = word == Kind::Demo.prefix();
            if in_demo {
                continue;
            }
            let kind = Kind::ALL.iter().find(|kind| kind.prefix() == word);
            let kind_word = kind.map_or_else(|| word.to_owned(), |kind| kind.word().to_owned());
            all.push(Construct { whole: line.whole, id: format!("{word}:{name}"), kind: kind_word, name: name.to_owned() });
        }
        files.push(all);
    }
    files
}

fn find_affected(read: &Readable, constructs: &[Vec<Construct>], at: Span) -> Option<Affected> {
    let holds = |whole: Span| whole.file == at.file && whole.start <= at.start && at.start < whole.end;
    let own = &constructs[at.file.0 as usize];
    let before = own.partition_point(|it| it.whole.start <= at.start);
    let owner = own[..before].last().filter(|it| holds(it.whole))?;
    let file = read.files.file(at.file);
    let lines = &read.lines[at.file.0 as usize];
    let first = lines.partition_point(|line| line.whole.start < owner.whole.start);
    let inside = lines[first..].iter().take_while(|line| line.whole.start <= at.start);
    let around: Vec<&str> = inside.filter(|line| line.depth > 0 && holds(line.whole)).map(|line| read.files.text(line.line)).collect();
    let mut reason = reason(&around);
    if let Some(code) = code(read, at) {
        reason = format!("invariant {code}: {}", reason.trim_start_matches("invariant: "));
    }
    Some(Affected {
        file: file.name.clone(),
        line: file.line_column(at.start).0,
        id: owner.id.clone(),
        kind: owner.kind.clone(),
        name: owner.name.clone(),
        reason: if reason.is_empty() { read.files.text(owner.whole).lines().next().unwrap_or_default().trim().to_owned() } else { reason },
    })
}

/// The lines around a use, from the outermost, as one text: `ux, sort: due asc`.
fn reason(lines: &[&str]) -> String {
    let heads = lines.iter().enumerate().map(|(at, line)| {
        let line = line.split('\n').map(str::trim).collect::<Vec<_>>().join(" ");
        if at + 1 < lines.len() { line.trim_end_matches(':').to_owned() } else { line }
    });
    heads.collect::<Vec<_>>().join(", ")
}

/// The code of the invariant that a place is in.
fn code(read: &Readable, at: Span) -> Option<String> {
    let lines = &read.lines[at.file.0 as usize];
    let holds = |whole: Span| whole.start <= at.start && at.start < whole.end;
    let line = lines.iter().rfind(|line| line.depth == 1 && holds(line.whole))?;
    if !read.files.text(line.line).starts_with("invariant") {
        return None;
    }
    let invariants = read.model.entities.iter().flat_map(|entity| &entity.invariants);
    let own = invariants.filter(|it| it.span.file == at.file && line.whole.start <= it.span.start && it.span.start < line.whole.end);
    own.filter_map(|it| it.code.as_ref()).map(|(code, _)| code.clone()).next()
}
