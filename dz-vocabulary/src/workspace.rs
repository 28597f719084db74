//! Workspaces: the displays of regions, and units of time.

crate::vocabulary! {
    /// The display of a region.
    Display {
        /// Rows with their most important values.
        List,
        /// Rows with columns.
        Table,
        /// Cards.
        Grid,
        /// Rows by their dates.
        Timeline,
        /// A column for each state.
        Kanban,
        /// Figures side by side.
        Metrics,
        /// Figures in a table of names and values.
        Summary,
        /// A bar for each group.
        BarChart,
        /// A line over the groups.
        LineChart,
        /// A filled line over the groups.
        AreaChart,
        /// A sector for each group.
        PieChart,
        /// A bar for each state, in the order of the states.
        Funnel,
        /// Groups of two fields as a table of coloured cells.
        Heatmap,
        /// Groups of two fields as a table with totals.
        Pivot,
        /// One row with its fields.
        Detail,
        /// Rows on days.
        Calendar,
        /// Rows that people process in order.
        Queue,
        /// Rows below each other.
        Tree,
        /// Bars of progress.
        Progress,
        /// The latest rows first.
        ActivityFeed,
        /// Nodes and edges.
        Graph,
    }
}

impl Display {
    /// True if it shows figures and needs no rows.
    pub fn is_figures(self) -> bool {
        matches!(self, Display::Metrics | Display::Summary)
    }

    /// True if it draws groups of rows, and not single rows.
    pub fn is_chart(self) -> bool {
        matches!(
            self,
            Display::BarChart
                | Display::LineChart
                | Display::AreaChart
                | Display::PieChart
                | Display::Funnel
                | Display::Heatmap
                | Display::Pivot
        )
    }

    /// True if its groups are those of two fields.
    pub fn is_cross_table(self) -> bool {
        matches!(self, Display::Heatmap | Display::Pivot)
    }
}

crate::vocabulary! {
    /// A unit of time by which dates are grouped.
    Bucket {
        /// Days.
        Day,
        /// Weeks, which begin on Monday.
        Week,
        /// Months.
        Month,
        /// Quarters.
        Quarter,
        /// Years.
        Year,
    }
}
