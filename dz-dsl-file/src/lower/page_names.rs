//! Names that pages use: words of closed sets, personas, audiences, surfaces.

use std::collections::HashMap;

use super::{Lowering, collect};
use crate::{
    Diagnostic, Span,
    cursor::Name,
    diagnostic::near_word,
    model::{Audience, EntityId, Mode, Placed, RoleId, SurfaceId, Word},
    suggestion::Replacement,
    syntax::audience as written,
};

/// Facts about a surface before its contents are lowered.
pub(crate) struct SurfaceHead {
    /// The entity, if it could be resolved.
    pub entity: Option<EntityId>,
    /// The mode, if it could be resolved.
    pub mode: Option<Mode>,
    /// The name in the declaration.
    pub span: Span,
}

impl Lowering<'_> {
    /// Resolves a word, or reports it with the nearest word or all of them.
    pub fn word<T: Word>(&mut self, rule: &'static str, what: &str, name: &Name) -> Option<T> {
        if let Some(found) = T::ALL.iter().find(|it| it.word() == name.text) {
            return Some(*found);
        }
        let words = || T::ALL.iter().map(|it| it.word());
        let all: Vec<String> = words().map(|word| format!("`{word}`")).collect();
        let mut found = Diagnostic::error(rule, name.span, format!("unknown {what} `{}`", name.text));
        if let Some(row) = crate::dialect::word(what, &name.text) {
            let found = found.help(row.help());
            self.out.push(match row.replacement() {
                Some(ours) => found.replace(name.span, ours),
                None => found,
            });
            return None;
        }
        found = match near_word(&name.text, words()) {
            Some(near) => found.help(format!("did you mean `{near}`? Known ones are {}", all.join(", "))).replace(name.span, near),
            None => found.help(format!("known ones are {}", all.join(", "))),
        };
        self.out.push(found);
        None
    }

    /// Resolves the role of a persona. Where no persona is declared, a role is declared by its use.
    pub fn persona(&mut self, name: &Name) -> Option<RoleId> {
        self.role_or("unknown-persona", name)
    }

    /// Resolves the personas of a list, without duplicates; `seen` contains those of earlier lists that exclude each other.
    pub fn persona_list(&mut self, list: &[Name], seen: &mut HashMap<String, Span>, message: fn(&str) -> String) -> Vec<Placed<RoleId>> {
        let mut found = Vec::new();
        for name in list {
            if let Some(id) = self.persona(name)
                && collect::once(self, seen, name, message)
            {
                found.push(Placed { it: id, span: name.span });
            }
        }
        found
    }

    /// Resolves the audience of a page.
    pub fn audience(&mut self, audience: &written::Audience) -> Option<Audience> {
        let word = match audience {
            written::Audience::Personas(list) => {
                return Some(Audience::Personas(self.persona_list(list, &mut HashMap::new(), |name| format!("`{name}` is named twice"))));
            }
            written::Audience::Word(word) => word,
        };
        match word.text.as_str() {
            "public" => Some(Audience::Public),
            "authenticated" => Some(Audience::Authenticated),
            text => {
                let mut found = Diagnostic::error("unknown-value", word.span, format!("`{text}` is not an audience of a page"));
                let near = near_word(text, ["public", "authenticated"]).map(Replacement::from);
                let persona = self.roles.contains_key(text).then(|| format!("persona({text})").into());
                found = match persona.or(near) {
                    Some(right) => found.help(format!("did you mean `{}`?", right.text())).replace(word.span, right),
                    None => found.help("write `public`, `authenticated` or `persona(…)`"),
                };
                self.out.push(found);
                None
            }
        }
    }

    /// Resolves the name of a surface, or reports it with the nearest one.
    pub fn surface(&mut self, name: &Name) -> Option<SurfaceId> {
        if let Some(id) = self.surface_names.get(&name.text).copied() {
            self.refer(name, self.surface_heads[id.0].span);
            return Some(id);
        }
        let mut known: Vec<String> = self.surface_names.keys().cloned().collect();
        known.sort_unstable();
        let otherwise = format!("declare `surface {}:`", name.text);
        self.unknown_among("unknown-surface", format!("unknown surface `{}`", name.text), name.span, &name.text, &known, &otherwise);
        None
    }

    /// Checks a number of rows.
    pub fn limit(&mut self, limit: Option<(i64, Span)>) -> Option<u32> {
        let (number, span) = limit?;
        let fits = u32::try_from(number).ok().filter(|number| (1..=100).contains(number));
        if fits.is_none() {
            let found = Diagnostic::error("number-out-of-range", span, format!("a limit is from 1 to 100, not {number}"));
            self.out.push(found.help("longer lists are read page by page"));
        }
        fits
    }
}
