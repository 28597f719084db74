//! The parameters that forms of pages send beside the fields of the row.
//!
//! A field can have any name, but no name with a dot, so the prefix keeps the two apart.

/// The button that shows the form again: with the candidates of the reference that it names, or with the fields that apply.
pub(crate) const FIND: &str = "dz.find";
/// The button that also says what follows: another form, or a surface.
pub(crate) const THEN: &str = "dz.then";
/// The button that opens the form of a new row for the reference that it names.
pub(crate) const NEW: &str = "dz.new";
/// With a field: a digest of its value when the form was shown.
pub(crate) const WAS: &str = "dz.was.";
/// With a field: the choice in a conflict.
pub(crate) const KEEP: &str = "dz.keep.";

/// The value of a parameter.
pub(crate) fn find<'a>(form: &'a [(String, String)], name: &str) -> Option<&'a str> {
    form.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
}
