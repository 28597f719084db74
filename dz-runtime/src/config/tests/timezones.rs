//! A build accepts exactly the time zones that the runtime has.

use chrono_tz::{TZ_VARIANTS, Tz};
use dz_dsl_file::{SourceMap, analyse};
use dz_vocabulary::timezones;
use expect_test::expect_file;

#[test]
fn the_names_are_those_of_the_database_of_the_runtime() {
    let mut names: Vec<&str> = TZ_VARIANTS.iter().map(|zone| zone.name()).collect();
    names.sort_unstable();
    expect_file!["../../../../dz-vocabulary/src/timezones.txt"].assert_eq(&format!("{}\n", names.join("\n")));
}

/// Every zone that the language accepts, in the application and as the value of a field, is a zone of the runtime.
#[test]
fn each_zone_of_a_build_is_known_at_run_time() {
    let declaration = |zone: &str| {
        let text = format!(
            "app shop \"Shop\":\n  timezone: \"{zone}\"\n\nentity Place \"Place\":\n  id: uuid pk\n  zone: timezone = \"{zone}\"\n  permit:\n    \
             list: authenticated\n    read: authenticated\n"
        );
        analyse(SourceMap::single("app.dsl", text)).model
    };
    let zones: Vec<&str> = timezones().collect();
    assert!(zones.len() > 400, "{}", zones.len());
    for zone in zones {
        let model = declaration(zone).unwrap_or_else(|| panic!("a build refuses {zone}"));
        assert!(model.app.timezone.parse::<Tz>().is_ok(), "the runtime does not have {zone}");
    }
    for wrong in ["Europe/Nowhere", "europe/lisbon", "EST5EDT4", ""] {
        assert!(declaration(wrong).is_none(), "a build accepts `{wrong}`");
        assert!(wrong.parse::<Tz>().is_err(), "{wrong}");
    }
}
