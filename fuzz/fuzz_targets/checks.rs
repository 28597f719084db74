#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| dz_fuzz::laws::checks(text));
