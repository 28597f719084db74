//! Rows that are created with the rows that belong to them, relations without `limit`, and declared names of added types.

use dz::serde_json::{Value, json};

use super::{data, first_error};
use crate::client::Client;

dz::dz! {
    app bakery "Bakery"

    persona baker "Baker"
    persona helper "Helper"

    entity User "Person":
      id: uuid pk
      name: str(60) required
      permit:
        list: true
        read: true

    entity Recipe "Recipe":
      id: uuid pk
      name: str(40) required unique
      secret: bool = false
      steps: has_many Step cascade
      cover: has_one Cover
      oven_marks: has_many OvenMark cascade
      step_count: computed count(steps)
      permit:
        list: role(baker) or secret = false
        read: role(baker) or secret = false
        create: role(baker, helper)
        update: role(baker)
        delete: role(baker)

    entity Step "Step":
      id: uuid pk
      recipe: belongs_to Recipe required
      text_of_step: str(40) required
      minutes: int = 5
      invariant: minutes > 0
        message: "A step takes time"
        code: STEP_WITHOUT_TIME
      permit:
        list: true
        read: true
        create: role(baker, helper)
        delete: role(baker)

    entity Cover "Cover":
      id: uuid pk
      recipe: ref Recipe required cascade unique
      caption: str(40)
      permit:
        list: true
        read: true
        create: role(baker)

    entity OvenMark "Mark":
      code: str(8) pk
      recipe: ref Recipe required
      permit:
        list: true
        read: true
        create: role(baker)

    entity RecipeFilter "Filter":
      id: uuid pk
      name: str(20)
      permit:
        list: true
        read: true
        create: role(baker)

    demo:
      User:
        - name: "Bea", email: "bea@bakery.example", password: "fold the dough", roles: [baker]
        - name: "Hal", email: "hal@bakery.example", password: "sift the flour", roles: [helper]
}

const BAKER: (&str, &str) = ("bea@bakery.example", "fold the dough");
const HELPER: (&str, &str) = ("hal@bakery.example", "sift the flour");

crate::served_on_both! {
    "bakery", app();
    a_row_is_created_with_the_rows_that_belong_to_it;
    the_rules_of_each_row_hold;
    loaded_values_are_counted_and_not_the_limits_of_relations;
    a_declared_name_takes_precedence;
}

const CREATE: &str = "mutation C($input: RecipeInput!, $children: RecipeChildren!) {
    createRecipeWithChildren(input: $input, children: $children) {
        id stepCount steps { textOfStep minutes recipe { id } } cover { caption }
    }
}";

fn with(name: &str, children: Value) -> Value {
    json!({ "input": { "name": name }, "children": children })
}

fn recipes_named(client: &Client, name: &str) -> Value {
    data(client, "query Q($name: String) { recipes(name: $name) { id steps { id } } }", &json!({ "name": name }))["recipes"].clone()
}

fn a_row_is_created_with_the_rows_that_belong_to_it(base: &str) {
    let baker = Client::signed_in(base, BAKER);
    let steps = json!([{ "textOfStep": "Knead", "minutes": 12 }, { "textOfStep": "Rest" }]);
    let created = data(&baker, CREATE, &with("Rye", json!({ "steps": steps, "cover": { "caption": "A loaf" } })));
    let created = &created["createRecipeWithChildren"];
    let mut minutes: Vec<i64> = created["steps"].as_array().expect("rows").iter().filter_map(|step| step["minutes"].as_i64()).collect();
    minutes.sort_unstable();
    assert_eq!((minutes, &created["stepCount"], &created["cover"]["caption"]), (vec![5, 12], &json!(2), &json!("A loaf")), "{created}");
    assert!(created["steps"].as_array().expect("rows").iter().all(|step| step["recipe"]["id"] == created["id"]), "{created}");
    // Without rows it is a create.
    assert_eq!(data(&baker, CREATE, &with("Plain", json!({})))["createRecipeWithChildren"]["stepCount"], 0);
    // A refused row refuses all, and has its position.
    for (wrong, code, field) in [
        (json!({ "minutes": 1 }), "VALIDATION", "steps.1.textOfStep"),
        (json!({ "textOfStep": "x".repeat(41) }), "VALIDATION", "steps.1.textOfStep"),
        (json!({ "textOfStep": "Bake", "minutes": 0 }), "STEP_WITHOUT_TIME", "steps.1.minutes"),
    ] {
        let error = first_error(&baker, CREATE, &with("Spelt", json!({ "steps": [{ "textOfStep": "Knead" }, wrong] })));
        assert_eq!((&error["extensions"]["code"], &error["extensions"]["statusCode"]), (&json!(code), &json!(422)), "{error}");
        assert!(error["extensions"]["fieldErrors"][field].is_array(), "{field}: {error}");
        assert_eq!(recipes_named(&baker, "Spelt"), json!([]));
    }
    let many: Vec<Value> = (0..1_001).map(|at| json!({ "textOfStep": format!("Step {at}") })).collect();
    let error = first_error(&baker, CREATE, &with("Spelt", json!({ "steps": many })));
    assert!(error["extensions"]["fieldErrors"]["children"].is_array(), "{error}");
    // The rows of all fields count together, because one variable can be used by each of them.
    let both = "mutation M($input: RecipeInput!, $children: RecipeChildren!) { a: createRecipeWithChildren(input: $input, children: $children) { id } \
                b: createRecipeWithChildren(input: $input, children: $children) { id } }";
    let error = first_error(&baker, both, &with("Spelt", json!({ "steps": many[..501] })));
    assert!(error["extensions"]["fieldErrors"]["children"].is_array(), "{error}");
    assert_eq!(recipes_named(&baker, "Spelt"), json!([]));
    // Rows whose keys users choose are not part of it.
    let error = first_error(&baker, CREATE, &with("Spelt", json!({ "ovenMarks": [{ "code": "x" }] })));
    assert_eq!(error["extensions"]["code"], "GRAPHQL_VALIDATION", "{error}");
}

fn the_rules_of_each_row_hold(base: &str) {
    let (baker, helper) = (Client::signed_in(base, BAKER), Client::signed_in(base, HELPER));
    let error = first_error(&helper, CREATE, &with("Oats", json!({ "cover": { "caption": "No" } })));
    assert_eq!(error["extensions"]["code"], "FORBIDDEN", "{error}");
    assert_eq!(recipes_named(&baker, "Oats"), json!([]));
    let query = "mutation C($children: RecipeChildren!) {
        createRecipeWithChildren(input: { name: \"Hidden\", secret: true }, children: $children) { id }
    }";
    // A helper cannot refer to a row that only bakers read.
    let error = first_error(&helper, query, &json!({ "children": { "steps": [{ "textOfStep": "Knead" }] } }));
    assert_eq!(error["extensions"]["code"], "REFERENCE", "{error}");
    assert_eq!(recipes_named(&baker, "Hidden"), json!([]));
    let created = data(&helper, query, &json!({ "children": {} }));
    assert_eq!(created["createRecipeWithChildren"], Value::Null, "the row is not visible to its creator");
    assert_eq!(recipes_named(&baker, "Hidden").as_array().map(Vec::len), Some(1));
}

fn loaded_values_are_counted_and_not_the_limits_of_relations(base: &str) {
    let baker = Client::signed_in(base, BAKER);
    let steps: Vec<Value> = (0..100).map(|at| json!({ "textOfStep": format!("Step {at}") })).collect();
    data(&baker, CREATE, &with("Long", json!({ "steps": steps })));
    let nested = "{ recipes { steps { recipe { steps { recipe { name } } } } } }";
    let found = data(&baker, nested.replace("recipes {", "recipes(name: \"Long\", limit: 1) {").as_str(), &json!({}));
    assert_eq!(found["recipes"][0]["steps"].as_array().map(Vec::len), Some(100));
    let fields: Vec<String> = (0..2_600).map(|at| format!("a{at}: id")).collect();
    let query = |limit: &str| format!("{{ recipes(name: \"Long\", limit: 1) {{ steps{limit} {{ {} }} }} }}", fields.join(" "));
    let error = first_error(&baker, &query(""), &json!({}));
    assert!(error["message"].as_str().is_some_and(|text| text.contains("loads more than 250000 values")), "{error}");
    assert_eq!(error["extensions"]["code"], "TOO_COMPLEX");
    data(&baker, &query("(limit: 10)"), &json!({}));
}

fn a_declared_name_takes_precedence(base: &str) {
    let baker = Client::signed_in(base, BAKER);
    let query = "mutation { createRecipeFilter(input: { name: \"Sweet\" }) { name } }";
    assert_eq!(data(&baker, query, &json!({}))["createRecipeFilter"]["name"], "Sweet");
    let query = "query Q($filter: RecipeRowFilter) { recipes(filter: $filter, limit: 1) { id } recipeFilters(filter: { name: { eq: \"Sweet\" } }) { name } }";
    let found = data(&baker, query, &json!({ "filter": { "name": { "contains": "nothing" } } }));
    assert_eq!((&found["recipes"], &found["recipeFilters"][0]["name"]), (&json!([]), &json!("Sweet")));
}
