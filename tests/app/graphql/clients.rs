//! Clients and tools from the npm registry use the example. Without their packages the tests say so and end.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use dz::serde_json::{self, Value, json};

use crate::{
    client::{Client, MANAGER},
    server,
};

/// A folder with the packages, the address of the application, and a session of a manager.
struct Workspace {
    folder: PathBuf,
    url: String,
    cookie: String,
}

/// `None` if the packages cannot be installed.
fn install(name: &str, packages: &[&str]) -> Option<Workspace> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let install = ["install", "--no-audit", "--no-fund", "--silent", "--prefix"];
    let done = Command::new("npm").args(install).arg(&folder).args(packages).output();
    if !done.is_ok_and(|done| done.status.success()) {
        eprintln!("SKIPPED: {packages:?} could not be installed from npm");
        return None;
    }
    let base = server::sqlite();
    let cookie = Client::signed_in(base, MANAGER).cookie.expect("a session");
    Some(Workspace { folder, url: format!("{base}/graphql"), cookie })
}

impl Workspace {
    /// Runs a program in the folder; returns what it prints.
    #[track_caller]
    fn run(&self, program: &str, words: &[&str]) -> String {
        let done = Command::new(program).args(words).current_dir(&self.folder).output().expect("the program runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(done.status.success(), "{program} {words:?}: {}{}", text(&done.stdout), text(&done.stderr));
        text(&done.stdout)
    }

    /// Runs a script with the address and the session; returns the JSON that it prints.
    #[track_caller]
    fn script(&self, script: &str) -> Value {
        fs::write(self.folder.join("script.mjs"), script).expect("a file");
        serde_json::from_str(&self.run("node", &["script.mjs", &self.url, &self.cookie])).expect("JSON")
    }
}

const AUDIT: &str = r#"
import { auditServer } from "graphql-http";
const [url, cookie] = process.argv.slice(2);
const fetchFn = (address, init) => fetch(address, { ...init, headers: { ...init?.headers, cookie, "sec-fetch-site": "same-origin" } });
const results = await auditServer({ url, fetchFn });
const names = (status) => results.filter((it) => it.status === status).map((it) => `${it.name}: ${it.reason ?? ""}`);
console.log(JSON.stringify({ ok: names("ok").length, warn: names("warn"), error: names("error"), notice: names("notice") }));
"#;

/// The audit suite of GraphQL over HTTP.
#[test]
fn the_audits_of_graphql_over_http_pass() {
    let Some(workspace) = install("graphql-http", &["graphql-http@1", "graphql@16"]) else { return };
    let found = workspace.script(AUDIT);
    assert_eq!((&found["error"], &found["warn"]), (&json!([]), &json!([])), "{found:#}");
    assert!(found["ok"].as_u64().is_some_and(|count| count > 50), "{found:#}");
}

const CLIENTS: &str = r#"
import { createClient, fetchExchange } from "@urql/core";
import { GraphQLClient, gql } from "graphql-request";
const [url, cookie] = process.argv.slice(2);
const headers = { cookie, "sec-fetch-site": "same-origin" };
const open = (preferGetMethod) => createClient({ url, exchanges: [fetchExchange], preferGetMethod, fetchOptions: { headers } });
const urql = open(false);
const request = new GraphQLClient(url, { headers });
const list = gql`query List($first: Int!, $after: String) { tasksConnection(first: $first, after: $after, sort: "title") {
  totalCount pageInfo { hasNextPage endCursor } nodes { id title } } }`;
const first = (await urql.query(list, { first: 3 }).toPromise()).data.tasksConnection;
const second = (await request.request(list, { first: 3, after: first.pageInfo.endCursor })).tasksConnection;
const create = "mutation Create($input: TaskInput!) { createTask(input: $input) { id } }";
const refused = (await urql.mutation(create, { input: {} }).toPromise()).error.graphQLErrors[0].extensions;
let thrown;
try { await request.request(create, { input: {} }); } catch (error) { thrown = error.response.errors[0].extensions; }
const got = (await open("force").query("{ tasks(limit: 1) { __typename } }", {}).toPromise()).data.tasks[0].__typename;
const live = createClient({ url, exchanges: [fetchExchange], fetchSubscriptions: true, fetchOptions: { headers } });
const [{ id: project }] = (await request.request("{ projects(limit: 1) { id } }")).projects;
// The stream may begin after the first changes.
const change = setInterval(() => urql.mutation(create, { input: { title: "Check the tide gauge", project } }).toPromise(), 250);
const event = await new Promise((arrived) => {
  const stream = live.subscription("subscription { taskChanged(filter: { title: { eq: \"Check the tide gauge\" } }) { kind node { title } } }", {});
  const { unsubscribe } = stream.subscribe((it) => { clearInterval(change); unsubscribe(); arrived(it.error?.message ?? it.data.taskChanged); });
});
const ids = [...first.nodes, ...second.nodes].map((it) => it.id);
console.log(JSON.stringify({ total: first.totalCount, ids, refused, thrown, got, event }));
process.exit(0);
"#;

#[test]
fn urql_and_graphql_request_read_pages_and_errors() {
    let Some(workspace) = install("graphql-clients", &["@urql/core@5", "graphql-request@7", "graphql@16"]) else { return };
    let found = workspace.script(CLIENTS);
    let mut ids: Vec<&Value> = found["ids"].as_array().expect("ids").iter().collect();
    ids.dedup();
    assert_eq!((ids.len(), found["total"].as_u64().is_some_and(|total| total > 6)), (6, true), "{found}");
    for error in [&found["refused"], &found["thrown"]] {
        assert_eq!((&error["code"], &error["fieldErrors"]["title"]), (&json!("VALIDATION"), &json!(["is required"])), "{found}");
    }
    assert_eq!(found["got"], "Task");
    assert_eq!(found["event"], json!({ "kind": "created", "node": { "title": "Check the tide gauge" } }), "{found}");
}

const CONFIGURATION: &str = r#"
import type { CodegenConfig } from "@graphql-codegen/cli";
const headers = { Cookie: process.env.DZ_COOKIE!, "Sec-Fetch-Site": "same-origin" };
const config: CodegenConfig = {
  schema: [{ [process.env.DZ_URL!]: { headers } }],
  documents: ["documents.graphql"],
  generates: { "typed.ts": { plugins: ["typescript", "typescript-operations"], config: { strictScalars: true, scalars: {
    BigInt: "number", Date: "string", DateTime: "string", Decimal: "string", JSON: "unknown", UUID: "string" } } } },
};
export default config;
"#;

const DOCUMENTS: &str =
    "query Open($status: TaskStatus, $limit: Int) { tasks(status: $status, limit: $limit) { id title due hours assignedTo { name } } }
mutation Rename($id: ID!, $input: TaskInput!) { updateTask(id: $id, input: $input) { id title } }
";

const TYPED: &str = r#"
import type { OpenQuery, OpenQueryVariables, RenameMutationVariables } from "./typed";
export const variables: OpenQueryVariables = { status: "doing" as OpenQueryVariables["status"], limit: 5 };
export const rename: RenameMutationVariables = { id: "1", input: { title: "New", hours: "1.50" } };
export const titles = (data: OpenQuery): string[] => data.tasks.map((task) => `${task.title} ${task.hours ?? "-"} ${task.assignedTo?.name ?? "nobody"}`);
// @ts-expect-error no field of this name is selected
export const wrong = (data: OpenQuery) => data.tasks[0].rate;
"#;

#[test]
fn the_code_generator_types_the_documents_of_a_client() {
    let packages = [
        "@graphql-codegen/cli@5",
        "@graphql-codegen/typescript@4",
        "@graphql-codegen/typescript-operations@4",
        "graphql@16",
        "typescript@5",
    ];
    let Some(workspace) = install("graphql-codegen", &packages) else { return };
    for (name, text) in [("codegen.ts", CONFIGURATION), ("documents.graphql", DOCUMENTS), ("use.ts", TYPED)] {
        fs::write(workspace.folder.join(name), text).expect("a file");
    }
    let generate = format!("DZ_URL='{}' DZ_COOKIE='{}' npx graphql-codegen --config codegen.ts", workspace.url, workspace.cookie);
    workspace.run("sh", &["-c", &generate]);
    workspace.run("npx", &["tsc", "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "use.ts"]);
}
