//! Progress of a row through its states.

crate::vocabulary! {
    /// The distance of a state from the end.
    Stage {
        /// The initial state.
        Start,
        /// Closer to the initial state than to an end.
        Quarter,
        /// Between the two, or on no path to an end.
        Half,
        /// Closer to an end.
        ThreeQuarters,
        /// An end, and the declaration does not say whether it is a success.
        Ended,
        /// A successful end.
        Succeeded,
        /// An unsuccessful end.
        Failed,
    }
}
