# role(...)
# category: access
# aliases: role check; has role; is admin
# related: persona; permit; current_user
# `role(a, b)` is true for a caller who has any of these personas. In an application with tenants, roles of the membership in the active tenant count.

persona nurse "Nurse"
persona doctor "Doctor"

entity Chart "Chart":
  id: uuid pk
  patient: str(120) required
  permit:
    list: role(nurse, doctor)
    read: role(nurse, doctor)
    update: role(doctor)
