# Grant applications of a foundation.
app grants "Foundation":
  timezone: "Europe/Zurich"
  theme: amber
  default_locale: en
  registration: true

persona applicant "Applicant"
persona officer "Programme officer":
  default_workspace: desk
persona juror "Juror"
persona board "Board member"

entity Account "Account":
  archetype: user
  id: uuid pk
  name: str(80) required
  organisation: str(120)
  permit:
    list: role(officer, board)
    read: role(officer, board, juror) or id = current_user
    update: id = current_user

entity Programme "Programme":
  id: uuid pk
  name: str(100) required unique
  opens_on: date required
  closes_on: date required
  brief: text
  guidelines: file(10MB)
  budget: money
  applications: has_many Application
  asked: computed count(applications where status != draft)
  open_now: computed opens_on <= today and closes_on >= today
  invariant: closes_on > opens_on
    message: "A programme closes after it opens"
  permit:
    list: anonymous
    read: anonymous
    create: role(officer)
    update: role(officer)

entity Application "Application":
  id: uuid pk
  reference: int
  title: str(160) required searchable
  programme: ref Programme required
  applicant: ref Account required = current_user
  amount: money required
  iban: str(34) sensitive
  abstract: text
  summary: str(600)
  sentiment: enum[positive, neutral, negative] optional
  budget_sheet: file(2MB)
  submitted_at: datetime
  status: enum[draft, submitted, "in review", granted, refused, withdrawn] = draft
  reviews: has_many Review
  grant: has_one Grant
  score: computed round(avg(reviews.points), 2)
  spread: computed max(reviews.points) - min(reviews.points)
  words: computed length(abstract)
  headline: computed concat(upper(title), " / ", applicant.name)
  display_field: headline
  permit:
    list: role(officer, board) or applicant = current_user or any(reviews where juror = current_user)
    read: role(officer, board) or applicant = current_user or any(reviews where juror = current_user)
    create: role(applicant) and programme.open_now
    update: (applicant = current_user and status = draft) or role(officer)
    delete: applicant = current_user and status = draft
    transition: applicant = current_user or role(officer, board)
  transitions:
    draft -> submitted "Submit": requires abstract, budget_sheet
      guard: applicant = current_user and programme.closes_on >= today
      message: "The programme is closed"
    submitted -> "in review" "Start the review": role(officer)
    "in review" -> granted "Grant": role(board)
      guard: count(reviews) >= 2 and score >= 3.5
      message: "Two reviews with a mean of 3.5 are needed"
    "in review" -> refused "Refuse": role(board)
    draft, submitted -> withdrawn "Withdraw": role(applicant)
    final: granted
    failed: refused, withdrawn
  invariant: amount > 0
    message: "Ask for something"
  audit: all

entity Review "Review":
  id: uuid pk
  application: ref Application required cascade
  juror: ref Account required
  points: decimal(3, 1)
  comment: text
  conflict: bool = false
  unique application, juror
  invariant: points = null or (points >= 1 and points <= 5)
    message: "Points from 1 to 5"
    code: POINTS
  permit:
    list: role(officer, board) or juror = current_user
    read: role(officer, board) or juror = current_user
    create: role(officer)
    update: juror = current_user and application.status = "in review" and not conflict

entity Grant "Grant":
  id: uuid pk
  application: ref Application required unique restrict
  amount: money required
  signed_on: date
  paid: money
  contract: file
  invariant: paid = null or paid >= 0
    message: "Payments are not negative"
  permit:
    list: role(officer, board) or application.applicant = current_user
    read: role(officer, board) or application.applicant = current_user
    create: role(board)
    update: role(officer)

entity Opinion "Opinion of a model":
  id: uuid pk
  summary: str(600) required
  sentiment: enum[positive, neutral, negative] required
  topics: json = []
  permit:
    list: role(officer)
    read: role(officer)

surface programme_list "Programmes":
  uses entity Programme
  mode: list
  access: public
  ux:
    sort: closes_on asc
    search: name
    filter: closes_on
surface application_list "Applications":
  uses entity Application
  mode: list
  ux:
    sort: submitted_at desc
    filter: status, programme, amount
    search: title, applicant.name, programme.name
    for applicant:
      show: title, amount, status
      empty: "You have no application yet."
      action_primary: application_edit
    for juror:
      read_only: true
surface application_new "New application":
  uses entity Application
  mode: create
  access: persona(applicant)
  section main "Project":
    field title
    field programme
    field amount
    field abstract widget=markdown
    field iban help: "Only officers see it"
  ux:
    for applicant:
      defaults:
        abstract: "Our project …"
        amount_currency: "CHF"
surface application_view "Application":
  uses entity Application
  mode: view
  related reviews "Reviews":
    show: reviews, grant
surface application_edit "Edit application":
  uses entity Application
  mode: edit
surface review_edit "Review":
  uses entity Review
  mode: edit
  section main:
    field application.title
    field points widget=range
    field comment
  action done: on submit -> surface application_list
surface grant_new "New grant":
  uses entity Grant
  mode: create

workspace desk "Desk":
  access: persona(officer, board)
  funnel "Stages":
    source: Application
    display: funnel
  matrix "By programme":
    source: Application
    display: pivot
    group_by: [programme, status]
  open "To review":
    source: Application, Review
    display: table
    sort: id asc
    action: application_view

llm_model clever "Clever":
  provider: mistral
  model_id: "mistral-large-latest"
  tier: quality
  api_key_env: MISTRAL_KEY
  max_tokens: 2000
  cost_per_1k_input: 0.002
  cost_per_1k_output: 0.006
llm_model home:
  provider: local
  model_id: llama3
  base_url: "http://localhost:8081/v1"
  tier: fast
llm_config:
  default_model: clever
  budget_alert_usd: 80
  rate_limits:
    clever: 30
    home: 600
  logging:
    log_prompts: true
    log_completions: false
    redact_pii: true
llm_intent digest "Digest":
  description: "A short text for the board"
  prompt: "Sum up for the board: {{ input.title }}. {{ input.text }}"
  input:
    title: str required
    text: text required
  output_schema: Opinion
  timeout: 45s
  retry:
    max_attempts: 3
    backoff: linear
    interval: 10s
  pii:
    scan: true
    action: redact
  trigger:
    on_entity: Application
    on_event: updated
    when: status = submitted and abstract != null and summary = null
    input_map:
      title: entity.title
      text: entity.abstract
    write_back:
      summary: output.summary
      sentiment: output.sentiment
llm_intent letter "Letter":
  model: home
  max_tokens: 300
  prompt: "Write a kind refusal to {{ input.application.applicant.name }} for {{ input.application.title }}."
  input:
    application: ref Application required
  pii: true

service transfer "Bank transfer":
  kind: workflow
  input:
    grant: ref Grant required
    installments: list[int]
  output:
    receipt: str(40) required
    booked_on: date required
  guarantees:
    - "A grant is paid once"
  stub: rust
service recall "Recall a transfer":
  input:
    receipt: str required
  output:
    ok: bool required
  stub: rust

process pay "Pay a grant":
  trigger: entity Grant updated
  input:
    signed_on: date required
  output:
    receipt: str(40) = sending.receipt
  steps:
    - step signed:
        condition: trigger.entity.signed_on != null and trigger.entity.paid = null
        on_true: sending
        on_false: complete
    - step sending:
        service: transfer
        inputs: trigger.entity -> grant
        retry: 5
        timeout: 2min
        compensate: undo
    - step note:
        effects:
          - update trigger.entity:
              set:
                signed_on -> sending.booked_on
  compensations:
    - undo:
        service: recall
        inputs: sending.receipt -> receipt
        retry: 3
        timeout: 1 hour
process refuse "Write a refusal":
  trigger: entity Application status "in review" -> refused
  steps:
    - step text:
        llm_intent: letter
        inputs: trigger.entity -> application
    - step check "Check the letter":
        human_task:
          surface: application_view
          assignee_role: officer
          outcomes:
            - fine "Send it":
                goto: complete
                sets:
                  summary -> text.text
            - again:
                goto: text

experience apply "Apply for a grant":
  access: persona(applicant)
  start at step form
  context:
    application: ref Application
  step form "Your project":
    surface application_new
    saves_to: context.application
    on success -> step check
    on cancel -> step programmes
  step check "Check it":
    surface application_view
    when: context.application != null
    on approve -> step programmes
    on back -> step form
  step programmes "Programmes":
    surface programme_list

scenario round_two "Second round":
  description: "An open programme with one application"
  for persona applicant:
    start_route: "/app/application_list"
  demo:
    Account:
      - @zoe email: "zoe@grants.example", name: "Zoe", password: "please fund me 1", roles: [applicant]
    Programme:
      - @arts name: "Arts", opens_on: today - 5d, closes_on: today + 30d, budget: 50000, budget_currency: "CHF"
    Application:
      - title: "Murals", programme: @arts, applicant: @zoe, amount: 8000, amount_currency: "CHF"
