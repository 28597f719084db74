//! Pages.

crate::vocabulary! {
    /// What a surface does.
    Mode {
        /// Lists rows.
        List,
        /// Shows one row.
        View,
        /// A form for a new row.
        Create,
        /// A form for an existing row.
        Edit,
    }
}

impl Mode {
    /// True for a form.
    pub fn writes(self) -> bool {
        match self {
            Mode::List | Mode::View => false,
            Mode::Create | Mode::Edit => true,
        }
    }
}

crate::vocabulary! {
    /// How related rows are shown.
    RelatedDisplay {
        /// As a list.
        List,
        /// As a table.
        Table,
        /// As cards.
        Grid,
    }
}
