//! Reference pickers: the rows that the caller can choose.

use askama::Template;

use crate::{
    Error, Result, Tx, Value,
    def::{AppDef, EntityDef},
    rows,
    web::{
        Call, Reply,
        page::{Answer, Cell, Choice, HostOwned, columns},
    },
};

/// The maximum number of rows in a plain select; above it, the control has a search.
pub(crate) const SELECT_LIMIT: usize = 20;

#[derive(Template)]
#[template(path = "options.html")]
struct Options<'a> {
    id: &'a str,
    options: &'a [Choice],
}

/// The address of the options of an entity.
pub(crate) fn source_address(target: &EntityDef) -> String {
    format!("/app/-/pick/{}", target.table)
}

/// Keys and labels that the caller can choose, by label; one more than [`SELECT_LIMIT`] shows that there are more.
pub(crate) fn list_options(tx: &mut Tx<'_>, target: &'static EntityDef, search: Option<&str>) -> Result<Vec<(Value, String)>> {
    match rows::options(tx, target, search, SELECT_LIMIT as u64 + 1) {
        Err(error) if matches!(error.status, 401 | 403) => Ok(Vec::new()),
        found => found,
    }
}

/// The label of the row with this key, if the caller can see it.
pub(crate) fn find_label(tx: &mut Tx<'_>, target: &'static EntityDef, key: &str) -> Result<Option<String>> {
    if key.is_empty() {
        return Ok(None);
    }
    let Ok(key) = columns::parse_value(tx.app, target.key(), key) else { return Ok(None) };
    rows::label(tx, target, &key)
}

/// Options as choices of a control.
pub(crate) fn to_choices(app: &'static AppDef, target: &'static EntityDef, found: Vec<(Value, String)>, chosen: &str) -> Vec<Choice> {
    let choice = |(key, label): (Value, String)| {
        let value = columns::key_text(&key).unwrap_or_default();
        Choice { chosen: !chosen.is_empty() && value == chosen, cell: Cell::from_ref(app, target, label, None), value }
    };
    found.into_iter().map(choice).collect()
}

/// `GET /app/-/pick/{entity}?q=`: the options of a picker. The search field of a form sends its text as `{field}.q`.
pub(crate) fn show_options(tx: &mut Tx<'_>, call: &Call, entity: &str) -> Result<Reply> {
    let target = tx.app.entities.iter().copied().find(|target| target.table == entity).ok_or_else(Error::not_found)?;
    let given = |name: &str| call.query.iter().find(|(given, _)| given == name).map_or("", |(_, value)| value.as_str());
    let typed = call.query.iter().find(|(name, _)| name == "q" || name.ends_with(".q"));
    let search = typed.map(|(_, text)| text.trim()).filter(|text| !text.is_empty());
    let mut found = rows::options(tx, target, search, SELECT_LIMIT as u64)?;
    found.truncate(SELECT_LIMIT);
    let options = to_choices(tx.app, target, found, "");
    let html = Options { id: given("id"), options: &options }.render().map_err(Error::internal)?;
    Ok(Answer::<HostOwned>::fragment(html).reply(200, call.markup))
}
