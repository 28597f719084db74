app depot "Depot"

persona keeper "Keeper"

entity Practice "Practice":
  archetype: tenant
  id: uuid pk
  name: str(40) required

entity Person "Person":
  archetype: user
  id: uuid pk
  name: str(60) required

entity Membership "Membership":
  archetype: user_membership
  id: uuid pk

entity Part "Part":
  id: uuid pk
  title: str(40) required unique
  code: str(12)
  state: enum[new, used, gone] = new
  keeper: ref Person
  successor: ref Part
  notes: json
  extra: json required
  price: money
  weight: decimal(8,2)
  checked: bool = false
  bought: date
  created_at: datetime auto_add
  a_field_with_a_name_that_is_longer_than_any_name_that_postgresql_keeps: enum[yes, no]
  soft_delete
  audit: create, update
  transitions:
    new -> used: role(keeper)
    used -> gone: auto after 30 days
  invariant: weight > 0
  invariant: bought = null or state != new
  unique code where state in [new, used]
  unique keeper, bought
  index bought desc, code
  permit:
    list: keeper = current_user
    read: keeper = current_user
    create: role(keeper)
    update: role(keeper)
    delete: role(keeper)

entity Setting "Setting":
  archetype: tenant_settings
  id: uuid pk
  greeting: str(80)

surface part_list "Parts":
  uses entity Part
  mode: list
  ux:
    sort: created_at desc
    filter: state, checked
