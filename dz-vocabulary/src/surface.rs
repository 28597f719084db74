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

crate::vocabulary! {
    /// A form control that differs from the default of the type of the field.
    Widget {
        /// One line of text.
        Text,
        /// Several lines of text.
        Textarea,
        /// Several lines of text in Markdown.
        Markdown,
        /// A telephone number.
        Phone,
        /// A colour.
        Color,
        /// A number with buttons.
        Number,
        /// A slider.
        Range,
        /// A check box.
        Checkbox,
        /// A switch.
        Switch,
        /// A list of choices.
        Select,
        /// One button for each choice.
        Radio,
        /// A search among rows.
        Picker,
        /// A date.
        Date,
        /// A date and a time.
        Datetime,
    }
}

crate::vocabulary! {
    /// The format of a displayed value.
    Format {
        /// A short date.
        Short,
        /// A long date.
        Long,
        /// The distance of a date from now.
        Relative,
        /// The date of a timestamp.
        Date,
        /// The time of day of a timestamp.
        Time,
        /// A month with its year.
        Month,
        /// A year.
        Year,
        /// A number without decimals.
        Integer,
        /// A percentage.
        Percent,
        /// A large number in a short form.
        Compact,
        /// Yes or no.
        YesNo,
        /// A coloured label.
        Badge,
        /// A link.
        Link,
        /// Text in a fixed-width font.
        Code,
        /// Upper case.
        Upper,
        /// Lower case.
        Lower,
    }
}
