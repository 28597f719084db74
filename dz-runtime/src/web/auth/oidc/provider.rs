//! What is asked of a provider, and what of its answers is believed.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use openidconnect::{
    AccessTokenHash, AuthType, AuthorizationCode, ClientId, ClientSecret, CsrfToken, DiscoveryError, HttpRequest, HttpResponse, IssuerUrl,
    Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope, TokenResponse,
    core::{
        CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreIdTokenClaims, CoreIdTokenVerifier, CoreJwsSigningAlgorithm,
        CoreProviderMetadata, CoreTokenResponse,
    },
};

use crate::{
    accounts::{Known, Why},
    config::oidc::Provider,
    state::State,
    web::auth::oidc::Errand,
};

/// A provider's description and keys are asked for again after this long,
const FRESH: Duration = Duration::from_secs(600);
/// and, for a token that no key fits, not sooner than this.
const AGAIN: Duration = Duration::from_secs(30);
/// So long a provider may take for an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of an answer at most.
const LARGEST: u64 = 1 << 20;
/// Characters of a name of a person at the provider.
const LONGEST_SUBJECT: usize = 255;

/// Signatures that only the provider can make: never one with a secret that the application has too, and never none.
const SIGNATURES: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// Why nobody is signed in.
pub(crate) enum Trouble {
    /// The provider does not answer, or not as a provider does.
    Away(String),
    /// The browser did not set out here, or too long ago, or comes back twice.
    Astray,
    /// The provider says no, in a word.
    Declined(String),
    /// What the provider says cannot be believed.
    Unbelieved(String),
    /// Whoever it is has no account.
    NoAccount(Why),
}

impl Trouble {
    /// What goes to the log.
    pub fn for_log(&self) -> Option<&str> {
        match self {
            Trouble::Away(reason) | Trouble::Declined(reason) | Trouble::Unbelieved(reason) => Some(reason),
            Trouble::NoAccount(why) => Some(why.word()),
            Trouble::Astray => None,
        }
    }

    /// A status and a sentence for people.
    pub fn told(&self, label: &str) -> (u16, String) {
        match self {
            Trouble::Away(_) => (503, format!("{label} does not respond. Try again later, or use your password.")),
            Trouble::Astray => (400, "This sign-in was started elsewhere or has expired. Start again here.".to_owned()),
            Trouble::Declined(_) => (403, format!("{label} did not sign you in. Try again, or use your password.")),
            Trouble::Unbelieved(_) => (403, format!("The answer of {label} could not be verified. You are not signed in.")),
            Trouble::NoAccount(why) => (403, why.sentence(label)),
        }
    }
}

impl Why {
    /// In a word, for the log.
    pub fn word(self) -> &'static str {
        match self {
            Why::Unknown => "unknown",
            Why::Unconfirmed => "address not confirmed",
            Why::Closed => "account closed",
            Why::Taken => "address taken",
            Why::Incomplete => "fields missing",
        }
    }

    fn sentence(self, label: &str) -> String {
        match self {
            // Whether an account is closed is nobody else's business.
            Why::Unknown | Why::Closed => "You have no account here. Ask an administrator for one.".to_owned(),
            Why::Unconfirmed => format!("{label} has not verified your address. Verify it there, then try again."),
            Why::Incomplete => {
                format!("An account needs more data than {label} provides. Ask an administrator for an account.")
            }
            Why::Taken => "Your address has an account here already. Sign in with its password.".to_owned(),
        }
    }
}

/// What is known of the providers.
#[derive(Default)]
pub(crate) struct Providers {
    known: Mutex<HashMap<String, (Instant, CoreProviderMetadata)>>,
}

fn away(error: impl std::fmt::Display) -> Trouble {
    Trouble::Away(error.to_string())
}

fn unbelieved(error: impl std::fmt::Display) -> Trouble {
    Trouble::Unbelieved(error.to_string())
}

/// Sends a request. A provider is on https, or on this machine; it leads nowhere else.
fn agent(provider: &Provider) -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .https_only(!provider.is_near())
        .timeout_global(Some(PATIENCE));
    let config = if provider.is_near() { config.proxy(None) } else { config };
    config.build().new_agent()
}

fn send(agent: &ureq::Agent, request: HttpRequest) -> Result<HttpResponse, ureq::Error> {
    let (parts, mut body) = agent.run(request)?.into_parts();
    let bytes = body.with_config().limit(LARGEST).read_to_vec()?;
    Ok(HttpResponse::from_parts(parts, bytes))
}

impl Providers {
    /// The description and the keys of a provider, asked for when what is known is older than `age`.
    fn described(&self, provider: &Provider, age: Duration) -> Result<CoreProviderMetadata, Trouble> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&provider.name).cloned();
        if let Some((at, metadata)) = known
            && at.elapsed() < age
        {
            return Ok(metadata);
        }
        let issuer = IssuerUrl::new(provider.issuer_text.clone()).map_err(unbelieved)?;
        let agent = agent(provider);
        let metadata = CoreProviderMetadata::discover(&issuer, &|request| send(&agent, request)).map_err(|error| match error {
            DiscoveryError::Request(error) => away(error),
            // A page of a proxy, or half a description: nothing was said that could be false.
            DiscoveryError::Parse(error) => away(error),
            DiscoveryError::Response(status, ..) => Trouble::Away(format!("the description has the status {status}")),
            other => unbelieved(other),
        })?;
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(provider.name.clone(), (Instant::now(), metadata.clone()));
        Ok(metadata)
    }

    /// Where a browser goes to sign in.
    pub(crate) fn address(&self, state: &State, provider: &Provider, errand: &Errand) -> Result<String, Trouble> {
        let metadata = self.described(provider, FRESH)?;
        let client = CoreClient::from_provider_metadata(metadata, ClientId::new(provider.client_id.clone()), None)
            .set_redirect_uri(redirect(state, provider)?);
        let (state, nonce) = (errand.state(), errand.nonce());
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(errand.verifier()));
        let request = client
            .authorize_url(CoreAuthenticationFlow::AuthorizationCode, || CsrfToken::new(state), || Nonce::new(nonce))
            .set_pkce_challenge(challenge);
        let request = provider.scopes.iter().fold(request, |request, scope| request.add_scope(Scope::new(scope.clone())));
        let (address, ..) = request.url();
        let safe = address.scheme() == "https" || (provider.is_near() && address.scheme() == "http");
        if safe { Ok(address.into()) } else { Err(Trouble::Unbelieved(format!("the address to sign in at is {address}"))) }
    }

    /// Hands in a code; gives whom the provider names, when all of its answer holds.
    pub(crate) fn known(&self, state: &State, provider: &Provider, errand: &Errand, code: &str) -> Result<Known, Trouble> {
        let metadata = self.described(provider, FRESH)?;
        let answer = self.answer(state, provider, errand, code, metadata.clone())?;
        match self.believed(state, provider, errand, &answer, metadata) {
            Err(Trouble::Unbelieved(reason)) => {
                // The provider may have new keys.
                let metadata = self.described(provider, AGAIN)?;
                self.believed(state, provider, errand, &answer, metadata).map_err(|_| Trouble::Unbelieved(reason))
            }
            told => told,
        }
    }

    fn answer(
        &self,
        state: &State,
        provider: &Provider,
        errand: &Errand,
        code: &str,
        metadata: CoreProviderMetadata,
    ) -> Result<CoreTokenResponse, Trouble> {
        let by_form = metadata.token_endpoint_auth_methods_supported().is_some_and(|methods| {
            methods.contains(&CoreClientAuthMethod::ClientSecretPost) && !methods.contains(&CoreClientAuthMethod::ClientSecretBasic)
        });
        let secret = provider.client_secret.as_ref().map(|secret| ClientSecret::new(secret.0.clone()));
        let client = CoreClient::from_provider_metadata(metadata, ClientId::new(provider.client_id.clone()), secret)
            .set_redirect_uri(redirect(state, provider)?)
            .set_auth_type(if by_form { AuthType::RequestBody } else { AuthType::BasicAuth });
        let agent = agent(provider);
        let request = client.exchange_code(AuthorizationCode::new(code.to_owned())).map_err(unbelieved)?;
        request.set_pkce_verifier(PkceCodeVerifier::new(errand.verifier())).request(&|request| send(&agent, request)).map_err(|error| {
            match error {
                RequestTokenError::Request(error) => away(error),
                RequestTokenError::ServerResponse(told) => Trouble::Declined(told.error().to_string()),
                RequestTokenError::Parse(error, _) => unbelieved(error),
                RequestTokenError::Other(error) => unbelieved(error),
            }
        })
    }

    /// Who is named by a token that the provider has signed, for this application and this errand, and that is still good.
    fn believed(
        &self,
        state: &State,
        provider: &Provider,
        errand: &Errand,
        answer: &CoreTokenResponse,
        metadata: CoreProviderMetadata,
    ) -> Result<Known, Trouble> {
        let token = answer.id_token().ok_or_else(|| Trouble::Unbelieved("the answer has no ID token".to_owned()))?;
        let client = CoreClient::from_provider_metadata(metadata, ClientId::new(provider.client_id.clone()), None);
        let now = state.now();
        let verifier: CoreIdTokenVerifier<'_> = client.id_token_verifier().set_allowed_algs(SIGNATURES).set_time_fn(move || now);
        let claims: &CoreIdTokenClaims = token.claims(&verifier, &Nonce::new(errand.nonce())).map_err(unbelieved)?;
        if let Some(expected) = claims.access_token_hash() {
            let (algorithm, key) = (token.signing_alg().map_err(unbelieved)?, token.signing_key(&verifier).map_err(unbelieved)?);
            let actual = AccessTokenHash::from_token(answer.access_token(), algorithm, key).map_err(unbelieved)?;
            if actual != *expected {
                return Err(Trouble::Unbelieved("the access token is not that of the ID token".to_owned()));
            }
        }
        let subject = claims.subject().as_str().to_owned();
        if subject.is_empty() || subject.chars().count() > LONGEST_SUBJECT || subject.chars().any(char::is_control) {
            return Err(Trouble::Unbelieved("the subject is empty, too long or no text".to_owned()));
        }
        Ok(Known {
            issuer: provider.issuer_text.clone(),
            subject,
            email: claims.email().map(|email| email.to_string()).filter(|email| !email.contains('\0')),
            confirmed: claims.email_verified() == Some(true),
            name: claims.name().and_then(|name| name.get(None)).map(|name| name.to_string()),
        })
    }
}

fn redirect(state: &State, provider: &Provider) -> Result<RedirectUrl, Trouble> {
    RedirectUrl::new(format!("{}/auth/oidc/{}/callback", state.config.base, provider.name)).map_err(unbelieved)
}
