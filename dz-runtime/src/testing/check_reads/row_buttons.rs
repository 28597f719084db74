//! Checks that the rows of a list offer exactly the changes that their rules permit.

use super::{Entity, Verdict, compare_rows, unescape};
use crate::{
    def::{Mode, SurfaceDef},
    testing::{oracle::Oracle, server::Answer, world::Stored},
    web::page::columns::row_address,
};

pub(super) fn check(oracle: &Oracle<'_>, surface: &'static SurfaceDef, entity: Entity, rows: &[&Stored], answer: &Answer) -> Verdict {
    let changes = !oracle.is_read_only_page(surface);
    let edit = open_page(oracle, entity, Mode::Edit).filter(|_| changes);
    let deletes = changes && !oracle.is_closed(entity, "delete");
    let delete = [Mode::View, Mode::Edit, Mode::List].into_iter().filter_map(|mode| open_page(oracle, entity, mode));
    let delete = delete.filter(|_| deletes).find(|page| !oracle.is_read_only_page(page));
    for (page, action, text, end) in [(edit, "update", "Edit", ""), (delete, "delete", "Delete", "/delete")] {
        let permitted = rows.iter().filter(|row| page.is_some() && oracle.covers(entity, action, &row.values));
        let wanted: Vec<String> = permitted.filter_map(|row| Some(format!("{}{end}", row_address(page?, row.value(entity.pk))))).collect();
        compare_rows(&find_links(&answer.body, text), &wanted, false).map_err(|wrong| format!("links `{text}`: {wrong}"))?;
    }
    Ok(())
}

/// The addresses of the links in the menus of rows.
fn find_links(body: &str, text: &str) -> Vec<String> {
    let end = format!("</svg>{text}</a>");
    let parts: Vec<&str> = body.split(end.as_str()).collect();
    let before = parts.split_last().map(|(_, before)| before).unwrap_or_default();
    before.iter().filter_map(|part| link_before(part)).map(unescape).collect()
}

/// The address of the last link that begins in a part; the icon of a link has an address of its own.
fn link_before(part: &str) -> Option<&str> {
    part.rsplit_once("<a href=\"")?.1.split('"').next()
}

/// The first page of a mode, if the caller can open it.
fn open_page(oracle: &Oracle<'_>, entity: Entity, mode: Mode) -> Option<&'static SurfaceDef> {
    let surface = oracle.app().surfaces.iter().copied().find(|surface| surface.mode == mode && surface.entity == entity.ix)?;
    let action = match mode {
        Mode::List => "list",
        Mode::View => "read",
        Mode::Create => "create",
        Mode::Edit => "update",
    };
    let closed = mode.writes() && oracle.is_read_only_page(surface);
    (!closed && oracle.who.is_for_page(surface) && !oracle.is_closed(entity, action)).then_some(surface)
}
