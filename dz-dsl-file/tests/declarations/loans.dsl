# Loans of a museum: objects, lenders, exhibitions, condition reports.
app museum "Museum":
  description: "Loans in and out"
  timezone: "Europe/Paris"
  default_locale: en
  currency: EUR
  theme: red

persona registrar "Registrar"
persona curator "Curator"
persona conservator "Conservator"
persona courier "Courier"

enum Material "Material":
  oil "Oil on canvas"
  bronze
  paper "Work on paper"
  "mixed media" "Mixed media"
enum Condition ordered "Condition":
  poor
  fair
  good
  excellent

archetype Tracked:
  created_at: datetime auto_add
  changed_at: datetime auto_update
  created_by: ref User = current_user

entity User "Colleague":
  archetype: user
  id: uuid pk
  name: str(80) required
  initials: str(4) unique?
  permit:
    list: authenticated
    read: authenticated

entity Artist "Artist":
  id: uuid pk
  name: str(120) required searchable
  born: int
  died: int
  years: computed if died = null: concat("born ", name) else: "past"
  age: computed died - born
  works: has_many Artwork
  invariant: died = null or born = null or died >= born
    message: "Nobody dies before being born"
  permit:
    list: anonymous
    read: anonymous
    create: role(curator)
    update: role(curator)

entity Lender "Lender":
  extends: Tracked
  id: uuid pk
  name: str(120) required searchable
  mail: email
  phone: str(30)
  site: url
  vat: str(20) sensitive
  loans: has_many Loan
  total_value: computed sum(loans.insured where state in [agreed, arrived, "on show"])
  permit:
    list: role(registrar, curator)
    read: role(registrar, curator)
    create: role(registrar)
    update: role(registrar)

entity Artwork "Work of art":
  extends: Tracked
  id: uuid pk
  inventory: str(20) required unique searchable
  title: str(200) required searchable
  artist: belongs_to Artist nullify
  material: Material = oil
  height_cm: decimal(6, 1)
  width_cm: decimal(6, 1)
  area: computed round(height_cm * width_cm / 10_000, 3)
  made: date
  image: file(12MB)
  colour: str(7)
  description: text
  crate: has_one Crate
  reports: has_many Report
  last_condition: computed min(reports.condition)
  placements: has_many Placement
  here_now: computed any(placements where until = null)
  display_field: title
  permit:
    list: anonymous
    read: anonymous
    create: role(curator, registrar)
    update: role(curator, registrar)
    delete: role(registrar) and not any(loans)
  loans: has_many Loan via LoanItem

entity Crate "Crate":
  id: uuid pk
  artwork: ref Artwork required unique cascade
  code: slug required unique
  weight_kg: float
  permit:
    list: role(registrar, courier)
    read: role(registrar, courier)
    create: role(registrar)
    update: role(registrar)

entity Placement "Place of a work":
  id: uuid pk
  artwork: ref Artwork required cascade
  room: str(40) required
  since: datetime = now
  until: datetime
  temporal:
    start: since
    end: until
  unique artwork where until = null
  permit:
    list: authenticated
    read: authenticated
    create: role(registrar)
    update: role(registrar)

entity Loan "Loan":
  extends: Tracked
  id: uuid pk
  number: str(12) required unique was: loan_no
  lender: ref Lender required restrict
  begins: date required
  ends: date required
  insured: money required
  fee: money = 0
  contract: file(20MB)
  state: enum[asked, agreed, arrived, "on show", returned, refused] = asked
  purpose: text
  works: has_many Artwork via LoanItem
  items: has_many LoanItem
  reports: has_many Report via loan
  days: computed ends - begins
  per_day: computed fee / nullif(ends - begins, 0)
  ends_soon: computed days_until(ends) < 30
  worst: computed min(reports.condition)
  permit:
    list: role(registrar, curator) or (role(courier) and state in [agreed, returned])
    read: role(registrar, curator, conservator, courier)
    create: role(registrar)
    update: role(registrar)
    transition: role(registrar)
  scope:
    list: all
      for: registrar, curator
    list: state = agreed and begins <= today + 14d
      as: courier
    read: all
    update: all
      for: *
    transition: all
      for: *
    create: all
      for: *
  forbid:
    update: state in [returned, refused]
  transitions:
    asked -> agreed: requires contract
      guard: count(items) > 0 and ends > today
      message: "A loan has works, and ends in the future"
    agreed -> arrived: role(registrar)
      guard: all(items where packed)
    arrived -> "on show"
    "on show", arrived -> returned: requires purpose
      guard: count(reports where kind = outgoing) >= count(items)
      message: "Each work needs a report when it leaves"
    asked -> refused: auto after 90d or manual
    final: returned
    failed: refused
  invariant: ends > begins
    message: "A loan ends after it begins"
  invariant: fee <= insured
    message: "The fee is below the insured value"
  audit: [create, update, delete, transition]
  index lender, begins desc where state = agreed

entity LoanItem "Work on loan":
  id: uuid pk
  loan: ref Loan required cascade
  artwork: ref Artwork required
  value: money
  packed: bool = false
  unique loan, artwork
  permit:
    list: authenticated
    read: authenticated
    create: role(registrar)
    update: role(registrar)
    delete: role(registrar)

entity Report "Condition report":
  id: uuid pk
  artwork: ref Artwork required
  loan: ref Loan
  kind: enum[incoming, outgoing, yearly] = yearly
  condition: Condition = good
  findings: text required searchable
  humidity: float
  signed: bool = false
  photo: file(9MB)
  on_day: date = today
  permit:
    list: role(registrar, curator, conservator)
    read: role(registrar, curator, conservator)
    create: role(conservator)
    update: role(conservator) and not signed

surface work_list "Collection":
  uses entity Artwork
  mode: list
  access: public
  priority: high
  section main:
    field title
    field artist.name "Artist"
    field material format: badge
    field made format: year
    field last_condition
  ux:
    sort: title asc
    filter: material, artist, made, here_now
    search: title, inventory, artist.name
surface work_view "Work":
  uses entity Artwork
  mode: view
  section main "The work":
    field title format: upper
    field inventory format: code
    field image
    field area format: compact
    field made format: month
  section more "More":
    field description
    field created_at format: date
    field changed_at format: time
    field made format: short
  related history "History":
    show: placements, reports, loans, crate
    display: table
    limit: 50
surface work_edit "Change a work":
  uses entity Artwork
  mode: edit
  section main:
    field title
    field description widget=markdown
    field colour widget=color
    field material widget=select
    field made widget=date
    field height_cm widget=number
    field inventory read_only
  action view: on submit -> surface work_view
  action list: on submit -> surface work_list
surface lender_new "Lender":
  uses entity Lender
  mode: create
  section main:
    field name widget=text
    field phone widget=phone
    field mail
surface lender_view "Lender":
  uses entity Lender
  mode: view
surface loan_list "Loans":
  uses entity Loan
  mode: list
  ux:
    sort: begins desc
    filter: state, lender, begins, insured, ends_soon
    search: number, lender.name
    attention critical:
      when: ends < today and state = "on show"
      message: "Overdue"
      action: loan_view
    attention info:
      when: contract = null
      message: "No contract"
    for courier:
      hide: insured, fee
      read_only: true
surface loan_view "Loan":
  uses entity Loan
  mode: view
  section main "Loan":
    field number format: code
    field lender.name
    field insured format: integer
    field ends format: relative
  section items "Works":
    uses entity LoanItem
    filter: loan = this
    field artwork.title
    field value
    field packed format: yes_no
  action new_report "New report":
    on click -> surface report_new
  ux:
    for conservator:
      focus: items
      hide: insured
surface loan_new "New loan":
  uses entity Loan
  mode: create
  section main:
    field number
    field lender
    field begins
    field ends
    field insured
    field fee
    field contract
  section items "Works":
    uses entity LoanItem
    field artwork
    field value
    field packed widget=checkbox
surface report_new "New report":
  uses entity Report
  mode: create
surface report_list "Reports":
  uses entity Report
  mode: list
  ux:
    sort: on_day desc, condition asc
    filter: condition, kind, signed
    search: findings
