app customs "Customs office":
  multi_tenant: true
  default_locale: en
persona officer "Officer"
persona declarant "Declarant"
entity Agency:
  archetype: tenant
  id: uuid pk
  name: str(80) required
entity AgencyLimits:
  archetype: tenant_settings
  id: uuid pk
  free_allowance: decimal(8,2) = 430
entity Account:
  archetype: user
  id: uuid pk
  email: email required unique
  name: str(80) required
entity Post:
  archetype: user_membership
  id: uuid pk
  booth: int
entity Consignment "Consignment":
  id: uuid pk
  mrn: str(18) required unique
  declared_by: ref Account required = current_user
  value: decimal(12,2) required
  weight_kg: decimal(9,3)
  duty: computed round(value * 0.12, 2)
  arrived: date = today
  note: text sensitive
  state: enum[lodged, accepted, inspected, cleared, seized] = lodged
  items: has_many Item
  transitions:
    lodged -> accepted: role(officer)
    accepted -> inspected: role(officer), requires weight_kg
    accepted, inspected -> cleared "Clear": role(officer)
      guard: count(items where restricted) = 0
    inspected -> seized "Seize": role(officer) requires note
    lodged -> cleared: auto after 10 days
    final: cleared
    failed: seized
  invariant: value >= 0
    message: "A value is not below zero"
    code: VALUE
  permit:
    list: role(officer) or declared_by = current_user
    read: role(officer) or declared_by = current_user
    create: role(declarant)
    update: declared_by = current_user and state = lodged
    transition: role(officer)
  forbid:
    transition: declared_by = current_user
  audit: [transition, update]
  index state, arrived desc
entity Item:
  id: uuid pk
  consignment: belongs_to Consignment required cascade
  tariff: str(10) required
  pieces: int = 1
  restricted: bool = false
  permit:
    list: role(officer, declarant)
    read: role(officer, declarant)
    create: consignment.declared_by = current_user
surface lodge "Lodge":
  uses entity Consignment
  mode: create
  section main:
    field mrn help: "Eighteen characters"
    field value
    field weight_kg widget=number
surface consignments:
  uses entity Consignment
  mode: list
  ux:
    show: mrn, state, arrived, duty
    sort: arrived desc
    filter: state, arrived
    search: mrn
    for declarant:
      scope: declared_by = current_user
      read_only: true
    for officer:
      show_aggregate: duty
workspace booth:
  access: persona(officer)
  waiting:
    source: Consignment
    filter: state in [lodged, accepted]
    sort: arrived asc
    display: queue
    action: consignments
  sums "Sums":
    display: metrics
    aggregate:
      duty_today: sum(Consignment.duty where arrived = today)
      open_count: count(Consignment where state != cleared)
