//! What an answer to an exchange may carry, as types: who owns the place that it is put into.

use std::marker::PhantomData;

use crate::{
    Error, Result,
    template::Region,
    web::{
        Reply,
        page::{Markup, Pagination},
    },
};

/// How an answer relates to the place that it is put into.
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
    /// The interior of a region's body; the place keeps its identity.
    BodyOnly = "body_only";
    /// The place itself is replaced; the answer carries its identity.
    Outer = "outer";
    /// Nothing is put anywhere.
    Nothing = "none";
    /// The asking control says where and how.
    HostOwned = "host_owned";
    /// A whole page.
    Document = "document";
}

/// An answer in an envelope. Each envelope has its own constructor, so that a kind of answer cannot be
/// put where another is expected.
#[derive(Debug)]
pub struct Answer<E: Envelope> {
    html: String,
    envelope: PhantomData<E>,
}

impl<E: Envelope> Answer<E> {
    fn wrap(html: String) -> Self {
        Answer { html, envelope: PhantomData }
    }

    /// As an answer to the browser, in the configured dialect.
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
    /// The rows of a region and, out of band, its footer.
    ///
    /// # Errors
    ///
    /// Rows come from a template that an application may replace: one that prints the id of its place
    /// or opens a region of its own is refused.
    pub fn rows(region: &Region, rows_html: &str, footer: Option<&Pagination>) -> Result<Self> {
        let body_id = format!("id=\"{}\"", region.body_id());
        let says = |html: &str| [body_id.as_str(), " data-dz-region", " data-region"].iter().any(|words| html.contains(words));
        // Rows that say so nowhere, in no tag and in no text, need no look at each tag.
        if says(rows_html) && tags(rows_html).any(says) {
            return Err(Error::internal(format!(
                "the rows template of `{}` prints the region's own identity; leave it to the page",
                region.name()
            )));
        }
        let mut html = rows_html.to_owned();
        if let Some(footer) = footer {
            html.push_str(&footer.out_of_band_html().map_err(Error::internal)?);
        }
        Ok(Answer::wrap(html))
    }
}

impl Answer<HostOwned> {
    /// Whatever the asking control expects.
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

/// The opening tags of a piece of HTML.
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
            let answer = Answer::rows(&region, rows, None).expect("rows");
            assert_eq!(answer.html(), rows);
        }
        for rows in ["<tbody id=\"task_list-body\"><tr></tr></tbody>", "<tr data-dz-region=\"x\"></tr>", "<tr data-region></tr>"] {
            assert_eq!(Answer::rows(&region, rows, None).expect_err("refused").status, 500, "{rows}");
        }
    }

    #[test]
    fn names() {
        let names = [BodyOnly::NAME, Outer::NAME, Nothing::NAME, HostOwned::NAME, Document::NAME];
        assert_eq!(names, ["body_only", "outer", "none", "host_owned", "document"]);
    }
}
