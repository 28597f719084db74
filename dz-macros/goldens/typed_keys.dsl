entity Country "Country":
  code: str(2) pk
  name: str(80) required
  permit:
    read: true

entity Port "Port":
  number: int pk
  name: str(60) required
  country: ref Country required
  home: ref Port
  permit:
    read: true

entity Vessel "Vessel":
  id: uuid pk
  name: str(80) required
  port: ref Port
  master: ref User = current_user
  soft_delete
  permit:
    read: true
    update: master = current_user

entity Licence "Licence":
  id: uuid pk
  vessel: ref Vessel required unique
  issued_by: ref Country required
  permit:
    read: true
