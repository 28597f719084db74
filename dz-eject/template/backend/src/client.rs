//! The address of the client. Behind a proxy, the socket has the address of the proxy, which names the client in `X-Forwarded-For`.

use std::net::{IpAddr, SocketAddr};

/// The addresses of the proxies that are trusted to name the client.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proxies(Vec<Network>);

/// The addresses that begin with the same bits.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Network {
    address: IpAddr,
    bits: u32,
}

impl Proxies {
    /// Reads addresses such as `10.0.0.7` and networks such as `10.0.0.0/28`, with commas between them.
    pub fn read(text: &str) -> Result<Proxies, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let networks = parts.map(|part| {
            Network::read(part).ok_or_else(|| {
                format!("TRUSTED_PROXIES contains `{part}`; write addresses and networks such as 10.0.0.0/28, with commas between them")
            })
        });
        networks.collect::<Result<_, _>>().map(Proxies)
    }

    /// The client of a request: the nearest address that is not a trusted proxy. `headers` are the lines of `X-Forwarded-For`, to
    /// which each proxy appends the address that it sees. An address before an untrusted one can be invented.
    pub fn client<'h>(&self, socket: IpAddr, headers: impl Iterator<Item = &'h str>) -> IpAddr {
        let mut nearest = socket.to_canonical();
        let lines: Vec<&str> = headers.collect();
        let mut forwarded = lines.iter().rev().flat_map(|line| line.rsplit(','));
        while self.contain(nearest) {
            let Some(before) = forwarded.next().and_then(|text| forwarded_address(text.trim())) else { break };
            nearest = before.to_canonical();
        }
        nearest
    }

    fn contain(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(address))
    }
}

impl Network {
    fn read(text: &str) -> Option<Network> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse().ok()?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        Some(Network { address, bits: bits.unwrap_or(most) }).filter(|network| network.bits <= most)
    }

    fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => (own.to_bits() ^ other.to_bits()).checked_shr(32 - self.bits).unwrap_or(0) == 0,
            (IpAddr::V6(own), IpAddr::V6(other)) => (own.to_bits() ^ other.to_bits()).checked_shr(128 - self.bits).unwrap_or(0) == 0,
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

/// An address of the header. Some proxies add the port, and write IPv6 addresses in brackets.
fn forwarded_address(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse::<SocketAddr>().ok().map(|socket| socket.ip());
    let in_brackets = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    text.parse().ok().or_else(with_port).or_else(in_brackets)
}
