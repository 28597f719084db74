app ferries "Ferries":
  multi_tenant: true

persona purser "Purser"

entity Line "Line":
  archetype: tenant
  id: uuid pk
  name: str(60) required unique

entity Person "Person":
  archetype: user
  id: uuid pk
  name: str(60)

entity Crew "Crew":
  archetype: user_membership
  id: uuid pk

entity Ferry "Ferry":
  id: uuid pk
  name: str(60) required unique
  trips: has_many Trip
  audit: all
  permit:
    list: role(purser)
    read: role(purser)
    create: role(purser)
    update: role(purser)
    delete: role(purser)

entity Trip "Trip":
  id: int pk
  code: str(20) required unique
  ferry: ref Ferry required
  guests: int required = 0
  state: enum[planned, sailed] = planned
  transitions:
    planned -> sailed
  invariant: guests >= 0
  audit: all
  permit:
    list: role(purser)
    read: role(purser)
    create: role(purser)
    update: role(purser)
    delete: role(purser)

entity Stamp "Stamp":
  id: uuid pk
  trip: ref Trip required
  place: str(20) required
  permit:
    list: role(purser)
    read: role(purser)

process boarding "Boarding":
  trigger: entity Trip created
  steps:
    - step quay:
      effects:
        - create Stamp:
          trip: trigger.entity
          place: "quay"

surface trip_list "Trips":
  uses entity Trip
  mode: list
  ux:
    sort: code
    filter: state, ferry
    search: code

demo:
  Line:
    - @north name: "North"
    - @south name: "South"
  Person:
    - @root email: "root@ferries.example", name: "Root", password: "over all the lines", roles: [admin]
    - @nia email: "nia@ferries.example", name: "Nia", password: "sails in the north"
    - @sol email: "sol@ferries.example", name: "Sol", password: "sails in the south"
  Crew:
    - line: @north, user: @nia, personas: [purser], accepted_at: now
    - line: @south, user: @sol, personas: [purser], accepted_at: now
