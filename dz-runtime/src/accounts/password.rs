//! Passwords: what is accepted, and Argon2id.

use argon2::{
    Algorithm, Argon2, Params, PasswordHash, PasswordHasher, PasswordVerifier, Version,
    password_hash::{Salt, SaltString},
};

use crate::{Error, Result, def::AppDef};

const SHORTEST: usize = 8;
const LONGEST: usize = 128;

/// Passwords that are tried first everywhere; shorter ones are refused by their length.
const COMMON: &[&str] = &[
    "00000000",
    "11111111",
    "12121212",
    "123123123",
    "1234512345",
    "12345678",
    "123456789",
    "1234567890",
    "123qweasd",
    "1q2w3e4r",
    "1q2w3e4r5t",
    "1qaz2wsx",
    "1qazxsw2",
    "22222222",
    "55555555",
    "66666666",
    "69696969",
    "77777777",
    "87654321",
    "88888888",
    "987654321",
    "99999999",
    "a1b2c3d4",
    "aa123456",
    "aaaaaaaa",
    "abc12345",
    "abcd1234",
    "abcdefgh",
    "admin123",
    "administrator",
    "alexander",
    "asdasdasd",
    "asdf1234",
    "asdfasdf",
    "asdfghjk",
    "asdfghjkl",
    "baseball",
    "basketball",
    "benjamin",
    "bigdaddy",
    "butterfly",
    "changeme",
    "chocolate",
    "christian",
    "computer",
    "corvette",
    "dragon123",
    "einstein",
    "elephant",
    "facebook",
    "football",
    "football1",
    "garfield",
    "geronimo",
    "google123",
    "hello123",
    "hellohello",
    "iloveyou",
    "iloveyou1",
    "internet",
    "jennifer",
    "jordan23",
    "letmein1",
    "letmein123",
    "liverpool",
    "login123",
    "maverick",
    "mercedes",
    "metallica",
    "michael1",
    "michelle",
    "midnight",
    "mustang1",
    "nicholas",
    "p@ssw0rd",
    "pa55word",
    "pass1234",
    "passw0rd",
    "password",
    "password!",
    "password1",
    "password12",
    "password123",
    "passwort",
    "platinum",
    "pokemon1",
    "princess",
    "princess1",
    "q1w2e3r4",
    "qazwsxedc",
    "qqqqqqqq",
    "qwe123qwe",
    "qwer1234",
    "qwert123",
    "qwerty12",
    "qwerty123",
    "qwertyui",
    "qwertyuiop",
    "rootroot",
    "samantha",
    "secret123",
    "security",
    "spiderman",
    "starwars",
    "steelers",
    "summer2024",
    "summer2025",
    "sunshine",
    "sunshine1",
    "superman",
    "superman1",
    "test1234",
    "testtest",
    "trustno1",
    "victoria",
    "welcome1",
    "welcome123",
    "whatever",
    "winter2024",
    "winter2025",
    "xxxxxxxx",
    "yankees1",
    "zaq12wsx",
    "zaq1zaq1",
    "zxcvbnm1",
    "zxcvbnmzxcvbnm",
];

/// Salt of the work done for an account that does not exist.
const NOBODY: &[u8; 16] = b"nobody signs in.";

/// KiB of memory, passes and lanes (OWASP Password Storage Cheat Sheet).
const WORK: (u32, u32, u32) = (19_456, 2, 1);

fn argon2() -> Result<Argon2<'static>> {
    let params = Params::new(WORK.0, WORK.1, WORK.2, None).map_err(Error::internal)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Refuses a password that is too short, too long, common, or the address or application itself.
pub(super) fn check(password: &str, email: &str, app: &'static AppDef) -> Result<()> {
    let length = password.chars().count();
    if length < SHORTEST {
        return Err(Error::validation("password", format!("must have at least {SHORTEST} characters")));
    }
    if length > LONGEST {
        return Err(Error::validation("password", format!("must have at most {LONGEST} characters")));
    }
    let lower = password.to_lowercase();
    let local = email.split('@').next().unwrap_or_default();
    let obvious = [email, local, app.name].into_iter().any(|word| !word.is_empty() && lower == word.to_lowercase());
    if obvious || COMMON.contains(&lower.as_str()) {
        return Err(Error::validation("password", "is among the first that anybody would try"));
    }
    Ok(())
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
