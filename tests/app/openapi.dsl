# Whatever the document of the API may have to say: every type, relation, archetype and kind of move.
app everything "Every \"thing\"":
  description: "Holds one of each"
  multi_tenant: true

persona keeper "Keeper"
persona porter "Porter"

enum Grade ordered "Grade":
  low "Low"
  high "High"

entity House "House":
  id: uuid pk
  name: str(60) required
  archetype: tenant
  permit:
    read: true

entity Person "Person":
  id: uuid pk
  archetype: user
  permit:
    read: true

entity Member "Member":
  id: uuid pk
  archetype: user_membership
  desk: str(20)
  permit:
    create: role(tenant_admin)

entity Rates "Rates":
  id: uuid pk
  archetype: tenant_settings
  price: money(EUR) = 2.50

# dz: allow(key-across-tenants) because the document shows a key that callers choose
entity Shelf "Shelf":
  intent: "a place \\ for things"
  id: slug pk
  things: has_many Thing
  lamp: has_one Lamp
  labels: has_many Label via Mark
  permit:
    list: true

entity Lamp "Lamp":
  id: int pk
  shelf: belongs_to Shelf
  permit:
    list: true

entity Label "Label":
  id: uuid pk
  text: str(20) required unique
  soft_delete
  permit:
    list: true

entity Mark "Mark":
  id: uuid pk
  shelf: ref Shelf required
  label: ref Label required
  permit:
    list: true

entity Thing "Thing":
  id: uuid pk
  name: str(60) required
  notes: text
  count: int = 1
  mass: float required
  share: decimal(3, 3)
  whole: decimal(5, 0) required
  price: money(JPY) required
  dues: money required
  paid: money(EUR) sensitive
  done: bool required
  day: date = today
  since: datetime required
  until: datetime
  grade: Grade = low
  colour: enum["pale blue", red]
  state: enum[asked, here, left, lost] = asked
  more: json
  mail: email required
  page: url
  zone: timezone
  tag: slug
  picture: file(2MB)
  shelf: ref Shelf required
  owner: ref Person = current_user
  made: datetime auto_add
  changed: datetime auto_update
  doubled: computed price * 2
  days: computed days_since(day)
  temporal:
    start: since
    end: until
  transitions:
    asked -> here: role(porter, keeper)
    here -> left: auto after 2 days
    * -> lost: role(keeper) auto after 1 month or manual
    left -> asked
  permit:
    list: true
    create: role(keeper)
    update: role(keeper)

demo:
  House:
    - name: "Mill"
  Person:
    - email: "ann@every.example", password: "holds one of each"
