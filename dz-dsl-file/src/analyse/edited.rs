//! Edited texts, with the mapping of their positions to the positions in the original texts.

use crate::{Diagnostic, Diagnostics, FileId, SourceMap, Span, lower::Use};

/// A span of the original text, and its replacement.
pub(super) type Edit = (Span, String);

/// Edited texts.
#[derive(Debug, Clone)]
pub(super) struct EditedTexts {
    written: SourceMap,
    /// The texts after the edits.
    pub files: SourceMap,
    /// Sorted by place, without overlaps.
    edits: Vec<Edit>,
}

impl EditedTexts {
    /// The original texts.
    pub fn new(written: &SourceMap) -> Self {
        EditedTexts { written: written.clone(), files: written.clone(), edits: Vec::new() }
    }

    /// Adds edits. An edit that covers earlier ones replaces them; one that overlaps an earlier one without covering it is
    /// dropped.
    pub fn with_edits(&self, more: impl IntoIterator<Item = Edit>) -> Self {
        let mut edits = self.edits.clone();
        for edit in more {
            let covers = |old: &Edit| covers(edit.0, old.0);
            let apart = |old: &Edit| old.0.file != edit.0.file || old.0.end <= edit.0.start && old.0 != edit.0 || edit.0.end <= old.0.start;
            if edits.iter().all(|old| covers(old) || apart(old)) {
                edits.retain(|old| !covers(old));
                edits.push(edit);
            }
        }
        edits.sort_by_key(|(span, _)| (span.file, span.start, span.end));
        let mut files = SourceMap::default();
        for (id, file) in self.written.files() {
            files.add(file.name.as_str(), apply_edits(&file.text, edits.iter().filter(|(span, _)| span.file == id)));
        }
        EditedTexts { written: self.written.clone(), files, edits }
    }

    /// True if there is no edit.
    pub fn is_as_written(&self) -> bool {
        self.edits.is_empty()
    }

    /// The place in the original texts.
    pub fn original_span(&self, span: Span) -> Span {
        Span { start: self.byte(span.file, span.start), end: self.byte(span.file, span.end), ..span }
    }

    fn byte(&self, file: FileId, at: u32) -> u32 {
        let mut longer = 0i64;
        for (span, new) in self.edits.iter().filter(|(span, _)| span.file == file) {
            let begins = i64::from(span.start) + longer;
            let inside = i64::from(at) - begins;
            if inside < 0 {
                break;
            }
            if inside < new.len() as i64 {
                return span.start + (inside as u32).min(span.end - span.start);
            }
            longer += new.len() as i64 - i64::from(span.end - span.start);
        }
        (i64::from(at) - longer) as u32
    }

    /// Converts findings in the edited texts to findings in the original texts.
    pub fn findings(&self, found: Diagnostics) -> Diagnostics {
        let mut back = found.new_like_this();
        for it in found.iter() {
            back.push(self.finding(it.clone()));
        }
        back
    }

    /// The original text of a place.
    pub fn original_text(&self, span: Span) -> &str {
        self.written.text(span)
    }

    /// Converts one finding, as [`EditedTexts::findings`].
    pub fn finding(&self, mut it: Diagnostic) -> Diagnostic {
        it.span = self.original_span(it.span);
        it.labels.iter_mut().for_each(|(span, _)| *span = self.original_span(*span));
        if let Some(suggestion) = &mut it.suggestion {
            suggestion.span = self.original_span(suggestion.span);
        }
        it
    }

    /// Converts uses of names, as [`EditedTexts::findings`].
    pub fn uses(&self, uses: Vec<Use>) -> Vec<Use> {
        uses.into_iter().map(|it| Use { at: self.original_span(it.at), declared: self.original_span(it.declared) }).collect()
    }
}

/// True if one span contains another one.
pub(super) fn covers(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

/// Applies edits, which are sorted by place.
fn apply_edits<'e>(text: &str, edits: impl Iterator<Item = &'e Edit>) -> String {
    let mut new = String::with_capacity(text.len());
    let mut end = 0;
    for (span, replacement) in edits {
        new.push_str(&text[end..span.start as usize]);
        new.push_str(replacement);
        end = span.end as usize;
    }
    new.push_str(&text[end..]);
    new
}

#[cfg(test)]
mod tests {
    use super::EditedTexts;
    use crate::{FileId, SourceMap, Span};

    fn span(start: u32, end: u32) -> Span {
        Span { file: FileId(0), start, end }
    }

    #[test]
    fn places_are_mapped_to_the_original_text() {
        let edited = EditedTexts::new(&SourceMap::single("t", "abc def ghi"))
            .with_edits([(span(4, 4), "++".to_owned()), (span(8, 11), "x".to_owned())]);
        assert_eq!(edited.files.file(FileId(0)).text, "abc ++def x");
        assert_eq!(edited.original_span(span(0, 3)), span(0, 3));
        assert_eq!(edited.original_span(span(6, 9)), span(4, 7));
        assert_eq!(edited.original_span(span(10, 11)), span(8, 11));
    }

    #[test]
    fn an_edit_replaces_the_edits_that_it_covers() {
        let edited = EditedTexts::new(&SourceMap::single("t", "abc def")).with_edits([(span(4, 5), "D".to_owned())]);
        assert_eq!(edited.with_edits([(span(5, 6), "E".to_owned())]).files.file(FileId(0)).text, "abc DEf");
        assert_eq!(edited.with_edits([(span(4, 7), "x".to_owned())]).files.file(FileId(0)).text, "abc x");
        assert_eq!(edited.with_edits([(span(3, 4), "-".to_owned()), (span(0, 4), "y".to_owned())]).files.file(FileId(0)).text, "yDef");
    }
}
