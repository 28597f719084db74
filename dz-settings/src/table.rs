//! A table of values that is being read, and its place.

use std::collections::BTreeMap;

use crate::{Kind, Problem, Value, problem::join};

/// Finds the text of an environment variable.
pub type Variables<'v> = &'v dyn Fn(&str) -> Option<String>;

/// The place of a value: the path of its key, and the environment.
#[derive(Clone)]
pub struct Place<'v> {
    /// The names of the tables and of the key, with dots between them.
    pub path: String,
    variables: Variables<'v>,
}

impl<'v> Place<'v> {
    /// A place.
    pub fn new(path: &str, variables: Variables<'v>) -> Place<'v> {
        Place { path: path.to_owned(), variables }
    }

    /// The place of a key in this table.
    #[must_use]
    pub fn child(&self, key: &str) -> Place<'v> {
        Place { path: join(&self.path, key), variables: self.variables }
    }

    /// The error for a key that this table does not have.
    pub fn reject_key(&self, key: &str, known: &[&'static str]) -> Problem {
        Problem::UnknownKey { table: self.path.clone(), key: key.to_owned(), known: known.to_vec() }
    }

    /// The error for a value that the key at this place does not accept.
    pub fn reject_value<T>(&self, value: &Value, kind: &(impl Kind<T> + ?Sized)) -> Problem {
        Problem::wrong_value(&self.path, value, kind.describe())
    }

    /// The name of this table, as variables contain it: `ACME_LOGIN` for `dz.oidc.acme-login`.
    fn variable_name(&self) -> String {
        self.path.rsplit('.').next().unwrap_or_default().to_uppercase().replace('-', "_")
    }
}

/// A table that is being read.
pub struct Table<'v> {
    place: Place<'v>,
    values: BTreeMap<String, Value>,
}

impl<'v> Table<'v> {
    /// The table with this path, and the environment.
    pub fn new(path: &str, values: BTreeMap<String, Value>, variables: Variables<'v>) -> Table<'v> {
        Table::at_place(Place::new(path, variables), values)
    }

    /// The table at a place.
    pub fn at_place(place: Place<'v>, values: BTreeMap<String, Value>) -> Table<'v> {
        Table { place, values }
    }

    /// Refuses keys that do not exist.
    ///
    /// # Errors
    /// The first unknown key.
    pub fn check_keys(&self, known: &[&'static str]) -> Result<(), Problem> {
        match self.values.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(self.place.reject_key(key, known)),
            None => Ok(()),
        }
    }

    /// The value of a key: that of its variable, else that of the table, else the default. A variable without text is not set.
    ///
    /// # Errors
    /// A wrong value, or none for a key without a default.
    pub fn take<T>(&mut self, name: &str, kind: &dyn Kind<T>, default: Option<fn() -> T>, variable: Option<&str>) -> Result<T, Problem> {
        let variable = variable.map(|it| it.replace("<NAME>", &self.place.variable_name()));
        let text = |name: &String| (self.place.variables)(name).filter(|text| !text.is_empty());
        if let Some((variable, text)) = variable.as_ref().and_then(|name| Some((name, text(name)?))) {
            return kind.read(kind.parse_variable(&text), &Place::new(variable, self.place.variables));
        }
        match (self.values.remove(name), default) {
            (Some(value), _) => kind.read(value, &self.place.child(name)),
            (None, Some(default)) => Ok(default()),
            (None, None) => Err(Problem::MissingKey { table: self.place.path.clone(), key: name.to_owned(), accepted: kind.describe() }),
        }
    }
}
