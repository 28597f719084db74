//! The kind of node that a query asks for: "who" asks for people, and "what happens" for processes.

use super::words::split;
use crate::Kind;

/// A kind of node that queries ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    People,
    Work,
    Pages,
    Figures,
    Rows,
    Values,
}

impl Topic {
    /// The topics of nodes of a type.
    pub fn of_kind(kind: &str) -> &'static [Topic] {
        let is = |kinds: &[Kind]| kinds.iter().any(|it| it.word() == kind);
        match () {
            () if is(&[Kind::Persona]) => &[Topic::People],
            () if is(&[Kind::Process, Kind::Schedule, Kind::LlmIntent]) => &[Topic::Work],
            () if is(&[Kind::Surface]) => &[Topic::Pages],
            () if is(&[Kind::Workspace]) => &[Topic::Pages, Topic::Figures],
            () if is(&[Kind::Demo]) => &[Topic::Rows],
            () if is(&[Kind::Enum]) => &[Topic::Values],
            () => &[],
        }
    }

    /// The topic of a query.
    pub fn for_query(text: &str) -> Option<Topic> {
        let words = split(text);
        let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        match () {
            () if has(&["demo", "example", "examples", "sample"]) && has(&["data", "rows", "records", "demo"]) => Some(Topic::Rows),
            () if has(&["who", "whom", "role", "roles", "persona", "personas"]) => Some(Topic::People),
            () if has(&["happens", "automatically", "process", "processes", "workflow", "job", "jobs"]) => Some(Topic::Work),
            () if has(&["chart", "charts", "diagram", "dashboard", "percentage", "share", "figures", "metrics"]) => Some(Topic::Figures),
            () if has(&["page", "pages", "screen", "screens", "form", "forms", "list"]) => Some(Topic::Pages),
            () if has(&["kinds", "values", "types", "options"]) => Some(Topic::Values),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Topic;

    #[test]
    fn words_of_a_query_name_its_topic() {
        assert_eq!(Topic::for_query("who repairs boats"), Some(Topic::People));
        assert_eq!(Topic::for_query("what happens after a repair"), Some(Topic::Work));
        assert_eq!(Topic::for_query("sample data of boats"), Some(Topic::Rows));
        assert_eq!(Topic::for_query("a chart of the boats"), Some(Topic::Figures));
        assert_eq!(Topic::for_query("a blood sample"), None);
    }
}
