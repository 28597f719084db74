app dialysis "Dialysis unit"

persona nurse
persona doctor "Doctor"
persona patient "Patient"

entity Bed:
  id: int pk
  label: str(10) required unique
  machine: str(40)
  in_use: bool = false
  permit:
    list: role(nurse, doctor)
    read: role(nurse, doctor)

entity Patient:
  id: uuid pk
  account: ref User unique?
  name: str(100) required searchable
  insured_as: str(20) required unique sensitive
  dry_weight: decimal(5,1) required
  diagnosis: text sensitive
  sessions: has_many Session
  next_session: computed min(sessions.planned_for where status = planned)
  permit:
    list: role(nurse, doctor) or account = current_user
    read: role(nurse, doctor) or account = current_user
    create: role(doctor)
    update: role(doctor)
  audit: [read, update]

entity Session "Session":
  id: uuid pk
  patient: belongs_to Patient required
  bed: ref Bed
  planned_for: datetime required
  nurse: ref User
  weight_before: decimal(5,1)
  weight_after: decimal(5,1)
  removed: computed weight_before - weight_after
  status: enum[planned, running, finished, missed] = planned
  type: enum[haemo, peritoneal] = haemo
  transitions:
    planned -> running: role(nurse) requires bed, nurse, weight_before
    running -> finished: role(nurse) requires weight_after
      guard: weight_after <= weight_before
      message: "Nobody gets heavier here"
    planned -> missed: auto after 1d or manual
    final: finished
    failed: missed
  permit:
    list: role(nurse, doctor) or patient.account = current_user
    read: role(nurse, doctor) or patient.account = current_user
    create: role(doctor, nurse)
    update: role(nurse)
  scope:
    list: nurse = current_user or nurse = null
      for: nurse
    list: all
      for: doctor, patient
    read: all
      for: *
  unique bed, planned_for where status in [planned, running] and bed != null
  index patient, planned_for desc

surface session_list "Sessions":
  uses entity Session
  mode: list
  section main:
    field patient.name
    field bed.label "Bed"
    field planned_for
    field status
    field removed format: percent
  ux:
    sort: planned_for asc
    filter: status, type, planned_for, bed
    search: patient.name
    empty: "Nobody is planned"
    attention critical:
      when: removed > 4
      message: "More than four litres"
    attention info:
      when: status = planned and bed = null
      message: "No bed"

surface patient_view "Patient":
  uses entity Patient
  mode: view
  section main:
    field name
    field dry_weight
    field next_session
  section history "History":
    uses entity Session
    filter: patient = this and status = finished
    field planned_for
    field removed

surface session_plan "Plan":
  uses entity Session
  mode: create
  section main:
    field patient
    field planned_for
    field type
    field bed
  ux:
    for nurse:
      defaults:
        nurse: current_user
        type: haemo

experience admission "Admission":
  start at step plan
  context:
    planned: ref Session
  step plan:
    surface session_plan
    saves_to: context.planned
    on success -> step show
    on cancel -> step show
  step show "Check":
    surface session_list
    on back -> step plan
