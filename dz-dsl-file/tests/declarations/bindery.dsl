entity Book:
  id: uuid pk
  type: str(30)
  from: str(30)
  list: int
  queue: bool
  self: str(10)
  match: text
  option: enum[true, false, none] = none
  index: int = 1
  permit:
    list: role(binder)
    read: role(binder)
    create: role(binder)
    update: role(binder) and queue
  index type, list desc
entity Order:
  id: uuid pk
  book: ref Book required
  date: date = today + 2 weeks
  text: text
  money: decimal(7,2)
  file: file
  url: url
  state: enum[index, entity, surface] = index
  transitions:
    index -> entity
    entity -> surface
  invariant: text != null or file != null
    message: "A text or a file"
  permit:
    list: role(binder) or true
    read: authenticated
    create: authenticated
    update: role(binder)
surface mode:
  uses entity Order
  mode: list
  section section:
    field date
    field text
  ux:
    sort: date
    filter: state
    search: text
workspace source:
  filter:
    source: Order
    filter: state = entity
    display: list
    action: mode
