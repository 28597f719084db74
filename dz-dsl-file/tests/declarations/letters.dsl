app letters "Archive of letters":
  timezone: "Europe/Vienna"

persona archivist "Archivist":
  goals:
    - find a letter by its writer
    - date what has no date
persona scholar

llm_model quick "Quick":
  provider: mistral
  model_id: mistral-small-latest
  tier: fast
  max_tokens: 800
  api_key_env: MISTRAL_KEY
  cost_per_1k_input: 0.0002
  cost_per_1k_output: 0.0006
llm_model deep "Deep":
  provider: ollama
  model_id: llama3
  base_url: "http://localhost:11434"

llm_config:
  default_model: quick
  budget_alert_usd: 20
  rate_limits:
    quick: 60
    deep: 6
  logging:
    log_prompts: true
    log_completions: false
    redact_pii: true

entity Correspondent:
  id: uuid pk
  name: str(120) required unique
  born: int
  died: int
  wrote: has_many Letter via sender
  received: has_many Letter via recipient
  permit:
    list: true
    read: true
    create: role(archivist)

entity Letter "Letter":
  id: uuid pk
  sender: ref Correspondent required
  recipient: ref Correspondent
  written: date
  written_guess: str(60)
  incipit: str(200) required searchable
  transcript: text
  scan: file
  language: enum[de, fr, la, it, other] = de
  mood: enum[glad, sad, angry, neutral] optional
  summary: text
  shelf_mark: str(30) required unique was: signature
  permit:
    list: authenticated
    read: authenticated
    create: role(archivist)
    update: role(archivist) or role(scholar) and transcript = null
  index sender, written
  graph_edge:
    source: sender
    target: recipient

llm_intent summarise "Summarise":
  model: deep
  prompt: "Sum up this letter in {{ input.language }}: {{ input.transcript }}"
  description: "Two sentences"
  timeout: 90s
  max_tokens: 300
  retry: 2
  pii:
    scan: true
    action: redact
  trigger:
    on_entity: Letter
    on_event: updated
    when: entity.transcript != null and entity.summary = null
    input_map:
      language: entity.language
      transcript: entity.transcript
    write_back:
      summary: output

service dating "Dating by watermark":
  kind: integration
  spec: url "https://watermarks.example.org/openapi.json"
  auth_profile: api_key_header header="X-Key"
  owner: "Paper institute"
  input:
    mark: str required
  output:
    year: int
    candidates: list[int]

process enrich "Enrich a letter":
  trigger: manual role(archivist, scholar)
  input:
    letter: ref Letter required
  steps:
    - parallel both:
        on_any_failure: wait_all
        - step ask_paper:
            service: dating
            inputs: input.letter.shelf_mark -> mark
        - step pause:
            wait: 1min
    - step done:
        effects:
          - update Letter:
              where: id = input.letter
              set:
                written_guess -> "see dating"
          - emit letter_enriched

schedule sweep:
  interval: 6h
  overlap: skip
  steps:
    - step clear:
        effects:
          - delete Letter:
              where: incipit = "" and scan = null

surface letter_list "Letters":
  uses entity Letter
  mode: list
  section main:
    field incipit
    field sender.name "From"
    field recipient.name "To"
    field written
  ux:
    sort: written asc, incipit asc
    filter: language, mood, sender
    search: incipit, sender.name, shelf_mark
    attention info:
      when: transcript = null
      message: "Not transcribed"
