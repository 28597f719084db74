# Reservations
# triggers: book a room; appointment; time slot; no double booking; reserve a seat; calendar
# suggests_for: booking; unique
# `unique room, day, slot where status = booked` refuses a second reservation of the same slot.

entity Seat "Seat":
  id: uuid pk
  row_name: str(4) required
  number: int required
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

entity Booking "Booking":
  id: uuid pk
  guest: str(80) required
  seat: ref Seat required
  day: date required
  status: enum[booked, cancelled] = booked
  transitions:
    booked -> cancelled "Cancel"
    failed: cancelled
  unique seat, day where status = booked
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
