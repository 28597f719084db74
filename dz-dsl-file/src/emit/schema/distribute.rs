//! The schema distributed by tenant over the nodes of a cluster, and the constructs that the engine of the cluster does not support.
//!
//! The rows of a tenant are on one node. Every key, unique index and reference of such a row therefore contains the tenant.

mod findings;
mod scripts;

use serde::Serialize;

use super::{Engine, Schema, Table};
use crate::{model::Model, spelling::nearest};

/// An engine that distributes tables over several nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cluster {
    /// PostgreSQL with the extension Citus.
    Citus,
    /// YugabyteDB, by its interface YSQL.
    YugabyteDb,
    /// CockroachDB.
    CockroachDb,
}

impl Cluster {
    /// All engines.
    pub const ALL: [Cluster; 3] = [Cluster::Citus, Cluster::YugabyteDb, Cluster::CockroachDb];

    /// Its word on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Cluster::Citus => "citus",
            Cluster::YugabyteDb => "yugabytedb",
            Cluster::CockroachDb => "cockroachdb",
        }
    }

    /// Its name.
    pub const fn title(self) -> &'static str {
        match self {
            Cluster::Citus => "Citus",
            Cluster::YugabyteDb => "YugabyteDB",
            Cluster::CockroachDb => "CockroachDB",
        }
    }

    /// The engine with this word.
    ///
    /// # Errors
    /// One sentence with the nearest word, or with all words.
    pub fn from_word(word: &str) -> Result<Cluster, String> {
        let words = || Cluster::ALL.iter().map(|it| it.as_str());
        if let Some(cluster) = Cluster::ALL.into_iter().find(|it| it.as_str() == word) {
            return Ok(cluster);
        }
        Err(match nearest(word, words()) {
            Some(near) => format!("there is no engine `{word}`; did you mean `{near}`?"),
            None => format!("there is no engine `{word}`; write `citus`, `yugabytedb` or `cockroachdb`"),
        })
    }
}

/// The place of the rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Placement {
    /// The rows of a tenant are together on one node.
    Distributed,
    /// Every node has all rows.
    Reference,
    /// One node, or one group of nodes, has all rows.
    Together,
}

/// A table in the cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Placed {
    /// Its name.
    pub table: String,
    /// The place of its rows.
    pub placement: Placement,
    /// The column by which its rows are distributed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The columns of its primary key.
    pub key: Vec<String>,
}

/// How far an engine supports a construct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Support {
    /// It is not supported.
    None,
    /// It is supported with a setting, from a version on, or in some statements.
    Limited,
}

/// A construct of the application that the engine does not support, or not completely.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The construct.
    pub construct: &'static str,
    /// How far it is supported.
    pub support: Support,
    /// The tables, constraints or parts of dz that use it.
    pub used_by: Vec<String>,
    /// What the engine does, as a sentence.
    pub reason: String,
    /// What the script or the operator does about it, as a sentence.
    pub instead: String,
    /// The page of the documentation of the engine.
    pub source: &'static str,
}

/// The schema for a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Distribution {
    /// The engine.
    pub engine: Cluster,
    /// The tables, those of entities first.
    pub tables: Vec<Placed>,
    /// The statements for an empty database, in order.
    pub statements: Vec<String>,
    /// What the engine does not support.
    pub unsupported: Vec<Finding>,
}

/// A table with the tenant column of its rows.
struct Member<'s> {
    /// As PostgreSQL would have it.
    plain: &'s Table,
    /// With the tenant in its keys, and without the references that the cluster cannot have.
    table: Table,
    tenant: Option<&'s str>,
}

/// The schema of a model, distributed by tenant.
///
/// # Errors
/// One sentence if the declaration has no tenants.
pub fn distribute(model: &Model, cluster: Cluster) -> Result<Distribution, String> {
    if model.tenant.is_none() {
        return Err("the declaration has no tenants, by which tables are distributed: declare the entity of the tenants with \
                    `archetype: tenant`"
            .to_owned());
    }
    let schema = Schema::from_model(model);
    let members = members(model, &schema);
    let placed = |member: &Member<'_>| Placed {
        table: member.table.name.clone(),
        placement: placement(member, cluster),
        tenant: member.tenant.map(str::to_owned),
        key: member.table.primary.clone(),
    };
    let mut statements = scripts::statements(&members, cluster);
    let fingerprint = schema.fingerprint(Engine::Postgres);
    statements.push(format!("INSERT INTO dz_meta (key, value) VALUES ('schema', '{fingerprint}')"));
    Ok(Distribution {
        engine: cluster,
        tables: members.iter().map(placed).collect(),
        statements,
        unsupported: findings::find(model, &members, cluster),
    })
}

/// The place of the rows of a table. Reference tables need the tables that refer to them on the same nodes, so only Citus has them.
fn placement(member: &Member<'_>, cluster: Cluster) -> Placement {
    match (member.tenant, cluster) {
        (Some(_), _) => Placement::Distributed,
        (None, Cluster::Citus) if member.plain.entity.is_some() => Placement::Reference,
        (None, Cluster::Citus | Cluster::YugabyteDb | Cluster::CockroachDb) => Placement::Together,
    }
}

/// Every table with the tenant of its rows. Only rows of entities have one in every row: the tenant of dz's own rows can be null.
fn members<'s>(model: &'s Model, schema: &'s Schema) -> Vec<Member<'s>> {
    let tenant_of = |table: &Table| {
        let entity = model.entities.iter().find(|it| Some(&it.name) == table.entity.as_ref())?;
        Some(entity.fields[entity.tenant?.0].name.as_str())
    };
    let mut members = Vec::new();
    for plain in &schema.tables {
        let tenant = tenant_of(plain);
        let mut table = plain.clone();
        if let Some(tenant) = tenant
            && !table.primary.iter().any(|column| column == tenant)
        {
            table.primary.insert(0, tenant.to_owned());
            // The key replaces the unique index of the same columns.
            table.indexes.retain(|index| !(index.unique && index.rows.is_none() && has_columns(index, &table.primary)));
        }
        table.references.retain(|reference| is_kept(schema, &tenant_of, tenant, reference));
        members.push(Member { plain, table, tenant });
    }
    members
}

fn has_columns(index: &super::Index, columns: &[String]) -> bool {
    index.parts.len() == columns.len() && index.parts.iter().zip(columns).all(|(part, column)| part.column == *column)
}

/// False for a reference to a row of a tenant that does not contain the tenant.
fn is_kept<'s>(
    schema: &'s Schema,
    tenant_of: &dyn Fn(&Table) -> Option<&'s str>,
    tenant: Option<&str>,
    reference: &super::Reference,
) -> bool {
    let Some(of_target) = schema.table(&reference.table).and_then(tenant_of) else { return true };
    let mut pairs = reference.columns.iter().zip(&reference.targets);
    pairs.any(|(column, target)| target == of_target && Some(column.as_str()) == tenant)
}
