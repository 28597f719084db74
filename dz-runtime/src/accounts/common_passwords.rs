//! The list of common passwords, which is part of the program: no request for a password leaves the machine.
//!
//! `scripts/common_passwords.sh` writes the list from the data of a crate, whose licence is beside it.

use std::sync::LazyLock;

const LIST: &str = include_str!("common_passwords/list.txt");

/// The lines of the list, which are in the order of their bytes.
static PASSWORDS: LazyLock<Vec<&str>> = LazyLock::new(|| LIST.lines().collect());

/// True for a password of the list.
pub(super) fn contains(password: &str) -> bool {
    PASSWORDS.binary_search(&password).is_ok()
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::{LIST, PASSWORDS, contains};

    /// The checksum that `scripts/common_passwords.sh` prints.
    const CHECKSUM: &str = "59154220e18aa2ce5c92905784b84e6a55bdab2b94b5a879e3522c779088f894";

    #[test]
    fn the_list_is_the_one_that_the_script_writes() {
        let checksum: String = Sha256::digest(LIST).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(checksum, CHECKSUM);
    }

    #[test]
    fn every_password_of_the_list_is_found_and_no_other_text() {
        assert_eq!(PASSWORDS.len(), 47_324);
        for password in PASSWORDS.iter() {
            assert!(password.chars().count() >= 8 && contains(password), "{password}");
        }
        for other in ["", "\n", "password\n", "passwor", "passwordx0x0", "\u{10ffff}", "!"] {
            assert!(!contains(other), "{other:?}");
        }
    }
}
