//! Schedules, and processes with a `cron` trigger.

use dz_dsl_file::{
    emit::flow,
    model::{Cron, Model, Schedule, Trigger, When},
};
use proc_macro2::TokenStream;
use quote::quote;

use super::expr;

/// The descriptions of schedules, for a block with the names of the description in scope.
pub(super) fn describe(model: &Model) -> Vec<TokenStream> {
    let triggers = model.processes.iter().filter_map(|process| match &process.trigger {
        Trigger::Cron(Cron { text, .. }) => {
            let (name, timezone, flow) = (&process.name, &model.app.timezone, flow::describe(model, process));
            Some(quote! {
                ScheduleDef { name: #name, at: ScheduledAt::Cron(#text), timezone: #timezone, catch_up: false, flow: #flow }
            })
        }
        Trigger::Manual(_) | Trigger::Signal(_) | Trigger::Completed(_) | Trigger::Entity { .. } | Trigger::Change { .. } => None,
    });
    triggers.chain(model.schedules.iter().map(|it| describe_schedule(model, it))).collect()
}

fn describe_schedule(model: &Model, it: &Schedule) -> TokenStream {
    let Schedule { name, timezone, catch_up, .. } = it;
    let flow = flow::describe_schedule(model, it);
    let at = match &it.when {
        When::Cron(Cron { text, .. }) => quote!(ScheduledAt::Cron(#text)),
        When::Every(interval) => {
            let (months, seconds) = (expr::integer(interval.months), expr::integer(interval.seconds));
            quote!(ScheduledAt::Every { months: #months, seconds: #seconds })
        }
    };
    quote!(ScheduleDef { name: #name, at: #at, timezone: #timezone, catch_up: #catch_up, flow: #flow })
}
