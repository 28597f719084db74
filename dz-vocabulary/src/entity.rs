//! Fields and their references.

crate::vocabulary! {
    /// When the system sets a field.
    Auto {
        /// Never: callers set it.
        No,
        /// `auto_add`: on creation.
        Add,
        /// `auto_update`: on creation and on every update.
        Update,
    }
}

crate::vocabulary! {
    /// The effect of a deletion on the rows that refer to the deleted row.
    OnDelete {
        /// The deletion is refused while a row refers to it.
        Restrict,
        /// The rows are deleted too.
        Cascade,
        /// Their ref is set to null.
        Nullify,
    }
}
