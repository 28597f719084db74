//! Custom actions: the buttons on a view page, and their submission.

use crate::{
    Error, Result, Tx, Value,
    access::{self, BUILT_IN},
    db::{
        BindKind, Statement,
        emit::{Condition, Emit},
    },
    def::{Mode, SurfaceDef},
    rows::{self, ROW, Row},
    web::{
        Call, Reply,
        page::{
            ActionButtons, columns, form,
            variant::Variant,
            view::{self, action_form},
        },
        request::form_parameters,
    },
};

/// The actions with a handler that the caller can run on this row now.
pub(crate) fn build_buttons(tx: &mut Tx<'_>, call: &Call, variant: &Variant, row: &Row) -> Result<Option<ActionButtons>> {
    if variant.is_read_only() {
        return Ok(None);
    }
    let surface = variant.surface();
    let entity = tx.app.entity(surface.entity);
    let emit = Emit { app: tx.app, engine: tx.engine(), caller: &tx.caller };
    let own = entity.rules.iter().map(|rule| rule.action).filter(|action| !BUILT_IN.contains(action));
    let open =
        own.filter(|action| tx.hooks.find_action(entity.ix, action).is_some() && access::ask_custom(&tx.caller, entity, action).is_ok());
    let open: Vec<(&'static str, Condition)> = open.map(|action| (action, access::row_condition(&emit, entity, action, ROW))).collect();
    let mut holds = vec![Value::Bool(true); open.len()];
    if open.iter().any(|(_, condition)| !matches!(condition, Condition::Always)) {
        let mut select = Statement::new();
        for (at, (_, condition)) in open.iter().enumerate() {
            select.push(if at == 0 { "SELECT " } else { ", " }).append(condition.clone().into_sql());
        }
        select.append(rows::from_key(&emit, entity, row.value(entity.pk))?);
        holds = tx.conn.rows(&select, &vec![BindKind::Bool; open.len()])?.into_iter().next().unwrap_or_default();
    }
    let pressable = open.iter().zip(holds).filter(|(_, holds)| *holds == Value::Bool(true));
    let names: Vec<(&'static str, String)> = pressable.map(|((action, _), _)| (*action, columns::to_words(action))).collect();
    Ok((!names.is_empty()).then(|| ActionButtons {
        action: format!("{}/act", columns::row_address(surface, row.value(entity.pk))),
        csrf: call.csrf.clone(),
        version: row.version,
        names,
    }))
}

/// `POST /app/{surface}/{id}/act`: runs the action and shows the row, with the error if it is refused.
pub(crate) fn submit(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, id: &str) -> Result<Reply> {
    if surface.mode != Mode::View {
        return Err(Error::not_found());
    }
    let entity = tx.app.entity(surface.entity);
    let sent = |wanted: &str| call.form.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
    let action = access::ask_custom(&tx.caller, entity, &sent("action").unwrap_or_default())?;
    let key = form::parse_key(tx, entity, id)?;
    let variant = Variant::resolve(tx, surface);
    variant.check_writable()?;
    variant.check_row(tx, &key)?;
    let version = sent("version").and_then(|version| version.parse().ok());
    let inputs = tx.hooks.find_inputs(entity.ix, action);
    // A form that a sign-in interrupted is shown with its texts before it is sent again.
    if !inputs.is_empty() && (sent("input").is_none() || sent(form_parameters::FIND).is_some()) {
        return action_form::show(tx, call, &variant, &key, action, None);
    }
    let ran = tx.savepoint(|tx| {
        let input = action_form::read(tx, call, inputs)?;
        rows::run_action(tx, entity, &key, action, input, version)
    });
    match ran {
        // What was entered remains in the form, whatever refuses it.
        Err(error) if matches!(error.status, 403 | 409 | 412 | 422) && !inputs.is_empty() => {
            action_form::show(tx, call, &variant, &key, action, Some(&error))
        }
        Ok(_) if is_visible(tx, &variant, &key) => Ok(Reply::see_other(format!("{}?done=acted", columns::row_address(surface, &key)))),
        Ok(_) => Ok(Reply::see_other("/app")),
        Err(error) if matches!(error.status, 403 | 409 | 412 | 422) => view::show(tx, call, surface, id, Some(&error)),
        Err(error) => Err(error),
    }
}

/// True if the caller can still see the row.
fn is_visible(tx: &mut Tx<'_>, variant: &Variant, key: &Value) -> bool {
    let grant = tx.ask::<access::Read>(tx.app.entity(variant.surface().entity));
    grant.and_then(|grant| rows::read(tx, &grant.narrow_to(variant.within()), key, &[])).is_ok()
}
