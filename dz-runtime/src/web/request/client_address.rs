//! The address of the client, also behind proxies.

use std::net::{IpAddr, SocketAddr};

use rocket::Request;

use super::headers::Headers;
use crate::state::State;

/// The client address: that of the socket, or behind configured proxies the one that the outermost proxy received.
pub(super) fn client_address(state: &State, request: &Request<'_>, headers: &Headers<'_>) -> Option<IpAddr> {
    let socket = request.remote()?.ip();
    Some(outermost_client(&state.config.settings.trusted_proxies, socket, headers.values("X-Forwarded-For").collect()))
}

fn outermost_client(trusted: &[IpAddr], socket: IpAddr, lines: Vec<&str>) -> IpAddr {
    let mut nearest = socket.to_canonical();
    let mut forwarded = lines.iter().rev().flat_map(|line| line.rsplit(','));
    while trusted.contains(&nearest) {
        // The search stops at the first invalid address.
        let Some(before) = forwarded.next().and_then(|text| forwarded_address(text.trim())) else { break };
        nearest = before.to_canonical();
    }
    nearest
}

/// Parses one address of `X-Forwarded-For`; some proxies add the port, and write IPv6 addresses in brackets.
fn forwarded_address(text: &str) -> Option<IpAddr> {
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    text.parse().ok().or_else(with_port).or_else(bracketed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn seen(trusted: &[&str], socket: &str, lines: &[&str], expected: &str) {
        let trusted: Vec<IpAddr> = trusted.iter().map(|it| it.parse().unwrap()).collect();
        assert_eq!(outermost_client(&trusted, socket.parse().unwrap(), lines.to_vec()), expected.parse::<IpAddr>().unwrap());
    }

    #[test]
    fn only_configured_proxies_are_trusted() {
        seen(&[], "10.0.0.1", &["1.2.3.4"], "10.0.0.1");
        seen(&["10.0.0.1"], "10.0.0.1", &["6.6.6.6, 1.2.3.4"], "1.2.3.4");
        seen(&["10.0.0.1"], "10.0.0.1", &["6.6.6.6", "1.2.3.4"], "1.2.3.4");
        seen(&["10.0.0.1", "10.0.0.2"], "10.0.0.1", &["6.6.6.6, 1.2.3.4, 10.0.0.2"], "1.2.3.4");
        seen(&["10.0.0.1"], "10.0.0.1", &["1.2.3.4, unknown"], "10.0.0.1");
        seen(&["10.0.0.1"], "10.0.0.1", &["1.2.3.4:5678"], "1.2.3.4");
        seen(&["10.0.0.1"], "10.0.0.1", &["[2001:db8::7]:5678"], "2001:db8::7");
        seen(&["10.0.0.1"], "10.0.0.1", &["[2001:db8::7]"], "2001:db8::7");
        seen(&["10.0.0.1"], "::ffff:10.0.0.1", &["1.2.3.4"], "1.2.3.4");
        seen(&["10.0.0.1"], "10.0.0.1", &[], "10.0.0.1");
    }
}
