//! Uploads in parts that a crash left without an end: the service keeps their parts until they are aborted.

use std::time::Duration;

use chrono::{DateTime, Utc};
use object_store::{
    client::{HttpError, HttpErrorKind, HttpRequest, HttpRequestBody},
    multipart::MultipartStore as _,
    path::Path as ObjectPath,
    signer::{Method, SignedUrlOptions, Signer as _},
};

use super::{Bucket, Cause, StoreResult};
use crate::Result;

/// The lifetime of the signed address of the list.
const LIFETIME: Duration = Duration::from_secs(60);

/// An upload that has not ended.
#[derive(Debug, PartialEq, Eq)]
struct Unfinished {
    object: String,
    id: String,
    begun: DateTime<Utc>,
}

impl Bucket {
    /// Aborts the uploads that began before a time and whose names relative to the address `is_own` selects; returns their number. A
    /// service without a list of them has none.
    ///
    /// # Errors
    /// The service fails.
    pub fn abort_unfinished(&self, before: DateTime<Utc>, is_own: &dyn Fn(&str) -> bool) -> Result<u64> {
        let (store, client, prefix) = (self.store.clone(), self.client.clone(), self.address.object(""));
        let listed = self.wait(async move {
            let options = SignedUrlOptions::new().with_query([("prefix", prefix.as_str()), ("uploads", "")]);
            let url = store.signed_url_opts(Method::GET, &ObjectPath::default(), LIFETIME, &options).await?;
            let request = HttpRequest::new(HttpRequestBody::empty());
            let (mut head, body) = request.into_parts();
            head.uri = url.as_str().parse().map_err(|error| wrap(HttpError::new(HttpErrorKind::Unknown, error)))?;
            let response = client.execute(HttpRequest::from_parts(head, body)).await.map_err(wrap)?;
            let is_listed = response.status().is_success();
            let text = response.into_body().bytes().await.map_err(wrap)?;
            Ok(if is_listed { String::from_utf8_lossy(&text).into_owned() } else { String::new() })
        });
        let start = self.address.object("");
        let old = parse(&listed.map_err(|error| self.error(&error))?)
            .into_iter()
            .filter(|upload| upload.begun < before && upload.object.strip_prefix(start.as_str()).is_some_and(is_own));
        let mut aborted = 0;
        for Unfinished { object, id, .. } in old {
            let (store, path) = (self.store.clone(), ObjectPath::from(object));
            let done: StoreResult<()> = self.wait(async move { store.abort_multipart(&path, &id).await });
            match done {
                Err(error) if Cause::find(&error) != Cause::NoObject => return Err(self.error(&error)),
                _ => aborted += 1,
            }
        }
        Ok(aborted)
    }
}

fn wrap(error: HttpError) -> object_store::Error {
    object_store::Error::Generic { store: "S3", source: Box::new(error) }
}

/// The uploads in the answer of the service.
fn parse(xml: &str) -> Vec<Unfinished> {
    let value = |part: &str, name: &str| {
        let (_, rest) = part.split_once(&format!("<{name}>"))?;
        rest.split_once(&format!("</{name}>")).map(|(value, _)| value.to_owned())
    };
    let upload = |part: &str| {
        let begun = DateTime::parse_from_rfc3339(&value(part, "Initiated")?).ok()?.with_timezone(&Utc);
        Some(Unfinished { object: value(part, "Key")?, id: value(part, "UploadId")?, begun })
    };
    xml.split("<Upload>").skip(1).filter_map(upload).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_a_service_is_read() {
        let xml = "<?xml version=\"1.0\"?><ListMultipartUploadsResult><Bucket>b</Bucket><Upload><Key>x/ab/abc</Key><UploadId>1.a-_</UploadId>\
                   <Initiated>2026-11-25T10:00:00.000Z</Initiated></Upload><Upload><Key>broken</Key></Upload></ListMultipartUploadsResult>";
        let begun = "2026-11-25T10:00:00Z".parse().expect("a time");
        assert_eq!(parse(xml), [Unfinished { object: "x/ab/abc".to_owned(), id: "1.a-_".to_owned(), begun }]);
        assert_eq!(parse("<Error><Code>NotImplemented</Code></Error>"), []);
    }
}
