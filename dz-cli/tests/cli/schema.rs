//! `dz schema inspect`: the GraphQL schema of a declaration.

use dz_dsl_file::{SourceMap, analyse, emit::graphql};

use crate::folder::{Folder, out, says};

const NEWS: &str = "app paper \"Paper\"\n\npersona editor \"Editor\"\n\nentity News \"News\":\n  id: uuid pk\n  head_line: str(80) required\n  copies: int(64)\n  \
                    price: money(EUR)\n  writer: ref User required\n  state: enum[draft, \"in print\", \"2nd\"] = draft\n  made: datetime auto_add\n  \
                    transitions:\n    draft -> \"in print\"\n  permit:\n    read: true\n    update: role(editor)\n";

#[test]
fn the_schema_is_printed_as_definitions_and_as_a_summary() {
    let folder = Folder::new("schema", &[("app.dsl", NEWS)]);
    let model = analyse(SourceMap::single("app.dsl", NEWS)).model.expect("a model");
    let printed = out(&folder.dz(&["schema", "inspect", "--schema"]));
    assert_eq!(printed, graphql::schema(&model).sdl());
    for line in [
        "type News {",
        "  id: ID!",
        "  headLine: String!",
        "  copies: BigInt",
        "  price: Money",
        "  writer: User",
        "  state: NewsState!",
        "  in_print",
        "  _2nd",
        "  news(id: ID!): News",
        "  createNews(input: NewsInput!): News",
        "  updateNews(id: ID!, input: NewsInput!): News",
        "  deleteNews(id: ID!): Boolean",
        "  transitionNews(id: ID!, to: NewsState!, input: NewsInput): News",
        "scalar BigInt",
        "type User {",
    ] {
        assert!(printed.lines().any(|it| it == line), "`{line}` is not in:\n{printed}");
    }
    assert!(printed.lines().any(|line| line.starts_with("  newsList(id: ID, headLine: String, copies: BigInt")), "{printed}");
    // Keys and automatic values are not input.
    let input = printed.split("input NewsInput {").nth(1).and_then(|rest| rest.split('}').next()).expect("an input type");
    assert!(
        input.contains("writer: ID") && input.contains("price: MoneyInput") && !input.contains("made") && !input.contains("id:"),
        "{input}"
    );

    let summary: serde_json::Value =
        serde_json::from_str(&out(&folder.dz(&["schema", "inspect", "--schema", "--format", "json"]))).expect("JSON");
    assert_eq!(summary, graphql::schema(&model).summary());
    for kind in ["entities", "queries", "mutations", "enums"] {
        assert_eq!(summary["stats"][kind].as_u64(), summary[kind].as_array().map(|all| all.len() as u64), "{kind}");
        assert!(summary[kind].as_array().is_some_and(|all| all.iter().all(|it| it["name"].is_string())), "{kind}");
    }
    assert_eq!(summary["stats"]["entities"], 2);
}

#[test]
fn a_wrong_declaration_has_no_schema() {
    let folder = Folder::new("schema-wrong", &[("app.dsl", &NEWS.replace("str(80)", "sting(80)"))]);
    let refused = folder.dz(&["schema", "inspect", "--schema"]);
    assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(1), ""));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("sting"), "{refused:?}");
    says(&folder.dz(&["schema", "inspect"]), 2, &[]);
}
