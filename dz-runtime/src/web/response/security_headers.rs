//! The headers of every response: the content security policy, and the other instructions to browsers.

use rocket::Response;

use crate::state::State;

const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; report-uri /-/reports";

/// The features of browsers that no page of dz uses. A custom route that uses one sets the header itself.
const PERMISSIONS_POLICY: &str = "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), fullscreen=(), \
                           geolocation=(), gyroscope=(), hid=(), idle-detection=(), magnetometer=(), microphone=(), midi=(), payment=(), \
                           picture-in-picture=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), \
                           xr-spatial-tracking=()";

/// One year, including subdomains, as ASVS 3.4.1 requires.
const HSTS: &str = "max-age=31536000; includeSubDomains";

/// The headers of every response that does not set them itself.
pub(super) fn security_headers(state: &State) -> impl Iterator<Item = (&'static str, &'static str)> {
    let always = [
        ("Cache-Control", "no-store"),
        ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
        ("X-Content-Type-Options", "nosniff"),
        // The equivalent of `frame-ancestors 'none'` for older browsers.
        ("X-Frame-Options", "DENY"),
        ("Permissions-Policy", PERMISSIONS_POLICY),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ];
    always.into_iter().chain(state.config.https().then_some(("Strict-Transport-Security", HSTS)))
}

/// Adds these headers to the response of a custom route. Responses of dz have them from the start, because no fairing runs for a request
/// that Rocket cannot parse.
pub(crate) fn add_security_headers(state: &State, response: &mut Response<'_>, request_id: &str) {
    for (name, value) in security_headers(state) {
        if !response.headers().contains(name) {
            response.set_raw_header(name, value);
        }
    }
    if !response.headers().contains("X-Request-Id") {
        response.set_raw_header("X-Request-Id", request_id.to_owned());
    }
}
