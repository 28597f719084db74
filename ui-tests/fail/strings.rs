//! Texts without an end, with an escape that is none, and an address without quotes.

dz::include_dsl!("strings.dsl");

fn main() {
    let _ = app();
}
