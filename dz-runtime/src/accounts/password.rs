//! Passwords: what is accepted, and Argon2id.

use argon2::{
    Algorithm, Argon2, Params, PasswordHash, PasswordHasher, PasswordVerifier, Version,
    password_hash::{Salt, SaltString},
};

use passwords::analyzer::is_common_password;

use crate::{Error, Result, def::AppDef};

const SHORTEST: usize = 8;
const LONGEST: usize = 128;

/// With the year behind it the favourite where passwords have to be changed.
const SEASONS: [&str; 4] = ["spring", "summer", "autumn", "winter"];

/// Salt of the work done for an account that does not exist.
const NOBODY: &[u8; 16] = b"nobody signs in.";

/// KiB of memory, passes and lanes (OWASP Password Storage Cheat Sheet).
const WORK: (u32, u32, u32) = (19_456, 2, 1);

fn argon2() -> Result<Argon2<'static>> {
    let params = Params::new(WORK.0, WORK.1, WORK.2, None).map_err(Error::internal)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Refuses a password that is too short, too long, common, or the address, the application or a season with or without
/// digits and signs behind it.
pub(super) fn check(password: &str, email: &str, app: &'static AppDef) -> Result<()> {
    let length = password.chars().count();
    if length < SHORTEST {
        return Err(Error::validation("password", format!("must have at least {SHORTEST} characters")));
    }
    if length > LONGEST {
        return Err(Error::validation("password", format!("must have at most {LONGEST} characters")));
    }
    let lower = password.to_lowercase();
    // `Summer2026!` is no better than `summer`.
    let stem = lower.trim_end_matches(|it: char| !it.is_alphabetic());
    let local = email.split('@').next().unwrap_or_default();
    let known = [email, local, app.name].into_iter().map(str::to_lowercase).chain(SEASONS.map(str::to_owned));
    if known.filter(|word| !word.is_empty()).any(|word| word == lower || word == stem) {
        return Err(Error::validation("password", "is easily guessed: take a phrase of several words"));
    }
    if is_common(password) {
        return Err(Error::validation("password", "is among those that are tried first: take a phrase of several words"));
    }
    Ok(())
}

/// True for a password of the list of known ones, however its letters are written.
fn is_common(password: &str) -> bool {
    is_common_password(password) || is_common_password(password.to_lowercase())
}

/// The hash of a password, with its salt and parameters.
pub(super) fn hash(password: &str) -> Result<String> {
    let mut bytes = [0; Salt::RECOMMENDED_LENGTH];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    let salt = SaltString::encode_b64(&bytes).map_err(Error::internal)?;
    Ok(argon2()?.hash_password(password.as_bytes(), &salt).map_err(Error::internal)?.to_string())
}

/// True for a hash that was made with less memory or fewer passes than are asked for now, or by another algorithm.
pub(super) fn outgrown(hash: &str) -> bool {
    let Ok(parsed) = PasswordHash::new(hash) else { return true };
    let made = Params::try_from(&parsed).ok().filter(|_| parsed.algorithm == Algorithm::Argon2id.ident());
    made.is_none_or(|made| made.m_cost() < WORK.0 || made.t_cost() < WORK.1)
}

/// True when the password is that of the hash. Without a hash the same work is done for nothing.
pub(super) fn fits(password: &str, hash: Option<&str>) -> bool {
    let Ok(argon2) = argon2() else { return false };
    // Nothing longer was ever accepted, and hashing it would be a gift to whoever sends it.
    let (password, short) = if password.len() <= 4 * LONGEST { (password, true) } else { ("", false) };
    let fits = match hash.map(PasswordHash::new) {
        Some(Ok(hash)) => argon2.verify_password(password.as_bytes(), &hash).is_ok(),
        _ => {
            let mut out = [0; Params::DEFAULT_OUTPUT_LEN];
            std::hint::black_box(argon2.hash_password_into(password.as_bytes(), NOBODY, &mut out)).is_err()
        }
    };
    fits && short
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OWASP ASVS 5.0, 6.2.4: at least the 3,000 most used passwords that the policy would otherwise take are refused.
    /// The list holds 47,324 of eight characters and more; these are from all over its most used ones.
    #[test]
    fn asvs_6_2_4_what_is_tried_first_is_refused() {
        let common = [
            "password",
            "Password1",
            "PASSWORD123",
            "12345678",
            "123456789",
            "1234567890",
            "qwertyuiop",
            "asdfghjkl",
            "1q2w3e4r",
            "1qaz2wsx",
            "iloveyou",
            "sunshine",
            "princess",
            "football",
            "baseball",
            "trustno1",
            "superman",
            "starwars",
            "whatever",
            "michelle",
            "jennifer",
            "liverpool",
            "chocolate",
            "passw0rd",
            "p@ssw0rd",
            "letmein1",
            "welcome1",
            "admin123",
            "abcd1234",
            "11111111",
            "aaaaaaaa",
        ];
        for password in common {
            assert!(is_common(password), "{password}");
        }
        for password in ["a phrase for measuring", "correct horse battery staple", "vb7-kQw2-lmZp", "Zwetschgenknödel mit Zimt"] {
            assert!(!is_common(password), "{password}");
        }
    }

    #[test]
    fn a_hash_with_less_work_is_outgrown() {
        let salt = SaltString::encode_b64(b"salt of a test").unwrap();
        let with = |memory, passes| {
            let params = Params::new(memory, passes, 1, None).unwrap();
            let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
            argon2.hash_password(b"moss and fern", &salt).unwrap().to_string()
        };
        assert!(outgrown(&with(64, 2)) && outgrown(&with(WORK.0, 1)));
        assert!(!outgrown(&with(WORK.0, WORK.1)) && !outgrown(&hash("moss and fern").unwrap()));
        assert!(fits("moss and fern", Some(&with(64, 1))));
    }
}
