//! What the compiler says about declarations, right and wrong, by both fronts.

#[test]
fn declarations() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    cases.compile_fail("fail/*.rs");
}
