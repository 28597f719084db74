//! Services: logic outside the declaration, behind a typed interface.

use super::{ValueField, words::words};
use crate::Span;

/// A service: a function with typed input and output that the application or another system provides.
#[derive(Debug, Clone, PartialEq)]
pub struct Service {
    /// Identifier.
    pub name: String,
    /// Title.
    pub title: String,
    /// What sort of logic it is; `domain_logic` unless said, `integration` for one of another system.
    pub kind: ServiceKind,
    /// What it takes.
    pub input: Vec<ValueField>,
    /// What it gives.
    pub output: Vec<ValueField>,
    /// What it promises, in order.
    pub guarantees: Vec<String>,
    /// In which language a stub is generated.
    pub stub: Option<StubLanguage>,
    /// For a service of another system: how it is reached.
    pub adapter: Option<Adapter>,
    /// The name in the declaration.
    pub span: Span,
}

words! {
    /// What sort of logic a service is.
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

/// What is known of a service of another system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapter {
    /// Its description.
    pub spec: Option<Spec>,
    /// How to sign in.
    pub auth: Option<AuthProfile>,
    /// Who answers for it.
    pub owner: Option<String>,
}

/// The description of another system's interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// What the text is.
    pub form: SpecForm,
    /// Its address, or the description itself.
    pub text: String,
}

words! {
    /// Whether another system's interface is described elsewhere or here.
    SpecForm {
        Url = "url",
        Inline = "inline",
    }
}

/// How to sign in to another system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthProfile {
    /// Which way.
    pub kind: AuthKind,
    /// `option=value`, in order.
    pub options: Vec<(String, String)>,
}

words! {
    /// Ways of signing in to another system.
    AuthKind {
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
