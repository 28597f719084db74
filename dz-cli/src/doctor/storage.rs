//! The settings of object storage for files and backups.

use toml::{Table, Value};

use super::{Check, Project, settings::Settings};

/// The keys that name a folder or a bucket, with their values.
fn places(settings: &Settings) -> Vec<(&'static str, String)> {
    let text = |key: &str| settings.text(key).map(str::to_owned);
    let backup = settings.table("backup").and_then(|it| it.get("folder")).and_then(Value::as_str).map(str::to_owned);
    let all = [("dz.files", text("files")), ("dz.files_before", text("files_before")), ("dz.backup.folder", backup)];
    all.into_iter().filter_map(|(key, place)| Some((key, place?))).collect()
}

/// The key that names a bucket, if there is one.
pub(super) fn bucket_key(settings: &Settings) -> Option<&'static str> {
    places(settings).into_iter().find(|(_, place)| place.starts_with("s3://")).map(|(key, _)| key)
}

pub(super) fn check(project: &Project, checks: &mut Vec<Check>) {
    let before = checks.len();
    for (key, place) in places(&project.settings) {
        let bucket = place.strip_prefix("s3://").map(|rest| rest.split('/').next().unwrap_or_default());
        if place.contains("://") && bucket.is_none_or(|name| name.len() < 3) {
            checks.push(Check::problem(
                "storage",
                format!("`{key}` is `{place}`: the application does not start"),
                "write the path of a folder, or the address of a bucket such as `s3://shop-files/uploads`",
            ));
        }
    }
    let Some(key) = bucket_key(&project.settings) else { return };
    let own = Table::new();
    connection(project.settings.table("s3").unwrap_or(&own), checks);
    if checks.len() == before {
        checks.push(Check::ok("storage", format!("`{key}` is a bucket, and its connection is complete")));
    }
}

/// The address and the key.
fn connection(s3: &Table, checks: &mut Vec<Check>) {
    let variable = |name: &str| std::env::var(name).ok().filter(|it| !it.is_empty());
    let value = |key: &str, name: &str| variable(name).or_else(|| s3.get(key).and_then(Value::as_str).map(str::to_owned));
    let endpoint = value("endpoint", "AWS_ENDPOINT_URL").unwrap_or_default();
    let host = endpoint.strip_prefix("http://").map(|rest| rest.split(['/', ':']).next().unwrap_or_default());
    let is_remote = host.is_some_and(|host| !host.starts_with("127.") && host != "localhost" && !host.ends_with(".localhost"));
    if is_remote && s3.get("insecure_http").and_then(Value::as_bool) == Some(true) {
        checks.push(Check::warning(
            "storage",
            format!("files are sent to `{endpoint}` unencrypted"),
            "use https, and remove `dz.s3.insecure_http`",
        ));
    } else if is_remote {
        checks.push(Check::problem(
            "storage",
            format!("`dz.s3.endpoint` is `{endpoint}`, which is not encrypted: the application does not start"),
            "use https, or set `dz.s3.insecure_http = true`",
        ));
    }
    let (id, secret) = (value("access_key_id", "AWS_ACCESS_KEY_ID"), value("secret_access_key", "AWS_SECRET_ACCESS_KEY"));
    match (id.is_some(), secret.is_some()) {
        (true, true) => {}
        (false, false) => checks.push(Check::warning(
            "storage",
            "there is no key for the bucket: only a machine or a container with a role of Amazon can use it",
            "set `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`",
        )),
        (has_id, _) => checks.push(Check::problem(
            "storage",
            format!("the key for the bucket has no {}: the application does not start", if has_id { "secret" } else { "name" }),
            "set both `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`",
        )),
    }
}
