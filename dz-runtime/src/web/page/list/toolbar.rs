//! Search and filter controls of a list, by the type of the field.

mod presets;

use crate::{
    Result, Tx, Value,
    def::{AppDef, EnumDef, FieldDef, Kind, Path, SurfaceDef},
    web::{
        Call,
        api::params,
        page::{
            Cell, Choice, FilterControl, FilterInput, Toolbar, columns,
            form::{control, picker},
            list::{ListRequest, saved_filters, sort_pairs, with_query},
            variant::Variant,
        },
    },
};

/// The toolbar of a list; `None` if it has neither search nor filters.
pub(crate) fn build(
    tx: &mut Tx<'_>,
    call: &Call,
    surface: &'static SurfaceDef,
    variant: &Variant,
    asked: &ListRequest,
    path: &str,
) -> Result<Option<Toolbar>> {
    let app = tx.app;
    let open = |path: &&Path| !variant.hides(app, path);
    let (narrowed_by, searched): (Vec<&Path>, Vec<&Path>) =
        (surface.ux.filter.iter().filter(open).collect(), surface.ux.search.iter().filter(open).collect());
    let temporal = tx.app.entity(surface.entity).temporal;
    if narrowed_by.is_empty() && searched.is_empty() && temporal.is_none() {
        return Ok(None);
    }
    let mut filters = Vec::new();
    let mut names = vec!["search".to_owned()];
    for by in narrowed_by {
        let field = by.end(tx.app).field(tx.app);
        if field.sensitive || field.secret {
            continue;
        }
        let control = build_filter(tx, surface, by, field, asked, path)?;
        names.extend(parameter_names(&control.control));
        filters.push(control);
    }
    if let Some(temporal) = temporal {
        let start = tx.app.entity(surface.entity).field(temporal.start);
        for control in [include_closed_filter(surface, asked), as_of_filter(tx, surface, start, asked)] {
            names.extend(parameter_names(&control.control));
            filters.push(control);
        }
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut titles: Vec<String> = Vec::new();
    for title in searched.iter().map(|path| columns::lower_title(searched_title(app, path))) {
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    Ok(Some(Toolbar {
        search: (!titles.is_empty()).then(|| asked.value("search").to_owned()),
        search_in: say!("dz-search-in", "Search {fields}", fields = titles.join(", ")),
        filters,
        preserved: asked.without(&names),
        clear: asked.narrowed.then(|| with_query(path, &sort_pairs(asked))),
        saved: saved_filters::build(tx, call, surface, asked, path)?,
    }))
}

/// The title of a searched field: over references that of the last reference, because `name` alone does not say of what.
fn searched_title(app: &'static AppDef, path: &Path) -> &'static str {
    let steps = path.steps(app);
    steps.iter().rev().nth(1).or(steps.last()).map_or("", |step| step.field(app).title)
}

/// The filter for expired rows.
fn include_closed_filter(surface: &SurfaceDef, asked: &ListRequest) -> FilterControl {
    let on = matches!(asked.value("include_closed"), "true" | "1" | "yes");
    let choices = [("", say!("dz-current", "Current"), !on), ("true", say!("dz-current-and-closed", "Current and closed"), on)];
    let choices = choices.map(|(value, text, chosen)| Choice { value: value.to_owned(), cell: Cell::text(text), chosen });
    FilterControl {
        id: format!("{}-f-include_closed", surface.name),
        label: say!("dz-shown", "Shown").to_owned(),
        now: on.then(|| say!("dz-current-and-closed", "Current and closed").to_owned()),
        control: FilterInput::One { name: "include_closed".to_owned(), choices: choices.into() },
    }
}

/// The filter for the time at which rows are current.
fn as_of_filter(tx: &Tx<'_>, surface: &SurfaceDef, start: &'static FieldDef, asked: &ListRequest) -> FilterControl {
    let value = asked.value("as_of").to_owned();
    let words =
        || columns::parse_value(tx.app, start, &value).map_or_else(|_| value.clone(), |read| columns::show(tx.app, start, &read).text);
    FilterControl {
        id: format!("{}-f-as_of", surface.name),
        label: say!("dz-as-of", "As of").to_owned(),
        now: (!value.is_empty()).then(words),
        control: FilterInput::Time { name: "as_of".to_owned(), kind: if start.kind.is_date() { "date" } else { "datetime-local" }, value },
    }
}

/// The names of the parameters of a control.
fn parameter_names(control: &FilterInput) -> Vec<String> {
    match control {
        // The same filter with one value has no suffix.
        FilterInput::Any { name, .. } => {
            let of_one = name.strip_suffix("__in").map(str::to_owned);
            [name.clone()].into_iter().chain(of_one).collect()
        }
        FilterInput::One { name, .. }
        | FilterInput::Pick { name, .. }
        | FilterInput::Time { name, .. }
        | FilterInput::Text { name, .. } => {
            vec![name.clone()]
        }
        FilterInput::Range { from_name, to_name, .. } => vec![from_name.clone(), to_name.clone()],
    }
}

fn build_filter(
    tx: &mut Tx<'_>,
    surface: &SurfaceDef,
    by: &Path,
    field: &'static FieldDef,
    asked: &ListRequest,
    path: &str,
) -> Result<FilterControl> {
    let name = by.name(tx.app);
    let id = format!("{}-f-{}", surface.name, name.replace('.', "-"));
    let (control, now) = match field.kind {
        Kind::Enum(def) => enum_filter(tx, field, def, &name, asked),
        Kind::Bool => bool_filter(&name, asked),
        Kind::Ref(target) => ref_filter(tx, target, &name, asked)?,
        Kind::Date => presets::add(tx, range_filter(tx, field, "date", &name, asked), asked, path),
        Kind::DateTime => presets::add(tx, range_filter(tx, field, "datetime-local", &name, asked), asked, path),
        Kind::Int | Kind::Float | Kind::Decimal { .. } => range_filter(tx, field, "number", &name, asked),
        Kind::Uuid
        | Kind::Str(_)
        | Kind::Text
        | Kind::Json
        | Kind::Email
        | Kind::Url
        | Kind::Timezone
        | Kind::Currency { .. }
        | Kind::Slug
        | Kind::File { .. }
        | Kind::HasMany { .. }
        | Kind::HasOne { .. }
        | Kind::ManyToMany { .. } => {
            let name = format!("{name}__icontains");
            let value = asked.value(&name).to_owned();
            let now = Some(value.clone()).filter(|value| !value.is_empty());
            (FilterInput::Text { name, value }, now)
        }
    };
    Ok(FilterControl { id, label: field.title.to_owned(), now, control })
}

fn enum_filter(
    tx: &Tx<'_>,
    field: &'static FieldDef,
    def: &'static EnumDef,
    name: &str,
    asked: &ListRequest,
) -> (FilterInput, Option<String>) {
    let chosen: Vec<&str> = match asked.value(name) {
        "" => asked.value(&format!("{name}__in")).split(',').collect(),
        one => vec![one],
    };
    let choices: Vec<Choice> = def
        .values
        .iter()
        .map(|value| Choice {
            value: value.name.to_owned(),
            cell: columns::show(tx.app, field, &Value::Text(value.name.to_owned())),
            chosen: chosen.contains(&value.name),
        })
        .collect();
    let titles: Vec<&str> = choices.iter().filter(|choice| choice.chosen).map(|choice| choice.cell.text.as_str()).collect();
    let now = match titles.as_slice() {
        [] => None,
        [one] => Some((*one).to_owned()),
        [first, rest @ ..] => Some(format!("{first} +{}", rest.len())),
    };
    (FilterInput::Any { name: format!("{name}__in"), choices }, now)
}

/// The name of the parameter for one value; the names of other parameters of lists are not available.
fn single_name(name: &str) -> String {
    if params::RESERVED.contains(&name) { format!("{name}__in") } else { name.to_owned() }
}

fn bool_filter(name: &str, asked: &ListRequest) -> (FilterInput, Option<String>) {
    let name = single_name(name);
    let value = asked.value(&name);
    let choices: Vec<Choice> = [("", say!("dz-either", "Either")), ("true", say!("dz-yes", "Yes")), ("false", say!("dz-no", "No"))]
        .into_iter()
        .map(|(key, text)| Choice { value: key.to_owned(), cell: Cell::text(text), chosen: key == value })
        .collect();
    let now = choices.iter().find(|choice| choice.chosen && !choice.value.is_empty()).map(|choice| choice.cell.text.clone());
    (FilterInput::One { name, choices }, now)
}

fn ref_filter(tx: &mut Tx<'_>, target: u16, name: &str, asked: &ListRequest) -> Result<(FilterInput, Option<String>)> {
    let target = tx.app.entity(target);
    let name = single_name(name);
    let value = asked.value(&name).to_owned();
    let found = picker::list_options(tx, target, None)?;
    if found.len() > picker::SELECT_LIMIT {
        let shown = picker::find_label(tx, target, &value)?.unwrap_or_default();
        let now = Some(shown.clone()).filter(|shown| !shown.is_empty());
        let source = picker::source_address(target);
        return Ok((FilterInput::Pick { name, value, shown, source }, now));
    }
    let mut choices = vec![Choice { value: String::new(), cell: Cell::text(say!("dz-any", "Any")), chosen: value.is_empty() }];
    choices.extend(picker::to_choices(tx.app, target, found, &value));
    let now = choices.iter().find(|choice| choice.chosen && !choice.value.is_empty()).map(|choice| choice.cell.text.clone());
    Ok((FilterInput::One { name, choices }, now))
}

fn range_filter(
    tx: &Tx<'_>,
    field: &'static FieldDef,
    kind: &'static str,
    name: &str,
    asked: &ListRequest,
) -> (FilterInput, Option<String>) {
    let (from_name, to_name) = (format!("{name}__gte"), format!("{name}__lte"));
    // A control for a time shows it without its zone.
    let given = |name: &str| match columns::parse_value(tx.app, field, asked.value(name)) {
        Ok(value) if kind == "datetime-local" && !value.is_null() => control::control_text(tx.app, field, &value),
        _ => asked.value(name).to_owned(),
    };
    let (from, to) = (given(&from_name), given(&to_name));
    let words = |text: &str| match columns::parse_value(tx.app, field, text) {
        Ok(value) => columns::show(tx.app, field, &value).text,
        Err(_) => text.to_owned(),
    };
    let now = match (from.is_empty(), to.is_empty()) {
        (true, true) => None,
        (false, true) => Some(say!("dz-from-value", "from {value}", value = words(&from))),
        (true, false) => Some(say!("dz-to-value", "to {value}", value = words(&to))),
        (false, false) if from == to => Some(words(&from)),
        (false, false) => Some(format!("{} – {}", words(&from), words(&to))),
    };
    (FilterInput::Range { kind, from_name, from, to_name, to, presets: Vec::new() }, now)
}
