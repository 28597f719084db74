//! What the compiler says about likely mistakes in the Rust beside a declaration.

#[test]
fn mistakes_in_own_rust() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("fail/own_rust/*.rs");
}
