//! The same requests to the application and to the ejected one: the status and the body are the same.

use serde_json::Value;

use crate::server::{Reply, Server};

/// An address and a password.
pub type Account = (&'static str, &'static str);

/// The keys of some rows of each table that both servers have.
pub type Rows = [(&'static str, Vec<String>)];

/// What is sent to both servers.
pub struct Requests {
    /// The accounts, each of which sends all requests; `None` is a caller who is not signed in.
    pub callers: &'static [Option<Account>],
    /// An administrator of the data.
    pub manager: Account,
    /// The tables whose rows the requests name.
    pub tables: &'static [&'static str],
    /// The fields with the keys of tables; of all others it is `id`.
    pub keys: &'static [(&'static str, &'static str)],
    /// Changes the application before its database is copied.
    pub prepare: fn(&Server),
    /// The requests of a caller.
    pub send: fn(&mut Pair<'_>, &Rows),
    /// The number of requests that are sent at least.
    pub least: usize,
}

/// The keys of rows that were created in each server by any caller, in the order of their creation. Only managers can delete
/// tasks, so those of a surveyor stay in the lists of later callers.
type Created = [Vec<String>; 2];

/// Both servers, with the sessions of one caller, and the keys of rows that this caller created in each.
pub struct Pair<'s> {
    servers: [&'s Server; 2],
    cookies: [Option<String>; 2],
    /// The keys, for requests in which `NEW0` is the newest row.
    pub created: [Vec<String>; 2],
    known: &'s mut Created,
    key_fields: &'static [(&'static str, &'static str)],
    /// The `Idempotency-Key` of requests.
    pub once: Option<&'static str>,
    /// The type of bodies, if it is not JSON.
    pub media: Option<&'static str>,
    /// A further header of requests.
    pub header: Option<(&'static str, &'static str)>,
    differences: Vec<String>,
    sent: usize,
}

/// Sends every request to both.
pub fn compare(requests: &Requests, application: &Server, ejected: &Server) {
    let servers = [application, ejected];
    let (mut differences, mut sent) = (Vec::new(), 0);
    let mut known = Created::default();
    for caller in requests.callers {
        let cookies = servers.map(|server| caller.map(|(email, password)| server.sign_in(email, password)));
        // Requests name a created row of each server by the key that it has there, so these rows are not among the common ones.
        let rows = keys(application, requests, &known[0]);
        let created = [Vec::new(), Vec::new()];
        let mut pair = Pair {
            servers,
            cookies,
            created,
            known: &mut known,
            key_fields: requests.keys,
            once: None,
            media: None,
            header: None,
            differences: Vec::new(),
            sent: 0,
        };
        (requests.send)(&mut pair, &rows);
        let who = caller.map_or("nobody", |(email, _)| email);
        differences.extend(pair.differences.into_iter().map(|it| format!("{who}: {it}")));
        sent += pair.sent;
    }
    assert!(sent > requests.least, "only {sent} requests were sent");
    assert!(differences.is_empty(), "{} of {sent} answers differ:\n{}", differences.len(), differences.join("\n"));
}

/// The keys of some rows of each table that both servers have, as an administrator of the data sees them.
fn keys(server: &Server, requests: &Requests, created: &[String]) -> Vec<(&'static str, Vec<String>)> {
    let cookie = server.sign_in(requests.manager.0, requests.manager.1);
    let keys = |table: &str| {
        let key = key_field(requests.keys, table);
        let reply = server.send("GET", &format!("/api/{table}?page_size=8&sort={key}"), &[("Cookie", &cookie)], None);
        let items = reply.body["items"].as_array().cloned().unwrap_or_default();
        let keys = items.iter().filter_map(|row| key_text(&row[key]));
        keys.filter(|key| !created.contains(key)).collect::<Vec<_>>()
    };
    requests.tables.iter().map(|table| (*table, keys(table))).collect()
}

/// The name of the field with the key of a table.
fn key_field(fields: &[(&'static str, &'static str)], table: &str) -> &'static str {
    fields.iter().find(|(name, _)| *name == table).map_or("id", |(_, field)| field)
}

/// A key as in addresses.
fn key_text(key: &Value) -> Option<String> {
    key.as_str().map(|text| text.replace(' ', "%20").replace('/', "%2F")).or_else(|| key.as_i64().map(|number| number.to_string()))
}

impl Pair<'_> {
    /// Sends a request to both, and compares the answers. A body that is a JSON text is sent without its quotation marks.
    pub fn send(&mut self, method: &str, path: &str, version: Option<&str>, body: Option<&Value>) -> [Reply; 2] {
        let replies = [0, 1].map(|at| {
            let fill = |text: &str| {
                self.created[at].iter().enumerate().fold(text.to_owned(), |text, (n, id)| text.replace(&format!("NEW{n}"), id))
            };
            let mut headers: Vec<(&str, &str)> = version.map(|version| ("If-Match", version)).into_iter().collect();
            headers.extend(self.cookies[at].as_deref().map(|cookie| ("Cookie", cookie)));
            headers.extend(self.once.map(|key| ("Idempotency-Key", key)));
            headers.extend(self.media.map(|kind| ("Content-Type", kind)));
            headers.extend(self.header);
            let body = body.map(|body| fill(&body.as_str().map_or_else(|| body.to_string(), str::to_owned)));
            self.servers[at].send(method, &fill(path), &headers, body.as_deref())
        });
        self.sent += 1;
        if replies.iter().all(|reply| reply.status == 201) {
            let key = key_field(self.key_fields, path.trim_start_matches("/api/"));
            for (known, reply) in self.known.iter_mut().zip(&replies) {
                // Numbers and texts are the same in both.
                known.extend(reply.body[key].as_str().or(reply.body["id"].as_str()).map(str::to_owned));
            }
        }
        let [one, other] = [0, 1].map(|at| {
            let reply = &replies[at];
            // The tag of a graph is a digest of the body, whose members can have another order.
            let tag = reply.etag.clone().map(|tag| if tag.len() == 34 { "a digest".to_owned() } else { tag });
            let is_file = path.starts_with("/files/") && matches!(reply.status, 200 | 206 | 304 | 416);
            let headers = if is_file { reply.file_headers.clone() } else { Vec::new() };
            (reply.status, tag, headers, normalise(&reply.body, &self.known[at]))
        });
        if one != other {
            let body: String = body.map(ToString::to_string).unwrap_or_default().chars().take(400).collect();
            self.differences.push(format!("{method} {path} {body}\n  application: {one:?}\n  ejected:     {other:?}"));
        }
        replies
    }

    /// Sends CSV files to both. Rows that are new get keys of their own in each server.
    pub fn import(&mut self, table: &str, files: &[&str]) {
        let key = key_field(self.key_fields, table);
        for file in files {
            self.media = Some("text/csv");
            let replies = self.send("POST", &format!("/api/{table}/import"), None, Some(&(*file).into()));
            self.media = None;
            let new = replies[0].body["created"].as_u64().unwrap_or_default();
            for at in [0, 1].into_iter().filter(|_| new > 0) {
                let headers: Vec<(&str, &str)> = self.cookies[at].as_deref().map(|cookie| ("Cookie", cookie)).into_iter().collect();
                let path = format!("/api/{table}?sort=-{key}&page_size={}", new.min(100));
                let reply = self.servers[at].send("GET", &path, &headers, None);
                let keys = reply.body["items"].as_array().into_iter().flatten().filter_map(|row| row[key].as_str().map(str::to_owned));
                self.known[at].extend(keys);
            }
            self.get(&format!("/api/{table}?sort=-{key}"));
        }
    }

    /// The keys in a field of a list that differ between the servers are compared by their positions from now on; returns their number.
    pub fn learn(&mut self, path: &str, field: &str) -> usize {
        let [one, other] = [0, 1].map(|at| {
            let headers: Vec<(&str, &str)> = self.cookies[at].as_deref().map(|cookie| ("Cookie", cookie)).into_iter().collect();
            let reply = self.servers[at].send("GET", path, &headers, None);
            let keys = reply.body["items"].as_array().into_iter().flatten().filter_map(|row| row[field].as_str().map(str::to_owned));
            keys.collect::<Vec<_>>()
        });
        let new: Vec<(String, String)> =
            one.into_iter().zip(other).filter(|(one, other)| one != other && !self.known[0].contains(one)).collect();
        for (at, (one, other)) in new.iter().enumerate() {
            for (server, key) in [one, other].into_iter().enumerate() {
                self.created[server].insert(at, key.clone());
                self.known[server].push(key.clone());
            }
        }
        new.len()
    }

    /// Invites an address on both, and gives the invitations one token.
    pub fn invite(&mut self, body: &Value, token: &str) {
        self.send("POST", "/auth/invitations", None, Some(body));
        let email = body["email"].as_str().unwrap_or_default();
        self.servers.iter().for_each(|server| server.set_invitation(email, token));
    }

    /// Uploads a file to both, for a field such as `claims/photo`. It becomes the newest created row.
    pub fn upload(&mut self, field: &str, name: &str, content: &str) {
        let part = format!("--b1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{content}\r\n--b1--\r\n");
        let replies = self.form(&format!("/files/{field}"), &part);
        if let [Some(one), Some(other)] = replies.map(|it| (it.status == 201).then(|| key_text(&it.body["id"]).unwrap_or_default())) {
            self.created[0].insert(0, one);
            self.created[1].insert(0, other);
        }
    }

    /// Sends a form whose parts are divided by `b1` to both.
    pub fn form(&mut self, path: &str, parts: &str) -> [Reply; 2] {
        self.media = Some("multipart/form-data; boundary=b1");
        let replies = self.send("POST", path, None, Some(&parts.into()));
        self.media = None;
        replies
    }

    /// Sends a request for an address to both.
    pub fn get(&mut self, path: &str) {
        self.send("GET", path, None, None);
    }

    /// Sends a new row to both, for each body.
    pub fn create(&mut self, table: &str, bodies: &[Value]) {
        let key = key_field(self.key_fields, table);
        for body in bodies {
            let replies = self.send("POST", &format!("/api/{table}"), None, Some(body));
            if let [Some(one), Some(other)] = replies.map(|it| (it.status == 201).then(|| key_text(&it.body[key]).unwrap_or_default())) {
                self.created[0].insert(0, one);
                self.created[1].insert(0, other);
            }
        }
    }
}

/// An answer in which both servers agree on what must differ: of request ids and times only the form counts, and the keys of created
/// rows are replaced by their position.
fn normalise(body: &Value, created: &[String]) -> Value {
    match body {
        Value::Object(members) => {
            let form = |name: &str, value: &Value| match (name, value) {
                ("request_id", Value::String(id)) => Value::String(format!("{} characters", id.len())),
                ("created_at" | "updated_at" | "last_login" | "at" | "invited_at" | "expires_at" | "accepted_at", Value::String(time)) => {
                    Value::String(time_form(time))
                }
                _ => normalise(value, created),
            };
            members.iter().map(|(name, value)| (name.clone(), form(name, value))).collect()
        }
        Value::Array(items) => items.iter().map(|item| normalise(item, created)).collect(),
        Value::String(text) => match created.iter().position(|id| id == text) {
            Some(at) => Value::String(format!("created row {at}")),
            None => Value::String(created.iter().enumerate().filter(|(_, id)| id.len() == 36).fold(text.clone(), |text, (at, id)| {
                // A key in an address, or in a table.
                text.replace(id, &format!("created row {at}"))
            })),
        },
        _ => body.clone(),
    }
}

/// The form of a time: its digits are zeros, and microseconds are left out where they are written, because whole seconds have none.
fn time_form(time: &str) -> String {
    let form: String = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    form.replacen(".000000Z", "Z", 1)
}
