//! Related lists of a view: one for each entity whose rows refer to the row.

use crate::{
    Result, Tx, Value,
    def::{NestedList, RelatedDef},
    web::{
        Call,
        page::{
            ViewBody, ViewSection,
            variant::Variant,
            view::nested::{self, SectionList},
        },
    },
};

/// The declared related lists. No section has such a name, because names contain no hyphen.
pub(crate) fn list_related(tx: &Tx<'_>, related: &'static RelatedDef) -> Vec<SectionList> {
    let several = related.lists.len() > 1;
    let shown = |(at, list): (usize, &'static NestedList)| SectionList {
        name: if several { format!("related-{}-{}", related.name, at + 1) } else { format!("related-{}", related.name) },
        title: if several { tx.app.entity(list.entity).title_plural } else { related.title },
        list,
        display: related.display,
        limit: related.limit,
    };
    related.lists.iter().enumerate().map(shown).collect()
}

/// The section with its lists; `None` if the caller can list none of them.
pub(crate) fn build_section(
    tx: &mut Tx<'_>,
    call: &Call,
    variant: &Variant,
    related: &'static RelatedDef,
    key: &Value,
) -> Result<Option<ViewSection>> {
    let mut tables = Vec::new();
    for list in list_related(tx, related) {
        tables.extend(nested::build_table(tx, call, variant, &list, key)?);
    }
    let body = match (related.lists.len(), tables.pop()) {
        (_, None) => return Ok(None),
        (1, Some(only)) => ViewBody::Nested(Box::new(only)),
        (_, Some(last)) => {
            tables.push(last);
            ViewBody::Related(tables)
        }
    };
    Ok(Some(ViewSection { id: format!("s-related-{}", related.name), title: Some(related.title), note: None, body }))
}
