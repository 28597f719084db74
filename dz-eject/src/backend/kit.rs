//! The files of the backend that are the same for every application.

use dz_dsl_file::model::Model;

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        /// The paths in the backend, with their texts.
        pub(super) const FILES: &[(&str, &str)] = &[$(($path, include_str!(concat!("../../template/backend/", $path))),)*];
    };
}

files!(
    ".gitignore",
    "src/accounts.rs",
    "src/auth.rs",
    "src/auth/devices.rs",
    "src/auth/factor.rs",
    "src/auth/passwords.rs",
    "src/auth/recovery.rs",
    "src/auth/registration.rs",
    "src/auth/sessions.rs",
    "src/auth/throttle.rs",
    "src/auth/tokens.rs",
    "src/bulk.rs",
    "src/calculate.rs",
    "src/calculate/functions.rs",
    "src/client.rs",
    "src/config.rs",
    "src/constants.rs",
    "src/csv.rs",
    "src/db.rs",
    "src/deletion.rs",
    "src/duplicates.rs",
    "src/events.rs",
    "src/expand.rs",
    "src/idempotency.rs",
    "src/import.rs",
    "src/input.rs",
    "src/list.rs",
    "src/list/column.rs",
    "src/list/filter.rs",
    "src/mail.rs",
    "src/main.rs",
    "src/names.rs",
    "src/problem.rs",
    "src/reply.rs",
    "src/request.rs",
    "src/secrets.rs",
    "src/serve.rs",
    "src/sql.rs",
    "src/store.rs",
    "src/subscribers.rs",
    "src/transitions.rs",
    "src/types.rs",
    "src/types/postgres.rs",
    "src/types/sqlite.rs",
    "src/values.rs",
);

const MANIFEST: &str = include_str!("../../template/backend/manifest.toml");

/// The unit tests, which are outside the folder of the backend.
const TEST: &str = "[[test]]\nname = \"unit\"\npath = \"../tests/unit/main.rs\"\n\n";

/// The manifest; the program has the name of the application.
pub(super) fn manifest(model: &Model, with_tests: bool) -> String {
    let test = if with_tests { TEST } else { "" };
    let text = super::choose(MANIFEST, "/*IF FILES*/", "/*END FILES*/", super::files::exist(model));
    text.replace("%APP%", &model.app.name.replace('_', "-")).replace("%TEST%", test)
}
