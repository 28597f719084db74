//! Forms with files, read as they arrive: files are written to the storage, other parts to the call.
//!
//! Permission to upload is checked before the first byte is stored. Size, duration and number of uploads are limited.

mod metered;

use std::{
    collections::HashMap,
    fmt,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use metered::{Buffered, Metered};
use multer::{Field, Multipart, bytes::Bytes};
use rocket::{
    Request,
    http::ContentType,
    tokio::{io::AsyncReadExt as _, time::timeout},
};
use uuid::Uuid;

use crate::{
    Error, Result, Tx,
    access::{Create, Update},
    accounts::throttle::to_network,
    blocking::{Work, catch_panic},
    def::{AppDef, EntityDef, EntityIx, FieldDef, FieldIx, SurfaceDef},
    field::{self, File},
    files::{self, MAX_UNUSED, PendingFile},
    state::{Job, State},
    texts::{self, Texts},
    web::{
        Call,
        api::idempotency::{IdempotencyKey, PartDigest},
        page::form::child_rows,
        request::{body_stream::Incoming, csrf, duplicates},
        server::Server,
    },
};

/// The maximum number of concurrent uploads.
const MAX_UPLOADS: usize = 64;
const MAX_PER_CLIENT: usize = 8;
/// The minimum rate of an upload.
const MIN_BYTES_PER_SECOND: u64 = 32 << 10;
/// The maximum number of parts of a form.
const MAX_PARTS: usize = 1_000;
/// The maximum number of files of the rows in a form.
const MAX_ROW_FILES: u64 = 20;

/// A file of a form.
#[derive(Clone)]
pub struct UploadedFile {
    /// The name of its part: that of a control of the form, or `file`.
    pub(crate) part: String,
    /// Its field, of the entity of the route or of a row in the form.
    pub(crate) entity: &'static EntityDef,
    pub(crate) at: FieldIx,
    pub(crate) facts: File,
    /// Its bytes, which are deleted with the call unless a row uses them.
    pub(crate) bytes: Arc<Mutex<PendingFile>>,
}

impl fmt::Debug for UploadedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arrived").field("part", &self.part).field("facts", &self.facts).finish_non_exhaustive()
    }
}

/// The target of an upload.
#[derive(Clone, Copy)]
struct Target {
    entity: &'static EntityDef,
    /// The field of an API upload; forms name their fields.
    field: Option<FieldIx>,
    /// The surface of a form, which can contain rows of other entities.
    surface: Option<&'static SurfaceDef>,
}

impl Target {
    /// Requests that can contain files: `/files/{entity}/{field}`, and the forms of surfaces.
    fn from_call(call: &Call) -> Option<Target> {
        let route = call.found.route().filter(|route| route.files)?;
        Some(Target { entity: route.entity?, field: route.field, surface: route.surface })
    }

    /// The field of a part with its entity.
    fn find_field(self, app: &'static AppDef, part: &str) -> Option<(&'static EntityDef, FieldIx)> {
        if let Some(at) = self.field {
            return (part == "file").then_some((self.entity, at));
        }
        let own = self.entity.find(part).filter(|(_, field)| field::is_file(field)).map(|(at, _)| (self.entity, at));
        own.or_else(|| child_rows::find_file_field(app, self.surface?, part))
    }

    fn size_limit(self, app: &'static AppDef, usual: u64) -> u64 {
        let fields = (0..).zip(self.entity.fields).filter(|(at, _)| self.field.is_none_or(|only| only == *at));
        let own: u64 = fields.map(|(_, field)| field_limit(field, usual)).sum();
        let of_rows = self.surface.filter(|_| self.field.is_none()).into_iter().flat_map(|it| child_rows::file_fields(app, it));
        let of_rows = of_rows.map(|(entity, at)| field_limit(entity.field(at), usual)).max().unwrap_or(0);
        own.saturating_add(of_rows.saturating_mul(MAX_ROW_FILES))
    }
}

/// The maximum size of a file of a field.
pub(crate) fn field_limit(field: &FieldDef, usual: u64) -> u64 {
    if field.kind.is_file() { field.kind.file_limit().unwrap_or(usual) } else { 0 }
}

/// True if the body of this request is read here.
pub(crate) fn is_for(request: &Request<'_>, call: &Call) -> bool {
    let is_form = request.content_type().is_some_and(|kind| *kind == ContentType::FormData);
    is_form && Target::from_call(call).is_some()
}

/// Reads the body.
///
/// # Errors
/// 400 for an invalid form, 401 and 403 without permission, 408 if the upload is too slow, 413 if it is too large, 429 for too many
/// uploads, 503 if the storage fails.
pub(crate) async fn receive(server: &Arc<Server>, request: &Request<'_>, incoming: &mut Incoming<'_>, call: &mut Call) -> Result<()> {
    let state = &server.state;
    let Some(target) = Target::from_call(call) else { return Err(Error::not_found()) };
    let largest = target.size_limit(state.app, state.config.settings.file_limit).saturating_add(state.config.settings.body_limit);
    let boundary = request.content_type().and_then(|kind| kind.param("boundary")).map(str::to_owned);
    let boundary = boundary.ok_or_else(|| Error::bad_request("the form has no boundary"))?;
    let key = IdempotencyKey::before_body(request, call)?;
    call.running = key.as_ref().map(|key| server.running_writes.enter(key)).transpose()?.map(Arc::new);
    // A form slightly above the limit is read completely, so that its sender gets the error.
    let most = largest.saturating_mul(2).saturating_add(1 << 20);
    let stream = incoming.take(most);
    let origin = csrf::Origin::from_request(request);
    // The texts of a thread are lost while a request waits for data.
    let language = call.texts();
    let slots = &server.upload_slots;
    let (permitted, digests) = (Vec::new(), key.is_some().then(Vec::new));
    let held = Buffered::new(&server.bodies);
    let mut form = Form {
        state,
        target,
        origin,
        language,
        slots,
        slot: None,
        permitted,
        refused: None,
        text_bytes: 0,
        digests,
        held: held.clone(),
        started: Instant::now(),
    };
    let whole = state.config.settings.upload_time.saturating_add(Duration::from_secs(largest / MIN_BYTES_PER_SECOND));
    let read = form.read(Multipart::with_reader(Metered::new(stream, held), boundary), call);
    timeout(whole, read).await.unwrap_or_else(|_| Err(timeout_error(language)))?;
    call.memory = Some(Arc::new(form.held.clone().into_memory(&server.bodies)));
    // The boundary differs between two requests, so that the parts are compared and not the body.
    let parts = form.digests.take().unwrap_or_default();
    call.idempotency = key.map(|key| key.for_body(request, "multipart/form-data", &parts.iter().map(String::as_bytes).collect::<Vec<_>>()));
    form.check_origin(call)
}

/// A form that is being read.
struct Form<'f> {
    state: &'f Arc<State>,
    target: Target,
    origin: csrf::Origin,
    /// The texts of the errors.
    language: Option<&'static Texts>,
    slots: &'f UploadSlots,
    /// Taken with the first file, when the caller was checked: strangers never hold a slot.
    slot: Option<UploadSlot<'f>>,
    /// The entities whose files the caller can upload.
    permitted: Vec<EntityIx>,
    /// The refusal of a session that has ended: the other texts of the form are read, so that they are kept.
    refused: Option<Error>,
    /// The size of the parts that are not files.
    text_bytes: u64,
    /// Digests of the parts, if the request has an idempotency key.
    digests: Option<Vec<String>>,
    /// The bytes in memory.
    held: Buffered,
    started: Instant,
}

impl Form<'_> {
    async fn read(&mut self, mut parts: Multipart<'_>, call: &mut Call) -> Result<()> {
        let mut count = 0;
        while let Some(part) =
            timeout(self.stall_limit(), parts.next_field()).await.map_err(|_| timeout_error(self.language))?.map_err(form_error)?
        {
            self.held.release();
            count += 1;
            if count > MAX_PARTS {
                return Err(Error::bad_request(format!("the form has more than {MAX_PARTS} parts")));
            }
            match part.file_name().is_some() {
                true => self.read_file(part, call).await?,
                false => self.read_text(part, call).await?,
            }
        }
        duplicates::check_form(&call.found, &call.form)?;
        self.refused.take().map_or(Ok(()), Err)
    }

    async fn read_text(&mut self, mut part: Field<'_>, call: &mut Call) -> Result<()> {
        let name = part.name().unwrap_or_default().to_owned();
        let mut bytes = Vec::new();
        while let Some(chunk) = self.next_chunk(&mut part).await? {
            self.text_bytes += chunk.len() as u64;
            let most = self.state.config.settings.body_limit;
            if self.text_bytes > most {
                let detail =
                    || say!("dz-form-without-files-too-large", "The body without its files is larger than {bytes} bytes", bytes = most);
                return Err(Error::new(413, "TOO_LARGE", texts::with(self.language, detail)));
            }
            self.held.add_text(chunk.len() as u64)?;
            bytes.extend_from_slice(&chunk);
        }
        if let Some(digests) = &mut self.digests {
            digests.push(PartDigest::default().and(&bytes).finish(&[&name]));
        }
        let text = String::from_utf8(bytes).map_err(|_| Error::bad_request("the form is not UTF-8"))?;
        call.form.push((name, text));
        Ok(())
    }

    async fn read_file(&mut self, mut part: Field<'_>, call: &mut Call) -> Result<()> {
        let sent = part.file_name().unwrap_or_default().to_owned();
        let mut first = self.next_chunk(&mut part).await?;
        while first.as_ref().is_some_and(|bytes| bytes.is_empty()) {
            first = self.next_chunk(&mut part).await?;
        }
        // An empty file control.
        if sent.is_empty() && first.is_none() {
            return Ok(());
        }
        let name = part.name().unwrap_or_default().to_owned();
        let Some((entity, at)) = self.target.find_field(self.state.app, &name) else {
            let known = if self.target.field.is_some() { "; the part with the file is called `file`" } else { "" };
            return Err(Error::bad_request(format!(
                "the form has a file for `{}`, which is not a file field{known}",
                name.escape_default()
            )));
        };
        if call.uploads.iter().any(|other| other.part == name) || call.too_large.iter().any(|(part, _)| *part == name) {
            return Err(Error::bad_request("the form has two files for one field"));
        }
        if self.refused.is_none() {
            self.check_file(call, entity, &name).await?;
        }
        if self.refused.is_some() {
            while self.next_chunk(&mut part).await?.is_some() {}
            return Ok(());
        }
        let field = entity.field(at);
        let most = field_limit(field, self.state.config.settings.file_limit);
        let mut writing = self.state.storage.begin(most).await?;
        let (mut size, mut head, mut chunk) = (0_u64, Vec::new(), first);
        let mut digest = self.digests.is_some().then(PartDigest::default);
        while let Some(bytes) = chunk {
            size += bytes.len() as u64;
            digest = digest.map(|digest| digest.and(&bytes));
            if size <= most {
                if head.len() < files::SNIFFED_BYTES {
                    head.extend_from_slice(bytes.get(..files::SNIFFED_BYTES.min(bytes.len())).unwrap_or_default());
                }
                writing.push(&bytes).await?;
            }
            chunk = self.next_chunk(&mut part).await?;
        }
        if size > most {
            let limit = || say!("dz-file-may-have-at-most", "may have at most {size}", size = files::size_text(most));
            call.too_large.push((name, texts::with(self.language, limit)));
            return Ok(());
        }
        writing.end().await?;
        let digest = digest.map(|digest| digest.finish(&[&name, &sent]));
        self.digests.iter_mut().for_each(|all| all.extend(digest.clone()));
        let facts = File { id: random_id()?, name: files::clean_name(&sent), size, media_type: files::sniff(&head).to_owned() };
        call.uploads.push(UploadedFile { part: name, entity, at, facts, bytes: Arc::new(Mutex::new(writing)) });
        Ok(())
    }

    /// Checks before a file is stored that the caller can upload it, and that the form has not too many files of rows.
    async fn check_file(&mut self, call: &Call, entity: &'static EntityDef, part: &str) -> Result<()> {
        let files = call.uploads.iter().map(|it| it.part.as_str()).chain(call.too_large.iter().map(|(part, _)| part.as_str()));
        let of_rows = files.filter(|part| child_rows::is_control_name(part)).count() as u64;
        if child_rows::is_control_name(part) && of_rows >= MAX_ROW_FILES {
            let detail = || say!("dz-too-many-files-of-rows", "A form saves at most {count} files of rows at once", count = MAX_ROW_FILES);
            return Err(Error::new(413, "TOO_LARGE", texts::with(self.language, detail)));
        }
        if self.permitted.contains(&entity.ix) {
            return Ok(());
        }
        match self.check_access(call, entity).await {
            Err(error) if error.status == 401 && csrf::find_token(&call.form).is_some_and(|token| !token.is_empty()) => {
                self.refused = Some(error);
                return Ok(());
            }
            checked => checked?,
        }
        self.permitted.push(entity.ix);
        if self.slot.is_none() {
            self.slot = Some(texts::with(self.language, || self.slots.take(call.client))?);
            self.held.permit();
        }
        Ok(())
    }

    /// Checks that this request is not of another site, and that the caller can upload files of an entity.
    async fn check_access(&self, call: &Call, entity: &'static EntityDef) -> Result<()> {
        self.check_origin(call)?;
        let state = self.state.clone();
        let asking = Call { form: Vec::new(), ..call.clone() };
        // A repeated request gets its stored response, whatever the number of uploads is now; a new one is counted when it is stored.
        let counts = self.digests.is_none();
        let check = move || {
            let mut check = |tx: &mut Tx<'_>| if counts { check_upload(tx, entity) } else { check_access(tx, entity) };
            state.run_job(Job::Read, &asking.requester(), &mut check)
        };
        let language = self.language;
        let asked = move || catch_panic(|| texts::with(language, check));
        self.state.threads.run(Work::Read, asked).await?
    }

    /// The maximum time without data.
    fn stall_limit(&self) -> Duration {
        self.state.config.settings.upload_pause
    }

    /// Reads the next chunk of a part. Until the caller was checked, a form has the time of a form without files.
    async fn next_chunk(&self, part: &mut Field<'_>) -> Result<Option<Bytes>> {
        if self.slot.is_none() && self.started.elapsed() > self.state.config.settings.upload_time {
            return Err(timeout_error(self.language));
        }
        let chunk = timeout(self.stall_limit(), part.chunk()).await.map_err(|_| timeout_error(self.language))?.map_err(form_error)?;
        self.held.release();
        Ok(chunk)
    }

    fn check_origin(&self, call: &Call) -> Result<()> {
        csrf::check(&self.state.config, &self.origin, call.session.as_deref(), csrf::find_token(&call.form))
    }
}

/// Checks that the caller can create or update rows.
pub(super) fn check_access(tx: &Tx<'_>, entity: &'static EntityDef) -> Result<()> {
    match tx.ask::<Create>(entity) {
        Ok(_) => Ok(()),
        Err(refused) => tx.ask::<Update>(entity).map(drop).map_err(|_| refused),
    }
}

/// Checks that the caller can create or update rows, and limits the number of unused uploads.
pub(crate) fn check_upload(tx: &mut Tx<'_>, entity: &'static EntityDef) -> Result<()> {
    check_access(tx, entity)?;
    if files::count_unused(tx)? >= MAX_UNUSED {
        let detail = say!(
            "dz-uploads-without-a-row",
            "{count} uploads are not attached to a row; attach them, or wait until the oldest is a day old",
            count = MAX_UNUSED
        );
        return Err(Error { retry_after: Some(3_600), ..Error::new(429, "RATE_LIMIT", detail) });
    }
    Ok(())
}

/// Registers the files as uploads of the caller, so that they are kept.
///
/// # Errors
/// 401, 403 and 429 as above; 503 if the database is unavailable.
pub(crate) fn register(state: &State, call: &Call) -> Result<()> {
    if call.uploads.is_empty() {
        return Ok(());
    }
    keep_stored(call, state.run_job(Job::Write, &call.requester(), &mut |tx| insert(tx, call)))
}

/// Inserts the files of a request as uploads of the caller. After the commit, [`keep_stored`] keeps their bytes.
///
/// # Errors
/// As [`register`].
pub(super) fn insert(tx: &mut Tx<'_>, call: &Call) -> Result<()> {
    let mut checked: Vec<EntityIx> = Vec::new();
    for it in &call.uploads {
        if !checked.contains(&it.entity.ix) {
            check_upload(tx, it.entity)?;
            checked.push(it.entity.ix);
        }
        let stored = it.bytes.lock().unwrap_or_else(PoisonError::into_inner).stored().to_owned();
        files::insert(tx, it.entity, it.entity.field(it.at), &stored, &it.facts)?;
    }
    Ok(())
}

/// Keeps the bytes of the files of a request, for which the database has rows. A failure of the database can come after the commit:
/// the bytes are kept then, too, and the daily check deletes those without a row.
pub(super) fn keep_stored<T>(call: &Call, stored: Result<T>) -> Result<T> {
    if stored.as_ref().err().is_none_or(|error| error.status >= 500) {
        for it in &call.uploads {
            it.bytes.lock().unwrap_or_else(PoisonError::into_inner).keep();
        }
    }
    stored
}

/// A random identifier, which grants access to the upload.
pub(crate) fn random_id() -> Result<Uuid> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    Ok(uuid::Builder::from_random_bytes(bytes).into_uuid())
}

fn form_error(error: multer::Error) -> Error {
    let cause = if let multer::Error::StreamReadFailed(cause) = &error { cause.to_string() } else { error.to_string() };
    Error::bad_request(format!("the form cannot be read: {cause}"))
}

fn timeout_error(language: Option<&'static Texts>) -> Error {
    let detail = || say!("dz-the-upload-arrives-too-slowly", "The upload arrives too slowly; try again over a better connection");
    Error::new(408, "TIMEOUT", texts::with(language, detail))
}

/// Slots for concurrent uploads.
#[derive(Default)]
pub(crate) struct UploadSlots(Mutex<HashMap<Option<IpAddr>, usize>>);

/// A slot, which is released when this is dropped.
struct UploadSlot<'d>(&'d UploadSlots, Option<IpAddr>);

impl UploadSlots {
    fn take(&self, client: Option<IpAddr>) -> Result<UploadSlot<'_>> {
        let client = client.map(to_network);
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = taken.get(&client).copied().unwrap_or_default();
        if own >= MAX_PER_CLIENT || taken.values().sum::<usize>() >= MAX_UPLOADS {
            let detail = say!("dz-too-many-uploads", "Too many uploads are in progress; try again when they are complete");
            return Err(Error { retry_after: Some(10), ..Error::new(429, "RATE_LIMIT", detail) });
        }
        taken.insert(client, own + 1);
        Ok(UploadSlot(self, client))
    }
}

impl Drop for UploadSlot<'_> {
    fn drop(&mut self) {
        let mut taken = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        match taken.get_mut(&self.1) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                taken.remove(&self.1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_cannot_take_every_slot() {
        let slots = UploadSlots::default();
        let client = |last: u8| Some(IpAddr::from([192, 0, 2, last]));
        let own: Vec<_> = (0..MAX_PER_CLIENT).map(|_| slots.take(client(1)).unwrap()).collect();
        assert_eq!(slots.take(client(1)).map(drop).unwrap_err().status, 429);
        let others: Vec<_> =
            (0..MAX_UPLOADS - MAX_PER_CLIENT).map(|at| slots.take(client(2 + (at / MAX_PER_CLIENT) as u8)).unwrap()).collect();
        assert_eq!(slots.take(client(99)).map(drop).unwrap_err().retry_after, Some(10));
        drop(others);
        drop(own);
        assert!(slots.take(client(1)).is_ok() && slots.0.lock().unwrap().len() <= 1);
    }
}
