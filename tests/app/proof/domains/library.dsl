app library "Town Library"

persona librarian "Librarian"
persona member "Member"

entity User "Reader":
  id: uuid pk
  name: str(80) required
  card: str(6) unique
  branch: ref Branch
  permit:
    list: role(librarian)
    read: role(librarian) or id = current_user
    update: role(librarian)

entity Branch "Branch":
  id: slug pk
  name: str(60) required
  open_on_sunday: bool = false
  permit:
    list: anonymous
    read: anonymous
    create: role(librarian)
    update: role(librarian) and (open_on_sunday or name = current_user.branch.name)

entity Title "Title":
  isbn: str(13) pk
  name: str(120) required searchable
  year: int
  genre: enum[novel, crime, science, children] = novel
  copies: has_many Copy
  available: computed count(copies where status = shelved)
  permit:
    list: anonymous
    read: anonymous
    create: role(librarian)
    update: role(librarian)
    delete: role(librarian) and available = 0

entity Copy "Copy":
  id: int pk
  title: belongs_to Title required cascade
  branch: ref Branch required
  signature: str(5) required
  bought: date
  price: decimal(5,2) sensitive
  status: enum[shelved, lent, lost] = shelved
  loans: has_many Loan
  unique title, signature
  transitions:
    shelved -> lent: role(librarian)
    lent -> shelved: role(librarian)
    [shelved, lent] -> lost: role(librarian) requires price
  permit:
    list: role(librarian, member) or (anonymous and status = shelved)
    read: role(librarian) or status != lost
    create: role(librarian) and branch = current_user.branch
    update: role(librarian) and branch = current_user.branch
    delete: role(librarian) and status = lost

entity Loan "Loan":
  id: uuid pk
  copy: belongs_to Copy required
  reader: ref User required
  since: date = today
  until: date = today + 28d
  returned: date
  overdue: computed returned = null and until < today
  invariant: until >= since
    message: "A loan ends after it begins"
  permit:
    list: role(librarian) or reader = current_user
    read: role(librarian) and copy.branch = current_user.branch or reader = current_user
    create: role(librarian) and copy.status = shelved
    update: role(librarian)
    delete: role(librarian) and returned != null
  forbid:
    update: returned < today - 7d

entity Reservation "Reservation":
  id: uuid pk
  title: ref Title required
  reader: ref User = current_user
  made_at: datetime auto_add
  permit:
    list: role(librarian) or reader = current_user
    read: role(librarian) or reader = current_user
    create: role(member) and reader = current_user
    delete: reader = current_user

surface title_list "Titles":
  uses entity Title
  mode: list
  ux:
    sort: name asc
    filter: genre, year
    search: name

surface copy_list "Copies":
  uses entity Copy
  mode: list

surface loan_list "Loans":
  uses entity Loan
  mode: list
  section main:
    field copy.title.name "Title"
    field reader
    field until
    field overdue

surface loan_create "Lend a copy":
  uses entity Loan
  mode: create

surface loan_edit "Change a loan":
  uses entity Loan
  mode: edit
