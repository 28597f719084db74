//! Requests to providers, and the verification of their responses.

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
    accounts::{NoAccountReason, ProviderIdentity},
    config::oidc::Provider,
    state::State,
    web::auth::oidc::AuthorizationRequest,
};

/// The age after which the metadata and keys of a provider are loaded again.
const METADATA_LIFETIME: Duration = Duration::from_secs(600);
/// The minimum age for a reload because of a token with an unknown key.
const REFRESH_INTERVAL: Duration = Duration::from_secs(30);
/// The time limit of a response of a provider.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum size of a response in bytes.
const MAX_RESPONSE: u64 = 1 << 20;
/// The maximum length of a subject.
const MAX_SUBJECT_LENGTH: usize = 255;

/// Signature algorithms with keys that only the provider has: no shared secret, and not `none`.
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

/// Why a sign-in failed.
pub(crate) enum SignInFailure {
    /// The provider does not respond, or not validly.
    Unavailable(String),
    /// The browser did not start this request here, the request is expired, or its response is repeated.
    UnknownRequest,
    /// The provider refused, with its error code.
    Declined(String),
    /// The verification of the provider's response failed.
    InvalidResponse(String),
    /// The identity has no account.
    NoAccount(NoAccountReason),
}

impl SignInFailure {
    /// The text for the log.
    pub fn log_text(&self) -> Option<&str> {
        match self {
            SignInFailure::Unavailable(reason) | SignInFailure::Declined(reason) | SignInFailure::InvalidResponse(reason) => Some(reason),
            SignInFailure::NoAccount(why) => Some(why.code()),
            SignInFailure::UnknownRequest => None,
        }
    }

    /// The status, and a sentence for users.
    pub fn describe(&self, label: &str) -> (u16, String) {
        match self {
            SignInFailure::Unavailable(_) => (
                503,
                say!("dz-provider-does-not-respond", "{label} does not respond. Try again later, or use your password.", label = label),
            ),
            SignInFailure::UnknownRequest => (
                400,
                say!("dz-this-sign-in-was-started-elsewhere", "This sign-in was started elsewhere or has expired. Start again here.")
                    .to_owned(),
            ),
            SignInFailure::Declined(_) => (
                403,
                say!("dz-provider-did-not-sign-you-in", "{label} did not sign you in. Try again, or use your password.", label = label),
            ),
            SignInFailure::InvalidResponse(_) => (
                403,
                say!(
                    "dz-response-could-not-be-verified",
                    "The response of {label} could not be verified. You are not signed in.",
                    label = label
                ),
            ),
            SignInFailure::NoAccount(why) => (403, why.describe(label)),
        }
    }
}

impl NoAccountReason {
    /// A code for the log.
    pub fn code(self) -> &'static str {
        match self {
            NoAccountReason::Unknown => "unknown",
            NoAccountReason::Unconfirmed => "address not confirmed",
            NoAccountReason::Disabled => "account closed",
            NoAccountReason::AddressTaken => "address taken",
            NoAccountReason::Incomplete => "fields missing",
        }
    }

    fn describe(self, label: &str) -> String {
        match self {
            // A disabled account is not revealed.
            NoAccountReason::Unknown | NoAccountReason::Disabled => {
                say!("dz-you-have-no-account-here-ask-an", "You have no account here. Ask an administrator for one.").to_owned()
            }
            NoAccountReason::Unconfirmed => say!(
                "dz-label-has-not-verified-your-address-verify",
                "{label} has not verified your address. Verify it there, then try again.",
                label = label
            ),
            NoAccountReason::Incomplete => {
                say!(
                    "dz-an-account-needs-more-data-than-label",
                    "An account needs more data than {label} provides. Ask an administrator for an account.",
                    label = label
                )
            }
            NoAccountReason::AddressTaken => {
                say!("dz-your-address-has-an-account-here-already", "Your address has an account here already. Sign in with its password.")
                    .to_owned()
            }
        }
    }
}

/// The metadata of providers.
#[derive(Default)]
pub(crate) struct Providers {
    metadata: Mutex<HashMap<String, (Instant, CoreProviderMetadata)>>,
}

fn unavailable(error: impl std::fmt::Display) -> SignInFailure {
    SignInFailure::Unavailable(error.to_string())
}

fn invalid_response(error: impl std::fmt::Display) -> SignInFailure {
    SignInFailure::InvalidResponse(error.to_string())
}

/// Builds an HTTP client that follows no redirects. A provider uses https, unless it is on this machine.
fn build_agent(provider: &Provider) -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .https_only(!provider.is_loopback())
        .timeout_global(Some(TIMEOUT));
    let config = if provider.is_loopback() { config.proxy(None) } else { config };
    config.build().new_agent()
}

fn send(agent: &ureq::Agent, request: HttpRequest) -> Result<HttpResponse, ureq::Error> {
    let (parts, mut body) = agent.run(request)?.into_parts();
    let bytes = body.with_config().limit(MAX_RESPONSE).read_to_vec()?;
    Ok(HttpResponse::from_parts(parts, bytes))
}

impl Providers {
    /// Loads the metadata and keys of a provider, if the stored ones are older than `age`.
    fn load_metadata(&self, provider: &Provider, age: Duration) -> Result<CoreProviderMetadata, SignInFailure> {
        let known = self.metadata.lock().unwrap_or_else(PoisonError::into_inner).get(&provider.name).cloned();
        if let Some((at, metadata)) = known
            && at.elapsed() < age
        {
            return Ok(metadata);
        }
        let issuer = IssuerUrl::new(provider.settings.issuer.text.clone()).map_err(invalid_response)?;
        let agent = build_agent(provider);
        let metadata = CoreProviderMetadata::discover(&issuer, &|request| send(&agent, request)).map_err(|error| match error {
            DiscoveryError::Request(error) => unavailable(error),
            // An invalid document, for example the error page of a proxy, contains no information about the provider.
            DiscoveryError::Parse(error) => unavailable(error),
            DiscoveryError::Response(status, ..) => SignInFailure::Unavailable(format!("the description has the status {status}")),
            other => invalid_response(other),
        })?;
        self.metadata.lock().unwrap_or_else(PoisonError::into_inner).insert(provider.name.clone(), (Instant::now(), metadata.clone()));
        Ok(metadata)
    }

    /// The address of the authorization request.
    pub(crate) fn authorization_url(
        &self,
        state: &State,
        provider: &Provider,
        authorization: &AuthorizationRequest,
    ) -> Result<String, SignInFailure> {
        let metadata = self.load_metadata(provider, METADATA_LIFETIME)?;
        let client = CoreClient::from_provider_metadata(metadata, ClientId::new(provider.settings.client_id.clone()), None)
            .set_redirect_uri(redirect_url(state, provider)?);
        let (state, nonce) = (authorization.state(), authorization.nonce());
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(authorization.verifier()));
        let request = client
            .authorize_url(CoreAuthenticationFlow::AuthorizationCode, || CsrfToken::new(state), || Nonce::new(nonce))
            .set_pkce_challenge(challenge);
        let request = provider.settings.scopes.iter().fold(request, |request, scope| request.add_scope(Scope::new(scope.clone())));
        let (address, ..) = request.url();
        let safe = address.scheme() == "https" || (provider.is_loopback() && address.scheme() == "http");
        if safe { Ok(address.into()) } else { Err(SignInFailure::InvalidResponse(format!("the address to sign in at is {address}"))) }
    }

    /// Redeems a code; returns the verified identity.
    pub(crate) fn redeem_code(
        &self,
        state: &State,
        provider: &Provider,
        authorization: &AuthorizationRequest,
        code: &str,
    ) -> Result<ProviderIdentity, SignInFailure> {
        let metadata = self.load_metadata(provider, METADATA_LIFETIME)?;
        let answer = self.exchange_code(state, provider, authorization, code, metadata.clone())?;
        match self.verify_identity(state, provider, authorization, &answer, metadata) {
            Err(SignInFailure::InvalidResponse(reason)) => {
                // The provider can have new keys.
                let metadata = self.load_metadata(provider, REFRESH_INTERVAL)?;
                self.verify_identity(state, provider, authorization, &answer, metadata).map_err(|_| SignInFailure::InvalidResponse(reason))
            }
            told => told,
        }
    }

    fn exchange_code(
        &self,
        state: &State,
        provider: &Provider,
        authorization: &AuthorizationRequest,
        code: &str,
        metadata: CoreProviderMetadata,
    ) -> Result<CoreTokenResponse, SignInFailure> {
        let by_form = metadata.token_endpoint_auth_methods_supported().is_some_and(|methods| {
            methods.contains(&CoreClientAuthMethod::ClientSecretPost) && !methods.contains(&CoreClientAuthMethod::ClientSecretBasic)
        });
        let secret = provider.settings.client_secret.as_ref().map(|secret| ClientSecret::new(secret.0.clone()));
        let client = CoreClient::from_provider_metadata(metadata, ClientId::new(provider.settings.client_id.clone()), secret)
            .set_redirect_uri(redirect_url(state, provider)?)
            .set_auth_type(if by_form { AuthType::RequestBody } else { AuthType::BasicAuth });
        let agent = build_agent(provider);
        let request = client.exchange_code(AuthorizationCode::new(code.to_owned())).map_err(invalid_response)?;
        request.set_pkce_verifier(PkceCodeVerifier::new(authorization.verifier())).request(&|request| send(&agent, request)).map_err(
            |error| match error {
                RequestTokenError::Request(error) => unavailable(error),
                RequestTokenError::ServerResponse(told) => SignInFailure::Declined(told.error().to_string()),
                RequestTokenError::Parse(error, _) => invalid_response(error),
                RequestTokenError::Other(error) => invalid_response(error),
            },
        )
    }

    /// Verifies that the provider signed the token for this application and this authorization request, and that it is not expired;
    /// returns the identity.
    fn verify_identity(
        &self,
        state: &State,
        provider: &Provider,
        authorization: &AuthorizationRequest,
        answer: &CoreTokenResponse,
        metadata: CoreProviderMetadata,
    ) -> Result<ProviderIdentity, SignInFailure> {
        let token = answer.id_token().ok_or_else(|| SignInFailure::InvalidResponse("the answer has no ID token".to_owned()))?;
        let client = CoreClient::from_provider_metadata(metadata, ClientId::new(provider.settings.client_id.clone()), None);
        let now = state.now();
        let verifier: CoreIdTokenVerifier<'_> = client.id_token_verifier().set_allowed_algs(SIGNATURES).set_time_fn(move || now);
        let claims: &CoreIdTokenClaims = token.claims(&verifier, &Nonce::new(authorization.nonce())).map_err(invalid_response)?;
        if let Some(expected) = claims.access_token_hash() {
            let (algorithm, key) =
                (token.signing_alg().map_err(invalid_response)?, token.signing_key(&verifier).map_err(invalid_response)?);
            let actual = AccessTokenHash::from_token(answer.access_token(), algorithm, key).map_err(invalid_response)?;
            if actual != *expected {
                return Err(SignInFailure::InvalidResponse("the access token is not that of the ID token".to_owned()));
            }
        }
        let subject = claims.subject().as_str().to_owned();
        if subject.is_empty() || subject.chars().count() > MAX_SUBJECT_LENGTH || subject.chars().any(char::is_control) {
            return Err(SignInFailure::InvalidResponse("the subject is empty, too long or no text".to_owned()));
        }
        Ok(ProviderIdentity {
            issuer: provider.settings.issuer.text.clone(),
            subject,
            email: claims.email().map(|email| email.to_string()).filter(|email| !email.contains('\0')),
            confirmed: claims.email_verified() == Some(true),
            name: claims.name().and_then(|name| name.get(None)).map(|name| name.to_string()),
        })
    }
}

fn redirect_url(state: &State, provider: &Provider) -> Result<RedirectUrl, SignInFailure> {
    RedirectUrl::new(format!("{}/auth/oidc/{}/callback", state.config.base, provider.name)).map_err(invalid_response)
}
