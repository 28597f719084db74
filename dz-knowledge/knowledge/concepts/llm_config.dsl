# Configuration of language models
# category: construct
# aliases: LLM settings; model budget
# related: llm_model; llm_intent
# `llm_config` sets the default model, request rates, logging and the budget for all language models.

llm_model small "Small model":
  provider: openai
  model_id: gpt-4o-mini

llm_config:
  default_model: small
  rate_limits:
    small: 60
  logging:
    log_prompts: false
    redact_pii: true

entity Order "Order":
  id: uuid pk
  number: str(20) required
  permit:
    list: authenticated
    read: authenticated
