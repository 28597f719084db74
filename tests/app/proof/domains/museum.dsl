app museum "Museum of Tools"

persona curator "Curator"
persona restorer "Restorer"
persona visitor "Visitor"

enum Material "Material":
  wood "Wood"
  iron "Iron"
  paper "Paper"

entity User "Person":
  id: uuid pk
  name: str(60)
  speciality: Material
  permit:
    list: role(curator)
    read: role(curator) or id = current_user

entity Room "Room":
  id: slug pk
  floor: int
  climate: float
  exhibits: has_many Exhibit
  permit:
    list: anonymous
    read: anonymous
    update: role(curator)

entity Exhibit "Exhibit":
  id: uuid pk
  inventory: str(8) required unique
  name: str(100) required searchable
  made_of: Material = wood
  room: belongs_to Room
  parent: ref Exhibit
  parts: has_many Exhibit via parent
  loans: has_many Loan
  shows: has_many Show via Shown
  insured_for: decimal(9,2) sensitive
  on_loan: computed any(loans where returned = null)
  permit:
    list: role(curator, restorer) or (anonymous and room != null)
    read: role(curator) or (role(restorer) and made_of = current_user.speciality) or (anonymous and room.floor < 3)
    create: role(curator)
    update: role(curator) or (role(restorer) and made_of = current_user.speciality)
    delete: role(curator) and not any(loans) and count(parts) = 0

entity Show "Show":
  id: uuid pk
  title: str(60) required
  opens: date
  closes: date
  exhibits: has_many Exhibit via Shown
  invariant: closes = null or opens = null or closes >= opens
  permit:
    list: anonymous
    read: (anonymous and opens <= today) or role(curator)
    create: role(curator)
    update: role(curator)
    delete: role(curator) and opens > today

entity Shown "Shown":
  id: uuid pk
  exhibit: ref Exhibit required cascade
  in_show: ref Show required cascade
  caption: text
  unique exhibit, in_show
  permit:
    list: anonymous
    read: role(curator) or exhibit.room = null or (anonymous and in_show.opens <= today)
    create: role(curator) and not exhibit.on_loan
    update: role(curator)
    delete: role(curator)

entity Loan "Loan":
  id: int pk
  exhibit: belongs_to Exhibit required
  borrower: str(60) required
  contact: email
  page: url
  since: date = today
  returned: date
  permit:
    list: role(curator)
    read: role(curator) or exhibit.made_of = current_user.speciality
    create: role(curator)
    update: role(curator) and returned = null
    delete: role(curator) and returned != null

surface exhibit_list "Exhibits":
  uses entity Exhibit
  mode: list
  section main:
    field inventory
    field name
    field room.floor "Floor"
    field parent
  ux:
    sort: name asc
    filter: room, made_of
    search: name, inventory, parent.name

surface show_view "Show":
  uses entity Show
  mode: view
  section main:
    field title
    field opens
  section exhibits "Exhibits":
    uses entity Exhibit
    field name
    field room

surface loan_edit "Change a loan":
  uses entity Loan
  mode: edit
