//! Suggestions for names that are not known: the nearest known name.

/// The maximum number of members of an object whose members have names in the application. Each that is unknown is compared with the known
/// names, and has an error of its own.
pub(crate) const MAX_MEMBERS: usize = 1_000;

/// The nearest of the names, if one is near enough.
pub(crate) fn nearest<'a>(name: &str, names: Vec<&'a str>) -> Option<&'a str> {
    // The limit bounds the time of the comparison; a much longer name is not near to any other.
    let name: String = name.chars().take(100).collect();
    let distance = |known: &&str| strsim::damerau_levenshtein(&name, known);
    let near = |known: &&str| distance(known) <= 1.max(name.chars().count().max(known.len()) / 3);
    names.into_iter().filter(near).min_by_key(distance)
}

/// The end of a message about an unknown name: the nearest known one, if any.
pub(crate) fn did_you_mean(name: &str, names: Vec<&str>) -> String {
    nearest(name, names).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
