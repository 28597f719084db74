//! `dz stubs generate`: new stubs are complete, and a second run keeps what is written by hand.

use std::{fs, process::Command};

use crate::folder::{Folder, json, says};

const SHOP: &str = r#"
app shop "Shop"

persona clerk "Clerk"

entity Order "Order":
  id: uuid pk
  number: str(20) required
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk)

surface order_list "Orders":
  uses entity Order
  mode: list

service estimate "Estimate a \"price\"":
  input:
    note: str
    order: ref Order required
    weight: decimal(8, 2) required
    speed: enum[slow, "very fast"] = slow
    due: date
    from: datetime
    tags: list[str]
    rate: decimal(4, 2) = 1.50
  output:
    price: decimal(10, 2) required
    date: date
    effort: enum[small, large] required
    parts: list[int] required
  guarantees:
    - "The price is never below zero"
    - "Equal inputs give equal prices"
  stub: python

service route "Plan a route":
  input:
    order: ref Order required
    stops: list[str]
  output:
    minutes: int
    class: enum[short, long] required
  guarantees:
    - "It ends at the depot"
  stub: rust

story ST-001 "A clerk lists orders":
  "Orders of today"
  actor: clerk
  trigger: user_click
  scope: [Order]
  status: accepted
  given:
    - a clerk is signed in
  when:
    - the clerk opens the list
  then:
    - every order is shown

story ST-002 "A clerk prints orders":
  actor: clerk
  scope: [Order]
  given:
    - a printer
  when:
    - the clerk prints
  then:
    - paper
"#;

fn shop(name: &str) -> Folder {
    Folder::new(name, &[("app.dsl", SHOP), ("dz.toml", "[project]\nname = \"shop\"\n")])
}

/// Runs Python on a file of the folder, and gives what it prints.
fn python(folder: &Folder, args: &[&str]) -> String {
    let output = Command::new("python3").args(args).current_dir(&folder.0).output().expect("python3 runs");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn edit(folder: &Folder, file: &str, from: &str, to: &str) {
    let text = folder.read(file);
    assert!(text.contains(from), "`{from}` is not in {text}");
    fs::write(folder.0.join(file), text.replacen(from, to, 1)).expect("written");
}

#[test]
fn every_declared_stub_is_written_and_the_files_are_listed() {
    let folder = shop("stubs-new");
    let report = json(&folder.dz(&["stubs", "generate", "--format", "json"]));
    let files = serde_json::json!([
        { "path": "services/estimate.py", "status": "written" },
        { "path": "services/route.rs", "status": "written" },
    ]);
    assert_eq!(report["files"], files);
    let again = json(&folder.dz(&["stubs", "generate", "--format", "json"]));
    assert!(again["files"].as_array().expect("a list").iter().all(|file| file["status"] == "kept"), "{again}");
    says(&folder.dz(&["stubs", "generate"]), 0, &["kept     services/estimate.py\n", "kept     services/route.rs\n"]);
}

#[test]
fn a_python_stub_is_typed_and_documented() {
    let folder = shop("stubs-python");
    says(&folder.dz(&["stubs", "generate", "--service", "estimate"]), 0, &["written  services/estimate.py"]);
    assert!(!folder.0.join("services/route.rs").exists());
    python(&folder, &["-W", "error", "-m", "py_compile", "services/estimate.py"]);
    let text = folder.read("services/estimate.py");
    let signature = "def estimate(order: str, weight: Decimal, note: str | None = None, speed: Literal[\"slow\", \"very fast\"] = \"slow\", \
                     due: date_type | None = None, from_: datetime | None = None, tags: list[str] | None = None, \
                     rate: Decimal = Decimal(\"1.50\"), *, context: Context) -> EstimateOutput:\n";
    assert!(text.contains(signature), "{text}");
    let class = "@dataclass\nclass EstimateOutput:\n    price: Decimal\n    effort: Literal[\"small\", \"large\"]\n    parts: list[int]\n    \
                 date: date_type | None = None\n";
    assert!(text.contains(class), "{text}");
    let seen = python(
        &folder,
        &[
            "-c",
            "import sys; sys.path.insert(0, 'services'); sys.dont_write_bytecode = True; import estimate, inspect, typing\n\
             print(inspect.getdoc(estimate.estimate)); typing.get_type_hints(estimate.estimate); typing.get_type_hints(estimate.EstimateOutput)\n\
             try: estimate.estimate('a', 1, context=None)\n\
             except NotImplementedError as error: print(error)\n\
             from importlib import util\n\
             spec = util.spec_from_file_location('by_path', 'services/estimate.py')\n\
             spec.loader.exec_module(util.module_from_spec(spec))",
        ],
    );
    assert_eq!(seen, "Estimate a \"price\"\n\n- The price is never below zero\n- Equal inputs give equal prices\nestimate\n");
}

/// A stub as a developer leaves it.
const WRITTEN: &str = r##"# Prices of the shop.
"""Written by hand: def estimate( is not here."""
from __future__ import annotations

import math  # rounding
from dataclasses import dataclass
from datetime import date as date_type, datetime
from decimal import Decimal
from typing import (
    Any,
    Literal,
    Protocol,
)

FACTOR = {"slow": 1}


class Context(Protocol):
    key: str
    attempt: int


@dataclass(frozen=True)
class EstimateOutput:
	"""The price."""

	price: Decimal
	effort: Literal["small", "large"]

	def rounded(self) -> Decimal:
		return round(self.price)  # def estimate(


@log
def estimate(
    order: str,
    old: int = 3,
    *,
    context: Context,
) -> EstimateOutput:
  # the body
  text = '''
def estimate(x):
'''
  return {"price": math.floor(1), "text": text}


def helper() -> None: ...
"##;

#[test]
fn a_second_run_keeps_the_body_and_the_rest_of_a_python_stub() {
    let folder = shop("stubs-python-again");
    fs::create_dir_all(folder.0.join("services")).expect("a folder");
    fs::write(folder.0.join("services/estimate.py"), WRITTEN).expect("written");
    says(&folder.dz(&["stubs", "generate", "--service", "estimate"]), 0, &["updated  services/estimate.py"]);
    let text = folder.read("services/estimate.py");
    python(&folder, &["-W", "error", "-m", "py_compile", "services/estimate.py"]);
    let (before, after) = (WRITTEN.split_once("@log\n").expect("a decorator"), text.split_once("@log\n").expect("a decorator"));
    let class = "\tprice: Decimal\n\teffort: Literal[\"small\", \"large\"]\n";
    let fields = format!("{class}\tparts: list[int]\n\tdate: date_type | None = None\n");
    assert_eq!(after.0, before.0.replace(class, &fields));
    let body = "  # the body\n  text = '''\ndef estimate(x):\n'''\n  return {\"price\": math.floor(1), \"text\": text}\n\n\ndef helper() -> None: ...\n";
    let (head, rest) = after.1.split_once("  # the body\n").expect("a body");
    assert!(format!("  # the body\n{rest}").ends_with(&body["  # the body\n".len()..]), "{text}");
    assert!(head.starts_with("def estimate(order: str, weight: Decimal, ") && !head.contains("old"), "{head}");
    assert!(text.contains("  \"\"\"Estimate a \"price\"\n\n  - The price is never below zero\n"), "{text}");
    says(&folder.dz(&["stubs", "generate", "--service", "estimate"]), 0, &["kept     services/estimate.py"]);
    // A formatter wraps the signature; that is not a difference.
    edit(
        &folder,
        "services/estimate.py",
        "def estimate(order: str, weight: Decimal, ",
        "def estimate(\n    order: str,\n    weight: Decimal,\n    ",
    );
    says(&folder.dz(&["stubs", "generate", "--service", "estimate"]), 0, &["kept     services/estimate.py"]);
    edit(&folder, "app.dsl", "Equal inputs give", "The same inputs give");
    says(&folder.dz(&["stubs", "generate", "--service", "estimate"]), 0, &["updated"]);
    assert!(folder.read("services/estimate.py").contains("  - The same inputs give equal prices\n"));
}

#[test]
fn missing_parts_of_a_python_stub_are_added() {
    for (at, existing) in ["", "import math", "def helper():\n    pass\n", "def estimate(): return 1\n", "\"\"\"Prices.\"\"\"\r\nX = 1\r\n"]
        .iter()
        .enumerate()
    {
        let folder = shop(&format!("stubs-python-parts-{at}"));
        fs::create_dir_all(folder.0.join("services")).expect("a folder");
        fs::write(folder.0.join("services/estimate.py"), existing).expect("written");
        says(&folder.dz(&["stubs", "generate", "--service", "estimate"]), 0, &["updated  services/estimate.py"]);
        let text = folder.read("services/estimate.py");
        python(&folder, &["-W", "error", "-m", "py_compile", "services/estimate.py"]);
        python(
            &folder,
            &[
                "-c",
                "import sys; sys.path.insert(0, 'services'); sys.dont_write_bytecode = True; import estimate; estimate.EstimateOutput; estimate.Context; assert estimate.estimate.__doc__",
            ],
        );
        assert_eq!(text.matches("\r\n").count() > 0, existing.contains("\r\n"), "{text:?}");
        assert!(!existing.contains("\r\n") || text.matches('\n').count() == text.matches("\r\n").count(), "{text:?}");
        says(&folder.dz(&["stubs", "generate", "--service", "estimate"]), 0, &["kept     services/estimate.py"]);
    }
}

#[test]
fn a_rust_stub_implements_the_trait_and_keeps_its_body() {
    let folder = shop("stubs-rust");
    says(&folder.dz(&["stubs", "generate", "--service", "route"]), 0, &["written  services/route.rs"]);
    let text = folder.read("services/route.rs");
    let signature = "fn call(&self, cx: &dz::ServiceCx, input: services::RouteInput) -> dz::Result<services::RouteOutput>";
    let expected = format!(
        "/// Plan a route\n///\n/// - It ends at the depot\n///\n/// Input: `order_id: Uuid`, `stops: Vec<String>`.\n///\n/// Output: `minutes: \
         Option<i64>`, `r#class: RouteOutputClass`.\nimpl services::Route for Route {{\n    {signature} {{\n        todo!()\n    }}\n}}\n"
    )
    .replace("r#class", "class");
    assert!(text.ends_with(&expected) && text.starts_with("use crate::services;\n"), "{text}");
    let written = text
        .replace("pub struct Route;", "pub struct Planner { map: Map }")
        .replace(
            "impl services::Route for Route {",
            "#[rustfmt::skip]\nimpl services::Route for Planner {\n    // impl services::Route for Route {\n",
        )
        .replace("cx: &dz::ServiceCx", "_cx: &dz::ServiceCx")
        .replace("        todo!()\n", "        let text = \"} fn call( {\"; let c = '{';\n        plan(&self.map, input, text, c)\n");
    fs::write(folder.0.join("services/route.rs"), &written).expect("written");
    says(&folder.dz(&["stubs", "generate", "--service", "route"]), 0, &["kept     services/route.rs"]);
    edit(&folder, "app.dsl", "It ends at the depot", "It begins at the depot");
    edit(&folder, "app.dsl", "minutes: int\n", "minutes: int required\n");
    says(&folder.dz(&["stubs", "generate"]), 0, &["updated  services/route.rs"]);
    let present = written.replace("It ends at", "It begins at").replace("Option<i64>", "i64");
    assert_eq!(folder.read("services/route.rs"), present);
    edit(&folder, "services/route.rs", "-> dz::Result<services::RouteOutput>", "-> bool");
    says(&folder.dz(&["stubs", "generate"]), 0, &["updated  services/route.rs"]);
    assert_eq!(folder.read("services/route.rs"), present);
}

#[test]
fn the_language_can_be_chosen_and_names_are_checked() {
    let folder = shop("stubs-names");
    says(&folder.dz(&["stubs", "generate", "--service", "estimte"]), 1, &["there is no service `estimte`", "did you mean `estimate`?"]);
    assert!(!folder.0.join("services").exists());
    says(&folder.dz(&["stubs", "generate", "--language", "rust"]), 0, &["services/estimate.rs", "services/route.rs"]);
    assert!(folder.read("services/estimate.rs").contains("impl services::Estimate for Estimate {"));
    says(&folder.dz(&["stubs", "generate", "--language", "ruby"]), 2, &["ruby"]);
    edit(&folder, "app.dsl", "order: ref Order required", "order: ref Odrer required");
    says(&folder.dz(&["stubs", "generate"]), 1, &["unknown-entity", "no stub is written"]);
}

#[test]
fn a_story_gets_a_test_that_is_kept() {
    let folder = shop("stubs-stories");
    says(&folder.dz(&["stubs", "generate", "--stories"]), 0, &["written  tests/st_001.rs\n"]);
    assert!(!folder.0.join("tests/st_002.rs").exists() && !folder.0.join("services").exists());
    let text = folder.read("tests/st_001.rs");
    for part in [
        "//! ST-001: A clerk lists orders\n//!\n//! Orders of today\n",
        "//! Given:\n//! - a clerk is signed in\n",
        "//! Then:\n//! - every order is shown\n",
        "dz::include_dsl!(\"../app.dsl\");\n",
        "#[test]\n#[ignore = \"not written yet\"]\nfn st_001() {\n",
        "\"grant\", email, \"clerk\"",
        "\"/app/order_list\",\n",
    ] {
        assert!(text.contains(part), "`{part}` is not in {text}");
    }
    fs::write(folder.0.join("tests/st_001.rs"), text.replace("#[ignore = \"not written yet\"]\n", "")).expect("written");
    says(&folder.dz(&["stubs", "generate", "--stories", "--story", "ST-001"]), 0, &["kept     tests/st_001.rs\n"]);
    edit(&folder, "app.dsl", "- every order is shown", "- every open order is shown");
    says(&folder.dz(&["stubs", "generate", "--stories"]), 0, &["updated  tests/st_001.rs\n"]);
    let expected = text.replace("#[ignore = \"not written yet\"]\n", "").replace("every order is", "every open order is");
    assert_eq!(folder.read("tests/st_001.rs"), expected);
    says(&folder.dz(&["stubs", "generate", "--story", "ST-001"]), 0, &["kept     tests/st_001.rs\n"]);
    says(&folder.dz(&["stubs", "generate", "--stories", "--story", "ST-002"]), 1, &["ST-002", "not accepted"]);
    says(&folder.dz(&["stubs", "generate", "--stories", "--story", "ST-01"]), 1, &["there is no story `ST-01`", "did you mean"]);
}
