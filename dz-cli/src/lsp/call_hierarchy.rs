//! What calls a process or a service, and what a process calls: other processes and services.

use dz_dsl_file::{
    Span,
    model::{Callee, Model, ProcessId},
};
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem, CallHierarchyOutgoingCall,
    CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
};

use super::{
    failure::Failure,
    names::{Declares, Name, Names},
    state::{At, State},
    unit::Unit,
};

/// The process or service at a position.
pub fn prepare(state: &State, params: CallHierarchyPrepareParams) -> Result<Option<Vec<CallHierarchyItem>>, Failure> {
    let at = params.text_document_position_params;
    let place = state.place(&at.text_document.uri)?;
    let Some(it) = place.at(state, at.position) else { return Ok(None) };
    let names = it.unit.names();
    let Some(found) = names.at(it.file, it.byte) else { return Ok(None) };
    let name = names.declared_at(found.declared).filter(|name| is_called(name.declares));
    Ok(name.map(|name| vec![item(state, it.unit, &names, name)]))
}

fn is_called(declares: Declares) -> bool {
    matches!(declares, Declares::Process(_) | Declares::Service(_) | Declares::LlmIntent(_) | Declares::Schedule(_))
}

/// The processes with steps that call it.
pub fn incoming(state: &State, params: CallHierarchyIncomingCallsParams) -> Result<Option<Vec<CallHierarchyIncomingCall>>, Failure> {
    let place = state.place(&params.item.uri)?;
    let Some(it) = place.at(state, params.item.selection_range.start) else { return Ok(None) };
    let names = it.unit.names();
    let Some(target) = target(it, &names) else { return Ok(None) };
    let mut found = Vec::new();
    for name in &names.all {
        let Declares::Process(id) = name.declares else { continue };
        let places: Vec<Span> =
            calls(names.model(), id).into_iter().filter(|(_, declared)| *declared == target).map(|(at, _)| at).collect();
        if !places.is_empty() {
            let from_ranges = places.into_iter().map(|at| it.unit.range(at, state.encoding)).collect();
            found.push(CallHierarchyIncomingCall { from: item(state, it.unit, &names, name), from_ranges });
        }
    }
    Ok(Some(found))
}

/// The processes and services that it calls.
pub fn outgoing(state: &State, params: CallHierarchyOutgoingCallsParams) -> Result<Option<Vec<CallHierarchyOutgoingCall>>, Failure> {
    let place = state.place(&params.item.uri)?;
    let Some(it) = place.at(state, params.item.selection_range.start) else { return Ok(None) };
    let names = it.unit.names();
    let Some(Declares::Process(id)) = target(it, &names).and_then(|span| names.declared_at(span)).map(|name| name.declares) else {
        return Ok(Some(Vec::new()));
    };
    let mut found: Vec<(Span, CallHierarchyOutgoingCall)> = Vec::new();
    for (at, declared) in calls(names.model(), id) {
        let range = it.unit.range(at, state.encoding);
        if let Some((_, call)) = found.iter_mut().find(|(known, _)| *known == declared) {
            call.from_ranges.push(range);
        } else if let Some(name) = names.declared_at(declared) {
            found.push((declared, CallHierarchyOutgoingCall { to: item(state, it.unit, &names, name), from_ranges: vec![range] }));
        }
    }
    Ok(Some(found.into_iter().map(|(_, call)| call).collect()))
}

fn target(it: At<'_>, names: &Names<'_>) -> Option<Span> {
    names.at(it.file, it.byte).map(|found| found.declared)
}

/// The calls of the steps of a process: the place, and the declaration of what is called.
fn calls(model: &Model, id: ProcessId) -> Vec<(Span, Span)> {
    let process = &model.processes[id.0];
    let callees = process.flow.steps.iter().filter_map(|step| step.action.callee());
    let calls = callees.map(|callee| match callee.it {
        Callee::Service(id) => (callee.span, model.services[id.0].span),
        Callee::Process(id) => (callee.span, model.processes[id.0].span),
        Callee::LlmIntent(id) => (callee.span, model.llm_intents[id.0].span),
    });
    calls.collect()
}

fn item(state: &State, unit: &Unit, names: &Names<'_>, name: &Name<'_>) -> CallHierarchyItem {
    CallHierarchyItem {
        name: name.name.to_owned(),
        kind: name.declares.symbol(),
        tags: None,
        detail: Some(format!("{} {}", name.declares.word(), name.title).trim_end().to_owned()),
        uri: unit.urls[name.span.file.0 as usize].clone(),
        range: unit.range(names.whole(name.span), state.encoding),
        selection_range: unit.range(name.span, state.encoding),
        data: None,
    }
}
