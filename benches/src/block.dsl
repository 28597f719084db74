enum Weight00 ordered "Weight":
  light "Light"
  heavy "Heavy"

archetype Stamped00:
  created_at: datetime auto_add
  changed_at: datetime auto_update

entity Customer00 "Customer":
  extends: Stamped00
  display_field: name
  id: uuid pk
  name: str(120) required searchable indexed
  mail: email unique?
  zone: timezone = "Europe/Lisbon"
  orders: has_many Order00 via buyer
  permit:
    list: role(clerk, manager)
    read: role(clerk, manager)
    create: role(clerk)
    update: role(clerk) and mail is not null
    delete: role(manager) and count(orders) = 0
  index zone, name desc

entity Order00 "Order":
  extends: Stamped00
  display_field: number
  id: uuid pk
  number: str(20) required unique
  buyer: belongs_to Customer00 required
  owner: ref User = current_user
  weight: Weight00 = light
  total: decimal(10, 2) = 0
  urgent: bool = false
  placed_on: date = today indexed
  due: date = today + 14 days
  note: text
  lines: has_many Line00 via order cascade
  status: enum[draft, placed, approved, rejected, shipped] = draft
  days_left: computed days_until(due)
  rush: computed urgent and total > 100
  transitions:
    draft -> placed: requires note
    placed -> approved: role(manager)
      guard: any(lines where amount > 0)
      message: "An order has a line"
    placed -> rejected: role(manager)
    approved -> shipped: role(clerk) or role(manager)
    rejected -> draft: auto after 30 days or manual
  invariant: due >= placed_on
    message: "An order is due after it is placed"
    code: ORDER_DATES_00
  scope:
    list: owner = current_user
      for: clerk
    read: all
      for: manager
  audit: [create, delete]
  permit:
    list: role(clerk, manager)
    read: role(clerk, manager)
    create: role(clerk)
    update: role(clerk, manager) and status != shipped
  forbid:
    update: owner != current_user and role(clerk)
  index status, due

entity Line00 "Line":
  id: uuid pk
  order: belongs_to Order00 required
  title: str(120) required
  amount: int = 1
  price: decimal(8, 2) = 0
  sum: computed amount * price
  permit:
    list: role(clerk, manager)
    read: role(clerk, manager)
    create: role(clerk) and order.status in [draft, placed]
  unique order, title

surface customer00_list "Customers 00":
  uses entity Customer00
  mode: list
  section main:
    field name "Customer"
    field mail
    field zone
  ux:
    sort: name asc
    filter: zone
    search: name, mail

surface order00_list "Orders 00":
  uses entity Order00
  mode: list
  section main:
    field number "Number"
    field buyer.name "Customer"
    field total format: integer
    field due
    field status
  ux:
    purpose: "What is to be sent"
    sort: placed_on desc, number asc
    filter: status, weight, due
    search: number, buyer.name
    empty: "No orders."
    attention warning:
      when: due < today and status in [placed, approved]
      message: "Late"
      action: order00_view
    for clerk:
      scope: owner = current_user or owner = null
      purpose: "Your orders"

surface order00_view "Order 00":
  uses entity Order00
  mode: view
  section main:
    field number
    field buyer.name
    field rush format: yes_no
    field days_left
    field note when: note is not null
  section lines "Lines":
    uses entity Line00
    filter: order = this and amount > 0
    field title
    field sum

surface order00_new "New order 00":
  uses entity Order00
  mode: create
  section main:
    field number help: "As on the paper"
    field buyer
    field due
    field note widget=textarea
  action done "Show all":
    on submit -> surface order00_list

workspace desk00 "Desk 00":
  purpose: "What happens today"
  access: persona(clerk, manager)
  late "Late":
    source: Order00
    filter: due < today and status != shipped
    sort: placed_on asc
    limit: 20
    display: list
    action: order00_view
    empty: "Nothing is late."
  figures:
    display: metrics
    aggregate:
      open00: count(Order00 where status in [placed, approved])
      share00: round(count(Order00 where status = shipped) * 100 / nullif(count(Order00), 0), 1)
  weeks "By week":
    source: Order00
    display: bar_chart
    group_by: bucket(placed_on, week)
    aggregate:
      orders00: count(Order00)

story ST-00 "An order is sent":
  actor: clerk
  trigger: form_submitted
  scope: [Order00, Customer00]
  given:
    - a customer who has ordered before
  when:
    - the clerk enters the order
  then:
    - status of Order00 is 'placed'
  unless:
    - the note is missing:
        then: the form says so

experience entry00 "Enter orders":
  context:
    first: ref Order00
  start at step look
  step look:
    kind: surface
    surface order00_new
    saves_to: context.first
    on success -> step enter
  step enter:
    kind: surface
    surface order00_new
    prefill:
      buyer: context.first.buyer
    on back -> step look

service price00 "Price":
  kind: domain_logic
  input:
    order: ref Order00 required
    discounts: list[decimal(4, 2)]
  output:
    total: decimal(10, 2) required
    size: enum[small, large] required
  guarantees:
    - "Never negative"
  stub: rust

llm_intent thank00 "Thank somebody":
  model: small
  input:
    order: ref Order00 required
    tone: enum[warm, brief] = warm
  prompt: "Thank {{ input.order.buyer.name }} in a {{ input.tone }} way"
  pii: warn

process approval00 "Approval":
  implements: [ST-00]
  trigger: entity Order00 status draft -> placed
  timeout: 14d
  overlap: queue
  steps:
    - step pricing "Price it":
      service: price00
      inputs:
        trigger.entity -> order
      output: priced
      timeout: 30s
      retry:
        max_attempts: 3
        backoff: linear
        interval: 5s
    - step big:
      condition: priced.total > 1000
      on_true: review
      on_false: thanks
    - step review "Look at it":
      human_task:
        surface: order00_view
        entity: Order00
        assignee_role: manager
        timeout: 2 days
        outcomes:
          - approve "Approve":
            goto: thanks
            sets: Order00.status -> approved
          - reject "Reject":
            goto: fail
            sets: Order00.status -> rejected
    - step thanks:
      llm_intent: thank00
      inputs: trigger.entity -> order, brief -> tone
      on_success: complete
      on_failure: complete

schedule nightly00 "Nightly":
  cron: "0 3 * * *"
  timezone: "Europe/Lisbon"
  steps:
    - step clear:
      effects:
        - delete Order00:
          where: status = rejected and days_since(placed_on) > 30

scenario busy00 "A busy day":
  description: "Many orders"
  for persona clerk:
    start_route: "/app/order00_list"

demo:
  User:
    - @owner00 email: "owner00@example.com", name: "Owner"
  Customer00:
    - @ann00 name: "Ann", mail: "ann00@example.com"
  Order00:
    - @first00 number: "A-1", owner: @owner00, buyer: @ann00, total: 24.50, due: today + 3d, note: "Soon"
    - number: "A-2", owner: @owner00, buyer: @ann00, urgent: true
  Line00:
    - order: @first00, title: "Saw", amount: 2, price: 12.25

