# LLM intent
# category: construct
# aliases: AI question; prompt; language model task
# related: llm_model; llm_config; entity
# An intent is a request (a question) to a language model, with typed inputs. An event of an entity can start it, and the answer can be written back to the row.

llm_model small "Small model":
  provider: openai
  model_id: gpt-4o-mini

entity Ticket "Ticket":
  id: uuid pk
  subject: str(120) required
  summary: text
  permit:
    list: authenticated
    read: authenticated

llm_intent summarise "Summarise":
  model: small
  prompt: "Summarise in one sentence: {{ input.subject }}"
  trigger:
    on_entity: Ticket
    on_event: created
    input_map:
      subject: entity.subject
    write_back:
      Ticket.summary: output
