//! `dz schema distribute`

use std::{io::stdout, process::ExitCode};

use clap::Args;
use dz_dsl_file::emit::schema::distribute::{Cluster, Distribution, Finding, Placement, Support, distribute};

use crate::{
    output::{Shape, counted, fail, put},
    sources::Named,
};

/// Options of `dz schema distribute`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    named: Named,
    /// The engine of the cluster: citus, yugabytedb or cockroachdb
    #[arg(long)]
    engine: String,
    /// `human`: the statements, after a report in comments; `json`: both as data
    #[arg(long, value_enum, default_value = "human")]
    format: Shape,
}

/// Runs the command.
pub fn run(options: &Options) -> ExitCode {
    let cluster = match Cluster::from_word(&options.engine) {
        Ok(cluster) => cluster,
        Err(message) => return fail(message),
    };
    let model = match options.named.load_model() {
        Ok(model) => model,
        Err(code) => return code,
    };
    let distribution = match distribute(&model, cluster) {
        Ok(distribution) => distribution,
        Err(message) => return fail(message),
    };
    let text = match options.format {
        Shape::Human => human(&distribution),
        Shape::Json => match serde_json::to_string_pretty(&distribution) {
            Ok(text) => text + "\n",
            Err(error) => return fail(format!("the statements cannot be written: {error}")),
        },
    };
    put(stdout(), &text);
    ExitCode::SUCCESS
}

/// The report in comments, and the statements.
fn human(distribution: &Distribution) -> String {
    let title = distribution.engine.title();
    let mut text = format!("-- The tables of the application, distributed by tenant, for an empty database of {title}.\n--\n");
    for (placement, what) in [
        (Placement::Distributed, "distributed by tenant"),
        (Placement::Reference, "complete on every node"),
        (Placement::Together, "not distributed"),
    ] {
        let tables = distribution.tables.iter().filter(|it| it.placement == placement);
        let names: Vec<String> =
            tables.map(|it| it.tenant.as_ref().map_or_else(|| it.table.clone(), |tenant| format!("{} ({tenant})", it.table))).collect();
        if !names.is_empty() {
            text.push_str(&format!("-- {what}: {}\n", names.join(", ")));
        }
    }
    let found = &distribution.unsupported;
    text.push_str(&format!("--\n-- {title} does not support {}, or not completely:\n", counted(found.len(), "construct")));
    text.extend(found.iter().map(comment));
    text.push('\n');
    text.extend(distribution.statements.iter().map(|statement| format!("{statement};\n")));
    text
}

fn comment(finding: &Finding) -> String {
    let support = match finding.support {
        Support::None => "not supported",
        Support::Limited => "limited",
    };
    format!(
        "--\n-- * {} ({support}): {}\n--   {}\n--   {}\n--   {}\n",
        finding.construct,
        finding.used_by.join(", "),
        finding.reason,
        finding.instead,
        finding.source
    )
}
