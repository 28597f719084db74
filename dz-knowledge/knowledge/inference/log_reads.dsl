# Reading is recorded
# triggers: log who looked at a record; patient file access; record views of confidential data
# suggests_for: audit; sensitive_field
# `audit:` with `read: role(...)` records each read by that role.

persona nurse "Nurse"

entity PatientFile "Patient file":
  id: uuid pk
  name: str(120) required
  permit:
    list: role(nurse)
    read: role(nurse)
  audit:
    read: role(nurse)
