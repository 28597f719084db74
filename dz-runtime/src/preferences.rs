//! The choices of an account for its pages: language, time zone, density, and the columns of lists.

use std::collections::BTreeMap;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::def::AppDef;

/// The choices of an account. Stored as JSON; what a version does not know is not read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Preferences {
    /// The tag of the language; `None` for that of the browser.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The name of the time zone; `None` for that of the application.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// The height of rows and controls; `None` for that of the application.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub density: Option<Density>,
    /// The columns of lists in their order, by the name of the surface.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, Vec<ColumnChoice>>,
}

/// A column of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ColumnChoice {
    /// The path of the field, as in parameters.
    pub name: String,
    /// True if the list does not show it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Its width.
    #[serde(default, skip_serializing_if = "Width::is_automatic")]
    pub width: Width,
}

/// The width of a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Width {
    /// By the content.
    #[default]
    Automatic,
    /// For short values.
    Narrow,
    /// For names.
    Medium,
    /// For sentences.
    Wide,
}

impl Width {
    /// All widths.
    pub const ALL: [Width; 4] = [Width::Automatic, Width::Narrow, Width::Medium, Width::Wide];

    fn is_automatic(&self) -> bool {
        *self == Width::Automatic
    }

    /// The name in forms and attributes.
    pub fn name(self) -> &'static str {
        match self {
            Width::Automatic => "automatic",
            Width::Narrow => "narrow",
            Width::Medium => "medium",
            Width::Wide => "wide",
        }
    }

    /// The title.
    pub fn title(self) -> &'static str {
        match self {
            Width::Automatic => say!("dz-width-automatic", "Automatic"),
            Width::Narrow => say!("dz-width-narrow", "Narrow"),
            Width::Medium => say!("dz-width-medium", "Medium"),
            Width::Wide => say!("dz-width-wide", "Wide"),
        }
    }
}

/// The height of rows and controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Density {
    /// The default.
    Comfortable,
    /// More rows on a screen.
    Compact,
}

impl Density {
    /// All densities.
    pub const ALL: [Density; 2] = [Density::Comfortable, Density::Compact];

    /// The density of accounts that choose none.
    pub fn of_app(app: &AppDef) -> Density {
        if app.theme.compact { Density::Compact } else { Density::Comfortable }
    }

    /// The name in forms and attributes.
    pub fn name(self) -> &'static str {
        match self {
            Density::Comfortable => "comfortable",
            Density::Compact => "compact",
        }
    }

    /// The title.
    pub fn title(self) -> &'static str {
        match self {
            Density::Comfortable => say!("dz-comfortable", "Comfortable"),
            Density::Compact => say!("dz-compact", "Compact"),
        }
    }
}

impl Preferences {
    /// Reads stored choices; a text that cannot be read has none.
    pub fn parse(stored: &str) -> Preferences {
        serde_json::from_str(stored).unwrap_or_default()
    }

    /// The text for the database; `None` if nothing is chosen.
    pub fn to_stored(&self) -> Option<String> {
        if *self == Preferences::default() { None } else { serde_json::to_string(self).ok() }
    }

    /// The time zone, if this version knows it.
    pub fn zone(&self) -> Option<Tz> {
        self.timezone.as_deref()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_as_they_were_stored() {
        let column = ColumnChoice { name: "owner.name".into(), hidden: true, width: Width::Wide };
        let chosen = Preferences {
            language: Some("de".into()),
            timezone: Some("Asia/Tokyo".into()),
            density: Some(Density::Compact),
            columns: [("visit_list".to_owned(), vec![column])].into(),
        };
        let stored = chosen.to_stored().expect("choices");
        assert_eq!(Preferences::parse(&stored), chosen);
        assert_eq!(chosen.zone(), Some(Tz::Asia__Tokyo));
        assert_eq!(Preferences::default().to_stored(), None);
    }

    #[test]
    fn unknown_choices_are_not_read() {
        assert_eq!(Preferences::parse("junk"), Preferences::default());
        assert_eq!(Preferences::parse(r#"{"density":"tiny"}"#), Preferences::default());
        let later = Preferences::parse(r#"{"language":"de","later":[1]}"#);
        assert_eq!(later.language.as_deref(), Some("de"));
        assert_eq!(Preferences { timezone: Some("Mars/Base".into()), ..Preferences::default() }.zone(), None);
    }
}
