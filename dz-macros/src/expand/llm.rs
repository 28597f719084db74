//! The description of language models and intents.

use dz_dsl_file::{
    emit::llm,
    model::{LlmIntent, LlmModel, Model, PromptPart, Retry},
};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{expr, positions, signature};

/// The models, the intents and the log.
pub(super) fn describe(model: &Model) -> TokenStream {
    if model.llm_models.is_empty() && model.llm_intents.is_empty() {
        return quote!(LlmDef::NONE);
    }
    let models = model.llm_models.iter().enumerate().map(|(at, it)| describe_model(model, at, it));
    let intents = model.llm_intents.iter().map(|it| describe_intent(model, it));
    let logs = model.llm_config.as_ref().map_or((false, false, true), |it| (it.log_prompts, it.log_completions, it.redact_pii));
    let (prompts, completions, redact) = logs;
    let budget = model.llm_config.as_ref().and_then(|it| it.budget_alert_usd.as_ref());
    let budget = expr::option(budget.map(|it| quote!(#it)));
    quote! {
        LlmDef {
            models: &[#(#models,)*],
            intents: &[#(#intents,)*],
            log_prompts: #prompts,
            log_completions: #completions,
            redact_pii: #redact,
            budget_alert_usd: #budget,
        }
    }
}

fn describe_model(model: &Model, at: usize, it: &LlmModel) -> TokenStream {
    let text = |text: &Option<String>| expr::option(text.as_ref().map(|it| quote!(#it)));
    let LlmModel { name, model_id, .. } = it;
    let provider = expr::vocabulary(it.provider);
    let limits = model.llm_config.iter().flat_map(|config| &config.rate_limits);
    let rate_limit = number(limits.filter(|(named, _)| named.it.0 == at).map(|(_, limit)| *limit).next());
    let max_tokens = number(it.max_tokens);
    let [base_url, key, input, output] = [&it.base_url, &it.api_key_env, &it.cost_per_1k_input, &it.cost_per_1k_output].map(text);
    quote! {
        LlmModelDef {
            name: #name,
            provider: #provider,
            model_id: #model_id,
            max_tokens: #max_tokens,
            base_url: #base_url,
            api_key_env: #key,
            cost_per_1k_input: #input,
            cost_per_1k_output: #output,
            rate_limit: #rate_limit,
        }
    }
}

fn describe_intent(model: &Model, it: &LlmIntent) -> TokenStream {
    let name = &it.name;
    let description = expr::option(it.description.as_ref().map(|it| quote!(#it)));
    let model_at = positions::index(it.model.it.0);
    let prompt = it.prompt.iter().map(|part| match part {
        PromptPart::Text(text) => quote!(PromptPart::Text(#text)),
        PromptPart::Input(at, path) => {
            let at = positions::index(*at);
            let path = path.iter().flat_map(|path| {
                let (mut steps, end) = positions::steps(model, path);
                steps.push(end);
                steps
            });
            quote!(PromptPart::Input(#at, &[#(#path),*]))
        }
    });
    let input = signature::describe(model, &it.input);
    let output = expr::option(it.output_schema.map(|entity| signature::describe(model, &llm::answer_fields(model, entity.it))));
    let timeout = expr::option(it.timeout.map(|it| {
        let seconds = Literal::i64_unsuffixed(llm::seconds(it));
        quote!(#seconds)
    }));
    let max_tokens = number(it.max_tokens);
    let retry = it.retry.as_ref().map_or_else(|| quote!(RetryDef::NONE), retry);
    let pii = expr::option(it.pii.map(expr::vocabulary));
    quote! {
        LlmIntentDef {
            name: #name,
            description: #description,
            model: #model_at,
            prompt: &[#(#prompt,)*],
            input: #input,
            output: #output,
            timeout: #timeout,
            max_tokens: #max_tokens,
            retry: #retry,
            pii: #pii,
        }
    }
}

fn retry(it: &Retry) -> TokenStream {
    let (attempts, interval) = (Literal::u32_unsuffixed(it.max_attempts), Literal::i64_unsuffixed(llm::seconds(it.interval)));
    let backoff = expr::vocabulary(it.backoff);
    quote!(RetryDef { max_attempts: #attempts, backoff: #backoff, interval: #interval })
}

fn number(value: Option<u32>) -> TokenStream {
    expr::option(value.map(|value| {
        let value = Literal::u32_unsuffixed(value);
        quote!(#value)
    }))
}
