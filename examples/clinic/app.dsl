app clinic "Riverside Vets":
  description: "Visits, treatments and medicines of a group of veterinary practices"
  multi_tenant: true
  timezone: "Europe/Lisbon"

# A user has personas in each practice: those of the membership.
persona vet "Vet":
  description: "Treats animals; sees own visits, and visits without a vet"

persona desk "Front desk":
  description: "Answers the telephone, plans the day, takes the money"

archetype Dated:
  created_at: datetime auto_add
  updated_at: datetime auto_update

entity Practice "Practice":
  intent: "A house of the group; nothing of it is seen in another one"
  archetype: tenant
  id: uuid pk
  name: str(80) required unique
  city: str(80)

entity Person "Person":
  intent: "A person who works in one practice or in several"
  archetype: user
  id: uuid pk
  name: str(120) required
  permit:
    list: role(admin)
    read: role(admin) or id = current_user
    create: role(admin)
    update: role(admin)
    delete: role(admin)

entity Member "Member":
  archetype: user_membership
  id: uuid pk
  room: str(40)
  permit:
    list: role(admin, tenant_admin)
    read: role(admin, tenant_admin) or user = current_user
    create: role(admin, tenant_admin)
    update: role(admin, tenant_admin)
    delete: role(admin, tenant_admin)

entity Owner "Owner":
  intent: "The person who brings an animal and pays"
  extends: Dated
  id: uuid pk
  name: str(120) required searchable
  mail: email
  phone: str(40)
  animals: has_many Animal
  permit:
    list: role(vet, desk)
    read: role(vet, desk)
    create: role(desk)
    update: role(desk)
    delete: role(desk)

entity Animal "Animal":
  extends: Dated
  id: uuid pk
  owner: belongs_to Owner required
  name: str(60) required searchable
  kind: enum[dog, cat, rabbit, bird, other] = dog
  born: date
  age_days: computed days_since(born)
  visits: has_many Visit
  permit:
    list: role(vet, desk)
    read: role(vet, desk)
    create: role(desk)
    update: role(desk)
    delete: role(desk)

entity Visit "Visit":
  intent: "One appointment of an animal, from the call to the payment"
  extends: Dated
  id: uuid pk
  animal: ref Animal required
  vet: ref Person
  planned_for: datetime required
  reason: str(140) required searchable
  status: enum[asked, confirmed, arrived, treated, paid, overdue, lapsed, cancelled] = asked
  findings: text
  treatments: has_many Treatment cascade
  medicines: has_many Medicine via Prescription cascade
  reminders: has_many Reminder cascade
  fee: computed sum(treatments.amount)
  transitions:
    asked -> confirmed: role(desk) requires vet
    asked -> lapsed: auto after 2 days
    [asked, confirmed] -> cancelled: role(desk)
    confirmed -> arrived: role(desk, vet)
    arrived -> treated: role(vet) requires findings
    treated -> paid: role(desk)
    treated -> overdue: auto after 14 days
    overdue -> paid: role(desk)
    final: paid
    failed: lapsed, cancelled
  invariant: status not in [treated, paid] or count(treatments) > 0
    message: "A treated visit names at least one treatment"
    code: VISIT_WITHOUT_TREATMENT
  permit:
    list: role(desk) or (role(vet) and (vet = current_user or vet = null))
    read: role(desk) or (role(vet) and (vet = current_user or vet = null))
    create: role(desk)
    update: role(desk) or (role(vet) and vet = current_user)
    delete: role(desk)
  forbid:
    delete: status in [treated, paid, overdue]
  audit: [update, transition, delete]

entity Treatment "Treatment":
  id: uuid pk
  visit: belongs_to Visit required
  what: str(120) required
  quantity: int = 1
  price: decimal(8, 2) required
  amount: computed quantity * price
  invariant: quantity > 0 and price >= 0
    message: "A treatment is charged once at least, and never below nothing"
    code: TREATMENT_AMOUNT
  permit:
    list: role(desk) or role(vet)
    read: role(desk) or role(vet)
    create: role(vet)
    update: role(vet)
    delete: role(vet)

entity Medicine "Medicine":
  id: uuid pk
  name: str(80) required unique searchable
  unit: enum[tablet, ml, dose] = tablet
  visits: has_many Visit via Prescription
  permit:
    list: role(vet, desk)
    read: role(vet, desk)
    create: role(vet)
    update: role(vet)

entity Prescription "Prescription":
  id: uuid pk
  visit: ref Visit required
  medicine: ref Medicine required
  dosage: str(120) required
  unique visit, medicine
  permit:
    list: role(vet, desk)
    read: role(vet, desk)
    create: role(vet)
    delete: role(vet)

entity Reminder "Reminder":
  intent: "What an owner is to be told; written when a visit is confirmed"
  id: uuid pk
  visit: belongs_to Visit required
  text: str(200) required
  made_at: datetime auto_add
  permit:
    list: role(desk)
    read: role(desk)
    delete: role(desk)

surface visit_list "Visits":
  uses entity Visit
  mode: list
  section main:
    field planned_for "When"
    field animal.name "Animal"
    field animal.owner.name "Owner"
    field vet
    field reason
    field status
    field fee "Fee"
  ux:
    purpose: "The day in the order in which it comes"
    sort: planned_for asc
    filter: status, vet, planned_for
    search: reason, animal.name
    empty: "No visits yet. The first call brings one."

surface visit_view "Visit":
  uses entity Visit
  mode: view
  section what "What":
    field planned_for "When"
    field animal
    field reason
    field status
    field findings
  section who "Who":
    field vet
    field fee "Fee"
  section treatments "Treatments":
    uses entity Treatment
    field what
    field quantity
    field price
    field amount
  related medicines "Medicines":
    show: medicines
    columns: name, unit
  related reminders "Reminders":
    show: reminders
    columns: text, made_at
    limit: 5

surface visit_create "New visit":
  uses entity Visit
  mode: create
  section main:
    field animal
    field planned_for "When"
    field reason
    field vet

surface visit_edit "Edit visit":
  uses entity Visit
  mode: edit
  section main:
    field planned_for "When"
    field reason
    field vet
    field findings

surface treatment_create "New treatment":
  uses entity Treatment
  mode: create

surface prescription_create "New prescription":
  uses entity Prescription
  mode: create

surface animal_list "Animals":
  uses entity Animal
  mode: list
  section main:
    field name
    field kind
    field owner
    field born
  ux:
    sort: name asc
    filter: kind, owner
    search: name, owner.name

surface animal_view "Animal":
  uses entity Animal
  mode: view
  section main:
    field name
    field kind
    field owner
    field born
    field age_days "Age in days"
  section visits "Visits":
    uses entity Visit
    field planned_for "When"
    field reason
    field status

surface animal_create "New animal":
  uses entity Animal
  mode: create

surface animal_edit "Edit animal":
  uses entity Animal
  mode: edit

surface owner_list "Owners":
  uses entity Owner
  mode: list
  section main:
    field name
    field phone
    field mail
  ux:
    sort: name asc
    search: name, phone

surface owner_view "Owner":
  uses entity Owner
  mode: view
  section main:
    field name
    field phone
    field mail
  related animals "Animals":
    show: animals
    display: grid
    columns: name, kind, born

surface owner_create "New owner":
  uses entity Owner
  mode: create

surface owner_edit "Edit owner":
  uses entity Owner
  mode: edit

surface medicine_list "Medicines":
  uses entity Medicine
  mode: list
  ux:
    sort: name asc
    search: name

surface medicine_view "Medicine":
  uses entity Medicine
  mode: view
  section main:
    field name
    field unit
  related visits "Given in":
    show: visits
    display: table
    columns: planned_for, animal.name, status

demo:
  Practice:
    - @river name: "Riverside", city: "Porto"
    - @hill name: "Hilltop", city: "Braga"
  Person:
    - @gloria email: "gloria@riverside.example", name: "Gloria Pinto", password: "keeps the houses", roles: [admin]
    - @dora email: "dora@riverside.example", name: "Dora Reis", password: "plans every day"
    - @vasco email: "vasco@riverside.example", name: "Vasco Lima", password: "holds still, please"
    - @vera email: "vera@riverside.example", name: "Vera Sousa", password: "listens to lungs"
    - @hugo email: "hugo@hilltop.example", name: "Hugo Matos", password: "up on the hill"
  Member:
    - practice: @river, user: @dora, personas: [desk, tenant_admin], accepted_at: now, room: "Hall"
    - practice: @river, user: @vasco, personas: [vet], accepted_at: now, room: "Two"
    - practice: @river, user: @vera, personas: [vet], accepted_at: now, is_primary: true, room: "One"
    - practice: @hill, user: @vera, personas: [vet], accepted_at: now
    - practice: @hill, user: @hugo, personas: [desk, vet], accepted_at: now
  Owner:
    - @rosa practice: @river, name: "Rosa Almeida", phone: "+351 220 000 101", mail: "rosa@almeida.example"
    - @joao practice: @river, name: "João Teixeira", phone: "+351 220 000 102"
    - @ines practice: @hill, name: "Inês Carvalho", phone: "+351 253 000 201"
  Animal:
    - @bica practice: @river, owner: @rosa, name: "Bica", kind: dog, born: "2019-04-11"
    - @pixel practice: @river, owner: @rosa, name: "Pixel", kind: cat, born: "2022-09-30"
    - @tosta practice: @river, owner: @joao, name: "Tosta", kind: rabbit
    - @norte practice: @hill, owner: @ines, name: "Norte", kind: dog, born: "2017-01-08"
  Medicine:
    - @carpro practice: @river, name: "Carprofen 50", unit: tablet
    - @amoxi practice: @river, name: "Amoxicillin", unit: ml
    - practice: @hill, name: "Meloxicam", unit: ml
  Visit:
    - @limp practice: @river, animal: @bica, vet: @vera, planned_for: now + 2 hours, reason: "Limps on the left hind leg", status: arrived
    - practice: @river, animal: @pixel, vet: @vasco, planned_for: now + 3 hours, reason: "Yearly vaccination", status: confirmed
    - practice: @river, animal: @tosta, planned_for: now + 26 hours, reason: "Eats nothing since Sunday"
    - @teeth practice: @river, animal: @bica, vet: @vasco, planned_for: now - 3 days, reason: "Teeth cleaned"
    - practice: @hill, animal: @norte, vet: @hugo, planned_for: now + 1 hour, reason: "Stitches out", status: confirmed
  Treatment:
    - practice: @river, visit: @limp, what: "Examination", price: 38.00
    - practice: @river, visit: @limp, what: "X-ray, two views", quantity: 2, price: 45.50
    - practice: @river, visit: @teeth, what: "Teeth cleaned under sedation", price: 160.00
  Prescription:
    - practice: @river, visit: @limp, medicine: @carpro, dosage: "One tablet twice a day for a week"
