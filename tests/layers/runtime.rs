//! The order of layers inside the runtime, and the limit on the length of functions.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::LazyLock,
};

use super::{
    crates, root,
    source::{Named, Source},
    sources,
};

/// A layer of the runtime.
struct Layer {
    name: &'static str,
    /// The reason for its position; ARCHITECTURE.md contains the same sentence.
    reason: &'static str,
    /// Its modules in order. A module names modules before it; modules of one group name each other.
    groups: &'static [&'static [&'static str]],
}

/// The layers, the lowest first. Code names modules of its own layer and of lower ones.
const LAYERS: &[Layer] = &[
    Layer {
        name: "base",
        reason: "Every other module uses values, errors, time and output.",
        // An error holds the key of a refused row, a conversion of a value can fail, and output reports its errors.
        groups: &[
            &["clock"],
            &["texts"],
            &["trace"],
            &["error", "value", "output"],
            &["sql_types"],
            &["suggest"],
            &["secrets"],
            &["blocking"],
            &["metrics"],
            &["otlp"],
        ],
    },
    Layer {
        name: "definition",
        reason: "The static description of an application, and the types that it uses: fields, records, the caller, and the configuration.",
        groups: &[
            &["template"],
            &["def"],
            &["record"],
            &["field"],
            &["config"],
            &["preferences"],
            &["caller"],
            &["role"],
            &["label"],
            &["languages"],
        ],
    },
    Layer {
        name: "store",
        reason: "SQL is generated from descriptions and callers; the store is independent of rules and of rows.",
        groups: &[&["db"], &["table"], &["draft"], &["enumeration"], &["signature"]],
    },
    Layer {
        name: "rules",
        reason: "A rule is a condition that the store writes into a statement; every module that reads or writes rows uses rules.",
        groups: &[&["access"], &["tenancy"]],
    },
    Layer {
        name: "rows",
        reason: "All reads and writes of rows, and the work in their transaction: hooks, events, jobs, services, files and audit records.",
        // A unit of work carries the hooks, which receive a unit of work; so do the handlers of jobs and the services.
        groups: &[
            &["audit"],
            &["tx", "hooks", "event", "job", "service"],
            &["outbox"],
            &["files"],
            &["rows"],
            &["scoped"],
            &["typed_rows"],
        ],
    },
    Layer {
        name: "identity",
        reason: "Accounts are rows, so identity uses rows; the state of the application uses identity to find its callers.",
        groups: &[&["mail"], &["accounts"], &["seed"], &["state"]],
    },
    Layer {
        name: "background",
        reason: "Background work uses the same layers as a request, without a request.",
        groups: &[&["process"], &["experience"], &["worker"]],
    },
    Layer {
        name: "features",
        reason: "Interfaces to other systems, and other interfaces to the same reads and writes; none uses requests or pages.",
        groups: &[&["adapter"], &["llm"], &["graph"], &["graphql"]],
    },
    Layer {
        name: "web",
        reason: "Requests, responses and pages: the only layer, besides the application, that uses Rocket.",
        groups: &[&["web"]],
    },
    Layer { name: "app", reason: "The builder, the command line and the start connect all layers.", groups: &[&["plan"], &["app"]] },
    Layer { name: "testing", reason: "The property test of the access rules runs the whole application.", groups: &[&["testing"]] },
];

/// Names that `lib.rs` declares, re-exports from other crates, or exports as macros, for all layers.
const OF_THE_ROOT: &[&str] = &["Engine", "engine", "reexport", "__serde", "__serde_json", "prove_access"];

/// Modules that may import Rocket: the layers `web` and above, and the re-exports for applications.
const FIRST_WITH_ROCKET: &str = "web";

/// Functions over 70 lines that stay whole, each with its reason.
const LONG_FUNCTIONS: &[(&str, &str, &str)] = &[
    ("dz-dsl-file/src/emit/schema/framework.rs", "tables", "the tables of the framework, one expression each"),
    ("dz-dsl-file/src/lower.rs", "lower", "the list of passes in their order, and the fields of the model"),
    ("dz-dsl-file/src/vocabulary.rs", "vocabularies", "a table of words"),
    ("dz-macros/src/expand/expr.rs", "expand_in", "one exhaustive match over all expressions"),
    ("dz-runtime/src/db/tests/expressions.rs", "time", "a table of cases with their results"),
    ("dz-runtime/src/web/page/tests/html.rs", "view", "the data of one page"),
    ("dz-runtime/src/web/routes/tests.rs", "the_route_table", "the expected table of routes"),
];

/// The maximum length of a function.
const LONGEST: usize = 70;

/// The position of every module in the order.
fn places() -> BTreeMap<&'static str, usize> {
    let groups = LAYERS.iter().flat_map(|layer| layer.groups);
    groups.enumerate().flat_map(|(place, group)| group.iter().map(move |module| (*module, place))).collect()
}

fn module_of(src: &Path, file: &Path) -> Vec<String> {
    let relative = file.strip_prefix(src).expect("a file of the crate").with_extension("");
    relative.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
}

/// The module that declares each name that `lib.rs` exports.
fn exports(src: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(src.join("lib.rs")).expect("lib.rs");
    let statements = text.split(';').filter_map(|statement| statement.split_once("pub use ").map(|(_, path)| path.to_owned()));
    // Paths of `pub use` begin with a module of the crate, as after `crate::`.
    let all: String = statements.map(|path| format!("use crate::{path};\n")).collect();
    let source = Source::read(&all, &[]);
    source.paths.into_iter().filter_map(|named| Some((named.path.last()?.clone(), named.path.first()?.clone()))).collect()
}

/// The paths of a module that name a module of a higher layer.
fn climbs(module: &[String], paths: &[Named], exports: &BTreeMap<String, String>) -> Vec<String> {
    let places = places();
    let place_of = |name: &str| places.get(name).unwrap_or_else(|| panic!("the module `{name}` is in no layer"));
    let own = module.first().expect("a module");
    let mut found = Vec::new();
    for named in paths {
        let Some(first) = named.path.first().filter(|first| !OF_THE_ROOT.contains(&first.as_str())) else { continue };
        let target = if places.contains_key(first.as_str()) { first } else { exports.get(first).unwrap_or(first) };
        if target != own && place_of(target) > place_of(own) {
            found.push(format!("{} line {}: {}", module.join("/"), named.line, named.path.join("::")));
        }
    }
    found
}

/// Every source of the runtime except tests, with its module.
static RUNTIME: LazyLock<Vec<(Vec<String>, Source)>> = LazyLock::new(|| {
    let src = root().join("dz-runtime/src");
    let read = |file: std::path::PathBuf| {
        let module = module_of(&src, &file);
        let source = Source::read(&fs::read_to_string(&file).expect("a file"), &module);
        (module, source)
    };
    let all: Vec<_> = sources(&src).into_iter().map(read).collect();
    let for_tests: BTreeSet<Vec<String>> = all.iter().flat_map(|(_, source)| source.test_modules.clone()).collect();
    let is_real = |module: &[String]| !(1..=module.len()).any(|end| for_tests.contains(&module[..end]));
    all.into_iter().filter(|(module, _)| is_real(module) && !matches!(module[0].as_str(), "lib" | "reexport")).collect()
});

#[test]
fn no_module_of_the_runtime_names_a_module_above_it() {
    let exports = exports(&root().join("dz-runtime/src"));
    let found: Vec<String> = RUNTIME.iter().flat_map(|(module, source)| climbs(module, &source.paths, &exports)).collect();
    assert!(found.is_empty(), "these paths climb:\n{}", found.join("\n"));
}

#[test]
fn a_path_that_climbs_is_found() {
    let exports = exports(&root().join("dz-runtime/src"));
    let check = |text: &str| {
        let module = ["db", "conn"].map(str::to_owned);
        climbs(&module, &Source::read(text, &module).paths, &exports).len()
    };
    assert_eq!(check("use crate::{Engine, Error, Value, def::AppDef};"), 0);
    assert_eq!(check("use crate::{Error, rows::Query};"), 1);
    assert_eq!(check("use crate::Tx;"), 1, "a name that `lib.rs` exports");
    assert_eq!(check("use super::super::web;"), 1);
    assert_eq!(check("fn f() { crate::accounts::list() }"), 1);
    assert_eq!(check("#[cfg(test)] mod tests { use crate::Tx; }"), 0);
}

#[test]
fn every_module_of_the_runtime_is_in_one_layer() {
    let mut listed: Vec<&str> = LAYERS.iter().flat_map(|layer| layer.groups).flat_map(|group| group.iter().copied()).collect();
    let declared: BTreeSet<String> = RUNTIME.iter().map(|(module, _)| module[0].clone()).collect();
    let count = listed.len();
    listed.sort_unstable();
    listed.dedup();
    assert_eq!(listed.len(), count, "a module is listed twice");
    assert_eq!(listed.into_iter().map(str::to_owned).collect::<BTreeSet<_>>(), declared);
}

/// Everything below `web` builds without Rocket.
#[test]
fn only_the_upper_layers_name_rocket() {
    let with_rocket = LAYERS.iter().skip_while(|layer| layer.name != FIRST_WITH_ROCKET);
    let modules: Vec<&str> = with_rocket.flat_map(|layer| layer.groups).flat_map(|group| group.iter().copied()).collect();
    assert!(!modules.is_empty());
    for (module, source) in RUNTIME.iter().filter(|(module, _)| !modules.contains(&module[0].as_str())) {
        assert!(!source.names.iter().any(|name| name == "rocket"), "{} names Rocket", module.join("/"));
    }
}

/// ARCHITECTURE.md contains the table of layers above.
#[test]
fn the_architecture_lists_the_same_layers() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let modules =
        |layer: &Layer| layer.groups.iter().flat_map(|group| group.iter()).map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
    let rows: Vec<String> = LAYERS.iter().map(|layer| format!("| {} | {} | {} |", layer.name, modules(layer), layer.reason)).collect();
    let table = rows.join("\n");
    assert!(text.contains(&table), "ARCHITECTURE.md does not have this table:\n{table}");
}

#[test]
fn functions_are_short() {
    let mut exempt: BTreeSet<(&str, &str)> = LONG_FUNCTIONS.iter().map(|(file, name, _)| (*file, *name)).collect();
    let mut found = Vec::new();
    for folder in crates() {
        for path in sources(&root().join(folder)) {
            let file = path.strip_prefix(root()).expect("a file of the workspace").to_string_lossy().into_owned();
            let source = Source::read(&fs::read_to_string(&path).expect("a file"), std::slice::from_ref(&file));
            for function in source.functions.iter().filter(|function| function.lines > LONGEST) {
                let known = exempt.iter().find(|(known, name)| *known == file && *name == function.name).copied();
                match known {
                    Some(known) => {
                        exempt.remove(&known);
                    }
                    None => found.push(format!("{file}:{} {} has {} lines", function.line, function.name, function.lines)),
                }
            }
        }
    }
    assert!(found.is_empty(), "functions have at most {LONGEST} lines; divide these:\n{}", found.join("\n"));
    assert!(exempt.is_empty(), "these are short, or gone; take them off the list: {exempt:?}");
}
