app coop "Housing co-operative":
  currency: SEK
  multi_tenant: true

persona treasurer "Treasurer"
persona resident "Resident"
persona board_member "Board"

entity House:
  archetype: tenant
  id: uuid pk
  name: str(80) required

entity HouseRules:
  archetype: tenant_settings
  id: uuid pk
  late_fee: money = 150
  grace_days: int = 10

entity Account:
  archetype: user
  id: uuid pk
  email: email required unique
  display_name: str(80)

entity Residence "Membership":
  archetype: user_membership
  id: uuid pk
  flat_no: str(6)

entity Flat "Flat":
  id: uuid pk
  number: str(6) required
  area: decimal(6,1) required
  share: decimal(7,6) required
  owner: ref Account
  entries: has_many Entry
  balance: computed coalesce(sum(entries.amount), 0)
  overdue: computed count(entries where due < today and status = open)
  unique number
  permit:
    list: role(treasurer, board_member) or owner = current_user
    read: role(treasurer, board_member) or owner = current_user
    create: role(board_member)
    update: role(board_member)

entity Entry "Ledger entry":
  id: uuid pk
  flat: belongs_to Flat required
  kind: enum[fee, payment, fine, correction] required
  amount: decimal(12,2) required
  booked: date = today
  due: date = today + 30d
  text: str(120) required
  reverses: ref Entry
  status: enum[open, settled, written_off] = open
  transitions:
    open -> settled: role(treasurer)
    open -> written_off: role(treasurer, board_member)
      guard: amount < 5000
      message: "Too much to write off"
    final: settled
    failed: written_off
  invariant: kind != payment or amount < 0
    message: "A payment lowers the balance"
    code: PAYMENT_SIGN
  invariant: kind != correction or reverses != null
    message: "A correction names what it corrects"
    code: CORRECTION
  permit:
    list: role(treasurer) or flat.owner = current_user
    read: role(treasurer) or flat.owner = current_user
    create: role(treasurer)
    transition: role(treasurer, board_member)
  forbid:
    create: flat.owner = current_user
  audit:
    create
    read: role(board_member)
  index booked desc, kind

surface entry_list "Ledger":
  uses entity Entry
  mode: list
  section main:
    field flat.number
    field kind
    field amount
    field booked
    field status
  ux:
    sort: booked desc
    filter: kind, status, booked
    search: text, flat.number
    attention warning:
      when: status = open and due < today - 10d
      message: "Overdue"
    for resident:
      purpose: "My payments"
      scope: flat.owner = current_user
      show_aggregate: amount

surface book "Book":
  uses entity Entry
  mode: create
  section main:
    field flat
    field kind widget=radio
    field amount help: "Negative for a payment"
    field text
    field reverses when: kind = correction

workspace treasury "Treasury":
  access: persona(treasurer)
  open_entries "Open":
    source: Entry
    filter: status = open
    sort: due asc
    display: table
    action: book
    limit: 50
  matrix:
    source: Entry
    display: pivot
    group_by: [kind, status]
    value: amount
  money_in "Money":
    display: summary
    aggregate:
      paid: sum(Entry.amount where kind = payment)
      open_sum: sum(Entry.amount where status = open and due < today)
      biggest: max(Entry.amount)
      flats: count(Flat)
      per_flat: round(open_sum / nullif(flats, 0), 2)

demo:
  Account:
    - @eva email: "eva@example.se", display_name: "Eva", password: "treasure-1234", roles: [treasurer]
  House:
    - @elm name: "Elm"
  Flat:
    - @f1 house: @elm, number: "11", area: 61.5, share: 0.021500, owner: @eva
  Entry:
    - house: @elm, flat: @f1, kind: fee, amount: 4200, text: "March"
