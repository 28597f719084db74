//! Responses: their bodies, and the headers that every one of them has.

use std::io::Cursor;

use rocket::{
    Request, Response,
    http::{Header, Status},
    response::Responder,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{
    list::ListQuery,
    problem::{Problem, Result},
    request::{Call, request_id},
};

/// Headers that protect browsers. Nothing is cached, because every response depends on the caller.
const HEADERS: [(&str, &str); 6] = [
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
];

/// A response.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The body; without one the response is empty.
    pub body: Option<Value>,
    /// The key of the row in the body.
    pub row_key: Option<String>,
    /// A body that is not JSON.
    pub csv: Option<String>,
/*IF FILES*/    /// A stored file in place of a body, with its size.
    pub file: Option<(std::sync::Arc<std::fs::File>, u64)>,
/*END FILES*/    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
}

impl Reply {
    /// A response with JSON.
    pub fn json(status: u16, body: Value) -> Reply {
        Reply { status, body: Some(body), ..Reply::default() }
    }

    /// A response with a tag of its content; 304 for a client that has this content already.
    pub fn tagged(call: &Call, body: Value) -> Reply {
        let digest = format!("{:x}", Sha256::digest(body.to_string()));
        let tag = format!("\"{}\"", digest.get(..32).unwrap_or_default());
        let names_it = |known: &str| known == "*" || known.trim_start_matches("W/") == tag;
        let has_it = call.known.as_deref().is_some_and(|known| known.split(',').any(|known| names_it(known.trim())));
        let reply = if has_it { Reply { status: 304, ..Reply::default() } } else { Reply::json(200, body) };
        reply.header("ETag", tag).header("Cache-Control", "private, no-cache").header("Vary", "Cookie, Authorization")
    }

    /// 204.
    pub fn empty() -> Reply {
        Reply { status: 204, ..Reply::default() }
    }

    /// The row with its version, or only its key if the caller may not read it.
    pub fn row(status: u16, key: Value, row: Option<(Value, i64)>) -> Reply {
        let text = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
        let reply = match row {
            Some((row, version)) => Reply::json(status, row).header("ETag", format!("\"{version}\"")),
            None => Reply::json(status, json!({ "id": key })),
        };
        Reply { row_key: Some(text), ..reply }
    }

    /// One page of a list.
    pub fn page(items: Vec<Value>, total: i64, query: &ListQuery) -> Reply {
        Reply::json(200, json!({ "items": items, "total": total, "page": query.page, "page_size": query.page_size }))
    }

    /// A list as a file that browsers save.
    pub fn csv(table: &str, text: String) -> Reply {
        let reply = Reply { status: 200, csv: Some(text), ..Reply::default() };
        reply.header("Content-Disposition", format!("attachment; filename=\"{table}.csv\""))
    }

    /// Adds a header.
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Reply {
        self.headers.push((name, value.into()));
        self
    }
}

/// What a route answers.
pub struct Answer(pub Result<Reply>);

impl<'r> Responder<'r, 'static> for Answer {
    fn respond_to(self, request: &'r Request<'_>) -> rocket::response::Result<'static> {
        let (mut reply, kind) = match self.0 {
            Ok(reply) => (reply, "application/json"),
            Err(problem) => (refusal(&problem, request), "application/problem+json"),
        };
        let mut response = Response::new();
        response.set_status(Status::new(reply.status));
        for (name, value) in HEADERS {
            response.set_raw_header(name, value);
        }
        response.set_raw_header("X-Request-Id", request_id(request).to_owned());
        for (name, value) in std::mem::take(&mut reply.headers) {
            match name {
                "Cache-Control"/*IF FILES*/ | "Content-Security-Policy"/*END FILES*/ => {
                    response.set_header(Header::new(name, value));
                }
                _ => response.adjoin_header(Header::new(name, value)),
            }
        }
/*IF FILES*/        if let Some((file, size)) = reply.file {
            let file = file.try_clone().map_err(|_| Status::InternalServerError)?;
            response.set_sized_body(usize::try_from(size).ok(), rocket::tokio::fs::File::from_std(file));
        } else /*END FILES*/if let Some(text) = reply.csv {
            response.set_raw_header("Content-Type", "text/csv; charset=utf-8");
            response.set_sized_body(text.len(), Cursor::new(text.into_bytes()));
        } else if let Some(body) = reply.body {
            let bytes = body.to_string().into_bytes();
            response.set_raw_header("Content-Type", kind);
            response.set_sized_body(bytes.len(), Cursor::new(bytes));
        }
        Ok(response)
    }
}

fn refusal(problem: &Problem, request: &Request<'_>) -> Reply {
    let id = request_id(request);
    if problem.status >= 500 {
        eprintln!("{} {} {}: {} ({id})", request.method(), request.uri().path(), problem.status, problem.log_text());
    }
    let mut reply = Reply::json(problem.status, problem.document(id));
    if let Some(methods) = &problem.allow {
        reply = reply.header("Allow", methods.clone());
    }
    if let Some(seconds) = problem.retry_after {
        reply = reply.header("Retry-After", seconds.to_string());
    }
    reply
}
