//! Lines with too little or too much indentation. If a line and the lines after it have no errors on another level,
//! the line is reported once, and the analysis continues with the line on that level.

use std::collections::HashSet;

use super::{
    edited::{Edit, EditedTexts},
    reading::Reading,
};
use crate::{
    Diagnostic, Diagnostics, FileId, Severity, SourceMap, Span, dialect,
    lexer::{RawLine, lex},
    syntax::{self, entity},
    token::{Token, TokenKind},
};

/// The largest number of lines of one application that are shifted. A text with more wrong lines has another error.
const MAX_SHIFTS: usize = 8;

/// The largest number of readings that the search takes.
const MAX_READINGS: usize = 32;

/// The number of levels that are tried for one line.
const MAX_LEVELS: usize = 4;

/// The lines of a text that are not empty.
struct Text<'t> {
    file: FileId,
    text: &'t str,
    lines: Vec<RawLine>,
    /// The lines with a problem. The lines under them may be unparsed.
    with_problem: HashSet<usize>,
    /// The lines with an unknown key. The lines under them are unparsed and therefore without problems of their own.
    with_unknown_key: HashSet<usize>,
}

/// A line that is shifted to another level.
struct Shift {
    /// The line, in the parsed texts.
    line: Span,
    edits: Vec<Edit>,
    report: Diagnostic,
    /// True if the shift indents the line by another step than this text has.
    odd: bool,
}

/// Shifts lines to the levels that they fit. Returns the edited texts, their reading, and a report for each line.
pub(super) fn shift_lines(written: &SourceMap, first: Reading) -> (EditedTexts, Reading, Diagnostics) {
    let (mut edited, mut reading, mut reports) = (EditedTexts::new(written), first, Diagnostics::default());
    let mut readings = 0;
    for _ in 0..MAX_SHIFTS {
        let Some((better, read, report)) = best_shift(&edited, &reading, &mut readings) else { break };
        (edited, reading) = (better, read);
        reports.push(report);
    }
    (edited, reading, reports)
}

/// The shift that leaves the fewest problems.
fn best_shift(edited: &EditedTexts, reading: &Reading, readings: &mut usize) -> Option<(EditedTexts, Reading, Diagnostic)> {
    let before = reading.problems().count();
    let mut best: Option<((usize, bool), EditedTexts, Reading, Diagnostic)> = None;
    for (id, file) in edited.files.files() {
        let problems: Vec<&Diagnostic> = reading.problems().filter(|it| it.span.file == id).collect();
        if problems.is_empty() {
            continue;
        }
        let lines = lex(id, &file.text, syntax::prose, &mut Diagnostics::default());
        let mut text = Text { file: id, text: &file.text, lines, with_problem: HashSet::new(), with_unknown_key: HashSet::new() };
        text.with_problem = problems.iter().filter_map(|it| text.line_of(it.span.start)).collect();
        let unread = problems.iter().filter(|it| it.rule == "unknown-key" && it.suggestion.is_none());
        text.with_unknown_key = unread.filter_map(|it| text.line_of(it.span.start)).collect();
        for (at, whole) in text.suspects(&problems) {
            let shifts = text.shifts(at, whole).into_iter().filter(|it| text.may_fit(at, it));
            let shifts: Vec<Shift> = shifts.take(MAX_READINGS.saturating_sub(*readings)).collect();
            let respelt = text.spelling_edit(at, &problems).filter(|_| !shifts.is_empty());
            let rival = respelt.map(|edit| count_problems_after(edited, edit, readings));
            for it in shifts {
                *readings += 1;
                let edits = it.edits.iter().map(|(span, new)| (edited.original_span(*span), new.clone()));
                let shifted = edited.with_edits(edits);
                let read = Reading::read(&shifted.files);
                let left = read.problems().count();
                let line = edited.original_span(it.line);
                let clean = !read.problems().any(|problem| overlaps(shifted.original_span(problem.span), line));
                let fewest = best.as_ref().map_or((before, false), |(fewest, ..)| *fewest);
                if clean && (left, it.odd) < fewest && rival.is_none_or(|rival| left < rival) && !becomes_prose(&shifted, line) {
                    let report = edited.finding(it.report);
                    best = Some(((left, it.odd), shifted, read, report));
                }
            }
        }
    }
    best.map(|(_, edited, reading, report)| (edited, reading, report))
}

fn overlaps(one: Span, other: Span) -> bool {
    one.file == other.file && one.start <= other.end && other.start <= one.end
}

/// The number of problems that an edit leaves.
fn count_problems_after(edited: &EditedTexts, (span, new): Edit, readings: &mut usize) -> usize {
    *readings += 1;
    Reading::read(&edited.with_edits([(edited.original_span(span), new)]).files).problems().count()
}

/// True if the shift makes the line free text that does not look like free text. Free text accepts every line.
fn becomes_prose(shifted: &EditedTexts, line: Span) -> bool {
    let file = shifted.files.file(line.file);
    let lines = lex(line.file, &file.text, syntax::prose, &mut Diagnostics::default());
    let here = lines.iter().find(|it| shifted.original_span(it.tokens[0].span).start == line.start);
    here.is_some_and(|it| !it.tokens[0].is("-") && it.tokens.iter().any(|token| matches!(token.kind, TokenKind::Raw(_))))
}

impl Text<'_> {
    /// The line that contains a place.
    fn line_of(&self, at: u32) -> Option<usize> {
        self.lines.partition_point(|line| line.tokens[0].span.start <= at).checked_sub(1)
    }

    /// The lines that may be on the wrong level: those whose problem is about the whole line, the line before one
    /// without a parent, and the line after one whose block is missing.
    fn suspects(&self, problems: &[&Diagnostic]) -> Vec<Suspect> {
        let mut suspects: Vec<Suspect> = Vec::new();
        for problem in problems {
            let Some(at) = self.line_of(problem.span.start) else { continue };
            // `webhook hook "Hook":` is a construct; `audit: all` may be a line of an entity.
            if problem.severity != Severity::Error && !self.lines[at].tokens.get(1).is_some_and(|it| it.is(":")) {
                continue;
            }
            let begins = problem.span.start == self.lines[at].tokens[0].span.start;
            // A word of another dialect has its own report, on its level.
            let foreign = self.lines[at].tokens[0].word().is_some_and(|word| dialect::word("entity", word).is_some());
            if begins && foreign {
                continue;
            }
            if self.begins_construct(at) {
                suspects.push((at, true));
            }
            match problem.rule {
                // Either the line is on the wrong level, or its parent is.
                "unknown-key" if begins && problem.suggestion.is_none() => {
                    suspects.extend([(at, true)].into_iter().chain(self.parent_line(at).map(|it| (it, true))))
                }
                "empty-block" => suspects.push((at + 1, true)),
                "inconsistent-indentation" => suspects.extend([(at, true), (at.saturating_sub(1), true)]),
                "unexpected-token" if begins => suspects.extend([(at, true), (at.saturating_sub(1), true)]),
                _ if begins => suspects.push((at, true)),
                // `read: role(agent)` beside `permit:` is a field of an unknown type.
                // `invariant: …` under `transitions:` is a line of the entity.
                "unexpected-token" if self.is_key_with_problem(at, problem) => suspects.push((at, true)),
                "unknown-type" | "unexpected-token" => suspects.push((at, false)),
                _ => {}
            }
        }
        suspects.sort_unstable_by_key(|(at, whole)| (*at, !whole));
        suspects.dedup_by_key(|(at, _)| *at);
        suspects.retain(|(at, _)| *at < self.lines.len());
        suspects
    }

    /// True if the line is a key and the problem is its colon, or the missing value of a key with a block.
    fn is_key_with_problem(&self, at: usize, problem: &Diagnostic) -> bool {
        let tokens = &self.lines[at].tokens;
        let Some(colon) = tokens.get(1).filter(|it| it.is(":")) else { return false };
        let block = self.lines.get(at + 1).is_some_and(|next| next.indent > self.lines[at].indent || tokens.len() == 2);
        problem.span.start == colon.span.start || (block && tokens.len() == 2)
    }

    /// True if the line begins a construct and has a parent.
    fn begins_construct(&self, at: usize) -> bool {
        let line = &self.lines[at];
        let kind = line.tokens[0].word().is_some_and(|word| syntax::CONSTRUCTS.contains(&word));
        kind && line.indent > self.lines[0].indent && line.tokens.get(1).and_then(Token::word).is_some()
    }

    /// The parent of a line.
    fn parent_line(&self, at: usize) -> Option<usize> {
        self.lines[..at].iter().rposition(|line| line.indent < self.lines[at].indent)
    }

    /// True if the shift does not add errors to the construct around the line: a cheap check before the whole text is read.
    fn may_fit(&self, at: usize, it: &Shift) -> bool {
        let margin = self.lines[0].indent;
        let starts = |line: &&RawLine| line.indent <= margin;
        let start = |line: &RawLine| line.tokens[0].span.start as usize;
        let from = self.lines[..at].iter().rfind(starts).map_or(0, |line| self.indentation(&line.tokens[0]).0 as usize);
        let last = it.edits.last().map_or(0, |(span, _)| span.end as usize);
        let to = self.lines[at + 1..].iter().find(|line| starts(line) && start(line) > last).map_or(self.text.len(), start);
        let mut shifted = self.text[from..to].to_owned();
        for (span, new) in it.edits.iter().rev() {
            shifted.replace_range(span.start as usize - from..span.end as usize - from, new);
        }
        let (before, after) = (count_parse_errors(&self.text[from..to]), count_parse_errors(&shifted));
        after < before || (before == 0 && after == 0)
    }

    /// The edit that corrects the spelling of the first word of a line, if a problem suggests one.
    fn spelling_edit(&self, at: usize, problems: &[&Diagnostic]) -> Option<Edit> {
        let first = self.lines[at].tokens[0].span;
        let offers = problems.iter().filter_map(|it| it.suggestion.as_ref());
        offers.map(|it| (it.span, it.text.clone())).find(|(span, new)| *span == first && !new.contains(' '))
    }

    /// The levels that are open before a line, the outermost first, each with the line that opens it.
    fn open_levels(&self, at: usize) -> Vec<(usize, usize)> {
        let mut levels: Vec<(usize, usize)> = Vec::new();
        for (number, line) in self.lines[..at].iter().enumerate() {
            levels.retain(|(indent, _)| *indent < line.indent);
            levels.push((line.indent, number));
        }
        levels
    }

    /// The levels that a line can have, the nearest first, each with a line of that level or with its parent.
    fn targets(&self, at: usize) -> Vec<Target> {
        let own = self.lines[at].indent;
        let mut targets: Vec<Target> = Vec::new();
        for (indent, line) in self.open_levels(at) {
            targets.push(Target { indent, sample: line, below: false });
        }
        match at.checked_sub(1) {
            Some(before) => self.add_block_levels(at, before, &mut targets),
            None => {
                let least = (1..self.lines.len()).min_by_key(|line| self.lines[*line].indent);
                targets.extend(least.map(|line| Target { indent: self.lines[line].indent, sample: line, below: false }));
            }
        }
        targets.retain(|target| target.indent != own && !(target.indent > own && self.takes_anything(at, target.indent)));
        targets.retain(|target| target.indent < own || !self.is_under_unknown_key(at, target.indent));
        targets.retain(|target| target.indent < own || !self.becomes_action(at, target.indent));
        targets.sort_by_key(|target| (target.indent.abs_diff(own), std::cmp::Reverse(target.indent), target.below));
        targets.dedup_by_key(|target| target.indent);
        targets.truncate(MAX_LEVELS);
        targets
    }

    /// The levels of the block that a line may begin under the line before it: the level of the next line, or one step deeper.
    fn add_block_levels(&self, at: usize, before: usize, targets: &mut Vec<Target>) {
        let (own, above) = (self.lines[at].indent, self.lines[before].indent);
        let next = self.lines.get(at + 1).map(|next| next.indent).filter(|next| *next > above);
        targets.extend(next.filter(|next| *next < own || (own <= above && self.takes_lines(before))).map(|indent| Target {
            indent,
            sample: at + 1,
            below: false,
        }));
        if own != above + self.indentation_step() && self.takes_lines(before) {
            targets.push(Target { indent: above + self.indentation_step(), sample: before, below: true });
        }
    }

    /// True if the line may have a block: a header, a key, or a transition. Free text has no block.
    fn takes_lines(&self, at: usize) -> bool {
        let tokens = &self.lines[at].tokens;
        let said = tokens.get(1).is_some_and(|it| it.is(":")) || tokens.iter().any(|it| it.is("->"));
        let free = tokens.iter().any(|it| matches!(it.kind, TokenKind::Raw(_)));
        tokens.last().is_some_and(|it| it.is(":")) || (said && !free && !self.with_problem.contains(&at))
    }

    /// True if a line of this level would be in a construct that accepts every line.
    fn takes_anything(&self, at: usize, indent: usize) -> bool {
        let margin = self.lines[0].indent;
        let construct = self.lines[..at].iter().rev().find(|line| line.indent <= margin).and_then(|line| line.tokens[0].word());
        let own = self.lines[at].tokens[0].word().unwrap_or_default();
        indent > margin && construct.is_some_and(|word| syntax::takes_anything(word, own))
    }

    /// True if a line of this level would be in the block of an unknown key, where nothing is checked.
    fn is_under_unknown_key(&self, at: usize, indent: usize) -> bool {
        let mut level = indent;
        self.lines[..at].iter().enumerate().rev().any(|(number, line)| {
            let is_parent = line.indent < level;
            level = level.min(line.indent);
            is_parent && self.with_unknown_key.contains(&number)
        })
    }

    /// True if a line of this level would declare an action of the application. Every word is such an action, so that a line
    /// of an entity never has a problem there.
    fn becomes_action(&self, at: usize, indent: usize) -> bool {
        let parent = self.lines[..at].iter().rev().find(|line| line.indent < indent).and_then(|line| line.tokens[0].word());
        let Some(word) = self.lines[at].tokens[0].word().filter(|_| matches!(parent, Some("permit" | "forbid"))) else { return false };
        let of_entity = entity::BLOCKS.contains(&word) || dialect::word("entity", word).is_some();
        let is_level = self.open_levels(at).iter().any(|(indent, _)| *indent == self.lines[at].indent);
        !entity::ACTIONS.contains(&word) && (is_level || of_entity)
    }

    /// The width of one indentation step in this text.
    fn indentation_step(&self) -> usize {
        let steps = self.lines.windows(2).map(|pair| pair[1].indent.saturating_sub(pair[0].indent));
        steps.filter(|step| *step > 0).min().unwrap_or(2)
    }

    /// The beginning of the line of a token, and its indentation as written.
    fn indentation(&self, token: &Token) -> (u32, &str) {
        let start = token.span.start as usize;
        let begins = self.text[..start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let blanks = &self.text[begins..start];
        let own = blanks.len() - blanks.trim_start_matches('\u{feff}').len();
        ((begins + own) as u32, &blanks[own..])
    }

    /// The shifts of a line, alone and with its block. Only deeper levels are tried, unless the problem is about the
    /// `whole` line.
    fn shifts(&self, at: usize, whole: bool) -> Vec<Shift> {
        let mut shifts = Vec::new();
        let own = self.lines[at].indent;
        let under = self.lines[at + 1..].iter().take_while(|line| line.indent > own).count();
        let begins = |line: &RawLine| self.indentation(&line.tokens[0]).1.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
        if !self.lines[at..=at + under].iter().all(begins) {
            return shifts;
        }
        for target in self.targets(at).into_iter().filter(|target| whole || target.indent > own) {
            let sample = self.indentation(&self.lines[target.sample].tokens[0]).1;
            let unit =
                if sample.contains('\t') { "\t".repeat(self.indentation_step().div_ceil(4)) } else { " ".repeat(self.indentation_step()) };
            let margin = if target.below { format!("{sample}{unit}") } else { sample.to_owned() };
            shifts.push(self.shift_block(at, 0, &target, &margin));
            if under > 0 {
                shifts.push(self.shift_block(at, under, &target, &margin));
            }
        }
        shifts
    }

    /// Shifts a line with `count` lines after it to the indentation `margin`.
    fn shift_block(&self, at: usize, count: usize, target: &Target, margin: &str) -> Shift {
        let line = &self.lines[at];
        let (from, old) = self.indentation(&line.tokens[0]);
        let mut edits = Vec::new();
        for line in &self.lines[at..=at + count] {
            let (start, blanks) = self.indentation(&line.tokens[0]);
            let rest = blanks.strip_prefix(old).unwrap_or_default();
            let span = Span { file: self.file, start, end: line.tokens[0].span.start };
            edits.push((span, format!("{margin}{rest}")));
        }
        let last = self.lines[at + count].tokens[0].span.start;
        let mut whole = self.text[from as usize..last as usize].to_owned();
        for (span, new) in edits.iter().rev() {
            whole.replace_range((span.start - from) as usize..(span.end - from) as usize, new);
        }
        let deeper = target.indent > line.indent;
        let amount = if deeper { "little" } else { "much" };
        let neighbour = self.lines[target.sample].tokens[0].describe();
        let place = match (target.below, self.parent_word(target.indent, at)) {
            (true, _) => format!("under {neighbour}"),
            (false, Some(parent)) => format!("under {parent}"),
            (false, None) => "at the margin".to_owned(),
        };
        let span = line.tokens[0].span;
        let report = Diagnostic::error("inconsistent-indentation", span, format!("this line is indented too {amount}: it fits {place}"))
            .help(format!("indent it by {} columns", target.indent))
            .replace(Span { file: self.file, start: from, end: last }, whole);
        let end = line.tokens[line.tokens.len() - 1].span.end;
        let step = self.lines[..at].iter().rev().find(|line| line.indent < target.indent).map(|above| target.indent - above.indent);
        Shift { line: Span { end, ..span }, edits, report, odd: step.is_some_and(|step| step != self.indentation_step()) }
    }

    /// The first word of the parent that a line of this level would have.
    fn parent_word(&self, indent: usize, at: usize) -> Option<String> {
        let line = self.lines[..at].iter().rev().find(|line| line.indent < indent)?;
        let words: Vec<&str> = line.tokens.iter().map_while(Token::word).take(2).collect();
        Some(if words.is_empty() { line.tokens[0].describe() } else { format!("`{}`", words.join(" ")) })
    }
}

/// The number of problems that parsing a text finds.
fn count_parse_errors(text: &str) -> usize {
    let (_, found) = syntax::parse(&SourceMap::single("", text));
    found.iter().filter(|it| it.severity == Severity::Error || it.rule == "construct-not-supported").count()
}

/// A line that may be on the wrong level, and whether the problem is about the whole line.
type Suspect = (usize, bool);

/// A level.
struct Target {
    indent: usize,
    /// A line whose indentation shows that of the level.
    sample: usize,
    /// True if that line is the parent of the level.
    below: bool,
}
