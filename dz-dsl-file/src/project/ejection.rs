//! `[ejection]` in `dz.toml`: what `dz eject` writes, and where.

use std::path::{Component, Path};

use dz_settings::{Settings, kind, settings};

settings! {
    /// The table `[ejection]`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Ejection {
        /// Whether `dz eject` writes the application.
        enabled: bool as kind::boolean(), default false;
        /// The backend.
        backend: Backend as kind::table(), default Backend::defaults(), shown "the defaults of its keys";
        /// The frontend.
        frontend: Frontend as kind::table(), default Frontend::defaults(), shown "the defaults of its keys";
        /// The tests of the ejected application.
        testing: Testing as kind::table(), default Testing::defaults(), shown "the defaults of its keys";
        /// Continuous integration.
        ci: Ci as kind::table(), default Ci::defaults(), shown "the defaults of its keys";
        /// The folder of the ejected application.
        output: Output as kind::table(), default Output::defaults(), shown "the defaults of its keys";
    }
}

settings! {
    /// The table `[ejection.backend]`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Backend {
        /// The web framework.
        framework: String as word(&[("rocket", "rocket")]), default "rocket".to_owned();
        /// The library for the database.
        models: String as word(&[("diesel", "diesel")]), default "diesel".to_owned();
    }
}

settings! {
    /// The table `[ejection.frontend]`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Frontend {
        /// The library for components.
        framework: String as word(&[("react", "react")]), default "react".to_owned();
        /// The library for the state of the server.
        state: String as word(&[("tanstack-query", "tanstack-query")]), default "tanstack-query".to_owned();
        /// The client of the API.
        api_client: String as word(&[("zod-fetch", "zod-fetch")]), default "zod-fetch".to_owned();
    }
}

settings! {
    /// The table `[ejection.testing]`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Testing {
        /// The contract tests: requests that follow the OpenAPI document.
        contract: Contract as kind::choice(&[("schemathesis", Contract::Schemathesis), ("none", Contract::None)]),
            default Contract::Schemathesis;
        /// Whether the tree has unit tests.
        unit: bool as kind::boolean(), default true;
    }
}

settings! {
    /// The table `[ejection.ci]`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Ci {
        /// The provider whose workflow is written.
        template: CiTemplate as kind::choice(&[
            ("github-actions", CiTemplate::GithubActions),
            ("gitlab-ci", CiTemplate::GitlabCi),
            ("none", CiTemplate::None),
        ]), default CiTemplate::GithubActions;
    }
}

settings! {
    /// The table `[ejection.output]`.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Output {
        /// The folder, below that of `dz.toml`.
        directory: String as kind::parse("the path of a folder inside of the project", inner_folder), default "generated".to_owned(),
            shown "`generated`";
        /// Whether files that are no longer generated are removed, unless they were edited.
        clean: bool as kind::boolean(), default false;
    }
}

/// The path of a folder inside of the project: relative, without `..`.
fn inner_folder(text: &str) -> Option<String> {
    let mut parts = Path::new(text).components().peekable();
    let is_inside = parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    // A path of Windows is not taken for a name.
    (is_inside && !text.contains('\\')).then(|| text.to_owned())
}

impl Default for Ejection {
    fn default() -> Ejection {
        Ejection::defaults()
    }
}

/// The contract tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contract {
    /// By Schemathesis.
    Schemathesis,
    /// No contract tests.
    None,
}

/// The provider of continuous integration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CiTemplate {
    /// GitHub Actions.
    GithubActions,
    /// GitLab CI.
    GitlabCi,
    /// No workflow.
    None,
}

/// A word of a few. The other words of its kind are for later, so the value itself is kept.
fn word(words: &'static [(&'static str, &'static str)]) -> Word {
    Word(kind::choice(words))
}

/// See [`word`].
struct Word(kind::Choice<&'static str>);

impl kind::Kind<String> for Word {
    fn describe(&self) -> String {
        self.0.describe()
    }

    fn read(&self, value: dz_settings::Value, place: &dz_settings::Place<'_>) -> Result<String, dz_settings::Problem> {
        self.0.read(value, place).map(str::to_owned)
    }

    fn format_default(&self, value: &String) -> Option<String> {
        Some(format!("`{value}`"))
    }
}
