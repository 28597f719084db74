//! The letters of the icons of entities on pages.

use dz_dsl_file::model::Model;

/// The initial of the title. Entities with the same initial also get another letter of their titles.
pub(super) fn choose(model: &Model, at: usize) -> String {
    marks(model.entities.iter().map(|entity| entity.title.as_str())).swap_remove(at)
}

fn marks<'t>(titles: impl Iterator<Item = &'t str>) -> Vec<String> {
    let letters = |title: &str| title.to_uppercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let all: Vec<Vec<char>> = titles.map(letters).collect();
    let mut marks: Vec<String> = Vec::new();
    for (at, own) in all.iter().enumerate() {
        let initial = own.first().copied().unwrap_or('?');
        if all.iter().filter(|other| other.first() == own.first()).count() < 2 {
            marks.push(initial.to_string());
            continue;
        }
        let beside = own.iter().skip(1).map(|letter| format!("{initial}{}", letter.to_lowercase()));
        let mark = beside.into_iter().find(|mark| !marks.contains(mark));
        marks.push(mark.unwrap_or_else(|| format!("{initial}{}", at + 1)));
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::marks;

    #[test]
    fn no_two_entities_have_one_mark() {
        let of = |titles: &[&str]| marks(titles.iter().copied()).join(" ");
        assert_eq!(of(&["Loan", "Member"]), "L M");
        assert_eq!(of(&["Tag", "Task", "Team", "Ticket", "User"]), "Ta Ts Te Ti U");
        assert_eq!(of(&["A", "Aa", "Aaa", "Élan", "élan"]), "A1 Aa A3 Él Éa");
        assert_eq!(of(&["", "—"]), "?1 ?2");
    }
}
