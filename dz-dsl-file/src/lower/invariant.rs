//! Invariants: those of archetypes first, each typed in the entity that extends the archetype.

use std::collections::HashMap;

use super::{
    Lowering,
    expr::{self, Position},
};
use crate::{
    Diagnostic, Span,
    model::{EntityId, Invariant},
    suggestion::same,
    syntax::invariant::Invariant as Written,
};

pub(super) fn lower(it: &mut Lowering<'_>) {
    for at in 0..it.entities.len() {
        let Some(declared) = it.declared[at] else { continue };
        let archetypes = it.lineage(&declared.body);
        let inherited: Vec<&Written> = archetypes.into_iter().flat_map(|archetype| &archetype.body.invariants).collect();
        let mut codes: HashMap<&str, Span> = HashMap::new();
        for written in inherited.into_iter().chain(&declared.body.invariants) {
            let code = code(it, written, &mut codes);
            let Some((condition, _)) = expr::condition(it, Position::Invariant, EntityId(at), None, &written.condition) else { continue };
            let message = written.message.as_ref().map(|text| text.text.clone());
            it.entities[at].invariants.push(Invariant { condition, message, code, span: written.span });
        }
    }
}

/// The code: an upper-case identifier, unique within the entity.
fn code<'a>(it: &mut Lowering<'_>, written: &'a Written, codes: &mut HashMap<&'a str, Span>) -> Option<(String, Span)> {
    let code = written.code.as_ref()?;
    let upper = code.text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    if !upper || !code.text.starts_with(|c: char| c.is_ascii_uppercase()) {
        let better = heck::AsShoutySnakeCase(&code.text).to_string();
        it.out.push(
            Diagnostic::error("bad-code", code.span, format!("`{}` is not a code: codes are upper-case identifiers", code.text))
                .help(format!("write `{better}`"))
                .replace(code.span, same(better)),
        );
        return None;
    }
    if let Some(first) = codes.insert(&code.text, code.span) {
        it.out.push(
            Diagnostic::error("duplicate-code", code.span, format!("two invariants of this entity have the code `{}`", code.text))
                .label(first, "the other one")
                .help("give each a code of its own, so that clients can distinguish them"),
        );
    }
    Some((code.text.clone(), code.span))
}
