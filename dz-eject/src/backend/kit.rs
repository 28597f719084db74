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
    "src/auth/passwords.rs",
    "src/auth/sessions.rs",
    "src/auth/throttle.rs",
    "src/calculate.rs",
    "src/calculate/functions.rs",
    "src/config.rs",
    "src/constants.rs",
    "src/db.rs",
    "src/deletion.rs",
    "src/duplicates.rs",
    "src/input.rs",
    "src/list.rs",
    "src/list/column.rs",
    "src/list/filter.rs",
    "src/main.rs",
    "src/names.rs",
    "src/problem.rs",
    "src/reply.rs",
    "src/request.rs",
    "src/serve.rs",
    "src/sql.rs",
    "src/store.rs",
    "src/transitions.rs",
    "src/types.rs",
    "src/types/postgres.rs",
    "src/types/sqlite.rs",
    "src/values.rs",
);

const MANIFEST: &str = include_str!("../../template/backend/manifest.toml");

/// The manifest; the program has the name of the application.
pub(super) fn manifest(model: &Model) -> String {
    MANIFEST.replace("%APP%", &model.app.name.replace('_', "-"))
}
