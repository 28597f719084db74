//! The places of files and backups: a folder, or a bucket of object storage with the settings of its connection.

use std::{fmt, path::PathBuf};

use dz_settings::{Settings as _, Table, kind, settings};

use super::{is_loopback, oidc::Secret, refusal};
use crate::Result;

/// A folder, or a bucket of object storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StoragePlace {
    Folder(PathBuf),
    Bucket(BucketAddress),
}

/// The address of a bucket: `s3://bucket/prefix`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BucketAddress {
    /// The name of the bucket.
    pub bucket: String,
    /// The beginning of the names of its objects, without a slash at the end; empty for all of them.
    pub prefix: String,
}

/// How a program or a browser receives a file of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Downloads {
    /// From the application.
    Streamed,
    /// From the bucket, at a signed address.
    Redirected,
}

settings! {
    /// The table `[default.dz.s3]`: the connection to object storage. Without the table, the variables apply.
    #[derive(Debug, Clone)]
    pub(crate) struct S3Settings {
        /// The address of the service; without one, that of Amazon S3 in the region.
        endpoint: Option<url::Url> as kind::optional(endpoint()), default None, variable "AWS_ENDPOINT_URL";
        /// The region of the bucket.
        region: Option<String> as kind::optional(kind::text()), default None, shown "`us-east-1`", variable "AWS_REGION";
        /// The name of the key of the application. Without a key, the role of the machine applies.
        access_key_id: Option<String> as kind::optional(kind::text()), default None, variable "AWS_ACCESS_KEY_ID";
        /// The secret of the key.
        secret_access_key: Option<Secret> as kind::optional(kind::secret(secret())), default None, variable "AWS_SECRET_ACCESS_KEY";
        /// The token of a temporary key.
        session_token: Option<Secret> as kind::optional(kind::secret(secret())), default None, variable "AWS_SESSION_TOKEN";
        /// Whether the bucket is in the path of addresses, and not in the name of the host.
        path_style: Option<bool> as kind::optional(kind::boolean()), default None, shown "true with an `endpoint`, else false";
        /// Allows an `endpoint` with http on another machine.
        insecure_http: bool as kind::boolean(), default false;
        /// Whether downloads are sent by the application, or by the service at a signed address ([downloads](files.md#downloads-from-a-bucket)).
        downloads: Downloads as kind::choice(&[("streamed", Downloads::Streamed), ("redirected", Downloads::Redirected)]), default Downloads::Streamed;
        /// How long a signed address is valid.
        link_seconds: u32 as kind::whole_of("seconds", 1..=3_600), default 60;
        /// How long the service may send nothing before a request fails.
        timeout: u32 as kind::whole_of("seconds", 1..=600), default 10;
    }
}

fn endpoint() -> kind::Parse<url::Url> {
    kind::parse("an address such as `https://s3.example.com`", |text| {
        url::Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
    })
}

fn secret() -> kind::Parse<Secret> {
    kind::parse("a text", |text| Some(Secret(text.to_owned())))
}

/// A folder, or the address of a bucket.
pub(super) fn place() -> kind::Parse<StoragePlace> {
    kind::parse("the path of a folder, or the address of a bucket such as `s3://shop-files/uploads`", StoragePlace::parse)
}

impl S3Settings {
    /// The settings of the table, else those of the variables; and a check of the address.
    ///
    /// # Errors
    /// An invalid variable, or an address that sends files unencrypted to another machine.
    pub(super) fn resolve(table: Option<&S3Settings>) -> Result<S3Settings> {
        let settings = match table {
            Some(settings) => settings.clone(),
            None => S3Settings::read(Table::new("dz.s3", Default::default(), &|name| std::env::var(name).ok()))
                .map_err(|problem| refusal(problem.sentence(|_, _| None)))?,
        };
        match &settings.endpoint {
            Some(url) if url.scheme() == "http" && !is_loopback(url) && !settings.insecure_http => Err(refusal(format!(
                "`dz.s3.endpoint` is `{url}`, which sends files unencrypted; use https, or set `dz.s3.insecure_http = true`"
            ))),
            _ => Ok(settings),
        }
    }
}

impl StoragePlace {
    /// Parses a path or an address; `None` for an address of another scheme, or without a valid bucket.
    pub fn parse(text: &str) -> Option<StoragePlace> {
        match text.split_once("://") {
            None => Some(StoragePlace::Folder(PathBuf::from(text))),
            Some(("s3", rest)) => BucketAddress::parse(rest).map(StoragePlace::Bucket),
            Some(_) => None,
        }
    }

    /// The place of a file or a folder inside this place.
    pub fn join(&self, name: &str) -> StoragePlace {
        match self {
            StoragePlace::Folder(folder) => StoragePlace::Folder(folder.join(name)),
            StoragePlace::Bucket(address) => StoragePlace::Bucket(address.join(name)),
        }
    }
}

impl fmt::Display for StoragePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoragePlace::Folder(folder) => folder.display().fmt(f),
            StoragePlace::Bucket(address) => address.fmt(f),
        }
    }
}

impl BucketAddress {
    fn parse(rest: &str) -> Option<BucketAddress> {
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        let is_bucket =
            (3..=63).contains(&bucket.len()) && bucket.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_'));
        let is_segment = |it: &str| {
            !matches!(it, "" | "." | "..")
                && it.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '=' | '+' | '@'))
        };
        let is_prefix = prefix.is_empty() || prefix.split('/').all(is_segment);
        (is_bucket && is_prefix).then(|| BucketAddress { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }

    /// The bucket with a longer prefix.
    pub fn join(&self, name: &str) -> BucketAddress {
        BucketAddress { bucket: self.bucket.clone(), prefix: self.object(name) }
    }

    /// The name of an object below the prefix.
    pub fn object(&self, name: &str) -> String {
        if self.prefix.is_empty() { name.to_owned() } else { format!("{}/{name}", self.prefix) }
    }
}

impl fmt::Display for BucketAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s3://{}", self.bucket)?;
        if self.prefix.is_empty() { Ok(()) } else { write!(f, "/{}", self.prefix) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_folder_or_a_bucket() {
        for folder in ["files", "/var/lib/shop/files", "./s3:/x", "C:\\files"] {
            assert_eq!(StoragePlace::parse(folder), Some(StoragePlace::Folder(PathBuf::from(folder))), "{folder}");
        }
        for (text, bucket, prefix) in [
            ("s3://shop-files", "shop-files", ""),
            ("s3://shop-files/", "shop-files", ""),
            ("s3://shop.files/a/b_c/", "shop.files", "a/b_c"),
        ] {
            let address = BucketAddress { bucket: bucket.to_owned(), prefix: prefix.to_owned() };
            assert_eq!(StoragePlace::parse(text), Some(StoragePlace::Bucket(address)), "{text}");
        }
        for wrong in
            ["s3://", "s3://ab", "s3://shop files", "s3://shop/../x", "s3://shop//x", "s3://shop?x", "gs://shop", "https://shop.example"]
        {
            assert_eq!(StoragePlace::parse(wrong), None, "{wrong}");
        }
        let place = StoragePlace::parse("s3://shop-files/uploads").expect("an address");
        assert_eq!(
            (place.to_string(), place.join("x").to_string()),
            ("s3://shop-files/uploads".into(), "s3://shop-files/uploads/x".into())
        );
    }
}
