//! Passwords: which are accepted, and their hashes with Argon2id.

use argon2::{
    Algorithm, Argon2, Params, PasswordHash, PasswordHasher, PasswordVerifier, Version,
    password_hash::SaltString,
};

use crate::{
    APP,
    problem::{Problem, Result},
};

const SHORTEST: usize = 8;
const LONGEST: usize = 128;

/// Season and year are the usual choice of people who must change their passwords.
const SEASONS: [&str; 4] = ["spring", "summer", "autumn", "winter"];

/// KiB of memory, passes and lanes (OWASP Password Storage Cheat Sheet).
const WORK: (u32, u32, u32) = (19_456, 2, 1);

fn argon2() -> Result<Argon2<'static>> {
    let params = Params::new(WORK.0, WORK.1, WORK.2, None).map_err(Problem::internal)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Refuses passwords that are too short, too long, or the address of the account, the name of the application or a season, also with
/// digits and signs after it.
pub fn check(password: &str, email: &str) -> Result<(), String> {
    let length = password.chars().count();
    let local = email.split('@').next().unwrap_or_default();
    let lower = password.to_lowercase();
    let stem = lower.trim_end_matches(|it: char| !it.is_alphabetic());
    let mut known = [email, local, APP].into_iter().map(str::to_lowercase).chain(SEASONS.map(str::to_owned));
    match known.any(|word| !word.is_empty() && (word == lower || word == stem)) {
        _ if length < SHORTEST => Err(format!("must have at least {SHORTEST} characters")),
        _ if length > LONGEST => Err(format!("must have at most {LONGEST} characters")),
        true => Err("is easy to guess: choose a phrase of several words".to_owned()),
        false => Ok(()),
    }
}

/// The hash of a password, with its salt and its parameters.
pub fn hash(password: &str) -> Result<String> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).map_err(Problem::internal)?;
    let salt = SaltString::encode_b64(&salt).map_err(Problem::internal)?;
    Ok(argon2()?.hash_password(password.as_bytes(), &salt).map_err(Problem::internal)?.to_string())
}

/// True if the password has this hash. Without a hash the answer is false, and takes the same time.
pub fn verify(password: &str, hash: Option<&str>) -> bool {
    let Ok(argon2) = argon2() else { return false };
    // Longer passwords were never accepted, and hashing them would waste processor time.
    let password = if password.len() <= 4 * LONGEST { password } else { "" };
    match hash.map(PasswordHash::new) {
        Some(Ok(hash)) => !password.is_empty() && argon2.verify_password(password.as_bytes(), &hash).is_ok(),
        _ => {
            let mut out = [0; 32];
            let done = argon2.hash_password_into(password.as_bytes(), b"nobody signs in.", &mut out);
            std::hint::black_box((done.is_ok(), out));
            false
        }
    }
}
