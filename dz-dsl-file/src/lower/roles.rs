//! Roles in an application without personas: they are declared by their use.

use super::Lowering;
use crate::{
    Diagnostic, Span,
    cursor::Name,
    diagnostic::{list_first, nearest},
    model::RoleId,
};

/// Roles that no persona declares, with their uses.
#[derive(Debug, Default)]
pub(crate) struct ByUse {
    places: Vec<(RoleId, Span)>,
}

impl ByUse {
    /// Adds a use.
    pub fn note(&mut self, role: RoleId, name: &Name) {
        self.places.push((role, name.span));
    }

    /// The roles with their places, both in the order of the text. An expression can be resolved more than once.
    fn sorted(&self) -> Vec<(RoleId, Vec<Span>)> {
        let mut places = self.places.clone();
        places.sort_by_key(|(_, span)| (span.file, span.start));
        places.dedup();
        let mut roles: Vec<(RoleId, Vec<Span>)> = Vec::new();
        for (role, span) in places {
            match roles.iter_mut().find(|(known, _)| *known == role) {
                Some((_, spans)) => spans.push(span),
                None => roles.push((role, Vec::from([span]))),
            }
        }
        roles
    }
}

/// Reports roles that are declared by their use, and those that may be misspelt.
pub(super) fn report(it: &mut Lowering<'_>) {
    let roles = it.by_use.sorted();
    let name = |role: &RoleId| it.personas[role.0].name.as_str();
    let undeclared: Vec<&str> = roles.iter().map(|(role, _)| name(role)).filter(|name| !super::persona::is_supplied(name)).collect();
    let mut found = Vec::new();
    for (at, (role, places)) in roles.iter().enumerate().filter(|(_, (role, places))| places.len() == 1 && undeclared.contains(&name(role)))
    {
        // Of two roles that are used once, the second may be a misspelling of the first.
        let others = roles.iter().enumerate().filter(|(other, (_, places))| *other != at && (places.len() > 1 || *other < at));
        let known = others.map(|(_, (role, _))| name(role)).chain(super::persona::SUPPLIED.iter().copied());
        let Some(near) = nearest(name(role), known).filter(|near| !differ_in_numbers(near, name(role))) else { continue };
        found.push(
            Diagnostic::warning("similar-role", places[0], format!("the role `{}` is used only here", name(role)))
                .help(format!("did you mean `{near}`?"))
                .replace(places[0], near),
        );
    }
    if let Some((_, places)) = roles.iter().find(|(role, _)| Some(&name(role)) == undeclared.first()) {
        let (subject, verb) = if undeclared.len() == 1 { ("the role", "exists by its") } else { ("the roles", "exist by their") };
        let message = format!("no persona declares {subject} {}, which {verb} use", list_first(&undeclared));
        found.push(
            Diagnostic::lint("undeclared-role", places[0], message)
                .help(format!("declare each role, such as `persona {}`; a misspelt role is then an error", undeclared[0])),
        );
    }
    for report in found {
        it.out.push(report);
    }
}

/// True for names that differ only in their numbers.
fn differ_in_numbers(one: &str, other: &str) -> bool {
    let letters = |name: &str| name.chars().filter(|c| !c.is_numeric()).collect::<String>();
    letters(one) == letters(other)
}
