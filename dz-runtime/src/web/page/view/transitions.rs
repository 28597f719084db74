//! Transitions: the buttons on a view page, and their submission.

use crate::{
    Error, Result, Tx, Value,
    def::{EntityDef, FieldIx, Mode, SurfaceDef},
    rows::{
        self, Row,
        transitions::{self, Closed, Offer},
    },
    web::{
        Call, Reply,
        page::{ClosedTransition, Control, TransitionButtons, columns, form, variant::Variant, view},
    },
};

/// The transitions that the caller can make with this row now.
pub(crate) fn build_buttons(tx: &mut Tx<'_>, call: &Call, variant: &Variant, row: &Row) -> Result<Option<TransitionButtons>> {
    let surface = variant.surface();
    let entity = tx.app.entity(surface.entity);
    let hidden = entity.states.is_some_and(|states| variant.hides_own(tx.app, states.field));
    if hidden || variant.is_read_only() {
        return Ok(None);
    }
    let offers = transitions::offers(tx, entity, row)?;
    if offers.is_empty() {
        return Ok(None);
    }
    let next = offers.iter().find(|offer| offer.closed.is_none() && offer.step).map(|offer| offer.to.name);
    let (closed, open): (Vec<Offer>, Vec<Offer>) = offers.into_iter().partition(|offer| offer.closed.is_some());
    let form = columns::find_page(tx, entity, Mode::Edit);
    let closed =
        closed.iter().filter_map(|offer| Some(describe_closed(tx, entity, row, form, offer.title, offer.closed.as_ref()?))).collect();
    Ok(Some(TransitionButtons {
        action: format!("{}/move", columns::row_address(surface, row.value(entity.pk))),
        csrf: call.csrf.clone(),
        version: row.version,
        states: open.into_iter().map(|offer| (offer.to.name, offer.title)).collect(),
        next,
        closed,
    }))
}

/// A transition that cannot be made now, with the reason and a link to the form for missing values.
fn describe_closed(
    tx: &Tx<'_>,
    entity: &'static EntityDef,
    row: &Row,
    form: Option<&'static SurfaceDef>,
    title: &'static str,
    closed: &Closed,
) -> ClosedTransition {
    let first = |form: &'static SurfaceDef| match closed {
        Closed::Needs(fields) => {
            let open = form::list_writable(tx, form);
            fields.iter().find(|at| open.iter().any(|of| of.at == **at)).map(|at| entity.field(*at).name)
        }
        Closed::Guard(_) => None,
    };
    let href = form.and_then(|form| Some(format!("{}#{}", columns::row_address(form, row.value(entity.pk)), first(form)?)));
    ClosedTransition { title, why: closed.text(entity), href }
}

/// `POST /app/{surface}/{id}/move`: makes the transition and shows the row, with the error if it is refused.
pub(crate) fn submit(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, id: &str) -> Result<Reply> {
    let entity = tx.app.entity(surface.entity);
    let Some((states, _)) = transitions::machine(entity).filter(|_| surface.mode == Mode::View) else { return Err(Error::not_found()) };
    let key = form::parse_key(tx, entity, id)?;
    let variant = Variant::resolve(tx, surface);
    transitions::ask_action(tx, entity)?;
    variant.check_writable()?;
    variant.check_row(tx, &key)?;
    variant.check_field(tx, states.field)?;
    let sent = |wanted: &str| call.form.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
    let to = Value::Text(sent("to").unwrap_or_default());
    let version = sent("version").and_then(|version| version.parse().ok());
    match tx.savepoint(|tx| rows::transition(tx, entity, &key, to.clone(), Vec::new(), version)) {
        Ok(Some(_)) if variant.shows_row(tx, &key)? => Ok(Reply::see_other(format!("{}?done=moved", columns::row_address(surface, &key)))),
        Ok(_) => Ok(Reply::see_other("/app")),
        // If the page cannot be shown, the refusal is the response.
        Err(error) if matches!(error.status, 403 | 409 | 412 | 422) => view::show(tx, call, surface, id, Some(&error)).map_err(|_| error),
        Err(error) => Err(error),
    }
}

/// Limits the state control of a form to the current state and the transitions of the caller's roles; a new row has the initial state.
pub(crate) fn limit_states(tx: &Tx<'_>, entity: &'static EntityDef, field: FieldIx, row: Option<&Row>, control: &mut Control) {
    let Some((states, of)) = transitions::machine(entity).filter(|(states, _)| states.field == field) else {
        return;
    };
    let (Control::Select { choices, .. } | Control::Radio { choices, .. }) = control else { return };
    let now = match row {
        Some(row) => transitions::position(of, Some(row.value(field))),
        None => Some(states.initial),
    };
    let mut possible: Vec<u16> = now.into_iter().collect();
    if let (Some(now), Some(_)) = (now, row) {
        possible.extend(
            states.transitions_from(now).filter(|(_, row)| row.manual && transitions::holds_role(row, tx.caller())).map(|(to, _)| to),
        );
    }
    let names: Vec<&str> = possible.iter().filter_map(|at| of.values.get(usize::from(*at))).map(|value| value.name).collect();
    choices.retain(|choice| names.contains(&choice.value.as_str()));
}
