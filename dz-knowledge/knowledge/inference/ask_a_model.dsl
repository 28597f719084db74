# A language model
# triggers: summarise with AI; classify text; LLM; generate a draft answer; detect sentiment
# suggests_for: llm_intent; llm_model
# Write an `llm_intent` with a prompt, a trigger and `write_back`; name the model with `llm_model`.

llm_model small "Small model":
  provider: openai
  model_id: gpt-4o-mini

entity Review "Review":
  id: uuid pk
  title: str(120) required
  verdict: text
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

llm_intent classify "Classify":
  model: small
  prompt: "Is this praise or a complaint: {{ input.title }}"
  trigger:
    on_entity: Review
    on_event: created
    input_map:
      title: entity.title
    write_back:
      Review.verdict: output
