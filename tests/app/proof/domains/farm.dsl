app farm "Hill Farm"

persona farmer "Farmer"
persona vet "Vet"

entity User "Person":
  id: uuid pk
  name: str(60)
  permit:
    list: authenticated
    read: authenticated

entity Field "Field":
  id: uuid pk
  name: str(40) required unique
  hectares: decimal(3,1) required
  crop: enum[wheat, maize, clover, fallow] = fallow
  neighbour: ref Field
  sowings: has_many Sowing
  sown: computed sum(sowings.kilos)
  per_hectare: computed round(sown / hectares, 2)
  invariant: hectares > 0
  permit:
    list: authenticated
    read: authenticated
    create: role(farmer)
    update: role(farmer)
    delete: role(farmer) and sown = 0
  forbid:
    update: neighbour.crop = crop and crop != fallow

entity Sowing "Sowing":
  id: uuid pk
  field: belongs_to Field required
  on_day: date required
  kilos: decimal(8,3) required
  by: ref User
  permit:
    list: role(farmer)
    read: role(farmer) or by = current_user
    create: role(farmer) and field.crop != fallow
    update: by = current_user
    delete: by = current_user and on_day >= today

entity Animal "Animal":
  tag: int pk
  kind: enum[cow, goat, sheep] = sheep
  born: date
  mother: ref Animal
  field: ref Field
  young: has_many Animal via mother
  treatments: has_many Treatment
  treated: computed max(treatments.on_day)
  grandmother: computed mother.mother.tag
  permit:
    list: role(farmer, vet)
    read: role(farmer) or (role(vet) and any(treatments where by = current_user)) or kind = goat
    create: role(farmer)
    update: role(farmer) or (role(vet) and field != null)
    delete: role(farmer) and count(young) = 0

entity Treatment "Treatment":
  id: uuid pk
  animal: belongs_to Animal required cascade
  by: ref User = current_user
  on_day: date = today
  drug: str(30)
  dose: float
  waiting_days: int = 0
  permit:
    list: role(vet) or (role(farmer) and waiting_days > 0)
    read: role(vet) or animal.field.crop = clover or role(farmer)
    create: role(vet)
    update: by = current_user and on_day = today
    delete: by = current_user
  forbid:
    delete: waiting_days > 2

surface animal_list "Animals":
  uses entity Animal
  mode: list
  ux:
    filter: kind, field, born

surface treatment_create "Treat an animal":
  uses entity Treatment
  mode: create

surface treatment_edit "Change a treatment":
  uses entity Treatment
  mode: edit

surface field_view "Field":
  uses entity Field
  mode: view
