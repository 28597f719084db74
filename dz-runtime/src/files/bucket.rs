//! A bucket of object storage that speaks the protocol of Amazon S3.
//!
//! Requests run on a thread of their own, so that requests of users, the worker and commands can use the bucket alike.

mod body;
mod cause;
mod connection;
mod objects;
mod unfinished;
mod upload;

use std::{
    future::Future,
    sync::{Arc, Mutex, PoisonError, mpsc},
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use object_store::{
    BackoffConfig, ClientOptions, ObjectStoreExt as _, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey},
    client::{HttpClient, HttpConnector as _},
    list::{PaginatedListOptions, PaginatedListStore as _},
    path::Path as ObjectPath,
    signer::{Method, SignedUrlOptions, Signer as _},
};
use tokio::runtime::{Builder, Handle, Runtime};

pub(super) use self::{body::Body, upload::Upload};
use self::{cause::Cause, connection::Connector};
use super::storage::{StoredEntry, is_stored_name, relative_path};
use crate::{
    Error, Result,
    config::{BucketAddress, Config, Downloads, S3Settings},
    output::log_event,
};

/// The number of objects in a page of a list.
const PAGE: usize = 1_000;
/// The age up to which the result of a check is used again.
const CHECK_AGE: Duration = Duration::from_secs(10);
/// The time that a check may take.
const CHECK_TIME: Duration = Duration::from_secs(3);

type StoreResult<T> = object_store::Result<T>;

/// A bucket.
pub(crate) struct Bucket {
    address: BucketAddress,
    /// The address of the service, for messages.
    endpoint: String,
    store: Arc<AmazonS3>,
    /// The connections for requests that the library does not have.
    client: HttpClient,
    /// The lifetime of signed addresses, if downloads are redirected.
    links: Option<Duration>,
    handle: Handle,
    /// Ends with the bucket.
    _runtime: OwnRuntime,
    checked: Mutex<Option<(Instant, bool)>>,
}

/// A runtime that ends without waiting for its requests.
struct OwnRuntime(Option<Runtime>);

impl Drop for OwnRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Bucket {
    /// Prepares the connection; no request is sent.
    ///
    /// # Errors
    /// 500 `CONFIGURATION` for incomplete settings.
    pub fn open(address: &BucketAddress, config: &Config) -> Result<Bucket> {
        let settings = config.s3()?;
        let wrong = |why: &dyn std::fmt::Display| Error::new(500, "CONFIGURATION", format!("`{address}` cannot be used: {why}"));
        let is_half = settings.access_key_id.is_some() != settings.secret_access_key.is_some();
        if is_half {
            return Err(wrong(&"set both `dz.s3.access_key_id` and `dz.s3.secret_access_key`, or neither of them"));
        }
        let store = configure(address, &settings).build().map_err(|error| wrong(&error))?;
        let connector = Connector { timeout: Duration::from_secs(settings.timeout.into()) };
        let client = connector.connect(&ClientOptions::new()).map_err(|error| wrong(&error))?;
        let runtime =
            Builder::new_multi_thread().worker_threads(1).thread_name("dz-bucket").enable_all().build().map_err(Error::internal)?;
        Ok(Bucket {
            address: address.clone(),
            endpoint: settings.endpoint.as_ref().map_or_else(|| "Amazon S3".to_owned(), |url| url.origin().ascii_serialization()),
            store: Arc::new(store),
            client,
            links: (settings.downloads == Downloads::Redirected).then(|| Duration::from_secs(settings.link_seconds.into())),
            handle: runtime.handle().clone(),
            _runtime: OwnRuntime(Some(runtime)),
            checked: Mutex::default(),
        })
    }

    /// The name of the object of a stored file: with its first two characters as in a folder.
    fn object(&self, stored: &str) -> ObjectPath {
        self.path(&relative_path(stored))
    }

    fn path(&self, name: &str) -> ObjectPath {
        ObjectPath::from(self.address.object(name))
    }

    /// Sends a request, and waits for its result in an asynchronous function.
    async fn send<T: Send + 'static>(&self, request: impl Future<Output = StoreResult<T>> + Send + 'static) -> StoreResult<T> {
        self.handle.spawn(request).await?
    }

    /// Sends a request, and waits for its result on a thread.
    fn wait<T: Send + 'static>(&self, request: impl Future<Output = StoreResult<T>> + Send + 'static) -> StoreResult<T> {
        let (sender, receiver) = mpsc::channel();
        drop(self.handle.spawn(async move { sender.send(request.await) }));
        let closed = || object_store::Error::Generic { store: "S3", source: "the connection is closed".into() };
        receiver.recv().unwrap_or_else(|_| Err(closed()))
    }

    /// Waits on a thread for a function that sends requests.
    fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.handle.block_on(work)
    }

    /// The error of a failed request, for a response and the log.
    fn error(&self, error: &object_store::Error) -> Error {
        let cause = Cause::find(error);
        let (address, endpoint) = (&self.address, &self.endpoint);
        Error {
            retry_after: Some(30),
            internal: Some(format!("the object storage {address} ({endpoint}) {}; {}", cause.describe(), cause.correction()).into()),
            ..Error::new(
                503,
                "UNAVAILABLE",
                format!("Files are not available now: the object storage {}; try again later", cause.describe()),
            )
        }
    }

    /// Opens a file, and reads its beginning; `None` if it does not exist.
    pub async fn open_file(&self, stored: &str) -> Result<Option<Body>> {
        let (store, path) = (self.store.clone(), self.object(stored));
        let opened = self.send(async move {
            let found = store.get(&path).await?;
            let size = found.meta.size;
            body::start(found.into_stream(), size).await
        });
        match opened.await {
            Ok(body) => Ok(Some(body)),
            Err(error) if Cause::find(&error) == Cause::NoObject => Ok(None),
            Err(error) => Err(self.error(&error)),
        }
    }

    /// The signed address of a file; `None` if downloads are streamed, or if the bucket has no such file.
    pub async fn link(&self, stored: &str, content_type: &str, disposition: &str) -> Result<Option<String>> {
        let Some(lifetime) = self.links else { return Ok(None) };
        let (store, path) = (self.store.clone(), self.object(stored));
        let options = SignedUrlOptions::new().with_query([
            ("response-cache-control", "private, no-cache"),
            ("response-content-disposition", disposition),
            ("response-content-type", content_type),
        ]);
        let signed = self.send(async move {
            store.head(&path).await?;
            store.signed_url_opts(Method::GET, &path, lifetime, &options).await
        });
        match signed.await {
            // Some services read `+` in a query as itself, and not as a space.
            Ok(url) => Ok(Some(url.as_str().replace('+', "%20"))),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.error(&error)),
        }
    }

    /// Deletes a file, if it exists.
    pub fn remove(&self, stored: &str) -> Result<()> {
        if !is_stored_name(stored) {
            return Ok(());
        }
        self.remove_object(self.object(stored))
    }

    fn remove_object(&self, path: ObjectPath) -> Result<()> {
        let store = self.store.clone();
        match self.wait(async move { store.delete(&path).await }) {
            Err(error) if Cause::find(&error) != Cause::NoObject => Err(self.error(&error)),
            _ => Ok(()),
        }
    }

    /// Calls `work` with the files, page by page. Other objects below the prefix are not files of dz.
    pub fn each_page(&self, work: &mut dyn FnMut(Vec<StoredEntry>) -> Result<()>) -> Result<()> {
        self.each_object("", &mut |objects| {
            let file = |it: StoredEntry| Some(StoredEntry { name: stored_name(&it.name)?.to_owned(), ..it });
            let page: Vec<StoredEntry> = objects.into_iter().filter_map(file).collect();
            if page.is_empty() { Ok(()) } else { work(page) }
        })
    }

    /// Aborts the uploads of files that began before a time; returns their number.
    pub fn abort_unfinished_files(&self, before: DateTime<Utc>) -> Result<u64> {
        self.abort_unfinished(before, &|name| stored_name(name).is_some())
    }

    /// Calls `work` with the objects whose names begin with `below`, page by page; the names are relative to the address.
    pub fn each_object(&self, below: &str, work: &mut dyn FnMut(Vec<StoredEntry>) -> Result<()>) -> Result<()> {
        let prefix = self.address.object(below);
        let start = self.address.object("");
        let mut token = None;
        loop {
            let (store, prefix) = (self.store.clone(), prefix.clone());
            let options = PaginatedListOptions { max_keys: Some(PAGE), page_token: token.take(), ..PaginatedListOptions::default() };
            let page = self.wait(async move { store.list_paginated(Some(&prefix), options).await }).map_err(|error| self.error(&error))?;
            let entry = |it: object_store::ObjectMeta| {
                let name = it.location.as_ref().strip_prefix(start.as_str())?.to_owned();
                Some(StoredEntry { name, size: it.size, changed: it.last_modified })
            };
            work(page.result.objects.into_iter().filter_map(entry).collect())?;
            match page.page_token {
                Some(next) => token = Some(next),
                None => return Ok(()),
            }
        }
    }

    /// Whether the bucket answers. A result is used again for some seconds.
    pub fn is_available(&self) -> bool {
        let last = *self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, is_available)) = last
            && at.elapsed() < CHECK_AGE
        {
            return is_available;
        }
        let (store, prefix) = (self.store.clone(), self.address.object(""));
        let options = PaginatedListOptions { max_keys: Some(1), ..PaginatedListOptions::default() };
        let checked = self.wait(async move {
            let listed = store.list_paginated(Some(&prefix), options);
            Ok(tokio::time::timeout(CHECK_TIME, listed).await.map_err(drop))
        });
        let failure = match checked {
            Ok(Ok(Ok(_))) => None,
            Ok(Ok(Err(error))) | Err(error) => self.error(&error).internal,
            Ok(Err(())) => Some(format!("the object storage {} ({}) does not answer", self.address, self.endpoint).into()),
        };
        if let Some(why) = &failure {
            log_event!(warn, target: "dz::health", "{why}");
        }
        *self.checked.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), failure.is_none()));
        failure.is_none()
    }

    /// Its address.
    pub fn describe(&self) -> String {
        self.address.to_string()
    }
}

/// The stored name in the name of an object below the prefix; `None` for an object that is not a file of dz.
fn stored_name(object: &str) -> Option<&str> {
    let (folder, name) = object.split_once('/')?;
    (is_stored_name(name) && folder.len() == 2 && name.starts_with(folder)).then_some(name)
}

/// Sources of credentials other than a key, which the variables of Amazon's tools name.
const CREDENTIAL_SOURCES: [AmazonS3ConfigKey; 9] = [
    AmazonS3ConfigKey::WebIdentityTokenFile,
    AmazonS3ConfigKey::RoleArn,
    AmazonS3ConfigKey::RoleSessionName,
    AmazonS3ConfigKey::StsEndpoint,
    AmazonS3ConfigKey::ContainerCredentialsRelativeUri,
    AmazonS3ConfigKey::ContainerCredentialsFullUri,
    AmazonS3ConfigKey::ContainerAuthorizationTokenFile,
    AmazonS3ConfigKey::MetadataEndpoint,
    AmazonS3ConfigKey::ImdsV1Fallback,
];

/// A builder with the settings, which contain the other variables of Amazon's tools. Nothing else of the environment has an effect: an
/// address of the service, above all, is checked in the settings.
fn configure(address: &BucketAddress, settings: &S3Settings) -> AmazonS3Builder {
    let timeout = Duration::from_secs(settings.timeout.into());
    let is_path_style = settings.path_style.unwrap_or(settings.endpoint.is_some());
    let backoff = BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(2), base: 2.0 };
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(&address.bucket)
        .with_virtual_hosted_style_request(!is_path_style)
        .with_allow_http(true)
        .with_disable_bulk_delete(true)
        .with_retry(RetryConfig { backoff, max_retries: 3, retry_timeout: timeout })
        .with_http_connector(Connector { timeout });
    if let Some(region) = &settings.region {
        builder = builder.with_region(region);
    }
    if let Some(url) = &settings.endpoint {
        let mut url = url.clone();
        if let Some(host) = url.host_str().filter(|_| !is_path_style).map(|host| format!("{}.{host}", address.bucket)) {
            // A host with the bucket before it is as valid as the host.
            let _ = url.set_host(Some(&host));
        }
        builder = builder.with_endpoint(url.as_str().trim_end_matches('/'));
    }
    if let (Some(id), Some(secret)) = (&settings.access_key_id, &settings.secret_access_key) {
        builder = builder.with_access_key_id(id).with_secret_access_key(&secret.0);
        if let Some(token) = &settings.session_token {
            builder = builder.with_token(&token.0);
        }
        return builder;
    }
    for key in CREDENTIAL_SOURCES {
        if let Ok(value) = std::env::var(key.as_ref().to_uppercase()) {
            builder = builder.with_config(key, value);
        }
    }
    builder
}
