//! The request of an intent: its attempts, personal data, the check of the answer, and the log.

use std::{
    thread,
    time::{Duration, Instant},
};

use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::{
    LlmFailure, LlmMessage, LlmRequest, LlmResponse, answer,
    limits::{self, Limits},
    models::Model,
    prompt, redaction,
};
use crate::{
    Error, Result, SystemCx,
    blocking::catch_panic,
    def::{AppDef, LlmIntentDef, PiiAction, RetryDef},
    output::log_event,
    process::calls::{self, StoredCall},
    service::{CallIntent, IntentCall, unknown_intent},
    signature,
    trace::{self, Attribute, Description, SpanKind},
};

/// The timeout of an attempt if the intent declares none.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The longest delay before a repetition, also if the provider asks for a longer one.
const MAX_DELAY: Duration = Duration::from_secs(3_600);

/// The intents of an application.
pub(crate) struct Intents {
    pub(super) app: &'static AppDef,
    pub(super) models: Vec<Model>,
    /// Those of each intent.
    pub(super) limits: Vec<Limits>,
}

/// A failed attempt.
struct Failed {
    error: Error,
    is_temporary: bool,
    retry_after: Option<Duration>,
    /// The wrong answer, which the next attempt shows to the model.
    answer: Option<String>,
}

impl CallIntent for Intents {
    fn call(&self, system: &SystemCx, call: IntentCall<'_>) -> Result<Json> {
        let found = self.app.llm.intents.iter().zip(&self.limits).find(|(it, _)| it.name == call.intent);
        let (intent, limits) = found.ok_or_else(|| unknown_intent(call.intent))?;
        let input = signature::complete(self.app, intent.input, &call.input, &system.caller()).map_err(|error| {
            let named = Error { detail: format!("The input of `{}` is wrong", intent.name), ..error };
            Error { detail: named.summary(), code: "LLM_INPUT", ..named }
        })?;
        let text = treat_personal_data(intent, prompt::render(system, intent, &input)?)?;
        let model = &self.models[usize::from(intent.model)];
        let mut request = LlmRequest {
            intent: intent.name.to_owned(),
            model: model.def.model_id.to_owned(),
            messages: vec![LlmMessage { is_answer: false, text }],
            max_tokens: intent.max_tokens.or(model.def.max_tokens),
            schema: intent.output.map(|fields| answer::schema(self.app, fields)),
            timeout: intent.timeout.map_or(TIMEOUT, Duration::from_secs),
        };
        let mut attempt = 1;
        loop {
            limits.admit(system, self.app, intent.name)?;
            let failed = match self.attempt(system, (intent, model), &request, attempt, call.asked_by.as_ref()) {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            if !failed.is_temporary || attempt >= intent.retry.max_attempts {
                return Err(failed.error);
            }
            let delay = delay(&intent.retry, attempt).max(failed.retry_after.unwrap_or_default().min(MAX_DELAY));
            if let Some(answer) = failed.answer {
                let again = format!("{}. Answer again, with nothing but a JSON object of the given schema.", failed.error.detail);
                request.messages.truncate(1);
                request.messages.push(LlmMessage { is_answer: true, text: answer });
                request.messages.push(LlmMessage { is_answer: false, text: again });
            }
            thread::sleep(delay);
            attempt += 1;
        }
    }
}

impl Intents {
    fn attempt(
        &self,
        system: &SystemCx,
        (intent, model): (&'static LlmIntentDef, &Model),
        request: &LlmRequest,
        attempt: u32,
        asked_by: Option<&(Uuid, String)>,
    ) -> Result<Json, Box<Failed>> {
        limits::wait_for(model.limiter.as_ref());
        let (started_at, started) = (system.clock().now(), Instant::now());
        let complete = || {
            catch_panic(|| Ok(model.provider.complete(request))).unwrap_or_else(|error| {
                Err(LlmFailure { code: "PANIC", detail: error.internal.unwrap_or_default().into(), is_temporary: false, retry_after: None })
            })
        };
        let response = trace::in_span(SpanKind::Client, complete, |response| describe(request, response));
        let duration = started.elapsed();
        self.log(intent, model, request, &response, (attempt, duration));
        let result = self.check(system, intent, &response);
        let tokens = response.as_ref().map_or((0, 0), |it| (it.input_tokens, it.output_tokens));
        let cost = response.as_ref().map_or(Decimal::ZERO, |it| cost(model, it));
        let shown = |text: &str| self.redact(text);
        let error = result.as_ref().err().map(|failed| &failed.error);
        let stored = StoredCall {
            id: Uuid::now_v7(),
            intent: intent.name.to_owned(),
            model: model.def.name.to_owned(),
            attempt,
            status: if result.is_ok() { "completed" } else { "failed" }.to_owned(),
            run: asked_by.map(|(run, _)| *run),
            step: asked_by.map(|(_, step)| step.clone()),
            input_tokens: tokens.0,
            output_tokens: tokens.1,
            cost: millionths(cost),
            duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
            prompt: request.messages.last().filter(|_| self.app.llm.log_prompts).map(|it| shown(&it.text)),
            answer: response.as_ref().ok().filter(|_| self.app.llm.log_completions).map(|it| shown(&it.text)),
            error: error.map(|error| json!({ "code": error.code, "detail": shown(&error.detail) }).to_string()),
            started_at,
        };
        self.store(system, &stored);
        result
    }

    /// Checks a response.
    fn check(
        &self,
        system: &SystemCx,
        intent: &'static LlmIntentDef,
        response: &Result<LlmResponse, LlmFailure>,
    ) -> Result<Json, Box<Failed>> {
        let response = response.as_ref().map_err(|failure| {
            Box::new(Failed {
                error: Error::new(status(failure.code), failure.code, failure.detail.clone()),
                is_temporary: failure.is_temporary,
                retry_after: failure.retry_after,
                answer: None,
            })
        })?;
        let Some(fields) = intent.output else { return Ok(Json::String(response.text.clone())) };
        answer::read(self.app, fields, &response.text, &system.caller()).map_err(|error| {
            Box::new(Failed {
                error,
                is_temporary: true,
                retry_after: None,
                // An empty message is refused by providers.
                answer: Some(response.text.clone()).filter(|text| !text.trim().is_empty()),
            })
        })
    }

    /// Stores an attempt, and warns once a month if the calls cost more than the budget. The answer is used also if this fails.
    fn store(&self, system: &SystemCx, call: &StoredCall) {
        let budget: Option<Decimal> = self.app.llm.budget_alert_usd.and_then(|budget| budget.parse().ok());
        let exceeded = system.run(|tx| {
            let now = tx.caller.now;
            calls::insert(tx.conn, call)?;
            let Some(budget) = budget else { return Ok(None) };
            let spent = Decimal::from(calls::spent(tx.conn, self.app, now)?) / Decimal::from(1_000_000);
            let is_first = spent > budget && calls::note_exceeded(tx.conn, self.app, now)?;
            Ok(is_first.then_some((spent, budget)))
        });
        match exceeded {
            Ok(Some((spent, budget))) => {
                let (spent, limit) = (spent.normalize().to_string(), budget.to_string());
                log_event!(warn, target: "dz::llm", spent_usd = spent, budget_usd = limit, "language models cost more than the budget of the month");
            }
            Ok(None) => {}
            Err(error) => {
                let why = error.internal.as_deref().unwrap_or(&error.detail);
                log_event!(warn, target: "dz::llm", intent = call.intent, why, "a call of a language model could not be stored");
            }
        }
    }

    /// A text without personal data, unless the declaration allows it.
    fn redact(&self, text: &str) -> String {
        if self.app.llm.redact_pii { redaction::redact(text).0 } else { text.to_owned() }
    }

    /// Logs an attempt with its cost; prompts and answers as the declaration says.
    fn log(
        &self,
        intent: &LlmIntentDef,
        model: &Model,
        request: &LlmRequest,
        response: &Result<LlmResponse, LlmFailure>,
        (attempt, duration): (u32, Duration),
    ) {
        let llm = &self.app.llm;
        let shown = |text: &str| self.redact(text);
        let last = request.messages.last().filter(|_| llm.log_prompts).map(|it| shown(&it.text));
        let (intent, model_name, duration) = (intent.name, model.def.name, u64::try_from(duration.as_millis()).unwrap_or(u64::MAX));
        match response {
            Ok(it) => {
                let answer = Some(&it.text).filter(|_| llm.log_completions).map(|text| shown(text));
                let (input, output, cost) = (it.input_tokens, it.output_tokens, cost(model, it).to_string());
                log_event!(
                    info, target: "dz::llm", intent, model = model_name, attempt, duration_ms = duration, input_tokens = input,
                    output_tokens = output, cost_usd = cost, prompt = last, answer = answer, "a language model answered"
                );
            }
            Err(it) => log_event!(
                warn, target: "dz::llm", intent, model = model_name, attempt, duration_ms = duration, code = it.code, why = it.detail,
                prompt = last, "a language model did not answer"
            ),
        }
    }
}

/// The span of an attempt, without prompt and answer.
fn describe(request: &LlmRequest, response: &Result<LlmResponse, LlmFailure>) -> Description {
    let tokens = |count: u64| Attribute::Int(i64::try_from(count).unwrap_or(i64::MAX));
    let mut attributes = vec![
        ("gen_ai.operation.name", "chat".into()),
        ("gen_ai.request.model", request.model.as_str().into()),
        ("dz.intent", request.intent.as_str().into()),
    ];
    if let Ok(answer) = response {
        attributes.push(("gen_ai.usage.input_tokens", tokens(answer.input_tokens)));
        attributes.push(("gen_ai.usage.output_tokens", tokens(answer.output_tokens)));
    }
    let error = response.as_ref().err().map(|failure| failure.code.to_owned());
    Description { error, ..Description::new(format!("chat {}", request.model), attributes) }
}

fn status(code: &str) -> u16 {
    match code {
        "TIMEOUT" => 504,
        "LLM_UNAVAILABLE" => 503,
        "PANIC" => 500,
        _ => 502,
    }
}

/// The cost of an answer in US dollars.
fn cost(model: &Model, response: &LlmResponse) -> Decimal {
    let part = |tokens: u64, price: Option<&str>| {
        let price: Decimal = price.and_then(|price| price.parse().ok()).unwrap_or_default();
        price.checked_mul(Decimal::from(tokens)).unwrap_or(Decimal::MAX) / Decimal::ONE_THOUSAND
    };
    let (input, output) =
        (part(response.input_tokens, model.def.cost_per_1k_input), part(response.output_tokens, model.def.cost_per_1k_output));
    input.checked_add(output).unwrap_or(Decimal::MAX).round_dp(6).normalize()
}

/// The largest stored cost, so that the sum of a month is a number of the database.
const MAX_COST: i64 = 1_000_000_000_000;

/// A cost in millionths of a US dollar.
fn millionths(cost: Decimal) -> i64 {
    let cost = cost.checked_mul(Decimal::from(1_000_000)).and_then(|cost| cost.round().to_i64());
    cost.unwrap_or(MAX_COST).clamp(0, MAX_COST)
}

/// Searches the request for personal data, and treats it as the intent declares.
fn treat_personal_data(intent: &LlmIntentDef, text: String) -> Result<String> {
    let Some(action) = intent.pii else { return Ok(text) };
    let (redacted, found) = redaction::redact(&text);
    if found.is_empty() {
        return Ok(text);
    }
    let kinds = found.join(", ");
    match action {
        PiiAction::Redact => Ok(redacted),
        PiiAction::Warn => {
            log_event!(warn, target: "dz::llm", intent = intent.name, kinds, "a request to a language model contains personal data");
            Ok(text)
        }
        PiiAction::Reject => Err(Error::new(422, "PII", format!("The request of `{}` contains personal data: {kinds}", intent.name))),
    }
}

/// The delay after this number of failed attempts.
fn delay(retry: &RetryDef, failures: u32) -> Duration {
    Duration::from_secs(retry.interval).saturating_mul(retry.backoff.factor(failures)).min(MAX_DELAY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::def::Backoff;

    #[test]
    fn delays_grow_as_declared() {
        let delays = |backoff, interval| {
            let retry = RetryDef { max_attempts: 9, backoff, interval };
            [1, 2, 3, 40].map(|failures| delay(&retry, failures).as_secs())
        };
        assert_eq!(delays(Backoff::Fixed, 2), [2, 2, 2, 2]);
        assert_eq!(delays(Backoff::Linear, 2), [2, 4, 6, 80]);
        assert_eq!(delays(Backoff::Exponential, 2), [2, 4, 8, 3_600]);
    }
}
