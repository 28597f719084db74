//! Operators and functions of expressions.

crate::vocabulary! {
    /// Comparisons.
    Comparison {
        /// `=`
        Eq,
        /// `!=`
        Ne,
        /// `<`
        Lt,
        /// `<=`
        Le,
        /// `>`
        Gt,
        /// `>=`
        Ge,
    }
}

crate::vocabulary! {
    /// Arithmetic operators.
    Arithmetic {
        /// `+` (also joins text)
        Add,
        /// `-`
        Sub,
        /// `*`
        Mul,
        /// `/`
        Div,
        /// `%`
        Rem,
    }
}

crate::vocabulary! {
    /// Aggregates over the rows of a relation.
    Aggregate {
        /// Number of rows.
        Count,
        /// True when there is one.
        Any,
        /// True when there is none that fails.
        All,
        /// Sum.
        Sum,
        /// Mean.
        Avg,
        /// Smallest.
        Min,
        /// Largest.
        Max,
    }
}

crate::vocabulary! {
    /// Functions of the language.
    Function {
        /// `days_since(d)`
        DaysSince,
        /// `days_until(d)`
        DaysUntil,
        /// `hours_since(d)`
        HoursSince,
        /// `minutes_since(d)`
        MinutesSince,
        /// `abs(x)`
        Abs,
        /// `round(x, digits?)`
        Round,
        /// `floor(x)`
        Floor,
        /// `ceil(x)`
        Ceil,
        /// `min(a, b…)`
        Min,
        /// `max(a, b…)`
        Max,
        /// `coalesce(a, b…)`
        Coalesce,
        /// `nullif(a, b)`
        Nullif,
        /// `length(s)`
        Length,
        /// `lower(s)`
        Lower,
        /// `upper(s)`
        Upper,
        /// `trim(s)`
        Trim,
        /// `concat(a, b…)`
        Concat,
        /// `contains(a, b)`
        Contains,
        /// `starts_with(a, b)`
        StartsWith,
        /// `year(d)`
        Year,
        /// `month(d)`
        Month,
        /// `day(d)`
        Day,
        /// `weekday(d)`, 1 is Monday
        Weekday,
        /// `date(dt)`
        Date,
    }
}
