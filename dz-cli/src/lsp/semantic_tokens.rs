//! The kinds of words for highlighting: names by what they declare, and words of the language.

use std::collections::BTreeMap;

use dz_dsl_file::{FileId, Span, layout::Line, token::TokenKind};
use lsp_types::{
    Position, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend, SemanticTokensParams,
    SemanticTokensRangeParams,
};

use super::{failure::Failure, names::Declares, state::State, unit::Unit};

/// The kinds of words. The protocol names them, so that every theme has a colour for them.
const KINDS: &[SemanticTokenType] = &[
    SemanticTokenType::KEYWORD,
    SemanticTokenType::CLASS,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::ENUM,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::INTERFACE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::NAMESPACE,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::METHOD,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::STRING,
    SemanticTokenType::NUMBER,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::COMMENT,
];

/// The names of the kinds.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: KINDS.to_vec(), token_modifiers: vec![SemanticTokenModifier::DECLARATION] }
}

/// The words of a text.
pub fn full(state: &State, params: SemanticTokensParams) -> Result<SemanticTokens, Failure> {
    let place = state.place(&params.text_document.uri)?;
    let mut found = Vec::new();
    for (unit, file) in place.units(state) {
        found.extend(words(state, unit, file));
    }
    Ok(encode(found))
}

/// The words of the lines of a range.
pub fn range(state: &State, params: SemanticTokensRangeParams) -> Result<SemanticTokens, Failure> {
    let place = state.place(&params.text_document.uri)?;
    let mut found = Vec::new();
    for (unit, file) in place.units(state) {
        found.extend(words(state, unit, file));
    }
    let (first, last) = (params.range.start.line, params.range.end.line);
    found.retain(|it| first <= it.at.line && it.at.line <= last);
    Ok(encode(found))
}

/// A word with its place.
struct Word {
    at: Position,
    length: u32,
    kind: u32,
    declares: bool,
}

fn words(state: &State, unit: &Unit, file: FileId) -> Vec<Word> {
    let names = unit.names();
    let mut known: BTreeMap<(u32, u32), (SemanticTokenType, bool)> = BTreeMap::new();
    for it in &unit.read().uses {
        let kind = names.declared_at(it.declared).map_or(SemanticTokenType::VARIABLE, |name| kind_of(name.declares));
        if it.at.file == file {
            known.insert((it.at.start, it.at.end), (kind, false));
        }
    }
    for name in names.in_file(file) {
        known.insert((name.span.start, name.span.end), (kind_of(name.declares), true));
    }
    let mut found = Vec::new();
    let mut push = |span: Span, kind: SemanticTokenType, declares: bool| {
        let kind = KINDS.iter().position(|it| *it == kind).unwrap_or_default() as u32;
        // A token is within one line.
        let text = unit.file(file).text.get(span.start as usize..span.end as usize).unwrap_or_default();
        let mut start = span.start;
        for line in text.split_inclusive('\n') {
            let length = state.encoding.columns(line.trim_end_matches(['\n', '\r']));
            if length > 0 {
                found.push(Word { at: state.encoding.position(unit.file(file), start), length, kind, declares });
            }
            start += line.len() as u32;
        }
    };
    for_each_token(unit.lines(file), &mut |span, kind| match known.get(&(span.start, span.end)) {
        Some((kind, declares)) => push(span, kind.clone(), *declares),
        None => push(span, kind, false),
    });
    for span in comments(unit, file) {
        push(span, SemanticTokenType::COMMENT, false);
    }
    found.sort_by_key(|it| it.at);
    found
}

fn kind_of(declares: Declares) -> SemanticTokenType {
    match declares {
        Declares::Entity(_) => SemanticTokenType::CLASS,
        Declares::Field(..) => SemanticTokenType::PROPERTY,
        Declares::Enum(_) => SemanticTokenType::ENUM,
        Declares::Value(..) => SemanticTokenType::ENUM_MEMBER,
        Declares::Archetype(_) => SemanticTokenType::INTERFACE,
        Declares::Persona(_) => SemanticTokenType::PARAMETER,
        Declares::App | Declares::Surface(_) | Declares::Section(..) | Declares::Workspace(_) | Declares::Region(..) => {
            SemanticTokenType::NAMESPACE
        }
        Declares::Service(_) | Declares::Process(_) | Declares::LlmIntent(_) => SemanticTokenType::FUNCTION,
        Declares::Step(..) | Declares::ExperienceStep(..) => SemanticTokenType::METHOD,
        Declares::Schedule(_)
        | Declares::LlmModel(_)
        | Declares::Story(_)
        | Declares::Experience(_)
        | Declares::Scenario(_)
        | Declares::Other => SemanticTokenType::VARIABLE,
    }
}

/// Every token with its kind, if it is not a name.
fn for_each_token(lines: &[Line], each: &mut impl FnMut(Span, SemanticTokenType)) {
    for line in lines {
        for token in &line.tokens {
            match &token.kind {
                TokenKind::Word(_) => each(token.span, SemanticTokenType::KEYWORD),
                TokenKind::Text(_) | TokenKind::Raw(_) => each(token.span, SemanticTokenType::STRING),
                TokenKind::Number(_) | TokenKind::Duration(..) => each(token.span, SemanticTokenType::NUMBER),
                TokenKind::Mark(mark)
                    if matches!(*mark, "->" | "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%") =>
                {
                    each(token.span, SemanticTokenType::OPERATOR);
                }
                TokenKind::Mark(_) => {}
            }
        }
        for_each_token(&line.children, each);
    }
}

/// The comments of a text: what begins with `#` or `//` between tokens.
fn comments(unit: &Unit, file: FileId) -> Vec<Span> {
    let mut tokens = Vec::new();
    for_each_span(unit.lines(file), &mut tokens);
    tokens.sort_by_key(|span| span.start);
    let text = &unit.files.file(file).text;
    let end = Span { file, start: text.len() as u32, end: text.len() as u32 };
    let mut found = Vec::new();
    let mut from = 0;
    for token in tokens.into_iter().chain([end]) {
        let gap = text.get(from..token.start as usize).unwrap_or_default();
        let mut start = from;
        for line in gap.split_inclusive('\n') {
            if let Some(at) = line.find('#').into_iter().chain(line.find("//")).min() {
                let length = line.trim_end().len();
                found.push(Span { file, start: (start + at) as u32, end: (start + length.max(at)) as u32 });
            }
            start += line.len();
        }
        from = from.max(token.end as usize);
    }
    found
}

fn for_each_span(lines: &[Line], found: &mut Vec<Span>) {
    for line in lines {
        found.extend(line.tokens.iter().map(|token| token.span));
        for_each_span(&line.children, found);
    }
}

/// The words as differences, each from the previous one.
fn encode(words: Vec<Word>) -> SemanticTokens {
    let mut last = Position::default();
    let encoded = words.into_iter().map(|word| {
        let delta_line = word.at.line - last.line;
        let delta_start = if delta_line == 0 { word.at.character - last.character } else { word.at.character };
        last = word.at;
        SemanticToken {
            delta_line,
            delta_start,
            length: word.length,
            token_type: word.kind,
            token_modifiers_bitset: u32::from(word.declares),
        }
    });
    SemanticTokens { result_id: None, data: encoded.collect() }
}
