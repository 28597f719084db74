//! The statements that create the distributed tables in an empty database.

use super::{Cluster, Member, Placement, placement};
use crate::emit::schema::{
    Engine, Index, Table, names,
    sql::{add_reference, columns, create_index, create_table, literal, quoted},
};

/// The statements, in order.
pub(super) fn statements(members: &[Member<'_>], cluster: Cluster) -> Vec<String> {
    let mut all: Vec<String> = members.iter().map(|member| table(member, cluster)).collect();
    for (member, index) in members.iter().flat_map(|member| member.table.indexes.iter().map(move |index| (member, index))) {
        all.push(self::index(member, index, cluster));
    }
    if cluster == Cluster::Citus {
        all.extend(placements(members));
    }
    all.extend(members.iter().flat_map(|member| member.table.references.iter().map(|it| add_reference(&member.table, it))));
    let extras = members.iter().flat_map(|member| &member.table.extras).filter(|extra| extra.engine == Engine::Postgres);
    all.extend(extras.filter(|extra| !is_left_out(&extra.create, cluster)).map(|extra| extra.create.clone()));
    match cluster {
        Cluster::Citus | Cluster::YugabyteDb => all,
        // Texts are ordered by their bytes, which is the order of this collation.
        Cluster::CockroachDb => all.into_iter().map(|statement| statement.replace(" COLLATE \"C\"", "")).collect(),
    }
}

/// True for an object that the engine does not support.
pub(super) fn is_left_out(create: &str, cluster: Cluster) -> bool {
    cluster == Cluster::CockroachDb && create.starts_with("CREATE TRIGGER ") && create.contains("FOR EACH STATEMENT")
}

fn table(member: &Member<'_>, cluster: Cluster) -> String {
    let table = &member.table;
    let end = match (cluster, placement(member, cluster)) {
        // The other tables share the tablet of the database.
        (Cluster::YugabyteDb, Placement::Distributed) => " WITH (COLOCATION = false)",
        (Cluster::Citus | Cluster::YugabyteDb | Cluster::CockroachDb, _) => "",
    };
    let without_key = create_table(&Table { primary: Vec::new(), ..table.clone() }, Engine::Postgres);
    let body = without_key.strip_suffix("\n)").unwrap_or(&without_key);
    if table.primary.is_empty() {
        return format!("{body}\n){end}");
    }
    format!("{body},\n  PRIMARY KEY {}\n){end}", key(member, cluster))
}

/// The columns of the primary key. A number that counts up would put every new row at one place, so it is hashed.
fn key(member: &Member<'_>, cluster: Cluster) -> String {
    let names = &member.table.primary;
    match (cluster, member.tenant) {
        (Cluster::YugabyteDb, Some(tenant)) => {
            let rest: String = names.iter().filter(|name| *name != tenant).map(|name| format!(", {} ASC", quoted(name))).collect();
            format!("(({}) HASH{rest})", quoted(tenant))
        }
        (Cluster::CockroachDb, None) if names.iter().any(|name| member.table.column(name).is_some_and(|it| it.counted)) => {
            format!("({}) USING HASH", columns(names))
        }
        (Cluster::Citus | Cluster::YugabyteDb | Cluster::CockroachDb, _) => format!("({})", columns(names)),
    }
}

/// An index; on YugabyteDB the rows of a tenant are also together in the index.
fn index(member: &Member<'_>, index: &Index, cluster: Cluster) -> String {
    // Its name follows from the key that the table has on PostgreSQL, so that messages about it name the same field.
    let create = create_index(member.plain, index, Engine::Postgres);
    match (cluster, member.tenant) {
        (Cluster::YugabyteDb, Some(tenant)) => {
            let first = format!(" ({}", quoted(tenant));
            create.replacen(&first, &format!(" (({}) HASH", quoted(tenant)), 1)
        }
        (Cluster::Citus | Cluster::YugabyteDb | Cluster::CockroachDb, _) => create,
    }
}

/// The calls of Citus: reference tables first, because distributed tables refer to them. All distributed tables are co-located.
fn placements(members: &[Member<'_>]) -> Vec<String> {
    let name = |member: &Member<'_>| literal(&quoted(&member.table.name));
    let of = |wanted| members.iter().filter(move |member| placement(member, Cluster::Citus) == wanted);
    let mut all: Vec<String> = of(Placement::Reference).map(|member| format!("SELECT create_reference_table({})", name(member))).collect();
    let mut first: Option<String> = None;
    for member in of(Placement::Distributed) {
        let column = literal(&dz_vocabulary::column_of_field(member.tenant.unwrap_or_default()));
        let with = first.get_or_insert_with(|| "'none'".to_owned()).clone();
        all.push(format!("SELECT create_distributed_table({}, {column}, colocate_with => {with})", name(member)));
        if with == "'none'" {
            first = Some(name(member));
        }
    }
    all
}

/// The name of the primary key that PostgreSQL gives to it.
pub(super) fn key_name(table: &Table) -> String {
    names::key_index(&table.name)
}
