# Invariant
# category: language
# aliases: constraint; data rule; check; validation rule
# related: expression; unique; state_machine
# An invariant holds for every stored row. It is checked when a row is created, changed or makes a transition.
# Users see its `message`, and programs get its `code`.

entity Booking "Booking":
  id: uuid pk
  starts_on: date required
  ends_on: date required
  invariant: ends_on >= starts_on
    message: "The last day cannot be before the first day"
    code: BOOKING_DATES
  permit:
    list: authenticated
    read: authenticated
