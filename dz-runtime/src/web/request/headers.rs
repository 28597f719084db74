//! The headers of a request, taken out once: Rocket's map hashes the name for every question, and a dozen are asked of each request.

use rocket::{Request, http::Header};

/// What a request says in its head.
pub(crate) struct Headers<'r>(Vec<Header<'r>>);

impl<'r> Headers<'r> {
    pub fn from_request(request: &'r Request<'_>) -> Headers<'r> {
        Headers(request.headers().iter().collect())
    }

    /// The lines of that name, in the order in which they came.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |line| line.name().as_str().eq_ignore_ascii_case(name)).map(Header::value)
    }

    /// The first line of that name.
    pub fn first(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|line| line.name().as_str().eq_ignore_ascii_case(name)).map(Header::value)
    }

    /// A cookie, read from the header itself: Rocket's jar would need its secrets feature for nothing. One that is longer than dz ever
    /// makes it is none.
    pub fn cookie(&self, name: &str, longest: usize) -> Option<String> {
        let found = self.values("Cookie").flat_map(|line| line.split(';')).find_map(|pair| {
            let (key, value) = pair.trim().split_once('=')?;
            (key == name).then_some(value)
        });
        found.filter(|value| !value.is_empty() && value.len() <= longest).map(str::to_owned)
    }
}
