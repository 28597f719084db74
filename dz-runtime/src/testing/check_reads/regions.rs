//! Checks regions of workspaces: the rows that they show, and the number of rows that their groups count.

use super::{Verdict, check_closed_page, check_status, compare_rows, key_in_id, key_texts};
use crate::{
    def::{AppDef, Display, RegionDef, WorkspaceDef},
    testing::{
        oracle::{Oracle, Scope},
        server::Answer,
        world::Stored,
    },
};

/// The regions that can be compared with the rows of a world: of one entity, without a limit, for every persona.
pub(in crate::testing) fn comparable(app: &'static AppDef) -> Vec<(&'static WorkspaceDef, &'static RegionDef)> {
    let plain = |region: &&RegionDef| {
        let counts = region.display == Display::BarChart && region.sources.iter().all(|source| source.value.is_none());
        region.sources.len() == 1 && region.limit.is_none() && region.figures.is_empty() && (shows_rows(region) || counts)
    };
    let open = app.workspaces.iter().filter(|workspace| workspace.variants.is_empty());
    open.flat_map(|workspace| workspace.regions.iter().filter(plain).map(move |region| (workspace, region))).collect()
}

fn shows_rows(region: &RegionDef) -> bool {
    matches!(
        region.display,
        Display::List | Display::Table | Display::Grid | Display::Queue | Display::Timeline | Display::ActivityFeed | Display::Tree
    )
}

pub(super) fn check(oracle: &Oracle<'_>, workspace: &'static WorkspaceDef, region: &'static RegionDef, answer: &Answer) -> Verdict {
    let Some(source) = region.sources.first() else { return Ok(()) };
    let entity = oracle.app().entity(source.entity);
    if oracle.is_closed(entity, "list") || !oracle.who.is_in_audience(workspace.audience) {
        return check_closed_page(oracle, answer);
    }
    check_status(answer, &[200], "some row may be listed")?;
    let is_shown = |row: &&Stored| {
        let place = Scope { entity, values: &row.values, outer: None };
        oracle.lists(entity, &row.values) && source.filter.as_ref().is_none_or(|filter| oracle.truth(filter, place) == Some(true))
    };
    let rows: Vec<&Stored> = oracle.world.stored_rows(entity.ix).filter(is_shown).collect();
    if shows_rows(region) {
        return compare_rows(&find_keys(&answer.body, region.id), &key_texts(entity, &rows), false);
    }
    let cells = answer.body.split("<td data-num>").skip(1).filter_map(|rest| rest.split('<').next());
    let counted: usize = cells.filter_map(|text| text.replace(',', "").parse::<usize>().ok()).sum();
    let whole = !answer.body.contains("Showing ");
    if whole && counted != rows.len() {
        return Err(format!("its groups count {counted} rows where the rules list {}", rows.len()));
    }
    Ok(())
}

/// The keys of the elements of rows, which are percent-encoded in their ids; the elements of the frame have ids that end with a word.
fn find_keys(body: &str, region: &str) -> Vec<String> {
    let begin = format!(" id=\"{region}-");
    let ids = body.split(begin.as_str()).skip(1).filter_map(|rest| rest.split('"').next());
    let frame = ["body", "footer", "title", "previous", "next"];
    ids.filter(|id| !frame.contains(id) && !id.starts_with("page-")).map(key_in_id).collect()
}
