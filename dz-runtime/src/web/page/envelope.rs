//! The envelopes of htmx responses, as types: how a response relates to its target element.

use std::marker::PhantomData;

use memchr::memmem;

use crate::{
    Error, Result,
    template::Region,
    web::{
        Reply,
        page::{Markup, Pagination},
    },
};

/// How a response relates to its target element.
pub trait Envelope {
    /// Its name.
    const NAME: &'static str;
}

macro_rules! envelopes {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}
        impl Envelope for $name {
            const NAME: &'static str = $text;
        }
    )*};
}

envelopes! {
    /// The children of the body of a region; the target element keeps its id.
    BodyOnly = "body_only";
    /// The target element itself is replaced; the response contains its id.
    Outer = "outer";
    /// No element changes.
    Nothing = "none";
    /// The requesting control decides.
    HostOwned = "host_owned";
    /// A whole page.
    Document = "document";
}

/// A response in an envelope. Each envelope has its own constructor, so that a response cannot be used for another kind of target.
#[derive(Debug)]
pub struct Answer<E: Envelope> {
    html: String,
    envelope: PhantomData<E>,
}

impl<E: Envelope> Answer<E> {
    fn wrap(html: String) -> Self {
        Answer { html, envelope: PhantomData }
    }

    /// The reply to the browser, in the configured dialect.
    pub fn reply(self, status: u16, markup: Markup) -> Reply {
        let mut reply = Reply::html(status, markup.apply(self.html));
        reply.headers.push(("Cache-Control", "no-store".to_owned()));
        reply.headers.push(("Vary", "HX-Request, Cookie".to_owned()));
        reply
    }

    /// The HTML, in the prefixed dialect.
    pub fn html(&self) -> &str {
        &self.html
    }
}

impl Answer<BodyOnly> {
    /// The rows of a region, and its footer out of band.
    ///
    /// # Errors
    ///
    /// The rows can come from a template of the application: one that contains the id of the region, or a region of its own, is refused.
    pub fn rows(region: &Region, rows_html: String, footer: Option<&Pagination>) -> Result<Self> {
        let body_id = format!("id=\"{}\"", region.body_id());
        let words = [body_id.as_str(), " data-dz-region", " data-region"];
        let finders = words.map(memmem::Finder::new);
        let says = |html: &str| finders.iter().any(|words| words.find(html.as_bytes()).is_some());
        // Rows without these words need no check of each tag.
        if says(&rows_html) && tags(&rows_html).any(says) {
            return Err(Error::internal(format!(
                "the rows template of `{}` prints the region's own identity; leave it to the page",
                region.name()
            )));
        }
        let mut html = rows_html;
        if let Some(footer) = footer {
            html.push_str(&footer.out_of_band_html().map_err(Error::internal)?);
        }
        Ok(Answer::wrap(html))
    }
}

impl Answer<HostOwned> {
    /// The content that the requesting control expects.
    pub fn fragment(html: String) -> Self {
        Answer::wrap(html)
    }
}

impl Answer<Document> {
    /// A whole page.
    pub fn document(html: String) -> Self {
        Answer::wrap(html)
    }
}

/// The opening tags of an HTML text.
fn tags(html: &str) -> impl Iterator<Item = &str> {
    html.split('<').skip(1).map(|part| part.split('>').next().unwrap_or(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_do_not_contain_the_id_of_their_region() {
        let region = Region::new("task_list");
        for rows in ["<tr><td>1</td></tr>", "<tr id=\"task_list-1\"><td>id=\"task_list-body\" data-dz-region</td></tr>"] {
            let answer = Answer::rows(&region, rows.to_owned(), None).expect("rows");
            assert_eq!(answer.html(), rows);
        }
        for rows in ["<tbody id=\"task_list-body\"><tr></tr></tbody>", "<tr data-dz-region=\"x\"></tr>", "<tr data-region></tr>"] {
            assert_eq!(Answer::rows(&region, rows.to_owned(), None).expect_err("refused").status, 500, "{rows}");
        }
    }

    #[test]
    fn names() {
        let names = [BodyOnly::NAME, Outer::NAME, Nothing::NAME, HostOwned::NAME, Document::NAME];
        assert_eq!(names, ["body_only", "outer", "none", "host_owned", "document"]);
    }
}
