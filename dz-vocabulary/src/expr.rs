//! Operators and functions of expressions.

/// The minimum number of decimal places of a quotient.
pub const DIVISION_PLACES: u8 = 6;

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
        Count = "count",
        /// True when there is one.
        Any = "any",
        /// True when there is none that fails.
        All = "all",
        /// Sum.
        Sum = "sum",
        /// Mean.
        Avg = "avg",
        /// Smallest.
        Min = "min",
        /// Largest.
        Max = "max",
    }
}

crate::vocabulary! {
    /// Functions of the language.
    Function {
        /// `days_since(d)`
        DaysSince = "days_since",
        /// `days_until(d)`
        DaysUntil = "days_until",
        /// `hours_since(d)`
        HoursSince = "hours_since",
        /// `minutes_since(d)`
        MinutesSince = "minutes_since",
        /// `abs(x)`
        Abs = "abs",
        /// `round(x, digits?)`
        Round = "round",
        /// `floor(x)`
        Floor = "floor",
        /// `ceil(x)`
        Ceil = "ceil",
        /// `min(a, b…)`
        Min = "min",
        /// `max(a, b…)`
        Max = "max",
        /// `coalesce(a, b…)`
        Coalesce = "coalesce",
        /// `nullif(a, b)`
        Nullif = "nullif",
        /// `length(s)`
        Length = "length",
        /// `lower(s)`
        Lower = "lower",
        /// `upper(s)`
        Upper = "upper",
        /// `trim(s)`
        Trim = "trim",
        /// `concat(a, b…)`
        Concat = "concat",
        /// `contains(a, b)`
        Contains = "contains",
        /// `starts_with(a, b)`
        StartsWith = "starts_with",
        /// `year(d)`
        Year = "year",
        /// `month(d)`
        Month = "month",
        /// `day(d)`
        Day = "day",
        /// `weekday(d)`, 1 is Monday
        Weekday = "weekday",
        /// `date(dt)`
        Date = "date",
    }
}
