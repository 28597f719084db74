# Booking
# category: pattern
# aliases: reservation; appointment; calendar; time slot; room booking
# related: invariant; state_machine; unique
# A resource is reserved for a time, and two reservations must not take the same slot.
# An invariant requires the end after the start, and a unique index over resource and slot, limited to active rows, refuses a second booking.

persona desk "Front desk"

entity Room "Room":
  id: uuid pk
  name: str(80) required unique
  permit:
    list: authenticated
    read: authenticated

entity Reservation "Reservation":
  patterns: booking
  id: uuid pk
  title: str(120) required
  room: ref Room required
  day: date required
  slot: enum[morning, afternoon, evening] = morning
  booked_by: ref User = current_user
  status: enum[booked, cancelled] = booked
  transitions:
    booked -> cancelled "Cancel"
    failed: cancelled
  unique room, day, slot where status = booked
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: role(desk) or booked_by = current_user
