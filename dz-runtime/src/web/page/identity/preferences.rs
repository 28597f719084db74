//! The choices of an account for its pages: language, time zone and density.

use crate::{
    Error, Result, Tx, accounts,
    field::app_zone,
    preferences::{Density, Preferences},
    state::State,
    web::{Call, Reply, page::Choice},
};

/// The controls of the choices.
pub(crate) struct Choices {
    /// The languages of the application; empty if there is only one.
    pub languages: Vec<Choice>,
    /// The chosen time zone, or an empty text.
    pub timezone: String,
    /// The time zone of the application.
    pub default_zone: &'static str,
    /// The names of time zones.
    pub zones: Vec<&'static str>,
    /// The densities.
    pub densities: Vec<Choice>,
}

fn choice(value: &str, title: &str, chosen: bool) -> Choice {
    Choice { value: value.to_owned(), cell: crate::template::Cell::text(title.to_owned()), chosen }
}

impl Choices {
    /// The choices of the caller.
    pub fn new(state: &State, tx: &Tx<'_>) -> Choices {
        let chosen = tx.caller().preferences();
        let density = chosen.density.unwrap_or_else(|| Density::of_app(tx.app));
        let all = state.languages.all();
        let language = |it: &crate::languages::Language| choice(it.tag, it.name(), chosen.language.as_deref() == Some(it.tag));
        Choices {
            languages: if all.len() > 1 { all.iter().map(language).collect() } else { Vec::new() },
            timezone: chosen.timezone.clone().unwrap_or_default(),
            default_zone: app_zone(tx.app).name(),
            zones: dz_vocabulary::timezones().collect(),
            densities: Density::ALL.into_iter().map(|it| choice(it.name(), it.title(), it == density)).collect(),
        }
    }

    /// Sample data.
    #[cfg(test)]
    pub fn sample(text: &str) -> Choices {
        let choices = || vec![choice(text, text, true), choice("x", text, false)];
        Choices {
            languages: choices(),
            timezone: text.to_owned(),
            default_zone: "Europe/Lisbon",
            zones: vec!["Europe/Lisbon"],
            densities: choices(),
        }
    }
}

/// `POST /app/-/account`: stores the choices of the caller.
///
/// # Errors
/// 401 without an account; 422 for an unknown language, time zone or density.
pub(crate) fn choose(state: &State, tx: &mut Tx<'_>, call: &Call) -> Result<Reply> {
    let account = tx.caller().account.clone().ok_or_else(Error::unauthenticated)?;
    let value = |name: &str| call.form.iter().find(|(given, _)| given == name).map(|(_, value)| value.trim());
    let given = |name: &str| value(name).filter(|text| !text.is_empty());
    let known = tx.caller().preferences();
    let language = match value("language") {
        None => known.language.clone(),
        Some("") => None,
        Some(tag) => Some(state.languages.find(tag).ok_or_else(|| unknown("language"))?.tag.to_owned()),
    };
    let timezone = match given("timezone") {
        Some(name) if name.parse::<chrono_tz::Tz>().is_err() => return Err(unknown("timezone")),
        name => name.map(str::to_owned),
    };
    let density = match given("density") {
        Some(name) => Some(Density::ALL.into_iter().find(|it| it.name() == name).ok_or_else(|| unknown("density"))?),
        None => None,
    };
    // The density of the application is not stored, so that it can change.
    let density = density.filter(|it| *it != Density::of_app(tx.app));
    accounts::preferences::store(tx.conn, tx.app, &account.id, &Preferences { language, timezone, density, ..known })?;
    Ok(Reply::see_other("/app/-/account?done=preferences"))
}

fn unknown(name: &str) -> Error {
    Error::validation(
        name,
        match name {
            "timezone" => say!("dz-unknown-time-zone", "must be a time zone, for example Europe/Lisbon"),
            _ => say!("dz-choose-one-of-the-list", "must be a value of the list"),
        },
    )
}
