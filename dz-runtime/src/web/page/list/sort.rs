//! The links in the headers of a list that sort it.

use super::{ListRequest, with_query};
use crate::{
    Tx,
    label::RowLabel,
    web::page::{Sort, columns},
};

/// The sort links in a column header: ascending first, then descending; by this column alone, or after the present sort keys.
pub(super) fn sort_link(tx: &Tx<'_>, shown: &columns::ShownColumn, asked: &ListRequest, path: &str) -> Option<Sort> {
    if shown.field.sensitive || !shown.field.kind.is_comparable() {
        return None;
    }
    let name = sort_name(tx, shown)?;
    let keys: Vec<(String, bool)> = asked.query.sort.iter().map(|(path, descending)| (path.name(tx.app), *descending)).collect();
    let at = keys.iter().position(|(key, _)| *key == name);
    let descending = at.is_some_and(|at| keys[at].1);
    let text = |(name, descending): &(String, bool)| if *descending { format!("-{name}") } else { name.clone() };
    let alone = (name.clone(), at == Some(0) && !descending);
    let mut several = keys.clone();
    match at {
        Some(at) => several[at].1 = !descending,
        None => several.push((name, false)),
    }
    let href = |sort: &[(String, bool)]| {
        let mut pairs = vec![("sort".to_owned(), sort.iter().map(text).collect::<Vec<_>>().join(","))];
        pairs.extend(asked.without(&["sort"]));
        with_query(path, &pairs)
    };
    Some(Sort {
        href: href(&[alone]),
        further: href(&several),
        now: at.map(|_| if descending { "descending" } else { "ascending" }),
        place: at.filter(|_| keys.len() > 1).map(|at| at + 1),
    })
}

/// The sort name of a column: for a reference, the label of its target.
fn sort_name(tx: &Tx<'_>, shown: &columns::ShownColumn) -> Option<String> {
    let name = shown.def.path.name(tx.app);
    match shown.field.kind.target() {
        Some(target) => {
            let label = RowLabel::without_sensitive(tx.app, tx.app.entity(target));
            (!label.is_key()).then(|| format!("{name}.{}", label.path.name(tx.app)))
        }
        None => Some(name),
    }
}
