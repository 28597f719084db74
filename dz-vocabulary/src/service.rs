//! Services of other systems.

crate::vocabulary! {
    /// The kinds of authentication to another system.
    AuthKind {
        /// None.
        None,
        /// A name and a password.
        Basic,
        /// A token in the header `Authorization`.
        Bearer,
        /// A key in a header.
        ApiKeyHeader,
        /// A key in the address.
        ApiKeyQuery,
        /// A signed token that does not change.
        JwtStatic,
        /// OAuth 2 with client credentials.
        Oauth2Client,
        /// OAuth 2 in an older form.
        Oauth2Legacy,
        /// OAuth 2 with a proof key.
        Oauth2Pkce,
    }
}
