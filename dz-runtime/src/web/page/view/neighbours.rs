//! The previous and the next row of the list from which a view page was opened.
//!
//! The list is the previous page of the browser (the header `Referer`), or the parameter `in` of the links between rows. Both are texts of
//! the client: the list is read with its own rules, as if the client opened it.

use url::Url;

use crate::{
    Result, Tx, Value,
    access::{self, List},
    def::{Mode, SurfaceDef},
    rows,
    template::Neighbours,
    web::{
        Call,
        api::params,
        page::{
            columns,
            list::{ListRequest, with_query},
            shell,
            variant::Variant,
        },
        request::body,
    },
};

/// The parameter with the address of the list.
const LIST: &str = "in";

/// Finds the rows beside the row with this key; `None` if the page was not opened from a list with the row.
pub(super) fn find(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, key: &Value) -> Result<Option<Neighbours>> {
    let Some((list, query)) = opened_from(tx, call, surface) else { return Ok(None) };
    let entity = tx.app.entity(list.entity);
    let variant = Variant::resolve(tx, list);
    let grant = access::ask::<List>(tx.app, tx.engine(), tx.caller(), entity)?.narrow_to(variant.within());
    let asked = ListRequest::read(tx, list, &variant, &Call { query, ..Call::default() })?;
    let size = asked.query.limit.max(1);
    // The page of the row, and one page before and after it.
    let first = (asked.query.offset / size).saturating_sub(1).saturating_mul(size);
    let query = rows::Query { offset: first, limit: size * 3, count: rows::Counting::Off, only: Some(vec![entity.pk]), ..asked.query };
    let rows = rows::list(tx, &grant, &query)?.rows;
    let Some(at) = rows.iter().position(|row| row.value(entity.pk) == key) else { return Ok(None) };
    let list_at = |at: usize| {
        let mut pairs = asked.pairs.clone();
        let page = (first + at as u64) / size + 1;
        if page > 1 {
            pairs.push(("page".to_owned(), page.to_string()));
        }
        if size != params::PAGE_SIZE {
            pairs.push(("page_size".to_owned(), size.to_string()));
        }
        with_query(&list.address(), &pairs)
    };
    let link = |at: usize| {
        let key = rows.get(at)?.value(entity.pk);
        Some(with_query(&columns::row_address(surface, key), &[(LIST.to_owned(), list_at(at))]))
    };
    Ok(Some(Neighbours { list: list_at(at), previous: at.checked_sub(1).and_then(link), next: link(at + 1) }))
}

/// The list and its query, if the caller can open the list and it has rows of the entity.
fn opened_from(tx: &Tx<'_>, call: &Call, surface: &SurfaceDef) -> Option<(&'static SurfaceDef, Vec<(String, String)>)> {
    let named = call.query.iter().find(|(name, _)| name == LIST).map(|(_, value)| value.as_str());
    let address = match named {
        Some(path) => Url::parse("http://x/").ok()?.join(path).ok()?,
        None => Url::parse(call.referer.as_deref()?).ok()?,
    };
    let is_it = |list: &&'static SurfaceDef| list.mode == Mode::List && list.entity == surface.entity && list.address() == address.path();
    let list = tx.app.surfaces.iter().copied().find(is_it)?;
    shell::can_open(tx, list).then(|| (list, address.query().map(body::decode_pairs).unwrap_or_default()))
}
