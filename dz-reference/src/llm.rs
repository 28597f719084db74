//! The page of `llm_model`, `llm_config` and `llm_intent`.

use super::{
    frames::flows as frames,
    page::{Entry, Page, entry, entry_in, further, sound, text, words, wrong},
};

pub(super) fn page() -> Page {
    Page {
        file: "llm.md",
        title: "llm_model, llm_config, llm_intent",
        summary: "Language models, and requests to them.",
        constructs: &["llm_model", "llm_config", "llm_intent"],
        pieces: vec![
            text(
                "A model is a language model of a provider. An intent is a request to a model, with typed input. The configuration applies to all models and intents.",
            ),
            sound(frames::BESIDE, WHOLE),
            text("## `llm_model`\n\n`llm_model NAME \"Title\":`"),
            words("llm_model", "Key", frames::IN_MODEL, MODEL),
            text("### Providers"),
            words("provider", "Provider", frames::MODEL_OF, PROVIDERS),
            text("### Tiers"),
            words("tier", "Tier", frames::IN_MODEL, TIERS),
            text("## `llm_config`\n\n`llm_config:` is written once."),
            words("llm_config", "Key", frames::IN_CONFIG, CONFIG),
            text("### Logging\n\n`logging: true` logs prompts and completions."),
            words("logging", "Key", frames::IN_LOGGING, LOGGING),
            text(
                "## `llm_intent`\n\n`llm_intent NAME \"Title\":` is a request to a language model, which a step of a [process](process.md) or its own trigger starts.",
            ),
            words("llm_intent", "Key", frames::IN_INTENT, INTENT),
            text(
                "### Prompts\n\nDouble braces contain an input: `{{ input.name }}`, with dots through references. Without `input:` the inputs are those of the prompt.",
            ),
            further("Form", frames::INTENT_PROMPT, PROMPTS),
            wrong(
                "bad-placeholder",
                "entity Bike:\n  id: uuid pk\n  permit:\n    read: authenticated\nllm_model small:\n  provider: anthropic\n  model_id: claude-3-haiku-20240307\nllm_intent judge:\n  model: small\n  prompt: \"Judge {{ input.text\"\n",
            ),
            text("### Personal data"),
            words("pii", "Key", frames::IN_PII, PII),
            words("action of pii", "Action", frames::IN_PII, PII_ACTIONS),
            text("### Triggers of intents"),
            words("trigger of an intent", "Key", frames::IN_INTENT_TRIGGER, TRIGGER),
            further("Root", frames::IN_INTENT_TRIGGER, ROOTS),
        ],
    }
}

const WHOLE: &str = "llm_model large \"Large\":
  provider: anthropic
  model_id: claude-3-opus-20240229
  tier: quality
  api_key_env: LLM_KEY

llm_config:
  default_model: large
  budget_alert_usd: 50.00

llm_intent summary \"Summary\":
  prompt: \"Sum up: {{ input.notes }}\"
  pii: redact
  trigger:
    on_entity: Repair
    on_event: created
    when: notes != null
    input_map:
      notes: entity.notes
    write_back:
      title: output";

const MODEL: &[Entry] = &[
    entry_in(frames::MODEL_OF, "provider", "The provider. Required.", "provider: openai"),
    entry_in(frames::MODEL_ID, "model_id", "The provider's name for it. Required.", "model_id: gpt-4o-mini"),
    entry("tier", "The tier; default `balanced`.", "tier: fast"),
    entry("max_tokens", "The longest answer.", "max_tokens: 1024"),
    entry(
        "base_url",
        "The address of the API, if it is not the provider's default; `azure` and `local` have none.",
        "base_url: \"https://llm.example.com/v1\"",
    ),
    entry("api_key_env", "The environment variable with the API key; a declaration never contains the key itself.", "api_key_env: LLM_KEY"),
    entry("cost_per_1k_input", "US dollars for a thousand input tokens.", "cost_per_1k_input: 0.00025"),
    entry("cost_per_1k_output", "US dollars for a thousand output tokens.", "cost_per_1k_output: 0.00125"),
];

const PROVIDERS: &[Entry] = &[
    entry("anthropic", "The API of Anthropic.", "provider: anthropic"),
    entry("openai", "The API of OpenAI.", "provider: openai"),
    entry("google", "The API of Google.", "provider: google"),
    entry("azure", "The API of Azure.", "provider: azure"),
    entry("mistral", "The API of Mistral.", "provider: mistral"),
    entry("ollama", "The API of Ollama.", "provider: ollama"),
    entry("local", "A server of your own.", "provider: local"),
];

const TIERS: &[Entry] = &[
    entry("fast", "Quick and cheap.", "tier: fast"),
    entry("balanced", "Between the two.", "tier: balanced"),
    entry("quality", "The best quality.", "tier: quality"),
];

const CONFIG: &[Entry] = &[
    entry("default_model", "The model of intents without one.", "default_model: small"),
    entry("rate_limits", "Requests per minute, by model.", "rate_limits:\n  small: 100"),
    entry("logging", "The logged parts. See [logging](#logging).", "logging: true"),
    entry("budget_alert_usd", "US dollars per calendar month above which a warning is logged; requests continue.", "budget_alert_usd: 50"),
];

const LOGGING: &[Entry] = &[
    entry("log_prompts", "Prompts.", "log_prompts: true"),
    entry("log_completions", "Completions.", "log_completions: false"),
    entry("redact_pii", "Personal data is removed from the log; default true.", "redact_pii: true"),
];

const INTENT: &[Entry] = &[
    entry_in(frames::INTENT_MODEL, "model", "The model; default: the default model.", "model: small"),
    entry_in(
        frames::INTENT_PROMPT,
        "prompt",
        "The text of the request. See [prompts](#prompts). Required.",
        "prompt: \"How long does {{ input.title }} take?\"",
    ),
    entry("description", "Its purpose.", "description: \"An estimate in hours\""),
    entry("input", "Its inputs, each with a type.", "input:\n  title: str required"),
    entry("output_schema", "The entity whose fields describe the response; without one, the response is text.", "output_schema: Part"),
    entry("timeout", "The timeout.", "timeout: 30s"),
    entry("max_tokens", "The longest answer.", "max_tokens: 256"),
    entry("retry", "Retries after a failure. See [retry](process.md#retry).", "retry: 3"),
    entry(
        "pii",
        "The treatment of personal data in the request; `pii: true` is `warn`. See [personal data](#personal-data).",
        "pii: redact",
    ),
    entry(
        "trigger",
        "The event that starts it. See [triggers](#triggers-of-intents).",
        "trigger:\n  on_entity: Repair\n  on_event: created\n  input_map:\n    title: entity.title",
    ),
];

const PROMPTS: &[Entry] = &[entry("input", "An input.", "prompt: \"How long does {{ input.title }} take?\"")];

const PII: &[Entry] = &[
    entry("scan", "Whether requests are searched for personal data.", "scan: true"),
    entry("action", "The treatment of personal data that is found.", "action: redact"),
];

const PII_ACTIONS: &[Entry] = &[
    entry("warn", "The request is sent, and a warning is logged.", "action: warn"),
    entry("redact", "It is removed.", "action: redact"),
    entry("reject", "The request is not sent.", "action: reject"),
];

const TRIGGER: &[Entry] = &[
    entry_in(frames::INTENT_TRIGGER, "on_entity", "The entity.", "on_entity: Repair\non_event: created\ninput_map:\n  title: entity.title"),
    entry_in(
        frames::INTENT_TRIGGER,
        "on_event",
        "The event of its rows: `created`, `updated` or `deleted`. The change of a field starts a [process](process.md#triggers) with a step `llm_intent`.",
        "on_entity: Repair\non_event: updated\ninput_map:\n  title: entity.title",
    ),
    entry_in(frames::INTENT_TRIGGER_MAPPED, "when", "A condition on the row.", "when: entity.express"),
    entry("input_map", "The fields of the row for the inputs.", "input_map:\n  title: entity.title"),
    entry_in(
        frames::INTENT_TRIGGER_MAPPED,
        "write_back",
        "The fields of the row that store parts of the response.",
        "write_back:\n  notes: output",
    ),
];

const ROOTS: &[Entry] = &[
    entry("entity", "The row.", "input_map:\n  title: entity.title"),
    entry_in(
        frames::INTENT_TRIGGER_MAPPED,
        "output",
        "The response; after a dot, a field of the entity that describes it.",
        "write_back:\n  notes: output",
    ),
];
