app aviary "Aviary"

persona warden "Warden"

entity User "Person":
  id: uuid pk
  name: str(60) required

entity Bird "Bird":
  id: uuid pk
  species: str(60) required
  weight: decimal(6, 2)
  permit:
    list: role(warden)
    read: role(warden)
    create: role(warden)

surface bird_list "Birds":
  uses entity Bird
  mode: list
  section main:
    field species "Species"

surface bird_create "A new bird":
  uses entity Bird
  mode: create
  section main:
    field species "Species"

service ration "Ration":
  input:
    weight: decimal(6, 2) required
  output:
    grams: int required
  guarantees:
    - "No bird gets nothing"
  stub: rust

service ring_number "Number of a ring":
  input:
    bird: ref Bird required
  output:
    number: str(20) required

llm_model small "Small":
  provider: openai
  model_id: gpt-4o-mini
  api_key_env: AVIARY_KEY_THAT_NO_MACHINE_HAS

llm_intent describe "Describe a bird":
  model: small
  prompt: "Describe this bird: {{ input.bird.species }}"
  input:
    bird: ref Bird required

process register "Register a bird":
  implements: ST-001
  trigger: entity Bird created
  steps:
    - step describing:
      llm_intent: describe
      inputs: trigger.entity -> bird
    - step numbering:
      service: ring_number
      inputs: trigger.entity -> bird

story ST-001 "A warden registers a bird":
  actor: warden
  scope: [Bird]
  status: accepted
  given:
    - a warden is signed in
  when:
    - the warden enters the species
  then:
    - the list shows the bird
