//! `explain`: a rule with a wrong and a right example.

use dz_dsl_file::{AREAS, rules};
use serde_json::{Value, json};

use super::Operation;
use crate::{
    Failure, Host, Session,
    failure::nearest_or_some,
    parameters::{Arguments, Form, Parameter},
};

pub(super) const OPERATION: Operation = Operation {
    name: "explain",
    summary: "a rule of the language, with a wrong and a right example; without a rule, all of them",
    parameters: &[Parameter::optional("rule", Form::Text)],
    run,
};

fn run(_: &mut Session, given: &Arguments<'_>, _: &mut dyn Host) -> Result<Value, Failure> {
    let Some(name) = given.text("rule") else {
        let all: Vec<Value> =
            rules().map(|it| json!({ "rule": it.name, "severity": it.severity.as_str(), "summary": it.summary })).collect();
        return Ok(json!({ "count": all.len(), "rules": all }));
    };
    let found = AREAS.iter().find_map(|area| Some((area.name, area.rules.iter().find(|rule| rule.name == name)?)));
    let Some((area, rule)) = found else {
        let help = nearest_or_some(name, rules().map(|it| it.name));
        return Err(Failure::content(format!("there is no rule `{name}`; {help}")));
    };
    Ok(json!({
        "rule": rule.name,
        "area": area,
        "severity": rule.severity.as_str(),
        "summary": rule.summary,
        "wrong": rule.wrong,
        "right": rule.right,
    }))
}
