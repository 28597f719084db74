//! The environment variables of tests.

use dz_settings::{Settings as _, Table, kind, settings};

use crate::suggest::nearest;

settings! {
    /// The environment variables of the property test and of recorded answers.
    #[derive(Debug)]
    pub(super) struct Environment {
        /// Requests for each engine.
        cases: u64 as kind::whole(1..=u64::MAX), default 4_000, variable "DZ_PROOF_CASES";
        /// The seed of the first data set.
        seed: u64 as kind::whole(0..=u64::MAX), default 1, variable "DZ_PROOF_SEED";
        /// The address of a PostgreSQL server on which the test may create databases.
        server: Option<String> as kind::optional(kind::text()), default None, variable "DZ_TEST_POSTGRES";
        /// Asks the language models for answers that no file has, and records them.
        record_llm: bool as kind::boolean(), default false, variable "DZ_RECORD_LLM";
    }
}

/// The values of the variables.
///
/// # Errors
/// One sentence that names the variable, the value and the accepted values.
pub(super) fn read(variables: dz_settings::Variables<'_>) -> Result<Environment, String> {
    let environment = Environment::read(Table::new("proof", Default::default(), variables));
    environment.map_err(|problem| problem.sentence(|name, known| nearest(name, known.to_vec()).map(str::to_owned)))
}

/// The environment of this process.
///
/// # Panics
/// A variable has a wrong value.
pub(super) fn read_process() -> Environment {
    read(&|name| std::env::var(name).ok()).unwrap_or_else(|wrong| panic!("{wrong}"))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_wrong_variable_is_refused() {
        let with = |name: &'static str, text: &'static str| read(&move |asked| (asked == name).then(|| text.to_owned()));
        assert_eq!(with("DZ_PROOF_CASES", "200_000").unwrap().cases, 200_000);
        assert_eq!(with("DZ_PROOF_SEED", "7").unwrap().seed, 7);
        let usual = with("DZ_PROOF_CASES", "").unwrap();
        assert_eq!((usual.cases, usual.seed, usual.server), (4_000, 1, None));
        assert_eq!(with("DZ_PROOF_CASES", "many").unwrap_err(), "`DZ_PROOF_CASES` is `\"many\"`; write a whole number, at least 1");
        assert_eq!(with("DZ_PROOF_CASES", "0").unwrap_err(), "`DZ_PROOF_CASES` is `0`; write a whole number, at least 1");
    }
}
