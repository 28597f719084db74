# Language model
# category: construct
# aliases: LLM; model provider
# related: llm_config; llm_intent
# `llm_model` names a language model of a provider: its id there, its tier, limits and costs.

llm_model small "Small model":
  provider: anthropic
  model_id: claude-3-haiku-20240307
  tier: fast
  max_tokens: 1024
  api_key_env: ANTHROPIC_API_KEY

llm_config:
  default_model: small

entity Order "Order":
  id: uuid pk
  number: str(20) required
  permit:
    list: authenticated
    read: authenticated
