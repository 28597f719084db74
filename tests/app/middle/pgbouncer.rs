//! PgBouncer in transaction mode between two instances and PostgreSQL.

use dz::Engine;

use super::{Program, free_port};
use crate::{
    instances::shared::{background_work_once, failed_sign_ins_together, forms_and_keys},
    jobs::check_output_of,
    server,
};

/// PgBouncer in front of the server of the tests, with a few sessions that all connections share.
fn start(mode: &str) -> Option<Program> {
    let port = free_port();
    let (host, user) = server_of_tests();
    let (host, server_port) = host.split_once(':').unwrap_or((&host, "5432"));
    let configuration = format!(
        "[databases]\n* = host={host} port={server_port} user={user}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
         unix_socket_dir =\nauth_type = any\npool_mode = {mode}\ndefault_pool_size = 3\nmax_client_conn = 500\n"
    );
    // It does not run as root.
    let user: &[&str] = if is_root() { &["-u", "nobody"] } else { &[] };
    Program::start("pgbouncer", port, &configuration, user)
}

fn is_root() -> bool {
    std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").expect("this process")) == 0
}

/// The host with its port, and the role, of the server of the tests.
fn server_of_tests() -> (String, String) {
    let url = std::env::var("DZ_TEST_POSTGRES").expect("the address of a PostgreSQL server");
    let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
    let (server, _) = rest.rsplit_once('/').expect("an address with a database");
    let (user, host) = server.rsplit_once('@').unwrap_or(("postgres", server));
    (host.to_owned(), user.split(':').next().unwrap_or(user).to_owned())
}

/// The address of a database through a program.
fn pooled_url(program: &Program, url: &str) -> String {
    let (_, name) = url.rsplit_once('/').expect("an address with a database");
    format!("postgres://postgres@127.0.0.1:{}/{name}", program.port)
}

#[test]
fn instances_share_work_sessions_and_limits_through_a_pooler() {
    let Some(pooler) = start("transaction") else { return };
    let url = |of: &str| pooled_url(&pooler, &server::new_url(Engine::Postgres, of));
    background_work_once(&url("pooled_once"));
    forms_and_keys(&url("pooled_forms"));
    failed_sign_ins_together(&url("pooled_throttle"));
}

#[test]
fn a_migration_through_a_pooler_is_refused() {
    let Some(pooler) = start("transaction") else { return };
    let url = server::new_url(Engine::Postgres, "pooled_migration");
    let refused = ["transaction mode", "`dz.migrations_url`"];
    check_output_of("upgrade::child_after", &pooled_url(&pooler, &url), "migrate", false, &refused);
    check_output_of("upgrade::child_after", &url, "migrate", true, &["applied"]);
}

#[test]
fn a_pooler_that_keeps_sessions_excludes_nothing() {
    let Some(pooler) = start("session") else { return };
    let url = pooled_url(&pooler, &server::new_url(Engine::Postgres, "pooled_sessions"));
    check_output_of("upgrade::child_after", &url, "migrate", true, &["applied"]);
}
