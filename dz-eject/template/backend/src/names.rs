//! The nearest known name, for messages about an unknown one.

/// The end of a message about an unknown name: the nearest known one, if one is near.
pub fn did_you_mean<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    nearest(name, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// The nearest of the names, if one is near enough.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // A much longer name is not near to any other.
    let name: String = name.chars().take(100).collect();
    let distances = known.into_iter().map(|known| (strsim::damerau_levenshtein(&name, known), known));
    let near = distances.filter(|(distance, known)| *distance <= 1.max(name.chars().count().max(known.len()) / 3));
    near.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}
