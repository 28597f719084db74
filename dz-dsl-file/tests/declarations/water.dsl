# Reading of water meters, bills, leaks.
app water "Water works":
  currency: CHF
  timezone: "Europe/Zurich"
  theme: blue
  default_locale: de

persona reader "Meter reader"
persona office "Office"
persona customer "Customer"

enum Size ordered:
  small, medium, large

entity User "User":
  archetype: user
  id: uuid pk
  name: str(80) required
  roles: json = []
  phone: str(20)
  permit:
    list: role(office)
    read: role(office) or id = current_user
    update: role(office)
entity Tariff "Tariff":
  archetype: settings
  id: uuid pk
  per_m3: money = 2.15
  base: money = 60
entity Premises "Premises":
  id: uuid pk
  street: str(100) required searchable
  town: str(60) required searchable
  zip: str(10) required
  owner: ref User
  meters: has_many Meter
  size: Size = small
  plural: premises
  index zip, street
  unique street, town, zip
  permit:
    list: role(office, reader) or owner = current_user
    read: role(office, reader) or owner = current_user
    create: role(office)
    update: role(office)
entity Meter "Meter":
  id: uuid pk
  serial: str(20) required unique
  premises: ref Premises required restrict
  installed: date = today
  removed: date
  diameter_mm: int = 20
  factor: decimal(6, 4) = 1
  readings: has_many Reading
  last_value: computed max(readings.value)
  first_value: computed min(readings.value)
  used: computed (last_value - first_value) * factor
  days_in: computed days_since(installed)
  mean: computed avg(readings.value where not estimated)
  leaks: has_many Leak
  leaking: computed any(leaks where fixed_at = null)
  place: computed concat(trim(premises.street), ", ", upper(premises.zip))
  quarter_share: computed used / nullif(days_in, 0) * 90
  parity: computed diameter_mm % 2
  code: computed lower(serial)
  starts: computed starts_with(serial, "CH")
  old: computed coalesce(removed, today) - installed > 3650
  weekday_in: computed weekday(installed)
  month_in: computed month(installed) * 100 + day(installed)
  rounded: computed floor(factor) + ceil(factor)
  capped: computed min(diameter_mm, 50) + max(diameter_mm, 10) + abs(diameter_mm - 20)
  display_field: serial
  temporal:
    start: installed
    end: removed
  invariant: removed = null or removed >= installed
    message: "Removed after it was installed"
  invariant: diameter_mm in [15, 20, 25, 32, 40, 50]
    message: "A usual diameter"
  invariant: not contains(serial, " ")
    message: "No blank in a serial number"
  permit:
    list: role(office, reader) or premises.owner = current_user
    read: role(office, reader) or premises.owner = current_user
    create: role(office)
    update: role(office)
entity Reading "Reading":
  id: int pk
  meter: ref Meter required
  value: decimal(10, 3) required
  read_on: date = today
  reader: ref User = current_user
  estimated: bool = false
  photo: file(4MB)
  note: str(200)
  invariant: value >= 0
    message: "Meters count upwards"
  invariant: meter.last_value - meter.first_value >= 0
    message: "The counter runs upwards"
  unique meter, read_on where not estimated
  permit:
    list: role(office, reader) or meter.premises.owner = current_user
    read: role(office, reader) or meter.premises.owner = current_user
    create: role(reader) or (role(customer) and meter.premises.owner = current_user)
    update: role(office)
entity Leak "Leak":
  id: uuid pk
  meter: ref Meter required
  seen_at: datetime auto_add
  fixed_at: datetime
  litres_per_hour: float
  lost: computed if fixed_at = null: litres_per_hour * hours_since(seen_at) else: 0.0
  permit:
    list: role(office, reader)
    read: role(office, reader)
    create: role(office, reader)
    update: role(office, reader)
entity Bill "Bill":
  id: int pk
  premises: ref Premises required
  year_of: int required
  m3: decimal(10, 3) required
  amount: money required
  paid: money = 0
  due: date = today + 30d
  sent_at: datetime
  state: enum[draft, sent, reminded, paid, "written off"] = draft
  open_amount: computed amount - paid
  per_cubic: computed amount / nullif(m3, 0)
  overdue: computed state in [sent, reminded] and due < today
  unique premises, year_of
  permit:
    list: role(office) or (premises.owner = current_user and state != draft)
    read: role(office) or (premises.owner = current_user and state != draft)
    create: role(office)
    update: role(office)
  transitions:
    draft -> sent "Send": requires sent_at
    sent -> reminded: auto after 40 days
      guard: paid < amount
    sent, reminded -> paid "Paid"
      guard: paid >= amount
      message: "Something is still open"
    reminded -> "written off": role(office)
    final: paid
    failed: "written off"
  invariant: paid <= amount
    message: "Not more than the amount"
  invariant: year_of >= 2000 and amount >= 0
    message: "A year and an amount"

surface premises_list "Premises":
  uses entity Premises
  mode: list
  ux:
    sort: zip asc, street asc
    search: street, town, owner.name
    filter: size, owner
surface premises_view "Premises":
  uses entity Premises
  mode: view
  related meters "Meters":
    show: meters, Bill
    display: table
surface meter_list "Meters":
  uses entity Meter
  mode: list
  ux:
    sort: installed desc
    search: serial, premises.street
    filter: diameter_mm, installed, leaking, last_value
    show: serial, place, used, leaking
    attention warning:
      when: leaking
      message: "Leak"
surface meter_view "Meter":
  uses entity Meter
  mode: view
  section main:
    field serial
    field premises.owner.name "Owner"
    field factor format: percent
    field used format: integer
  section readings "Readings":
    uses entity Reading
    filter: meter = this and not estimated
    field read_on
    field value
surface reading_new "New reading":
  uses entity Reading
  mode: create
  section main:
    field meter
    field value
    field note when: estimated
    field estimated widget=switch
surface reading_list "Readings":
  uses entity Reading
  mode: list
  ux:
    sort: read_on desc
    filter: read_on, estimated, value
    search: meter.serial
surface bill_list "Bills":
  uses entity Bill
  mode: list
  ux:
    sort: year_of desc
    filter: state, overdue, amount
    for office:
      show_aggregate: amount, open_amount, overdue
    for customer:
      show: year_of, m3, amount, state
surface bill_view "Bill":
  uses entity Bill
  mode: view
workspace office_desk "Office":
  access: persona(office)
  sums:
    display: metrics
    aggregate:
      billed: sum(Bill.amount)
      got: sum(Bill.paid)
      rest: billed - got
      leaks: count(Leak where fixed_at = null)
      m3: sum(Reading.value)
      last: max(Reading.read_on)
      all_paid: if all(Bill where state = "paid"): "all" else: "some"
  by_month:
    source: Bill
    display: line_chart
    group_by: bucket(due, month)
    value: amount
  heat:
    source: Bill
    display: heatmap
    group_by: [year_of, state]
    value: open_amount
  due:
    source: Bill
    filter: state = sent and paid < amount
    sort: due asc
    display: calendar
    date_field: due
schedule remind "Remind":
  cron: "0 9 1,15 * *"
  steps:
    - step go:
        effects:
          - update Bill:
              where: state = sent and due < today - 10d
              state: reminded
