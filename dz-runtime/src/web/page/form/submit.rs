//! Submitted forms: parsed, and saved or shown again with the errors.

use crate::{
    Error, Result, Tx, Value,
    access::{self, Create, Update},
    caller::SIGN_IN_AGAIN,
    def::{EntityDef, Family, FieldIx, Mode, SurfaceDef},
    field,
    rows::{self, Input, Row},
    web::{
        Call, Reply,
        page::{
            columns,
            form::{
                self, FormState,
                child_rows::{self, ChildRows},
                conditions, conflict,
                control::{self, TypedTexts, WritableField},
                create_new::{self, FirstForm},
                once::Claim,
                picker,
            },
            surface_actions,
            variant::{Variant, version_parameter},
        },
        request::form_parameters,
    },
};

/// The result of a submitted form.
pub(crate) enum Submitted {
    /// The row was saved: its key, and the row if the caller can read it.
    Saved(Value, Option<Row>),
    /// The form was saved before: the key of its row, as in addresses.
    Repeated(Option<String>),
    /// The form is shown again, with this status.
    Shown(Box<FormState>, u16),
}

impl Submitted {
    fn show(state: FormState, status: u16) -> Result<Submitted> {
        Ok(Submitted::Shown(Box::new(state), status))
    }
}

/// `POST /app/{surface}`: saves a new row.
pub(crate) fn create(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef) -> Result<Reply> {
    let entity = tx.app.entity(surface.entity);
    let first = FirstForm::read(tx.app, call);
    if let Some(first) = first.as_ref().filter(|_| create_new::returns(call)) {
        return first.return_to(tx, call);
    }
    let (key, row) = match save_new(tx, call, surface, &[])? {
        Submitted::Saved(key, row) => (key, row),
        Submitted::Repeated(saved) => {
            let key = saved.as_ref().and_then(|saved| form::parse_key(tx, entity, saved).ok());
            if let (Some(first), Some(key)) = (&first, &key)
                && let Some(reply) = first.show(tx, call, Some((entity, key)))?
            {
                return Ok(reply);
            }
            return show_saved(tx, call, surface, saved.as_deref());
        }
        Submitted::Shown(state, status) => return create_new::show(tx, call, surface, None, *state, status),
    };
    if let Some(first) = &first
        && let Some(reply) = first.show(tx, call, Some((entity, &key)))?
    {
        return Ok(reply);
    }
    if wants_another(call) {
        return Ok(Reply::see_other(surface.address()));
    }
    let variant = Variant::resolve(tx, surface);
    if let Some(address) = surface_actions::address_after(tx, &variant, &call.form, entity, row.as_ref())? {
        return Ok(Reply::see_other(format!("{address}?done=created")));
    }
    let view = if row.is_some() { columns::find_view(tx, entity, &key)? } else { None };
    let list = || columns::find_page(tx, entity, Mode::List).map(|list| list.address());
    let to = view.map(|view| columns::row_address(view, &key)).or_else(list);
    Ok(Reply::see_other(to.map_or_else(|| "/app".to_owned(), |to| format!("{to}?done=created"))))
}

/// Saves a new row. `preset` has values for fields without a control.
pub(crate) fn save_new(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, preset: &[(FieldIx, Value)]) -> Result<Submitted> {
    let entity = tx.app.entity(surface.entity);
    let grant = access::ask::<Create>(tx.app, tx.engine(), tx.caller(), entity)?;
    let variant = Variant::resolve(tx, surface);
    let mut writable = form::list_writable(tx, surface);
    let controls = writable.clone();
    let typed = read_texts(tx, &variant, &writable, call, None);
    let searched = find_searched(call, entity);
    let child_rows = child_rows::read(tx, call, &variant, None, searched.is_some())?;
    let mut state = FormState { typed, searched, child_rows, ..FormState::default() };
    if let Err(error) = variant.check_form(tx, call) {
        return if variant.is_read_only() { Err(error) } else { explain_refusal(tx, call, surface, state, error) };
    }
    if state.searched.is_some() {
        report_too_large(call, &writable, &mut state);
        return Submitted::show(state, 200);
    }
    keep_applying(tx, &variant, &mut writable, &state, call)?;
    let mut given = parse_values(tx, &writable, &mut state)?;
    given.retain(|(at, value)| !(value.is_null() && entity.field(*at).default.is_some() && entity.field(*at).required));
    // Default values of the variant also apply to fields without a control.
    for at in variant.preset_values().filter(|at| writable.iter().all(|of| of.at != *at)) {
        let value = variant.default(tx, at, entity.field(at)).filter(|value| !value.is_null());
        given.extend(value.map(|value| (at, value)));
    }
    let is_free = |(at, _): &&(FieldIx, Value)| controls.iter().all(|of| of.at != *at);
    given.extend(preset.iter().filter(is_free).cloned());
    report_too_large(call, &writable, &mut state);
    let claim = match state.errors.is_empty() {
        true => Claim::new(tx, call)?,
        false => Claim::None,
    };
    if let Claim::Repeated(saved) = &claim {
        return Ok(Submitted::Repeated(saved.clone()));
    }
    let sent = to_sent(given, &state);
    let mut child_rows = std::mem::take(&mut state.child_rows);
    let saved = match child_rows.is_empty() {
        true => rows::create(tx, &grant, sent),
        false => rows::create_with_children(tx, &grant, sent, |tx, key| child_rows::save(tx, &mut child_rows, key)),
    };
    state.child_rows = child_rows;
    match saved {
        Ok((key, row)) => {
            claim.record(tx, &key)?;
            Ok(Submitted::Saved(key, row))
        }
        Err(error) => explain_refusal(tx, call, surface, state, error),
    }
}

/// True for the button that saves the row and opens the form for another one.
fn wants_another(call: &Call) -> bool {
    form_parameters::find(&call.form, form_parameters::THEN) == Some("new")
}

/// The response to a form that was already saved: the page of its row, or the list.
fn show_saved(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, saved: Option<&str>) -> Result<Reply> {
    if wants_another(call) {
        return Ok(Reply::see_other(surface.address()));
    }
    let entity = tx.app.entity(surface.entity);
    let key = saved.and_then(|saved| form::parse_key(tx, entity, saved).ok());
    let view = key.as_ref().map_or(Ok(None), |key| columns::find_view(tx, entity, key))?;
    let list = || columns::find_page(tx, entity, Mode::List).map(|list| list.address());
    let to = view.zip(key).map(|(view, key)| columns::row_address(view, &key)).or_else(list);
    Ok(Reply::see_other(to.map_or_else(|| "/app".to_owned(), |to| format!("{to}?done=created"))))
}

/// `POST /app/{surface}/{id}`: saves an existing row.
pub(crate) fn update(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, id: &str) -> Result<Reply> {
    let (key, row) = match save_changes(tx, call, surface, id, &[])? {
        Submitted::Saved(key, row) => (key, row),
        Submitted::Repeated(saved) => return show_saved(tx, call, surface, saved.as_deref()),
        Submitted::Shown(state, status) => return create_new::show(tx, call, surface, Some(id), *state, status),
    };
    let (entity, variant) = (tx.app.entity(surface.entity), Variant::resolve(tx, surface));
    if let Some(address) = surface_actions::address_after(tx, &variant, &call.form, entity, row.as_ref())? {
        return Ok(Reply::see_other(format!("{address}?done=changed")));
    }
    let view = if row.is_some() { columns::find_view(tx, entity, &key)? } else { None };
    let list = || columns::find_page(tx, entity, Mode::List).map(|list| list.address());
    let own = || surface.place.route.map(str::to_owned);
    let to = view.map(|view| columns::row_address(view, &key)).or_else(list).or_else(own);
    Ok(Reply::see_other(to.map_or_else(|| "/app".to_owned(), |to| format!("{to}?done=changed"))))
}

/// Saves an existing row. `preset` has values for fields without a control.
pub(crate) fn save_changes(
    tx: &mut Tx<'_>,
    call: &Call,
    surface: &'static SurfaceDef,
    id: &str,
    preset: &[(FieldIx, Value)],
) -> Result<Submitted> {
    let entity = tx.app.entity(surface.entity);
    let grant = access::ask::<Update>(tx.app, tx.engine(), tx.caller(), entity)?;
    let (key, row) = form::load_row(tx, surface, id)?;
    let variant = Variant::resolve(tx, surface);
    variant.check_row(tx, &key)?;
    let mut writable = form::list_writable(tx, surface);
    let controls = writable.clone();
    let typed = read_texts(tx, &variant, &writable, call, Some(&row));
    let searched = find_searched(call, entity);
    let child_rows = child_rows::read(tx, call, &variant, Some(&key), searched.is_some())?;
    let mut state = FormState { typed, searched, row: Some(row.clone()), child_rows, ..FormState::default() };
    if let Err(error) = variant.check_form(tx, call) {
        return if variant.is_read_only() { Err(error) } else { explain_refusal(tx, call, surface, state, error) };
    }
    keep_applying(tx, &variant, &mut writable, &state, call)?;
    conflict::apply_choices(tx, &writable, &mut state.typed, &call.form, &row);
    let sent_version = version_parameter(entity);
    let version = call.form.iter().find(|(name, _)| name == sent_version).and_then(|(_, value)| value.parse::<i64>().ok());
    let is_stale = version.is_some_and(|version| version != row.version);
    if is_stale {
        state.conflicts = conflict::find_conflicts(tx, &writable, &mut state.typed, &call.form, &row)?;
    }
    // Entries are checked when they are saved.
    if state.searched.is_some() {
        report_too_large(call, &writable, &mut state);
        return Submitted::show(state, 200);
    }
    let stored = row.version;
    let mut given = parse_values(tx, &writable, &mut state)?;
    let is_free = |(at, _): &&(FieldIx, Value)| controls.iter().all(|of| of.at != *at);
    given.extend(preset.iter().filter(is_free).cloned());
    given.retain(|(at, value)| row.values.get(usize::from(*at)) != Some(value));
    if is_stale {
        state.problem = state.conflicts.is_empty().then(|| {
            say!(
                "dz-another-user-saved-this-while-you-were",
                "Another user saved this while you were editing. The form now has their changes beside yours. Check it and save again"
            )
            .to_owned()
        });
        return Submitted::show(state, 412);
    }
    report_too_large(call, &writable, &mut state);
    let sent = to_sent(given, &state);
    let mut child_rows = std::mem::take(&mut state.child_rows);
    let saved = match child_rows.is_empty() {
        true => rows::update(tx, &grant, &key, sent, Some(stored)),
        false => rows::update_with_children(tx, &grant, &key, sent, Some(stored), |tx| child_rows::save(tx, &mut child_rows, &key)),
    };
    state.child_rows = child_rows;
    match saved {
        Ok(row) => Ok(Submitted::Saved(key, row)),
        Err(error) => explain_refusal(tx, call, surface, state, error),
    }
}

/// The form with the errors, which is shown again; other errors are returned.
fn explain_refusal(tx: &mut Tx<'_>, call: &Call, surface: &'static SurfaceDef, mut state: FormState, error: Error) -> Result<Submitted> {
    if error.code == child_rows::REFUSED {
        tx.note_refusal(&error);
        state.problem = state.child_rows.iter().any(ChildRows::has_lost_rows).then_some(error.detail);
        let status = if call.too_large.is_empty() { error.status } else { 413 };
        return Submitted::show(state, status);
    }
    // The rule can permit other values, so the form is shown again. The rule is about no single field, so no field has an error.
    if error.status == 403 && error.denied.is_some() {
        tx.note_refusal(&error);
        state.problem = Some(error.detail);
        return Submitted::show(state, 403);
    }
    if !matches!(error.status, 409 | 412 | 422) && error.code != SIGN_IN_AGAIN {
        return Err(error);
    }
    let entity = tx.app.entity(surface.entity);
    let mut writable = form::list_writable(tx, surface);
    let hidden = conditions::find_hidden(tx, &Variant::resolve(tx, surface), &writable, &state.typed, state.row.as_ref())?;
    // The form has no place for the error of a field that does not apply.
    writable.retain(|of| !conditions::contains(&hidden, of.column));
    for (name, messages) in &error.field_errors {
        let of = writable.iter().find(|of| of.field.name == name);
        let currency = of.and_then(|of| of.field.currency_in).and_then(|at| writable.iter().find(|of| of.at == at));
        // An amount and its currency are one control, which reports the missing currency once.
        if currency.is_some_and(|currency| state.errors.contains_key(currency.field.name)) && !state.errors.contains_key(name) {
            continue;
        }
        let text = messages.iter().map(|message| to_sentence(message)).collect::<Vec<_>>().join(" ");
        if of.is_some() {
            state.errors.insert(name.clone(), text);
        } else {
            let text = explain_field(entity, name, text, &error);
            state.problem = Some(match state.problem {
                // A rule over several fields that the form does not have.
                Some(before) if before.contains(&text) => before,
                Some(before) => format!("{before} {text}"),
                None => text,
            });
        }
    }
    if error.field_errors.is_empty() {
        state.problem = Some(error.detail.clone());
    }
    let status = if call.too_large.is_empty() { error.status } else { 413 };
    Submitted::show(state, status)
}

/// The error of a field that the form does not have; the message of a rule over several values is complete without the field.
fn explain_field(entity: &'static EntityDef, name: &str, text: String, error: &Error) -> String {
    match entity.find(name) {
        Some(_) if text == to_sentence(&error.detail) => text,
        Some((_, field)) => format!("{}: {text}", field.title),
        None => format!("{name}: {text}"),
    }
}

/// The values of a form, with its errors.
pub(super) fn to_sent(given: Vec<(FieldIx, Value)>, state: &FormState) -> Input {
    let mut sent = Input::from(given);
    state.errors.iter().for_each(|(name, message)| sent.add_error(name, message.clone()));
    sent
}

/// Reports files above the limit.
fn report_too_large(call: &Call, writable: &[WritableField], state: &mut FormState) {
    for (part, message) in &call.too_large {
        if let Some(of) = writable.iter().find(|of| of.field.name == part) {
            state.errors.insert(of.field.name.to_owned(), to_sentence(message));
        }
    }
}

/// `must be given` as a sentence: `Must be given.`
pub(crate) fn to_sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().collect::<String>()).unwrap_or_default();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", chars.as_str())
}

/// The reference whose search button was used, in a browser without script, or another button that shows the form again.
fn find_searched(call: &Call, entity: &'static EntityDef) -> Option<String> {
    let of = |value: &str| value == "-" || value.starts_with("rows-") || entity.find(value).is_some();
    let found = form_parameters::find(&call.form, form_parameters::FIND).filter(|value| of(value)).map(str::to_owned);
    found.or_else(|| form_parameters::find(&call.form, form_parameters::NEW).map(|_| "-".to_owned()))
}

/// Removes the fields whose condition does not hold for the values in the form, and those that the form did not have: they keep their
/// values.
fn keep_applying(tx: &mut Tx<'_>, variant: &Variant, writable: &mut Vec<WritableField>, state: &FormState, call: &Call) -> Result<()> {
    let hidden = conditions::find_hidden(tx, variant, writable, &state.typed, state.row.as_ref())?;
    writable.retain(|of| !conditions::contains(&hidden, of.column) && conditions::is_sent(of, &call.form));
    Ok(())
}

/// The entered texts by field; for a field that the form did not have, the text that it would have.
fn read_texts(tx: &Tx<'_>, variant: &Variant, writable: &[WritableField], call: &Call, row: Option<&Row>) -> TypedTexts {
    let form = &call.form;
    let mut typed = TypedTexts::new();
    for of in writable {
        let name = of.field.name;
        if !conditions::is_sent(of, form) {
            typed.insert(name.to_owned(), conditions::unsent_text(tx, variant, of, row));
            continue;
        }
        let value = |wanted: &str| form.iter().find(|(given, _)| given == wanted).map(|(_, value)| value.clone());
        let uploaded = call.uploads.iter().find(|it| it.part == name).map(|it| it.facts.id.to_string());
        let text = uploaded.or_else(|| entered_text(of, value)).unwrap_or_default();
        typed.insert(name.to_owned(), text);
        let words = format!("{name}.q");
        if let Some(text) = value(&words) {
            typed.insert(words, text);
        }
    }
    typed
}

/// The entered text of a field, from the parameters of the form; of a file the id of its upload.
pub(super) fn entered_text(of: &WritableField, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let name = of.field.name;
    match of.field.kind.family() {
        Family::Truth => Some(value(name).is_some_and(|text| !matches!(text.as_str(), "" | "false" | "off")).to_string()),
        Family::Reference => {
            let found = value(&format!("{name}.found")).filter(|text| !text.is_empty());
            found.or_else(|| value(name))
        }
        Family::File => match value(&format!("{name}.remove")) {
            Some(_) => Some(String::new()),
            None => value(name),
        },
        Family::Identifier | Family::Text | Family::Choice | Family::Number | Family::Time | Family::Document | Family::Relation => {
            value(name)
        }
    }
}

/// Parses the values of a form, and stores errors in the state.
pub(super) fn parse_values(tx: &mut Tx<'_>, writable: &[WritableField], state: &mut FormState) -> Result<Vec<(FieldIx, Value)>> {
    let mut values = Vec::new();
    for of in writable {
        let name = of.field.name;
        let mut text = state.typed.get(name).cloned().unwrap_or_default();
        if text.is_empty()
            && let Some(message) = resolve_label(tx, of, state, &mut text)?
        {
            state.errors.insert(name.to_owned(), message);
            continue;
        }
        if let Some(amount) = of.field.kind.amount()
            && let Some(amount) = writable.iter().find(|of| of.at == amount)
        {
            // Without an amount its currency is ignored.
            let there = state.typed.get(amount.field.name).is_some_and(|amount| !amount.is_empty());
            if there && text.is_empty() {
                state.errors.insert(name.to_owned(), missing_text(of));
                continue;
            }
            text = if there { text } else { String::new() };
        }
        if text.is_empty() {
            if of.field.required && of.field.default.is_none() && !of.field.is_currency_of_amount() {
                state.errors.insert(name.to_owned(), missing_text(of));
            }
            values.push((of.at, Value::Null));
            continue;
        }
        // A control can have less than the stored time: only its date, no microseconds, no difference between the two occurrences of an
        // hour that the time zone repeats. A text that was not changed keeps the stored value.
        let kept = state.row.as_ref().filter(|row| of.field.kind.is_time() && control::stored_text(tx.app, of, row) == text);
        if let Some(row) = kept {
            values.push((of.at, row.value(of.at).clone()));
            continue;
        }
        match of.parse(tx.app, &text) {
            // Errors of the value are reported with all other errors of the row.
            Ok(value) => {
                if let Some((amount, message)) = find_digits_error(of, &value, &values, writable) {
                    state.errors.insert(amount.to_owned(), message);
                }
                values.push((of.at, value));
            }
            Err(message) => {
                state.errors.insert(name.to_owned(), to_sentence(&message));
            }
        }
    }
    Ok(values)
}

/// Finds an amount with more digits than its currency permits, and the error text.
fn find_digits_error(
    of: &WritableField,
    currency: &Value,
    values: &[(FieldIx, Value)],
    writable: &[WritableField],
) -> Option<(&'static str, String)> {
    let amount = of.field.kind.amount()?;
    let (_, given) = values.iter().find(|(at, _)| *at == amount)?;
    let message = field::currency::check_pair(of.field, given, currency).err()?;
    let amount = writable.iter().find(|of| of.at == amount)?;
    Some((amount.field.name, to_sentence(&message)))
}

/// Resolves the entered label of a reference to its only row, or returns the error.
fn resolve_label(tx: &mut Tx<'_>, of: &WritableField, state: &mut FormState, text: &mut String) -> Result<Option<String>> {
    let Some(target) = of.field.kind.target() else { return Ok(None) };
    let words = state.typed.get(&format!("{}.q", of.field.name)).map(|words| words.trim().to_owned()).unwrap_or_default();
    if words.is_empty() {
        return Ok(None);
    }
    let target = tx.app.entity(target);
    let found = picker::list_options(tx, target, Some(&words))?;
    let mut exact = found.iter().filter(|(_, label)| control::is_same_text(label, &words));
    match (exact.next(), exact.next()) {
        (Some((key, _)), None) => {
            *text = columns::key_text(key).unwrap_or_default();
            state.typed.insert(of.field.name.to_owned(), text.clone());
            Ok(None)
        }
        _ => Ok(Some(say!("dz-choose-one-from-the-list", "Choose one {thing} from the list.", thing = columns::lower_title(target.title)))),
    }
}

fn missing_text(of: &WritableField) -> String {
    match of.field.kind.family() {
        Family::Choice | Family::Reference => say!("dz-choose-one", "Choose one."),
        Family::Text if of.field.kind.is_currency() => say!("dz-choose-a-currency", "Choose a currency."),
        Family::Time => say!("dz-enter-a-date", "Enter a date."),
        Family::File => say!("dz-choose-a-file", "Choose a file."),
        Family::Identifier | Family::Text | Family::Number | Family::Truth | Family::Document | Family::Relation => {
            say!("dz-fill-this-in", "Fill this in.")
        }
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_sentences() {
        for (text, expected) in [("must be after starts_at", "Must be after starts_at."), ("", "."), ("Why?", "Why?"), ("é", "É.")] {
            assert_eq!(to_sentence(text), expected);
        }
    }
}
