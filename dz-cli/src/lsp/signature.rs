//! The parameters of the function that is being called.

use dz_dsl_file::vocabulary::functions;
use lsp_types::{Documentation, ParameterInformation, ParameterLabel, SignatureHelp, SignatureHelpParams, SignatureInformation};

use super::{context::Context, failure::Failure, state::State};

/// The call at a position.
pub fn answer(state: &State, params: SignatureHelpParams) -> Result<Option<SignatureHelp>, Failure> {
    let at = params.text_document_position_params;
    let place = state.place(&at.text_document.uri)?;
    let Some(it) = place.at(state, at.position) else { return Ok(None) };
    let Some(context) = Context::at(it) else { return Ok(None) };
    let Some((name, argument)) = call(context.before) else { return Ok(None) };
    let Some((_, call, result)) = functions().find(|(known, ..)| *known == name) else { return Ok(None) };
    let list = call.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')')).map_or("", |(list, _)| list);
    let parameters: Vec<ParameterInformation> = list
        .split(',')
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .map(|it| ParameterInformation { label: ParameterLabel::Simple(it.to_owned()), documentation: None })
        .collect();
    // The last parameter can be repeated.
    let active = argument.min(parameters.len().saturating_sub(1)) as u32;
    let signature = SignatureInformation {
        label: call.clone(),
        documentation: Some(Documentation::String(format!("The result is {result}."))),
        parameters: Some(parameters),
        active_parameter: Some(active),
    };
    Ok(Some(SignatureHelp { signatures: vec![signature], active_signature: Some(0), active_parameter: Some(active) }))
}

/// The innermost function whose bracket is open, and the number of the argument.
fn call(before: &str) -> Option<(&str, usize)> {
    let (mut depth, mut argument) = (0, 0);
    for (at, c) in before.char_indices().rev() {
        match c {
            ')' | ']' => depth += 1,
            '(' if depth == 0 => {
                let name = before[..at].rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
                return (!name.is_empty()).then_some((name, argument));
            }
            '(' | '[' => depth -= 1,
            ',' if depth == 0 => argument += 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::call;

    #[test]
    fn the_innermost_open_call_is_found() {
        for (before, expected) in [
            ("permit: read: days_since(", Some(("days_since", 0))),
            ("a: computed concat(x, upper(y), ", Some(("concat", 2))),
            ("a: computed concat(x, upper(", Some(("upper", 0))),
            ("a: computed upper(x)", None),
            ("a: (", None),
        ] {
            assert_eq!(call(before), expected, "{before}");
        }
    }
}
