app quay "Quay"

persona pilot "Pilot"

entity User "Person":
  id: uuid pk
  name: str(60) required
  permit:
    list: true
    read: true

entity Flag "Flag":
  code: str(2) pk
  name: str(60) required
  permit:
    list: true
    read: true
    create: role(pilot)
    update: role(pilot)

entity Dock "Dock":
  number: int pk
  name: str(60) required
  permit:
    list: true
    read: true
    create: role(pilot)
    update: role(pilot)

entity Vessel "Vessel":
  id: uuid pk
  name: str(60) required
  flag: ref Flag
  dock: ref Dock
  sister: ref Vessel
  tons: int
  master: ref User = current_user
  soft_delete
  permit:
    list: role(pilot) or master = current_user
    read: role(pilot) or master = current_user
    create: true
    update: role(pilot)
    delete: role(pilot)
    restore: role(pilot)
    rename: role(pilot)

demo:
  User:
    - name: "Pia", email: "pia@quay.example", password: "reads every chart", roles: [pilot]
    - name: "Ole", email: "ole@quay.example", password: "owns one old boat"
