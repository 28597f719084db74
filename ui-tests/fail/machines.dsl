persona desk "Desk"

entity Note "Note":
  id: uuid pk
  state: enum[open, doing, done, lost] = open
  transitions:
    open -> doing: role(desk)
    doing -> done:
      guard: state = open
  permit:
    read: true
