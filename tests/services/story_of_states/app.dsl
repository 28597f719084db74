app nest_boxes "Nest boxes"

persona warden "Warden"

entity User "Person":
  id: uuid pk
  name: str(60) required

entity Box "Nest box":
  id: uuid pk
  place: str(5) required
  height: decimal(4, 1) required
  reason: str(80)
  status: enum[planned, hung, occupied, removed] = planned
  transitions:
    planned -> hung
    hung -> occupied: role(warden)
    occupied -> removed: requires reason
  permit:
    list: role(warden)
    read: role(warden)
    create: role(warden)
    update: role(warden)

surface box_list "Nest boxes":
  uses entity Box
  mode: list

story ST-003 "A warden sees that a box is used":
  actor: warden
  scope: [Box]
  status: accepted
  given:
    - the box's status is "hung"
  when:
    - the warden notes that birds moved in
  then:
    - the status becomes "occupied"

story ST-004 "A warden plans a box":
  actor: warden
  trigger: form_submitted
  scope: [Box]
  status: accepted
  when:
    - the warden enters the place
  then:
    - the box is planned

story ST-005 "A box is removed":
  actor: warden
  scope: [Box]
  status: accepted
  given:
    - the box's status is "hung"
  when:
    - the warden takes it down
  then:
    - the status becomes "removed"
