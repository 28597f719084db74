//! Encryption at rest of values that dz must read again: XChaCha20-Poly1305 with the keys of `dz.secrets`.
//!
//! The first key encrypts. An encrypted value contains the id of its key, so all keys can decrypt. The owner of a value is
//! authenticated with it, so that the value cannot be copied to another account.

use base64::{Engine as _, engine::general_purpose::STANDARD, engine::general_purpose::URL_SAFE_NO_PAD};
use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};

use crate::{Error, Result};

/// The prefix of encrypted values.
const PREFIX: &str = "dz1";
/// The length of a key in bytes.
const KEY_BYTES: usize = 32;
/// The length of a nonce in bytes, sufficient for random nonces.
const NONCE_BYTES: usize = 24;

/// The keys; the first one encrypts.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    keys: Vec<(String, XChaCha20Poly1305)>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.keys.iter().map(|(id, _)| id)).finish()
    }
}

impl Secrets {
    /// Parses the configured keys, each in the form `id:key` with the 32 bytes of the key in base64.
    ///
    /// # Errors
    /// One sentence with the invalid entry and without a key.
    pub(crate) fn read(entries: &[String]) -> Result<Secrets, String> {
        let mut keys: Vec<(String, XChaCha20Poly1305)> = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let place = at + 1;
            let (id, key) = entry.split_once(':').ok_or_else(|| {
                format!("entry {place} has no id: write `id:key`, with a key of 32 bytes in base64 (`openssl rand -base64 32`)")
            })?;
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if id.is_empty() || id.len() > 32 || !id.chars().all(plain) {
                return Err(format!("the id of entry {place} must be 1 to 32 letters, digits, `-` or `_`"));
            }
            if keys.iter().any(|(known, _)| known == id) {
                return Err(format!("two keys have the id `{id}`"));
            }
            let bytes = STANDARD.decode(key.trim()).or_else(|_| URL_SAFE_NO_PAD.decode(key.trim())).unwrap_or_default();
            let cipher =
                Some(bytes).filter(|bytes| bytes.len() == KEY_BYTES).and_then(|bytes| XChaCha20Poly1305::new_from_slice(&bytes).ok());
            let cipher = cipher
                .ok_or_else(|| format!("the key `{id}` is not {KEY_BYTES} bytes in base64: make one with `openssl rand -base64 32`"))?;
            keys.push((id.to_owned(), cipher));
        }
        Ok(Secrets { keys })
    }

    /// True if there is a key.
    pub(crate) fn can_encrypt(&self) -> bool {
        !self.keys.is_empty()
    }

    /// True for a value that the first key encrypted; without keys, for a value that is not encrypted.
    pub(crate) fn is_current(&self, stored: &str) -> bool {
        key_id(stored) == self.keys.first().map(|(id, _)| id.as_str())
    }

    /// Encrypts a value that belongs to `context`; without keys, the value stays as it is.
    ///
    /// # Errors
    /// 500 if the machine has no random numbers.
    pub(crate) fn encrypt(&self, context: &str, value: &str) -> Result<String> {
        let Some((id, cipher)) = self.keys.first() else { return Ok(value.to_owned()) };
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(Error::internal)?;
        let payload = Payload { msg: value.as_bytes(), aad: context.as_bytes() };
        let sealed = cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| Error::internal("a secret cannot be encrypted"))?;
        Ok(format!("{PREFIX}.{id}.{}", URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat())))
    }

    /// Decrypts a value that was stored for `context`.
    ///
    /// # Errors
    /// 500 if its key is not configured, or if the stored text was changed.
    pub(crate) fn decrypt(&self, context: &str, stored: &str) -> Result<String> {
        let Some(id) = key_id(stored) else { return Ok(stored.to_owned()) };
        let cipher = self.keys.iter().find(|(known, _)| known == id).map(|(_, cipher)| cipher);
        let cipher =
            cipher.ok_or_else(|| Error::internal(format_args!("`dz.secrets` has no key `{id}`, with which a secret is encrypted")))?;
        let damaged = || Error::internal(format_args!("a secret that the key `{id}` encrypted was altered, or `{id}` is another key now"));
        let bytes = stored.rsplit_once('.').and_then(|(_, text)| URL_SAFE_NO_PAD.decode(text).ok()).ok_or_else(damaged)?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE_BYTES).ok_or_else(damaged)?;
        let nonce: [u8; NONCE_BYTES] = nonce.try_into().map_err(|_| damaged())?;
        let payload = Payload { msg: sealed, aad: context.as_bytes() };
        let plain = cipher.decrypt(&XNonce::from(nonce), payload).map_err(|_| damaged())?;
        String::from_utf8(plain).map_err(|_| damaged())
    }

    /// The id of the key of a stored value, if it is not configured.
    pub(crate) fn unknown_key<'v>(&self, stored: &'v str) -> Option<&'v str> {
        key_id(stored).filter(|id| self.keys.iter().all(|(known, _)| known != id))
    }
}

/// The id of the key of an encrypted value; `None` for a value that is not encrypted.
fn key_id(stored: &str) -> Option<&str> {
    let mut parts = stored.split('.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(PREFIX), Some(id), Some(_)) => Some(id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "2025:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const NEW: &str = "2026:Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=";

    fn keys(entries: &[&str]) -> Secrets {
        Secrets::read(&entries.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()).expect("keys")
    }

    #[test]
    fn a_value_is_decrypted_only_with_its_key_and_for_its_owner() {
        let old = keys(&[OLD]);
        let stored = old.encrypt("account 1", "JBSWY3DPEHPK3PXP").unwrap();
        assert!(stored.starts_with("dz1.2025.") && !stored.contains("JBSW"), "{stored}");
        assert_ne!(stored, old.encrypt("account 1", "JBSWY3DPEHPK3PXP").unwrap(), "no two are alike");
        assert_eq!(old.decrypt("account 1", &stored).unwrap(), "JBSWY3DPEHPK3PXP");
        assert_eq!(old.decrypt("account 2", &stored).unwrap_err().status, 500, "it was copied");
        let both = keys(&[NEW, OLD]);
        assert_eq!(both.decrypt("account 1", &stored).unwrap(), "JBSWY3DPEHPK3PXP");
        assert!(!both.is_current(&stored) && old.is_current(&stored));
        assert_eq!(keys(&[NEW]).unknown_key(&stored), Some("2025"));
        assert!(keys(&[NEW]).decrypt("account 1", &stored).unwrap_err().internal.unwrap().contains("no key `2025`"));
        let mut altered = stored.into_bytes();
        *altered.last_mut().unwrap() ^= 1;
        assert_eq!(old.decrypt("account 1", &String::from_utf8(altered).unwrap()).unwrap_err().status, 500);
    }

    #[test]
    fn without_a_key_values_are_not_encrypted() {
        let none = Secrets::default();
        assert_eq!(none.encrypt("x", "plain").unwrap(), "plain");
        assert!(none.is_current("plain") && !none.can_encrypt() && !keys(&[OLD]).is_current("plain"));
        assert_eq!(keys(&[OLD]).decrypt("x", "plain").unwrap(), "plain", "from before there was a key");
    }

    #[test]
    fn an_invalid_key_is_reported_without_its_value() {
        for (entries, wanted) in [
            (vec!["AAEC"], "has no id"),
            (vec!["a b:AAEC"], "the id of entry 1"),
            (vec!["2025:AAEC"], "the key `2025` is not 32 bytes"),
            (vec![OLD, OLD], "two keys have the id `2025`"),
        ] {
            let error = Secrets::read(&entries.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()).unwrap_err();
            assert!(error.contains(wanted) && !error.contains("AAEC"), "{error}");
        }
        assert_eq!(format!("{:?}", keys(&[OLD])), "[\"2025\"]");
    }
}
