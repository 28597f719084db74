# Booking
# category: pattern
# aliases: reservation; appointment; calendar; time slot; room booking
# related: invariant; state_machine; unique
# A resource is reserved for a time, and two reservations must not take the same slot.
# Divide the time into slots: a unique index over resource, day and slot, limited to active rows, refuses a second booking, also of two callers at the same moment.
# An invariant cannot compare a row with other rows, so it cannot find overlaps of free start and end times.

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
  booked_by: ref User required = current_user
  status: enum[booked, cancelled] = booked
  transitions:
    booked -> cancelled "Cancel"
    failed: cancelled
  unique room, day, slot where status = booked
  permit:
    list: authenticated
    read: authenticated
    create: role(desk) or booked_by = current_user
    update: role(desk) or booked_by = current_user
