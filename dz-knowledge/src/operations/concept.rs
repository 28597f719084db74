//! `concept`: the meaning of a word of the language or of a pattern.

use serde_json::Value;

use super::Operation;
use crate::{
    Failure, Host, Kind, Node, Part, Session, entries,
    failure::nearest_or_some,
    framework,
    parameters::{Arguments, Form, Parameter},
};

pub(super) const OPERATION: Operation = Operation {
    name: "concept",
    summary: "a construct, a word or a pattern of the language, with an example; the name can be an alias",
    parameters: &[Parameter::required("name", Form::Text)],
    run,
};

fn run(session: &mut Session, given: &Arguments<'_>, _: &mut dyn Host) -> Result<Value, Failure> {
    let name = given.required("name");
    let found = framework::concept(name).and_then(|it| session.graph.node(&Kind::Concept.id(it.name)));
    found.map(Node::json).ok_or_else(|| {
        let concepts = || entries().iter().filter(|it| it.part == Part::Concept);
        let known = concepts().map(|it| it.name).chain(concepts().flat_map(|it| it.aliases.iter().copied()));
        Failure::content(format!("there is no concept `{name}`; {}", nearest_or_some(&framework::snake(name), known)))
    })
}
