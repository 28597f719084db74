//! `dz add`

use std::fs;

use crate::folder::{Folder, out, says};

const SHOP: &str = "app shop \"Shop\"

persona clerk \"Clerk\"

# What we sell.
entity Product \"Product\":
  id:   uuid pk      # made by dz
  name: str(80) required
  price: decimal(10, 2) = 0

  permit:
    list: role(clerk)
    read: role(clerk)
  # The end of the products.

surface product_list \"Products\":
  uses entity Product
  mode: list
  ux:
    sort: name asc
";

/// What the text of a file has besides the lines that it had before, which must all be there in their order.
#[track_caller]
fn added(folder: &Folder, before: &str) -> String {
    let after = folder.read("app.dsl");
    let mut rest = before.lines().peekable();
    let lines: Vec<&str> = after.lines().filter(|line| rest.next_if_eq(line).is_none()).collect();
    assert_eq!(rest.next(), None, "{after}");
    lines.join("\n")
}

#[test]
fn an_entity_is_added_after_the_last_one() {
    let folder = Folder::new("add-entity", &[("app.dsl", SHOP)]);
    let args = ["add", "entity", "OrderLine", "product:ref Product required", "count:int=1", "--role", "clerk,admin"];
    says(&folder.dz(&args), 0, &["added the entity `OrderLine` to app.dsl"]);
    let text = "\
entity OrderLine \"Order line\":
  id: uuid pk
  product: ref Product required
  count: int = 1
  permit:
    list: role(clerk, admin)
    read: role(clerk, admin)
    create: role(clerk, admin)
    update: role(clerk, admin)
    delete: role(clerk, admin)
";
    assert_eq!(added(&folder, SHOP).trim(), text.trim());
    let after = folder.read("app.dsl");
    assert!(after.contains(&format!("  # The end of the products.\n\n{text}\nsurface product_list")), "{after}");
    says(&folder.dz(&["validate"]), 0, &["0 errors, 0 warnings"]);
    // Without `--role` only administrators have access; a declared key is kept.
    says(&folder.dz(&["add", "entity", "Country", "code: str(2) pk", "--title", "The \"country\""]), 0, &[]);
    let text = folder.read("app.dsl");
    assert!(text.contains("entity Country \"The \\\"country\\\"\":\n  code: str(2) pk\n  permit:\n    list: role(admin)\n"), "{text}");
}

#[test]
fn a_field_is_added_after_the_last_one_of_its_entity() {
    let folder = Folder::new("add-field", &[("app.dsl", SHOP)]);
    says(&folder.dz(&["add", "field", "Product", "weight:float"]), 0, &["added the field `weight` to app.dsl"]);
    assert_eq!(folder.read("app.dsl"), SHOP.replace("(10, 2) = 0\n", "(10, 2) = 0\n  weight: float\n"));
    says(&folder.dz(&["add", "field", "Prodct", "weight: float"]), 1, &["there is no entity `Prodct`"]);
    says(&folder.dz(&["add", "field", "Product", "weight: int"]), 1, &["duplicate-name", "app.dsl is not changed"]);
    says(&folder.dz(&["add", "field", "Product", "weight: int\nentity X:"]), 1, &["has several lines"]);
}

#[test]
fn surfaces_enums_and_roles_are_added() {
    let folder = Folder::new("add-others", &[("app.dsl", SHOP)]);
    says(&folder.dz(&["add", "surface", "product_edit", "--entity", "Product", "--mode", "edit"]), 0, &["surface `product_edit`"]);
    assert_eq!(added(&folder, SHOP).trim(), "surface product_edit \"Edit product\":\n  uses entity Product\n  mode: edit");
    says(&folder.dz(&["add", "surface", "all_products", "--entity", "Product", "--mode", "list", "--title", "All"]), 0, &[]);
    let text = folder.read("app.dsl");
    let list = "\nsurface all_products \"All\":\n  uses entity Product\n  mode: list\n  ux:\n    sort: name asc\n";
    assert!(text.ends_with(list), "{text}");
    says(&folder.dz(&["add", "enum", "Priority", "low", "very high", "--ordered"]), 0, &["enum `Priority`"]);
    let text = folder.read("app.dsl");
    assert!(text.ends_with("\n\nenum Priority ordered \"Priority\":\n  low\n  \"very high\"\n"), "{text}");
    says(&folder.dz(&["add", "role", "buyer", "--description", "Buys"]), 0, &["role `buyer`"]);
    says(&folder.dz(&["add", "persona", "guest"]), 0, &["role `guest`"]);
    let text = folder.read("app.dsl");
    let roles =
        "persona clerk \"Clerk\"\n\npersona buyer \"Buyer\":\n  description: \"Buys\"\n\npersona guest \"Guest\"\n\n# What we sell.\n";
    assert!(text.contains(roles), "{text}");
    says(&folder.dz(&["validate"]), 0, &["0 errors"]);
}

#[test]
fn what_would_not_validate_is_refused_and_changes_nothing() {
    let folder = Folder::new("add-refused", &[("app.dsl", SHOP)]);
    for (args, words) in [
        (&["entity", "Product"][..], &["duplicate-name"][..]),
        (&["entity", "Line", "product: ref Prduct"], &["unknown-entity", "did you mean `Product`?"]),
        (&["entity", "Line", "count: integr"], &["unknown-type"]),
        (&["entity", "Line", "count"], &["app.dsl is not changed"]),
        (&["entity", "order_line"], &["naming", "OrderLine"]),
        (&["entity", "Line", "--role", "clark"], &["unknown-role", "did you mean `clerk`?"]),
        (&["entity", "My Line"], &["`My Line` is not a name"]),
        (&["entity", "Line:\n  id: int"], &["is not a name"]),
        (&["entity", "Line", "a: str(5)\n  b: int"], &["has several lines"]),
        (&["surface", "product_list", "--entity", "Product", "--mode", "view"], &["duplicate-name"]),
        (&["surface", "lines", "--entity", "Line", "--mode", "list"], &["unknown-entity"]),
        (&["enum", "Size", "small", "small"], &["duplicate-name"]),
        (&["role", "clerk"], &["duplicate-name"]),
        (&["entity", "Line", "--into", "other.dsl"], &["other.dsl cannot be read"]),
    ] {
        says(&folder.dz(&[&["add"], args].concat()), 1, words);
        assert_eq!(folder.read("app.dsl"), SHOP, "{args:?}");
    }
    says(&folder.dz(&["add", "enum", "Size"]), 2, &["<VALUES>"]);
    says(&folder.dz(&["add", "surface", "lines", "--entity", "Product", "--mode", "map"]), 2, &["possible values: list, view"]);
    says(&folder.dz_with(&["add", "role", "buyer", "--file", "-"], SHOP), 1, &["standard input cannot be changed"]);
}

#[test]
fn an_error_that_was_there_does_not_prevent_a_block_that_removes_it() {
    let text = SHOP.replace("price: decimal(10, 2) = 0", "maker: ref Maker");
    let folder = Folder::new("add-repairs", &[("app.dsl", &text)]);
    says(&folder.dz(&["validate"]), 1, &["unknown-entity"]);
    says(&folder.dz(&["add", "entity", "Maker", "name: str(40) required"]), 0, &[]);
    says(&folder.dz(&["validate"]), 0, &["0 errors"]);
}

#[test]
fn a_file_keeps_its_line_breaks_and_a_declaration_its_files() {
    let text = SHOP.trim_end().replace('\n', "\r\n");
    let folder = Folder::new("add-files", &[("app.dsl", &text)]);
    says(&folder.dz(&["add", "entity", "Maker", "name: str(40)"]), 0, &[]);
    says(&folder.dz(&["add", "surface", "makers", "--entity", "Maker", "--mode", "list"]), 0, &[]);
    let after = folder.read("app.dsl");
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
    assert!(after.starts_with(text.split("surface").next().unwrap()), "{after:?}");

    let files = [("dz.toml", "[project]\ndsl = \"dsl\"\n"), ("dsl/a.dsl", SHOP), ("dsl/b.dsl", "enum Size:\n  small\n")];
    let folder = Folder::new("add-folder", &files);
    says(&folder.dz(&["add", "enum", "Colour", "red"]), 0, &["to dsl/b.dsl"]);
    says(&folder.dz(&["add", "enum", "Shape", "round", "--into", "dsl/a.dsl"]), 0, &["to dsl/a.dsl"]);
    assert_eq!(folder.read("dsl/b.dsl"), "enum Size:\n  small\n\nenum Colour \"Colour\":\n  red\n");
    assert!(folder.read("dsl/a.dsl").ends_with("\n\nenum Shape \"Shape\":\n  round\n"));
    fs::write(folder.0.join("elsewhere.dsl"), "").expect("written");
    let refused = folder.dz(&["add", "enum", "Taste", "sweet", "--into", "elsewhere.dsl"]);
    says(&refused, 1, &["elsewhere.dsl is not a file of the declaration"]);
    assert_eq!(out(&refused), "");
}
