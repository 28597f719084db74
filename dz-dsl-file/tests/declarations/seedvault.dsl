app seed_vault "Seed vault":
  currency: NOK
  theme: 150

persona curator
persona donor "Depositor"
persona auditor

entity Species:
  plural: species
  id: slug pk
  latin: str(120) required unique searchable
  common: str(120)
  parent: ref Species nullify
  descendants: has_many Species via parent
  graph_node:
    edges: Cross
    display: latin
  permit:
    list: anonymous
    read: anonymous
    create: role(curator)

entity Cross "Cross between species":
  id: uuid pk
  mother: ref Species required
  father: ref Species required
  viability: decimal(5,2) = 50
  kind: enum[natural, artificial] = artificial
  graph_edge:
    source: mother
    target: father
    weight: viability
    type: kind
    acyclic: true
  permit:
    list: true
    read: true
    create: role(curator)
    delete: role(curator)

entity Deposit "Deposit":
  id: uuid pk
  number: int required unique
  species: ref Species required
  depositor: ref User required = current_user
  boxes: int = 1
  fee: money = 120
  received: date = today
  germination: float
  phase: enum[announced, arrived, tested, stored, withdrawn, rejected] = announced
  transitions:
    announced -> arrived: role(curator)
    arrived -> tested: role(curator), requires germination
    tested -> stored: role(curator)
      guard: germination >= 0.85 and boxes <= 400
      message: "Germination is too low"
    tested -> rejected "Send back": role(curator)
    stored -> withdrawn: role(donor, curator)
    announced -> rejected: auto after 12w
    final: stored, withdrawn
    failed: rejected
  invariant: boxes >= 1
    message: "At least one box"
    code: BOXES
  invariant: germination = null or germination <= 1
    message: "A share"
    code: SHARE
  permit:
    list: role(curator, auditor) or depositor = current_user
    read: role(curator, auditor) or depositor = current_user
    create: role(donor)
    update: role(curator)
  permit:
    update: depositor = current_user and phase = announced
  forbid:
    update: role(auditor)

service germination_forecast "Forecast":
  kind: domain_logic
  input:
    species: ref Species required
    years: int required
  output:
    share: float required
  guarantees:
    - "The share is between 0 and 1"
  stub: python

process intake "Intake of a deposit":
  trigger: entity Deposit phase announced -> arrived
  timeout: 30d
  overlap: queue
  emits: deposit_checked
  steps:
    - step forecast "Forecast":
        service: germination_forecast
        inputs:
          trigger.entity.species -> species
          10 -> years
        retry:
          max_attempts: 4
          backoff: exponential
          interval: 20s
        on_failure: ask
    - step good:
        condition: forecast.share > 0.5
        on_true: complete
        on_false: ask
    - step ask "Ask the curator":
        human_task:
          surface: deposit_view
          assignee_role: curator
          timeout: 5 days
          outcomes:
            - keep "Keep":
                goto: complete
                sets:
                  boxes -> 1
            - refuse "Refuse":
                goto: fail
                confirm: "Really?"

schedule yearly_count "Yearly count":
  cron: "0 4 1 1 *"
  timezone: "Arctic/Longyearbyen"
  steps:
    - step wait_a_bit:
        wait: 2 hours

surface deposit_view "Deposit":
  uses entity Deposit
  mode: view
