//! The headers of a request, copied once: Rocket's map hashes the name at each access, and each request needs about twelve.

use rocket::{
    Request,
    http::{Cookie, Header},
};

/// The headers of a request.
pub(crate) struct Headers<'r>(Vec<Header<'r>>);

impl<'r> Headers<'r> {
    pub fn from_request(request: &'r Request<'_>) -> Headers<'r> {
        Headers(request.headers().iter().collect())
    }

    /// All values of a header in their order.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |line| line.name().as_str().eq_ignore_ascii_case(name)).map(Header::value)
    }

    /// The first value of a header.
    pub fn first(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|line| line.name().as_str().eq_ignore_ascii_case(name)).map(Header::value)
    }

    /// The value of the first cookie with this name, where Rocket's jar would return the last. A longer value than `longest` is ignored.
    pub fn cookie(&self, name: &str, longest: usize) -> Option<String> {
        let cookie = self.values("Cookie").flat_map(Cookie::split_parse).flatten().find(|cookie| cookie.name() == name)?;
        Some(cookie.value()).filter(|value| !value.is_empty() && value.len() <= longest).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cookie_with_a_name_counts() {
        let headers = |lines: &[&'static str]| Headers(lines.iter().map(|line| Header::new("Cookie", *line)).collect());
        let session = |lines: &[&'static str]| headers(lines).cookie("dz_session", 8);
        assert_eq!(session(&["dz_session=abc"]).as_deref(), Some("abc"));
        assert_eq!(session(&["a=1; dz_session=abc; dz_session=other"]).as_deref(), Some("abc"));
        assert_eq!(session(&["a=1", "b; dz_session=a=b;"]).as_deref(), Some("a=b"));
        assert_eq!(session(&["dz_session=%41"]).as_deref(), Some("%41"), "values are not encoded");
        for none in ["dz_session=", "dz_session=123456789", "dz_sessions=abc", "x_dz_session=abc", "dz_session", ""] {
            assert_eq!(session(&[none]), None, "{none}");
        }
    }
}
