# Access that is verified
# triggers: verify permissions; test the access rules; who may do what; review access
# suggests_for: permit; role_function
# `dz access` lists what each role may do on which rows; the operation `access` answers for one role or entity.

persona auditor "Auditor"

entity Ledger "Ledger":
  id: uuid pk
  title: str(120) required
  permit:
    list: role(auditor)
    read: role(auditor)
