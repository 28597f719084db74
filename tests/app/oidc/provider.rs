//! An OpenID Connect provider on a loopback port, which can send forged responses.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    thread,
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use dz::{
    serde_json::{Value, json},
    testing::ring::{
        digest, hmac,
        rand::SystemRandom,
        signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _},
    },
};

pub const CLIENT: &str = "guild-app";
pub const SECRET: &str = "between the two of us";
/// The subject of a browser without a choice.
pub const VISITOR: &str = "visitor@acme.example";

/// The signature of a token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Signed {
    Well,
    /// By the key of another party, under the same name.
    ByAnother,
    /// `alg: none`.
    Not,
    /// By the secret of the application, which is not a signature of the provider.
    BySecret,
}

/// The data of a code.
#[derive(Clone)]
pub struct Grant {
    pub claims: Value,
    pub signed: Signed,
    /// The PKCE challenge.
    challenge: String,
    /// The status of the token endpoint.
    pub status: u16,
}

struct Inside {
    base: String,
    key: EcdsaKeyPair,
    other: EcdsaKeyPair,
    grants: Mutex<HashMap<String, Grant>>,
    count: AtomicU32,
}

/// The provider.
#[derive(Clone)]
pub struct Provider(Arc<Inside>);

/// The parameters of an authorization request.
#[derive(Debug, Clone)]
pub struct Sent(pub HashMap<String, String>);

impl Sent {
    /// Of the address of an authorization request.
    #[track_caller]
    pub fn parse(address: &str) -> Sent {
        let url = url::Url::parse(address).expect("an address");
        Sent(url.query_pairs().into_owned().collect())
    }

    #[track_caller]
    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).unwrap_or_else(|| panic!("no `{name}` in {self:?}"))
    }
}

fn key() -> EcdsaKeyPair {
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).expect("a key");
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).expect("the key")
}

fn write(mut stream: TcpStream, status: u16, kind: &str, body: &str) {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    let _ = stream.write_all((head + body).as_bytes());
}

impl Provider {
    pub fn start() -> Provider {
        Provider::start_as("127.0.0.1")
    }

    /// With this host name: browsers treat another name as another site.
    pub fn start_as(host: &str) -> Provider {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let base = format!("http://{host}:{}", listener.local_addr().expect("an address").port());
        let provider = Provider(Arc::new(Inside { base, key: key(), other: key(), grants: Mutex::default(), count: AtomicU32::new(0) }));
        let answering = provider.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let answering = answering.clone();
                thread::spawn(move || answering.answer(stream));
            }
        });
        provider
    }

    pub fn issuer(&self) -> &str {
        &self.0.base
    }

    /// The claims about a user.
    pub fn claims(&self, sent: &Sent, subject: &str, email: &str) -> Value {
        let now = chrono::Utc::now().timestamp();
        json!({
            "iss": self.0.base, "sub": subject, "aud": CLIENT, "exp": now + 300, "iat": now, "nonce": sent.get("nonce"),
            "email": email, "email_verified": true, "name": subject,
        })
    }

    /// Authorizes a user; returns the code.
    pub fn code(&self, sent: &Sent, claims: Value, signed: Signed, status: u16) -> String {
        let mut grants = self.0.grants.lock().expect("grants");
        let code = format!("code-{}", self.0.count.fetch_add(1, Ordering::Relaxed));
        grants.insert(code.clone(), Grant { claims, signed, challenge: sent.get("code_challenge").to_owned(), status });
        code
    }

    /// A token with the requested signature.
    fn token(&self, claims: &Value, signed: Signed) -> String {
        let alg = match signed {
            Signed::Not => "none",
            Signed::BySecret => "HS256",
            _ => "ES256",
        };
        let head = json!({ "alg": alg, "typ": "JWT", "kid": "one" });
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let text = format!("{}.{}", part(&head), part(claims));
        let random = SystemRandom::new();
        let by = |key: &EcdsaKeyPair| key.sign(&random, text.as_bytes()).expect("a signature").as_ref().to_vec();
        let signature = match signed {
            Signed::Well => by(&self.0.key),
            Signed::ByAnother => by(&self.0.other),
            Signed::Not => Vec::new(),
            Signed::BySecret => hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes()), text.as_bytes()).as_ref().to_vec(),
        };
        format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    fn answer(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        let _ = reader.read_line(&mut line);
        let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let (mut length, mut authorization) = (0, String::new());
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).is_err() || line.trim().is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').unwrap_or_default();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap_or(0),
                "authorization" => authorization = value.trim().to_owned(),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        let _ = reader.read_exact(&mut body);
        if let Some(("/authorize", query)) = path.split_once('?') {
            return write(reader.into_inner(), 200, "text/html; charset=utf-8", &self.show_page(query));
        }
        let (status, answer) = match path.as_str() {
            "/.well-known/openid-configuration" => (200, self.description()),
            "/jwks" => (200, self.keys()),
            "/token" => self.redeem(&authorization, &String::from_utf8_lossy(&body)),
            _ => (404, json!({ "error": "not_found" })),
        };
        write(reader.into_inner(), status, "application/json", &answer.to_string());
    }

    /// The page for users: they sign in, decline, or return with another state.
    fn show_page(&self, query: &str) -> String {
        let sent = Sent(url::form_urlencoded::parse(query.as_bytes()).into_owned().collect());
        let code = self.code(&sent, self.claims(&sent, "visitor", VISITOR), Signed::Well, 200);
        let ways: [(&str, [(&str, &str); 2]); 3] = [
            ("agree", [("code", &code), ("state", sent.get("state"))]),
            ("decline", [("error", "access_denied"), ("state", sent.get("state"))]),
            ("astray", [("code", &code), ("state", "of another errand")]),
        ];
        let links = ways.map(|(name, answer)| {
            let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(answer).finish().replace('&', "&amp;");
            format!("<p><a id=\"{name}\" href=\"{}?{query}\">{name}</a></p>", sent.get("redirect_uri"))
        });
        format!("<!DOCTYPE html><title>Acme</title><h1>Acme</h1>{}", links.concat())
    }

    fn description(&self) -> Value {
        let base = &self.0.base;
        json!({
            "issuer": base, "authorization_endpoint": format!("{base}/authorize"), "token_endpoint": format!("{base}/token"),
            "jwks_uri": format!("{base}/jwks"), "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
        })
    }

    fn keys(&self) -> Value {
        let point = self.0.key.public_key().as_ref();
        let (x, y) = (URL_SAFE_NO_PAD.encode(&point[1..33]), URL_SAFE_NO_PAD.encode(&point[33..65]));
        json!({ "keys": [{ "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": "one", "x": x, "y": y }] })
    }

    /// Redeems a code, once, for the application and with the PKCE verifier.
    fn redeem(&self, authorization: &str, body: &str) -> (u16, Value) {
        let form: HashMap<String, String> = url::form_urlencoded::parse(body.as_bytes()).into_owned().collect();
        let of = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
        let refused = |why: &str| (400, json!({ "error": "invalid_grant", "error_description": why }));
        let known = base64::engine::general_purpose::STANDARD
            .decode(authorization.trim_start_matches("Basic "))
            .is_ok_and(|pair| String::from_utf8_lossy(&pair) == format!("{CLIENT}:{}", SECRET.replace(' ', "+")));
        if !known {
            return (401, json!({ "error": "invalid_client" }));
        }
        let Some(grant) = self.0.grants.lock().expect("grants").remove(of("code")) else { return refused("unknown code") };
        let made = URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, of("code_verifier").as_bytes()));
        if made != grant.challenge {
            return refused("the proof key does not fit");
        }
        match grant.status {
            200 => (200, json!({ "access_token": "at", "token_type": "Bearer", "id_token": self.token(&grant.claims, grant.signed) })),
            status => (status, json!({ "error": "server_error" })),
        }
    }
}
