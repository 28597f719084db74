module observatory

app observatory "Observatory":
  timezone: "Europe/Athens"

persona astronomer "Astronomer":
  description: "Plans and makes observations"

entity User "Member":
  archetype: user

entity Telescope "Telescope":
  id: uuid pk
  name: str(80) required searchable
  aperture: decimal(8,2) required
  active: bool=true
  permit:
    list: authenticated
    read: authenticated
    create: role(astronomer)
    update: role(astronomer)
    delete: role(astronomer)

entity Observation "Observation":
  id: uuid pk
  subject: str(120) required searchable
  telescope: ref Telescope required
  status: enum[planned, running, finished]=planned
  night: date required
  begins: datetime
  frames: int=0
  remarks: text
  notes: has_many Remark via observation
  transitions:
    planned -> running
    running -> finished
  permit:
    list: authenticated
    read: authenticated
    create: role(astronomer)
    update: role(astronomer)
    delete: role(astronomer)
  audit: all

entity Remark "Remark":
  id: uuid pk
  observation: ref Observation required cascade
  text: str(200) required
  permit:
    list: authenticated
    read: authenticated
    create: role(astronomer)

surface telescope_list "Telescopes":
  uses entity Telescope
  mode: list
  section main:
    field name
    field aperture
    field active

surface observation_list "Observations":
  uses entity Observation
  mode: list
  section main:
    field subject
    field telescope
    field status
    field night
    field frames
  ux:
    purpose: "What is planned for which night"
    sort: night desc
    filter: status, telescope, night, frames
    search: subject
    empty: "Nothing is planned"
    attention warning:
      when: frames = 0
      message: "No frame yet"

surface observation_view "Observation":
  uses entity Observation
  mode: view
  section main "Plan":
    field subject
    field telescope
    field status
    field night
    field begins
    field frames
    field remarks
  related notes "Remarks":
    show: notes
    columns: text

surface observation_create "New observation":
  uses entity Observation
  mode: create
  section main:
    field subject "What to observe"
    field telescope
    field night
    field begins
    field frames
    field remarks

surface observation_edit "Edit observation":
  uses entity Observation
  mode: edit
  section main:
    field subject
    field telescope
    field night
    field begins
    field frames
    field remarks

workspace tonight "Tonight":
  purpose: "The board of the night"
  board "Board":
    source: Observation
    display: kanban
    group_by: status
  nights "Nights":
    source: Observation
    display: calendar
    date_field: night
  totals "Totals":
    aggregate:
      planned: count(Observation where status = planned)
    display: metrics
  frames "Frames":
    source: Observation
    display: bar_chart
    group_by: telescope

demo:
  User:
    - @anna email: "anna@sky.example", name: "Άννα Νικολάου", password: "counts every star", roles: [astronomer, admin]
    - @petros email: "petros@sky.example", name: "Πέτρος", password: "sleeps at daytime"
  Telescope:
    - @zeus name: "Δίας", aperture: 12345.50
    - @hera name: "Ήρα", aperture: 80
  Observation:
    - @comet subject: "Κομήτης", telescope: @zeus, night: today, frames: 12, remarks: "Πολύ φωτεινός"
    - @moon subject: "Σελήνη", telescope: @hera, night: today + 1d, status: running
  Remark:
    - observation: @comet, text: "Νεφελώδης"
