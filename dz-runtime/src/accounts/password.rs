//! Passwords: the policy, and hashing with Argon2id.

use argon2::{
    Algorithm, Argon2, Block, Params, PasswordHash, Version,
    password_hash::{Output, ParamsString, Salt, SaltString},
};

use super::{common_passwords, hashers::HASHERS};
use crate::{Error, Result, def::AppDef};

const MIN_LENGTH: usize = 8;
const MAX_LENGTH: usize = 128;

/// Season and year are the usual choice where passwords must be changed.
const SEASONS: [&str; 4] = ["spring", "summer", "autumn", "winter"];

/// The salt for verification without an account, which takes the same time.
const DUMMY_SALT: &[u8; 16] = b"nobody signs in.";

/// KiB of memory, passes and lanes (OWASP Password Storage Cheat Sheet).
const WORK: (u32, u32, u32) = (19_456, 2, 1);

fn build_argon2() -> Result<Argon2<'static>> {
    let params = Params::new(WORK.0, WORK.1, WORK.2, None).map_err(Error::internal)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Refuses a password that is too short, too long, common, or the address, the title of the application or a season, also with digits and
/// signs after it.
pub(super) fn check(password: &str, email: &str, app: &'static AppDef) -> Result<()> {
    let length = password.chars().count();
    if length < MIN_LENGTH {
        return Err(Error::validation(
            "password",
            say!("dz-must-have-at-least-characters", "must have at least {count} characters", count = MIN_LENGTH),
        ));
    }
    if length > MAX_LENGTH {
        return Err(Error::validation(
            "password",
            say!("dz-must-have-at-most-n-characters", "must have at most {n} characters", n = MAX_LENGTH),
        ));
    }
    let lower = password.to_lowercase();
    // `Summer2026!` is as weak as `summer`.
    let stem = lower.trim_end_matches(|it: char| !it.is_alphabetic());
    let local = email.split('@').next().unwrap_or_default();
    let known = [email, local, app.name].into_iter().map(str::to_lowercase).chain(SEASONS.map(str::to_owned));
    if known.filter(|word| !word.is_empty()).any(|word| word == lower || word == stem) {
        return Err(Error::validation("password", say!("dz-is-easy-to-guess", "is easy to guess: choose a phrase of several words")));
    }
    if is_common(password) {
        return Err(Error::validation(
            "password",
            say!("dz-is-a-common-password", "is a common password: choose a phrase of several words"),
        ));
    }
    Ok(())
}

/// True for a password of the list of common ones, in upper or lower case.
fn is_common(password: &str) -> bool {
    common_passwords::contains(password) || common_passwords::contains(&password.to_lowercase())
}

/// Hashes a password; the result contains the salt and the parameters.
pub(super) fn hash(password: &str) -> Result<String> {
    let mut bytes = [0; Salt::RECOMMENDED_LENGTH];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    let salt = SaltString::encode_b64(&bytes).map_err(Error::internal)?;
    let argon2 = build_argon2()?;
    let hash = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(argon2.params()).map_err(Error::internal)?,
        salt: Some(salt.as_salt()),
        hash: Some(compute_output(&argon2, password, &bytes, Params::DEFAULT_OUTPUT_LEN).ok_or_else(|| Error::internal("a hash"))?),
    };
    Ok(hash.to_string())
}

/// The output of Argon2 for a password; `None` for invalid parameters.
fn compute_output(argon2: &Argon2<'static>, password: &str, salt: &[u8], length: usize) -> Option<Output> {
    let count = argon2.params().block_count();
    let usual = Params::new(WORK.0, WORK.1, WORK.2, None).ok()?.block_count();
    let (argon2, password, salt) = (argon2.clone(), password.to_owned(), salt.to_owned());
    let work = move |memory: &mut Vec<Block>| {
        let mut larger = Vec::new();
        // A hash with more memory than the current parameters gets memory of its own.
        let memory = if count <= usual { memory } else { &mut larger };
        memory.resize(memory.len().max(usual).max(count), Block::new());
        Output::init_with(length, |out| Ok(argon2.hash_password_into_with_memory(password.as_bytes(), &salt, out, memory)?)).ok()
    };
    HASHERS.run(work)?
}

/// True if a password has this hash.
fn matches(password: &str, hash: &PasswordHash<'_>) -> Option<bool> {
    let algorithm = Algorithm::try_from(hash.algorithm).ok()?;
    let version = hash.version.map_or(Ok(Version::default()), Version::try_from).ok()?;
    let argon2 = Argon2::new(algorithm, version, Params::try_from(hash).ok()?);
    let (salt, expected) = (hash.salt?, hash.hash?);
    let mut bytes = [0; Salt::MAX_LENGTH];
    let salt = salt.decode_b64(&mut bytes).ok()?;
    // `Output` compares in constant time.
    Some(compute_output(&argon2, password, salt, expected.len())? == expected)
}

/// True for a hash with less memory or fewer passes than the current parameters, or of another algorithm.
pub(super) fn is_outdated(hash: &str) -> bool {
    let Ok(parsed) = PasswordHash::new(hash) else { return true };
    let made = Params::try_from(&parsed).ok().filter(|_| parsed.algorithm == Algorithm::Argon2id.ident());
    made.is_none_or(|made| made.m_cost() < WORK.0 || made.t_cost() < WORK.1)
}

/// True if the password has this hash. Without a hash the verification fails and takes the same time.
pub(super) fn verify(password: &str, hash: Option<&str>) -> bool {
    let Ok(argon2) = build_argon2() else { return false };
    // Longer passwords were never accepted, and hashing them would let clients waste processor time.
    let (password, short) = if password.len() <= 4 * MAX_LENGTH { (password, true) } else { ("", false) };
    let fits = match hash.map(PasswordHash::new) {
        Some(Ok(hash)) => matches(password, &hash).unwrap_or(false),
        _ => std::hint::black_box(compute_output(&argon2, password, DUMMY_SALT, Params::DEFAULT_OUTPUT_LEN)).is_none(),
    };
    fits && short
}

#[cfg(test)]
mod tests {
    use argon2::PasswordHasher as _;

    use super::*;

    /// OWASP ASVS 5.0, 6.2.4: at least the 3,000 most used passwords that match the policy otherwise are refused. The list has 47,324
    /// passwords of eight characters and more; these are a sample of its most used ones.
    #[test]
    fn asvs_6_2_4_common_passwords_are_refused() {
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
    fn a_hash_with_less_work_is_outdated() {
        let salt = SaltString::encode_b64(b"salt of a test").unwrap();
        let with = |memory, passes| {
            let params = Params::new(memory, passes, 1, None).unwrap();
            let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
            argon2.hash_password(b"moss and fern", &salt).unwrap().to_string()
        };
        assert!(is_outdated(&with(64, 2)) && is_outdated(&with(WORK.0, 1)));
        assert!(!is_outdated(&with(WORK.0, WORK.1)) && !is_outdated(&hash("moss and fern").unwrap()));
        assert!(verify("moss and fern", Some(&with(64, 1))));
        // More memory than the current parameters, as after an update that reduces it.
        assert!(verify("moss and fern", Some(&with(2 * WORK.0, 1))) && !verify("fern and moss", Some(&with(2 * WORK.0, 1))));
    }

    #[test]
    fn the_hash_does_not_depend_on_the_memory() {
        use argon2::PasswordVerifier as _;
        for password in ["moss and fern", "", "heath and ling"] {
            let made = hash(password).unwrap();
            assert!(build_argon2().unwrap().verify_password(password.as_bytes(), &PasswordHash::new(&made).unwrap()).is_ok());
            assert!(verify(password, Some(&made)) && !verify("another", Some(&made)));
        }
        assert!(!verify("moss and fern", None) && !verify("moss and fern", Some("no hash")));
    }
}
