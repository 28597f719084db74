//! Services: logic outside of the declaration, with a typed interface.

use dz_vocabulary::AuthKind;

use super::{ValueField, words::words};
use crate::Span;

/// A service: a function with typed input and output that the application or another system provides.
#[derive(Debug, Clone, PartialEq)]
pub struct Service {
    /// Identifier.
    pub name: String,
    /// Title.
    pub title: String,
    /// Its kind; default `domain_logic`; `integration` for a service of another system.
    pub kind: ServiceKind,
    /// The inputs.
    pub input: Vec<ValueField>,
    /// The outputs.
    pub output: Vec<ValueField>,
    /// The guarantees, in order.
    pub guarantees: Vec<String>,
    /// The language of the generated stub.
    pub stub: Option<StubLanguage>,
    /// For a service of another system: its description and authentication.
    pub adapter: Option<Adapter>,
    /// The name in the declaration.
    pub span: Span,
}

words! {
    /// The kinds of services.
    ServiceKind {
        DomainLogic = "domain_logic",
        Validation = "validation",
        Workflow = "workflow",
        Integration = "integration",
    }
}

words! {
    /// Language of a stub.
    StubLanguage {
        Python = "python",
        Rust = "rust",
    }
}

/// Facts about a service of another system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapter {
    /// Its description.
    pub spec: Option<Spec>,
    /// The authentication.
    pub auth: Option<AuthProfile>,
    /// The responsible person or team.
    pub owner: Option<String>,
}

/// The description of another system's interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The form of the text.
    pub form: SpecForm,
    /// Its address, or the description itself.
    pub text: String,
}

words! {
    /// Whether the text is an address or the description itself.
    SpecForm {
        Url = "url",
        Inline = "inline",
    }
}

/// The authentication to another system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthProfile {
    /// Its kind.
    pub kind: AuthKind,
    /// `option=value`, in order.
    pub options: Vec<(String, String)>,
}

words! {
    for AuthKind {
        None = "none",
        Basic = "basic",
        Bearer = "bearer",
        ApiKeyHeader = "api_key_header",
        ApiKeyQuery = "api_key_query",
        JwtStatic = "jwt_static",
        Oauth2Client = "oauth2_client",
        Oauth2Legacy = "oauth2_legacy",
        Oauth2Pkce = "oauth2_pkce",
    }
}
