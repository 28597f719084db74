//! Property tests of access rules of all applications of other tests, and of the examples; `DZ_PROOF_CASES` sets the number of requests.

/// A proof of each application: the name of its test, and the function that returns it.
macro_rules! others {
    ($($(#[$meta:meta])* $name:ident: $app:path;)*) => {
        $($(#[$meta])* #[test] fn $name() { prove($app); })*
    };
}

others! {
    address_changes: crate::address_changes::app;
    audit: crate::audit::app;
    clinic: crate::vets::app;
    clock: crate::clock::app;
    computed: crate::computed::app;
    currencies: crate::currencies::app;
    depot: crate::depot::app;
    files: crate::files::app;
    jobs: crate::jobs::app;
    soft_delete: crate::soft_delete::app;
    money: crate::money::app;
    transitions: crate::transitions::app;
    #[cfg(feature = "oidc")]
    oidc: crate::oidc::app;
    openapi: crate::openapi::app;
    partitions: crate::partitions::app;
    plan: crate::plan::app;
    relations: crate::relations::app;
    replaced_templates: crate::replaced_templates::app;
    outages: crate::outages::app;
    tasks: crate::fieldwork::app;
    tenants: crate::tenants::app;
    timed_transitions: crate::timed_transitions::app;
    values: crate::values::app;
    yard: crate::variants::yard::app;
}

/// The number of requests to one application on each engine.
const CASES: usize = 300;

#[track_caller]
fn prove(app: fn() -> dz::App) {
    let proof = dz::testing::Proof::new(app);
    let long = std::env::var_os("DZ_PROOF_CASES").is_some();
    let proved = if long { proof } else { proof.cases(CASES) }.run();
    assert!(proved.cases >= CASES, "{proved:?}");
}
