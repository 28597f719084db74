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

crate::vocabulary! {
    /// The urgency of a row, the highest first.
    Level {
        /// A row that must be handled now.
        Critical,
        /// A row that will need to be handled.
        Warning,
        /// A row to notice.
        Notice,
        /// A hint.
        Info,
    }
}

crate::vocabulary! {
    /// The priority of a surface in the navigation, the highest first.
    Priority {
        /// Before all others.
        Critical,
        /// Before most others.
        High,
        /// The default.
        Medium,
        /// After all others.
        Low,
    }
}
