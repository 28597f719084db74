//! What a request says: its parameters, its headers and its body. Requests of other sites are refused here.

use std::collections::BTreeMap;

use rocket::{
    Data, Request, State,
    data::{self, FromData, ToByteUnit},
    http::{ContentType, Status},
    outcome::Outcome,
    request::FromRequest,
};
use serde_json::{Value, value::RawValue};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::{
    config::Config,
    duplicates::find_duplicate_member,
    idempotency::Key,
    names::did_you_mean,
    problem::{Problem, Result},
};

/// The largest accepted body.
pub const LARGEST_BODY: u64 = 1_048_576;

/// A request without its body.
#[derive(Debug, Clone)]
pub struct Call {
    /// The decoded parameters of the query, in their order.
    pub query: Vec<(String, String)>,
    /// The token of the session cookie. A request with an `Authorization` header does not use it.
    pub session: Option<String>,
    /// What this browser keeps of the registration of an account.
    pub registrant: Option<String>,
    /// The API token of `Authorization: Bearer`.
    pub bearer: Option<String>,
    /// The version of `If-Match`; −1 for one that no row has.
    pub version: Option<i64>,
    /// The tags of `If-None-Match`.
    pub known: Option<String>,
    /// The user agent, for the list of sessions.
    pub agent: String,
    /// The identifier of the request.
    pub request_id: String,
    /// The address of the client.
    pub client: Option<std::net::IpAddr>,
    /// Refuses a body of a type that no address takes.
    pub media: Result<()>,
    /// The key of a write that is executed once, or why it is none.
    pub idempotency: Result<Option<Key>>,
    forged: bool,
}

impl Default for Call {
    fn default() -> Call {
        Call {
            query: Vec::new(),
            session: None,
            registrant: None,
            bearer: None,
            version: None,
            known: None,
            agent: String::new(),
            request_id: String::new(),
            client: None,
            media: Ok(()),
            idempotency: Ok(None),
            forged: false,
        }
    }
}

#[rocket::async_trait]
impl<'r> FromRequest<'r> for Call {
    type Error = std::convert::Infallible;

    async fn from_request(request: &'r Request<'_>) -> rocket::request::Outcome<Call, Self::Error> {
        let header = |name: &str| request.headers().get_one(name);
        let config = request.guard::<&State<Config>>().await.succeeded().map(|it| it.inner().clone()).unwrap_or_default();
        let cookie = |name: &str| request.cookies().get(name).map(|cookie| cookie.value().to_owned());
        let session = cookie(config.session_cookie()).filter(|token| !token.is_empty() && token.len() <= 128 && header("Authorization").is_none());
        let bearer = header("Authorization").and_then(bearer).map(str::to_owned);
        let query = request.uri().query().map(|query| query.as_str()).unwrap_or_default();
        let mut call = Call {
            query: url::form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
            // Without a session or a token there is no account, and a key has no effect.
            idempotency: if session.is_some() || bearer.is_some() { Key::from_request(request) } else { Ok(None) },
            bearer,
            version: header("If-Match").and_then(version),
            known: header("If-None-Match").map(str::to_owned),
            agent: header("User-Agent").unwrap_or_default().to_owned(),
            request_id: request_id(request).to_owned(),
            client: request.remote().map(|socket| config.trusted_proxies.client(socket.ip(), request.headers().get("X-Forwarded-For"))),
            media: check_media(request),
            session,
            registrant: cookie(config.registrant_cookie()),
            forged: false,
        };
        let is_safe = matches!(request.method(), rocket::http::Method::Get | rocket::http::Method::Head);
        call.forged = !is_safe && !is_own(&call, &config, &header);
        Outcome::Success(call)
    }
}

/// Refuses a body that is neither JSON nor a form. Which of the two an address takes is decided when the body is read.
fn check_media(request: &Request<'_>) -> Result<()> {
    let header = |name: &str| request.headers().get_one(name);
    let is_empty = header("Transfer-Encoding").is_none() && header("Content-Length").is_none_or(|length| length.trim() == "0");
    match request.content_type() {
        _ if is_empty => Ok(()),
        Some(kind) if is_json(kind) || *kind == ContentType::Form || *kind == ContentType::CSV => Ok(()),
        _ => {
            let text = "Send JSON (application/json) or a form (application/x-www-form-urlencoded)";
            Err(Problem::new(415, "UNSUPPORTED_MEDIA_TYPE", text))
        }
    }
}

/// True for a request that a page of this application sends, or a program without a session (OWASP CSRF Prevention Cheat Sheet).
fn is_own<'r>(call: &Call, config: &Config, header: &dyn Fn(&str) -> Option<&'r str>) -> bool {
    if header("Authorization").is_some() {
        return true;
    }
    match (header("Sec-Fetch-Site"), header("Origin"), &call.session) {
        (Some(site), ..) => matches!(site, "same-origin" | "none"),
        (None, Some(origin), _) => match &config.public_url {
            Some(url) => url.origin().ascii_serialization() == origin,
            None => header("Host").is_some_and(|host| origin == format!("http://{host}")),
        },
        (None, None, Some(session)) => {
            let sent = header("X-CSRF-Token").unwrap_or_default();
            form_token(session).as_bytes().ct_eq(sent.as_bytes()).into()
        }
        (None, None, None) => true,
    }
}

/// The token with which a program that has a session cookie proves that it can read pages of this application.
pub fn form_token(session: &str) -> String {
    format!("{:x}", Sha256::new().chain_update(b"dz form token\0").chain_update(session).finalize())
}

fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn version(tag: &str) -> Option<i64> {
    let tag = tag.trim();
    (tag != "*").then(|| tag.trim_start_matches("W/").trim_matches('"').parse().unwrap_or(-1))
}

/// The identifier of a request in its response and in the log.
pub fn request_id<'r>(request: &'r Request<'_>) -> &'r str {
    struct RequestId(String);
    let id: &RequestId = request.local_cache(|| RequestId(uuid::Uuid::now_v7().simple().to_string()));
    &id.0
}

impl Call {
    /// A request of a list with these parameters.
    pub fn list(query: Vec<(String, String)>) -> Call {
        Call { query, ..Call::default() }
    }

    /// Refuses a request that changes something and comes from a page of another site.
    pub fn check_origin(&self) -> Result<()> {
        match self.forged {
            true => Err(Problem::new(
                403,
                "CSRF",
                "This request does not come from a page of this application; reload the page and try again",
            )),
            false => Ok(()),
        }
    }

    /// Refuses API tokens, for what needs a session.
    pub fn check_no_token(&self) -> Result<()> {
        match self.bearer {
            Some(_) => Err(Problem::forbidden("An API token cannot do this; sign in with your password")),
            None => Ok(()),
        }
    }

    /// Refuses unknown parameters and repeated ones.
    pub fn check_parameters(&self, known: &[&str]) -> Result<()> {
        self.check_unique()?;
        let Some((name, _)) = self.query.iter().find(|(name, _)| !known.contains(&name.as_str())) else { return Ok(()) };
        let near = did_you_mean(name, known.iter().copied());
        Err(Problem::bad_request(format!("unknown parameter `{}`{near}", name.escape_default())))
    }

    /// Refuses repeated parameters, which are ambiguous.
    pub fn check_unique(&self) -> Result<()> {
        let mut seen = std::collections::HashSet::new();
        match self.query.iter().find(|(name, _)| !seen.insert(name)) {
            Some((name, _)) => {
                Err(Problem::bad_request(format!("the parameter `{}` is given twice; give it once", name.escape_default())))
            }
            None => Ok(()),
        }
    }
}

/// The bytes of a body, which are parsed after the first checks of the caller.
pub struct Body {
    content: Result<Vec<u8>>,
    /// True for a form, which only the sign-in takes.
    pub is_form: bool,
    /// True for CSV, which only imports take.
    is_csv: bool,
}

#[rocket::async_trait]
impl<'r> FromData<'r> for Body {
    type Error = std::convert::Infallible;

    async fn from_data(request: &'r Request<'_>, data: Data<'r>) -> data::Outcome<'r, Body> {
        let is_form = request.content_type() == Some(&ContentType::Form);
        let is_csv = request.content_type() == Some(&ContentType::CSV);
        let content = match data.open(LARGEST_BODY.bytes()).into_bytes().await {
            Ok(bytes) if !bytes.is_complete() => Err(Problem::new(413, "TOO_LARGE", "The body is larger than 1 MB")),
            Ok(bytes) if is_form || is_csv || bytes.is_empty() || request.content_type().is_some_and(is_json) => Ok(bytes.into_inner()),
            Ok(_) => Err(Problem::new(415, "UNSUPPORTED_MEDIA_TYPE", "Send a JSON object with the header `Content-Type: application/json`")),
            Err(error) => Err(Problem::bad_request(format!("the body cannot be read: {error}"))),
        };
        Outcome::Success(Body { content, is_form, is_csv })
    }
}

fn is_json(kind: &ContentType) -> bool {
    kind.top() == "application" && (kind.sub() == "json" || kind.sub().as_str().ends_with("+json"))
}

/// The members of a JSON object as written, so that numbers keep all their digits.
pub type Members<'b> = BTreeMap<String, &'b RawValue>;

impl Body {
    /// The bytes; none if they cannot be read.
    pub fn bytes(&self) -> &[u8] {
        self.content.as_deref().unwrap_or_default()
    }

    /// True if there is a body.
    pub fn is_present(&self) -> bool {
        self.content.as_ref().map_or(true, |bytes| !bytes.is_empty())
    }

    /// The members of the JSON object.
    pub fn object(&self) -> Result<Members<'_>> {
        let bytes = self.content.as_ref().map_err(Clone::clone)?;
        let text = "Send a JSON object with the header `Content-Type: application/json`";
        if bytes.is_empty() {
            return Err(Problem::bad_request(text));
        }
        if self.is_form || self.is_csv {
            return Err(Problem::new(415, "UNSUPPORTED_MEDIA_TYPE", text));
        }
        let members = serde_json::from_slice(bytes).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => Problem::bad_request("the body must be a JSON object"),
            _ => {
                let (line, column) = (error.line(), error.column());
                Problem::bad_request(format!("the body is not valid JSON: line {line}, column {column}"))
            }
        })?;
        match std::str::from_utf8(bytes).ok().and_then(find_duplicate_member) {
            None => Ok(members),
            Some(name) => {
                Err(Problem::bad_request(format!("the body contains the member `{}` twice; send it once", name.escape_default())))
            }
        }
    }

    /// The bytes of a CSV file.
    pub fn csv(&self) -> Result<&[u8]> {
        let bytes = self.content.as_ref().map_err(Clone::clone)?;
        match bytes.is_empty() {
            true => Err(Problem::bad_request("the file is empty; its first row names fields")),
            false if self.is_csv => Ok(bytes),
            false => Err(Problem::new(415, "UNSUPPORTED_MEDIA_TYPE", "Send CSV with the header `Content-Type: text/csv`")),
        }
    }

    /// The value of a control of a form.
    pub fn form_value(&self, name: &str) -> Option<String> {
        let pairs = url::form_urlencoded::parse(self.bytes());
        pairs.filter(|(key, _)| self.is_form && key == name).map(|(_, value)| value.into_owned()).last()
    }

    /// The text members of these names; one error names all that are missing.
    pub fn texts<const N: usize>(&self, names: [&str; N]) -> Result<[String; N]> {
        let members = if self.is_form { Members::new() } else { self.object()? };
        let mut errors = crate::problem::FieldErrors::default();
        let texts = names.map(|name| {
            let text = match self.is_form {
                true => self.form_value(name).map(Value::String),
                false => members.get(name).and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok()),
            };
            match text {
                Some(Value::String(text)) if text.len() <= 1_024 => text,
                Some(Value::String(_)) => errors.keep(name, Err("is too long".to_owned())),
                _ => errors.keep(name, Err("is required".to_owned())),
            }
        });
        errors.into_result()?;
        Ok(texts)
    }
}

/// Refuses what no route answers: 405 with the methods of the address, else 404.
#[rocket::catch(default)]
pub fn refuse(status: Status, request: &Request<'_>) -> crate::reply::Answer {
    let path: Vec<&str> = request.uri().path().raw_segments().map(|segment| segment.as_str()).collect();
    let fits = |route: &&rocket::Route| {
        let parts: Vec<&str> = route.uri.path().split('/').filter(|part| !part.is_empty()).collect();
        parts.len() == path.len() && parts.iter().zip(&path).all(|(part, given)| part.starts_with('<') || part == given)
    };
    let mut methods: Vec<&str> = request.rocket().routes().filter(fits).map(|route| route.method.as_str()).collect();
    methods.sort_unstable();
    methods.dedup();
    crate::reply::Answer(Err(match status.code {
        404 if !methods.is_empty() => {
            let methods = methods.join(", ");
            let problem = Problem::new(405, "METHOD_NOT_ALLOWED", format!("Allowed methods: {methods}"));
            Problem { allow: Some(methods), ..problem }
        }
        404 => Problem::not_found(),
        400..=499 => Problem::bad_request("the request cannot be understood"),
        _ => Problem::internal(format!("status {status}")),
    }))
}
