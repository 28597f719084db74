//! Property tests of access rules of applications that were not written for these tests: ten declarations of other domains, written only
//! with the documentation of the language.

/// Proves the rules of the declarations in `domains/`: a module and a test for each.
///
/// `DZ_PROOF_CASES` sets the number of requests. The default is low, because there are many applications.
macro_rules! domains {
    ($($name:ident $file:literal;)*) => {$(
        mod $name {
            dz::include_dsl!($file);

            #[test]
            fn the_rules_hold() {
                super::prove(app);
            }
        }
    )*};
}

domains! {
    brewery "app/proof/domains/brewery.dsl";
    court "app/proof/domains/court.dsl";
    farm "app/proof/domains/farm.dsl";
    fleet "app/proof/domains/fleet.dsl";
    gym "app/proof/domains/gym.dsl";
    lab "app/proof/domains/lab.dsl";
    library "app/proof/domains/library.dsl";
    museum "app/proof/domains/museum.dsl";
    school "app/proof/domains/school.dsl";
    theatre "app/proof/domains/theatre.dsl";
}

/// The number of requests to one application on each engine.
const CASES: usize = 800;

#[track_caller]
fn prove(app: fn() -> dz::App) {
    let proof = dz::testing::Proof::new(app);
    let proof = if std::env::var_os("DZ_PROOF_CASES").is_some() { proof } else { proof.cases(CASES) };
    let proved = proof.run();
    assert!(proved.written >= 20 && proved.anonymous >= 100, "{proved:?}");
}
