//! The text that a search in a picker compares: the label, also if its field is not text.

use super::{Emit, fill};
use crate::{
    Engine,
    db::{BindKind, Statement},
    def::FieldDef,
};

impl Emit<'_> {
    /// The value of a field as searchable text, the same on both engines: text as it is, the title of an enumeration value, keys,
    /// whole numbers and dates as the API writes them. `None` for other kinds.
    ///
    /// SQLite stores UUIDs as bytes, which a cast does not convert to text.
    pub(crate) fn search_text(&self, field: &FieldDef, held: Statement) -> Option<Statement> {
        if let Some(of) = field.kind.enumeration() {
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
