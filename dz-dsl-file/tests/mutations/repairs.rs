//! Applies the suggested edits of findings, and decides whether the text is correct again.

use dz_dsl_file::{Analysis, Diagnostic, propose};

use super::{APP, Mutant, analyse, split};

/// The text after repeated application of the suggested edits, if no finding remains; and whether `dz lint --fix` would make all of
/// these edits.
pub fn repaired(first: &Analysis, text: &str) -> Option<(String, bool)> {
    let mut text = text.to_owned();
    let mut analysis = first.clone();
    let mut unasked = true;
    for _ in 0..4 {
        propose(&mut analysis);
        let proposed = |it: Diagnostic| it.suggestion.map(|it| ((it.span, it.text.clone()), it.is_certain()));
        let mut fixes: Vec<_> = analysis.diagnostics.into_iter().filter_map(proposed).collect();
        if fixes.is_empty() {
            return None;
        }
        fixes.sort_by_key(|((span, _), _)| std::cmp::Reverse((span.start, span.end)));
        fixes.dedup_by(|next, last| next.0.0.end > last.0.0.start);
        for ((span, new), sure) in fixes {
            text.replace_range(span.start as usize..span.end as usize, &new);
            unasked &= sure;
        }
        analysis = analyse(&text);
        if analysis.diagnostics.is_empty() {
            return Some((text, unasked));
        }
    }
    None
}

/// The words, numbers and signs of a text.
pub fn tokens(text: &str) -> Vec<String> {
    let mut found = dz_dsl_file::Diagnostics::default();
    let lines = dz_dsl_file::lexer::lex(dz_dsl_file::FileId(0), text, |_| dz_dsl_file::lexer::Prose::Nowhere, &mut found);
    let tokens = lines.into_iter().flat_map(|line| line.tokens);
    tokens.map(|it| text[it.span.start as usize..it.span.end as usize].to_owned()).collect()
}

impl Mutant {
    /// An edit is correct if it only changes the wrong line and keeps every other word of it. If a declared name has a typo, all its uses can
    /// get the same spelling: the application is the same. The content of an empty block is unknown, so that the block can be removed; and
    /// a missing block can be anywhere.
    pub fn allows(&self, repaired: &str) -> bool {
        let missing = self.kind == "missing block";
        let (first, last) = (self.places[0].start, self.places[self.places.len() - 1].end);
        let start = self.text[..first].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[last..].find('\n').map_or(self.text.len(), |at| last + at);
        let (before, after) = (&self.text[..start], &self.text[end..]);
        if missing {
            let mut rest = repaired;
            return self.text.lines().all(|line| rest.find(line).map(|at| rest = &rest[at + line.len()..]).is_some());
        }
        if let ("slip of the pen" | "last letter lost", [place]) = (self.kind, self.places.as_slice()) {
            let (new, old) = (&self.text[place.clone()], self.gone[0]);
            let (repaired, before) = (tokens(repaired), tokens(&APP));
            let same = |(one, other): (&String, &String)| one == other || (one == new && other == old);
            if repaired.len() == before.len() && repaired.iter().zip(&before).all(same) {
                return true;
            }
        }
        let apart = repaired.len() + 1 >= before.len() + after.len();
        if !apart || !repaired.starts_with(before) || !(repaired.ends_with(after) || repaired.ends_with(&after[1.min(after.len())..])) {
            return false;
        }
        if self.kind == "empty block" {
            return true;
        }
        let mut kept = tokens(&repaired[before.len()..repaired.len().saturating_sub(after.len()).max(before.len())]);
        let wrong: Vec<&str> = match self.kind {
            "dropped" | "swapped" => Vec::new(),
            _ => self.places.iter().map(|place| &self.text[place.clone()]).collect(),
        };
        let words = |text: &str| split(text).map(|it| text[it].to_owned()).collect::<Vec<_>>();
        let mut own = words(&self.text[start..end]);
        wrong.iter().for_each(|word| own.retain(|it| it != word));
        kept = kept.iter().flat_map(|it| words(it)).collect();
        own.iter().all(|word| kept.iter().position(|it| it == word).map(|at| kept.swap_remove(at)).is_some())
    }
}
