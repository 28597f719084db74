//! What each engine does not support of the schema and of the statements of dz, each with the page of the engine's documentation.

use super::{Cluster, Finding, Member, Support, scripts};
use crate::{
    emit::schema::{Engine, names, tenant},
    model::{Entity, Model},
};

const CITUS_DDL: &str = "https://docs.citusdata.com/en/stable/develop/reference_ddl.html";
const CITUS_SQL: &str = "https://docs.citusdata.com/en/stable/develop/reference_workarounds.html";
const CITUS_TRIGGERS: &str = "https://docs.citusdata.com/en/stable/extra/triggers.html";
const CITUS_POLICIES: &str = "https://learn.microsoft.com/en-us/azure/cosmos-db/postgresql/concepts-row-level-security";
const YUGABYTE_COMPATIBILITY: &str = "https://docs.yugabyte.com/latest/explore/ysql-language-features/postgresql-compatibility/";
const YUGABYTE_LOCKS: &str = "https://docs.yugabyte.com/stable/explore/transactions/explicit-locking/";
const YUGABYTE_NOTICES: &str = "https://docs.yugabyte.com/stable/api/ysql/the-sql-language/statements/cmd_listen_notify/";
const YUGABYTE_CONFLICTS: &str = "https://docs.yugabyte.com/stable/architecture/transactions/concurrency-control/";
const YUGABYTE_KEYS: &str = "https://docs.yugabyte.com/stable/explore/ysql-language-features/indexes-constraints/primary-key-ysql/";
const YUGABYTE_COLOCATION: &str = "https://docs.yugabyte.com/stable/additional-features/colocation/";
const COCKROACH_COMPATIBILITY: &str = "https://www.cockroachlabs.com/docs/stable/postgresql-compatibility";
const COCKROACH_LIMITS: &str = "https://www.cockroachlabs.com/docs/stable/known-limitations";
const COCKROACH_POLICIES: &str = "https://www.cockroachlabs.com/docs/stable/row-level-security";
const COCKROACH_HASH: &str = "https://www.cockroachlabs.com/docs/stable/hash-sharded-indexes";
const COCKROACH_KEYS: &str = "https://www.cockroachlabs.com/docs/stable/alter-primary-key";

/// The findings, those without any support first.
pub(super) fn find(model: &Model, members: &[Member<'_>], cluster: Cluster) -> Vec<Finding> {
    let mut all = Vec::new();
    all.extend(keys(members, cluster));
    all.extend(unique_without_tenant(members, cluster));
    all.extend(lost_references(members, cluster));
    all.extend(triggers(members, cluster));
    all.extend(match cluster {
        Cluster::Citus => citus(model, members),
        Cluster::YugabyteDb => yugabytedb(members),
        Cluster::CockroachDb => cockroachdb(members),
    });
    all.sort_by_key(|finding| finding.support == Support::Limited);
    all
}

fn distributed<'m, 's>(members: &'m [Member<'s>]) -> impl Iterator<Item = &'m Member<'s>> {
    members.iter().filter(|member| member.tenant.is_some())
}

/// The names of the tables with such a member.
fn tables<'s>(members: &[Member<'s>], fits: impl Fn(&Member<'s>) -> bool) -> Vec<String> {
    members.iter().filter(|member| fits(member)).map(|member| member.plain.name.clone()).collect()
}

/// A finding, if anything uses the construct.
fn finding(
    construct: &'static str,
    support: Support,
    used_by: Vec<String>,
    reason: impl Into<String>,
    instead: impl Into<String>,
    source: &'static str,
) -> Option<Finding> {
    let some = !used_by.is_empty();
    some.then(|| Finding { construct, support, used_by, reason: reason.into(), instead: instead.into(), source })
}

/// Keys that identified a row alone, and do so only together with the tenant.
fn keys(members: &[Member<'_>], cluster: Cluster) -> Option<Finding> {
    let used = distributed(members).filter(|it| it.table.primary != it.plain.primary).map(|it| scripts::key_name(it.plain)).collect();
    let title = cluster.title();
    let (reason, source) = match cluster {
        Cluster::Citus => ("A primary key contains the column by which the table is distributed.".to_owned(), CITUS_DDL),
        Cluster::YugabyteDb => (format!("{title} distributes rows by the primary key."), YUGABYTE_KEYS),
        Cluster::CockroachDb => (format!("{title} stores rows in the order of the primary key."), COCKROACH_KEYS),
    };
    let instead = "The script puts the tenant first in these keys; the database no longer checks that a key is unique over all tenants. \
                   Keys of the type `uuid`, and numbers that count up, are unique in any case.";
    finding("primary key without the tenant", Support::None, used, reason, instead, source)
}

/// Unique indexes of distributed tables that do not contain the tenant.
fn unique_without_tenant(members: &[Member<'_>], cluster: Cluster) -> Option<Finding> {
    let mut used = Vec::new();
    for member in distributed(members) {
        let lacks =
            |index: &&super::super::Index| index.unique && !index.parts.iter().any(|part| Some(part.column.as_str()) == member.tenant);
        used.extend(member.table.indexes.iter().filter(lacks).map(|index| names::index_name(member.plain, index)));
    }
    match cluster {
        Cluster::Citus => finding(
            "unique index without the tenant",
            Support::None,
            used,
            "A unique index contains the column by which the table is distributed.",
            "Remove these indexes from the script, or add the tenant to them.",
            CITUS_DDL,
        ),
        // Their indexes are tables of their own, so that a unique index can have any columns.
        Cluster::YugabyteDb | Cluster::CockroachDb => None,
    }
}

/// Foreign keys to rows of tenants from rows that belong to no tenant.
fn lost_references(members: &[Member<'_>], cluster: Cluster) -> Option<Finding> {
    let mut used = Vec::new();
    for member in members {
        let lost = member.plain.references.iter().filter(|it| !member.table.references.contains(it));
        used.extend(lost.map(|reference| names::reference_name(member.plain, reference)));
    }
    let source = match cluster {
        Cluster::Citus => CITUS_DDL,
        Cluster::YugabyteDb => YUGABYTE_KEYS,
        Cluster::CockroachDb => COCKROACH_KEYS,
    };
    finding(
        "foreign key to a distributed table without the tenant",
        Support::None,
        used,
        "The key of the referenced rows contains the tenant, which these rows do not have.",
        "The script leaves these foreign keys out; dz checks references in its own statements.",
        source,
    )
}

fn triggers(members: &[Member<'_>], cluster: Cluster) -> Option<Finding> {
    let is_trigger = |create: &str| create.starts_with("CREATE TRIGGER ");
    let has = |member: &Member<'_>, fits: &dyn Fn(&str) -> bool| {
        member.table.extras.iter().any(|extra| extra.engine == Engine::Postgres && is_trigger(&extra.create) && fits(&extra.create))
    };
    match cluster {
        Cluster::Citus => finding(
            "triggers of distributed tables",
            Support::None,
            tables(members, |it| it.tenant.is_some() && has(it, &|_| true)),
            "A distributed table has no triggers.",
            "Create these triggers on the shards, as the page describes.",
            CITUS_TRIGGERS,
        ),
        Cluster::CockroachDb => finding(
            "triggers for statements",
            Support::None,
            tables(members, |it| has(it, &|create| scripts::is_left_out(create, cluster))),
            "There are triggers for rows, and none for statements such as TRUNCATE.",
            "The script leaves the trigger out that refuses TRUNCATE of the audit log: give the role of the application no right to TRUNCATE.",
            COCKROACH_LIMITS,
        ),
        Cluster::YugabyteDb => None,
    }
}

/// Tables with row-level security.
fn fenced(members: &[Member<'_>]) -> Vec<String> {
    tables(members, |it| it.table.extras.iter().any(tenant::is_policy))
}

/// Distributed tables with a key that counts up.
fn counted(members: &[Member<'_>]) -> Vec<String> {
    tables(members, |it| it.tenant.is_some() && it.table.columns.iter().any(|column| column.counted))
}

fn part(text: &str) -> Vec<String> {
    vec![text.to_owned()]
}

fn citus(model: &Model, members: &[Member<'_>]) -> Vec<Finding> {
    let names = |fits: &dyn Fn(&Entity) -> bool| model.entities.iter().filter(|it| fits(it)).map(|it| it.table.clone()).collect();
    let timed = tables(members, |it| it.tenant.is_some() && !it.table.timers.is_empty());
    let mut all = Vec::new();
    all.extend(finding(
        "subqueries in INSERT",
        Support::None,
        tables(members, |it| it.tenant.is_some()),
        "An INSERT into a distributed table has no subqueries.",
        "dz writes rules and references as conditions of the INSERT; they are subqueries if they concern other rows. Such rows cannot be \
         created through dz on Citus.",
        CITUS_SQL,
    ));
    all.extend(finding(
        "row-level security policies",
        Support::Limited,
        fenced(members),
        "Policies of distributed tables are documented for database roles. Those of dz read the setting `dz.tenant` of the transaction, \
         which the nodes of the shards must also have.",
        "Set `citus.propagate_set_commands` to `local`, and test that a caller sees the rows of one tenant. The tenant filter of each \
         statement does not depend on the policies.",
        CITUS_POLICIES,
    ));
    all.extend(finding(
        "FOR UPDATE SKIP LOCKED over several tenants",
        Support::None,
        timed,
        "SELECT … FOR UPDATE works on one shard, and timed transitions lock rows of all tenants.",
        "Change these states in a job for each tenant, or in a schedule of the application.",
        CITUS_SQL,
    ));
    all.extend(finding(
        "recursive queries over several tenants",
        Support::Limited,
        names(&|entity| entity.tenant.is_some() && entity.edge.is_some()),
        "WITH RECURSIVE works on one shard.",
        "The neighbourhood of a row stays in its tenant, and works. A system-wide `admin` without an active tenant has no graph.",
        CITUS_SQL,
    ));
    all.extend(finding(
        "identity columns",
        Support::Limited,
        counted(members),
        "Each node takes numbers of a range of its own.",
        "The numbers are unique, and do not show the order in which rows were created.",
        CITUS_SQL,
    ));
    all
}

fn yugabytedb(members: &[Member<'_>]) -> Vec<Finding> {
    let together = tables(members, |it| it.tenant.is_none());
    let mut all = Vec::new();
    all.extend(finding(
        "LISTEN and NOTIFY",
        Support::Limited,
        part("notices between instances"),
        "They are available from version 2025.2.3.",
        "Without them an instance finds the events, jobs and changes of the others at its next poll.",
        YUGABYTE_NOTICES,
    ));
    all.extend(finding(
        "advisory locks",
        Support::Limited,
        ["migrations", "starts of processes", "clean-up of idempotency keys"].map(str::to_owned).to_vec(),
        "They are available from version 2.25.1, and need the flags of advisory locks.",
        "Set these flags on every node before the application starts.",
        YUGABYTE_LOCKS,
    ));
    all.extend(finding(
        "READ COMMITTED and SKIP LOCKED",
        Support::Limited,
        part("jobs, events, timed transitions"),
        "With another isolation level a transaction that conflicts with another one fails, and row locks with SKIP LOCKED differ.",
        "Set `yb_enable_read_committed_isolation` to true on every node.",
        YUGABYTE_CONFLICTS,
    ));
    all.extend(finding(
        "BEFORE triggers of partitioned tables",
        Support::None,
        part("dz_audit_log"),
        "A partitioned table has no BEFORE triggers for rows, and the audit log has one.",
        "The script creates the table without partitions. Do not divide it.",
        YUGABYTE_COMPATIBILITY,
    ));
    all.extend(finding(
        "tables without tenants in one tablet",
        Support::Limited,
        together,
        "A table without a tenant shares the tablet of a colocated database.",
        "Create the database with `CREATE DATABASE … WITH COLOCATION = true`.",
        YUGABYTE_COLOCATION,
    ));
    all
}

fn cockroachdb(members: &[Member<'_>]) -> Vec<Finding> {
    let hashed = tables(members, |it| it.tenant.is_none() && it.table.columns.iter().any(|column| column.counted));
    let mut all = Vec::new();
    all.extend(finding(
        "LISTEN and NOTIFY",
        Support::None,
        part("notices between instances"),
        "Events of PostgreSQL are not supported.",
        "An instance finds the events, jobs and changes of the others at its next poll.",
        COCKROACH_COMPATIBILITY,
    ));
    all.extend(finding(
        "advisory locks",
        Support::None,
        ["migrations", "starts of processes", "clean-up of idempotency keys"].map(str::to_owned).to_vec(),
        "Some functions are not supported, and some do nothing.",
        "Run `migrate` on one instance while no other one starts. `overlap` of processes is not safe with several instances.",
        COCKROACH_COMPATIBILITY,
    ));
    all.extend(finding(
        "SELECT … FOR UPDATE",
        Support::Limited,
        part("jobs, events, timed transitions"),
        "With the isolation level SERIALIZABLE, locks can be lost, and a transaction can fail with the code 40001.",
        "Set `default_transaction_isolation` of the role to `read committed`.",
        COCKROACH_LIMITS,
    ));
    all.extend(finding(
        "functions of collated texts",
        Support::Limited,
        part("the order of lists and the search"),
        "Many functions do not accept texts with a collation, and statements of dz use `COLLATE \"C\"`.",
        "The script leaves collations out. Test the lists and the search of the application.",
        COCKROACH_LIMITS,
    ));
    all.extend(finding(
        "row-level security policies",
        Support::Limited,
        fenced(members),
        "They are available from version 25.2.",
        "Remove the policies from the script for an older version. The tenant filter of each statement does not depend on them.",
        COCKROACH_POLICIES,
    ));
    all.extend(finding(
        "keys that count up",
        Support::Limited,
        hashed,
        "New rows with a number that counts up are stored at one place.",
        "The script creates these keys with USING HASH.",
        COCKROACH_HASH,
    ));
    all
}
