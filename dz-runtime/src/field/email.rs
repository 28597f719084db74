//! Normalization of mail addresses.

use icu_normalizer::ComposingNormalizerBorrowed;

/// The stored form of a mail address: composed (NFC), with its domain in lower case and in Unicode, also if `xn--…` was written.
pub(crate) fn normalize(email: &str) -> String {
    let composed = ComposingNormalizerBorrowed::new_nfc().normalize(email.trim());
    match composed.rsplit_once('@') {
        Some((local, domain)) => format!("{local}@{}", decode_domain(&domain.to_lowercase())),
        None => composed.into_owned(),
    }
}

/// The stored form of the address of an account, which is found ignoring case.
pub(crate) fn normalize_for_account(email: &str) -> String {
    normalize(&email.to_lowercase())
}

/// Decodes `xn--` labels. Other domains stay unchanged: the conversion of full-width letters would map two addresses to one.
fn decode_domain(domain: &str) -> String {
    let encoded = domain.split('.').any(|label| label.starts_with("xn--"));
    match idna::domain_to_unicode(domain) {
        (letters, Ok(())) if encoded && idna::domain_to_ascii(&letters).is_ok_and(|ascii| ascii == domain) => letters,
        _ => domain.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_one_stored_form() {
        for written in [
            "J\u{f6}rg@b\u{fc}cher.example",
            "Jo\u{308}rg@bu\u{308}cher.example",
            " J\u{f6}rg@XN--BCHER-KVA.example ",
            "J\u{f6}rg@B\u{dc}CHER.Example",
        ] {
            assert_eq!(normalize(written), "J\u{f6}rg@b\u{fc}cher.example", "{written:?}");
            assert_eq!(normalize_for_account(written), "j\u{f6}rg@b\u{fc}cher.example", "{written:?}");
        }
        assert_eq!(normalize("ann@example.com"), "ann@example.com");
        assert_eq!(normalize_for_account("ANN@Example.COM"), "ann@example.com");
        assert_eq!(normalize("no address"), "no address");
        // Full-width letters and invalid encodings stay unchanged; the check refuses them.
        for odd in ["a@\u{ff45}xample.com", "a@xn--zzzzzz--.example"] {
            assert_eq!(normalize(odd), odd);
        }
    }
}
