//! What a search in a picker compares its words with: the text of a label, also where the label is no text.

use super::{Emit, fill};
use crate::{
    Engine,
    db::{BindKind, Statement},
    def::{FieldDef, Kind},
};

impl Emit<'_> {
    /// What a field holds as text in which words can be found, the same on both engines: a text as it is, a value of an
    /// enumeration by its title, a key, a whole number and a day as the API writes them. `None` for kinds in which no words are
    /// found.
    ///
    /// SQLite stores identifiers as bytes, and a cast makes no text of them.
    pub(crate) fn search_text(&self, field: &FieldDef, held: Statement) -> Option<Statement> {
        if let Kind::Enum(of) = field.kind {
            let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
            let titles: String = of.values.iter().map(|it| format!(" WHEN {} THEN {}", quoted(it.name), quoted(it.title))).collect();
            return Some(fill(&format!("(CASE {{}}{titles} END)"), [held]));
        }
        Some(match (BindKind::from_kind(field.kind, self.app)?, self.engine) {
            (BindKind::Text, _) | (BindKind::Date, Engine::Sqlite) => held,
            (BindKind::Int, _) | (BindKind::Uuid, Engine::Postgres) => fill("CAST({} AS TEXT)", [held]),
            (BindKind::Date, Engine::Postgres) => fill("to_char({}, 'YYYY-MM-DD')", [held]),
            (BindKind::Uuid, Engine::Sqlite) => {
                let groups = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)];
                let mut groups =
                    groups.into_iter().map(|(from, length)| fill(&format!("substr(hex({{}}), {from}, {length})"), [held.clone()]));
                let first = groups.next()?;
                groups.fold(first, |all, group| fill("{} || '-' || {}", [all, group]))
            }
            _ => return None,
        })
    }
}
