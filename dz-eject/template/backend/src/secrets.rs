//! Encryption of values that the program must read again: XChaCha20-Poly1305 with the keys of `DZ_SECRETS`.
//!
//! The first key encrypts. An encrypted value contains the name of its key, so that every key can decrypt. The owner of a value is
//! authenticated with it, so that the value cannot be copied to another account. Without keys, values are stored as they are.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};

use crate::problem::{Problem, Result};

/// What encrypted values begin with.
const PREFIX: &str = "dz1";
const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;

/// The keys; the first one encrypts.
#[derive(Clone, Default)]
pub struct Secrets {
    keys: Vec<(String, XChaCha20Poly1305)>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.keys.iter().map(|(name, _)| name)).finish()
    }
}

impl Secrets {
    /// Reads keys of the form `name:key`, with 32 bytes in base64, with commas between them. The message of an error has no key.
    pub fn read(text: &str) -> Result<Secrets, String> {
        let mut keys = Vec::new();
        for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let (name, key) = entry.split_once(':').ok_or("DZ_SECRETS: a key has no name; write `name:key`")?;
            let bytes = STANDARD.decode(key.trim()).or_else(|_| URL_SAFE_NO_PAD.decode(key.trim())).unwrap_or_default();
            let cipher = XChaCha20Poly1305::new_from_slice(&bytes).ok().filter(|_| bytes.len() == KEY_BYTES);
            let cipher = cipher.ok_or_else(|| format!("DZ_SECRETS: the key `{name}` is not {KEY_BYTES} bytes in base64"))?;
            keys.push((name.to_owned(), cipher));
        }
        Ok(Secrets { keys })
    }

    /// Encrypts a value for its owner.
    pub fn encrypt(&self, owner: &str, value: &str) -> Result<String> {
        let Some((name, cipher)) = self.keys.first() else { return Ok(value.to_owned()) };
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(Problem::internal)?;
        let payload = Payload { msg: value.as_bytes(), aad: owner.as_bytes() };
        let sealed = cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| Problem::internal("a secret cannot be encrypted"))?;
        Ok(format!("{PREFIX}.{name}.{}", URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat())))
    }

    /// Decrypts a value of its owner.
    pub fn decrypt(&self, owner: &str, stored: &str) -> Result<String> {
        let mut parts = stored.split('.');
        let (Some(PREFIX), Some(name), Some(text)) = (parts.next(), parts.next(), parts.next()) else { return Ok(stored.to_owned()) };
        let cipher = self.keys.iter().find(|(known, _)| known == name).map(|(_, cipher)| cipher);
        let cipher = cipher.ok_or_else(|| Problem::internal(format!("DZ_SECRETS has no key `{name}`, with which a secret is encrypted")))?;
        let damaged = || Problem::internal(format!("a secret of the key `{name}` was altered, or `{name}` is another key now"));
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| damaged())?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE_BYTES).ok_or_else(damaged)?;
        let nonce: [u8; NONCE_BYTES] = nonce.try_into().map_err(|_| damaged())?;
        let plain = cipher.decrypt(&XNonce::from(nonce), Payload { msg: sealed, aad: owner.as_bytes() }).map_err(|_| damaged())?;
        String::from_utf8(plain).map_err(|_| damaged())
    }
}
