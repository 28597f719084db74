# Ownership
# category: pattern
# aliases: own rows; created by; private data; owner
# related: row_condition; current_user; default_value
# Each row belongs to the account that created it, and only the owner sees and changes it.
# A ref to the account with the default `current_user` records the owner; rules compare it with `current_user`, also the rule for `create`, which otherwise accepts rows in the name of another account.

persona supervisor "Supervisor"

entity Diary "Diary entry":
  patterns: ownership
  id: uuid pk
  title: str(120) required
  owner: ref User required = current_user
  body: text
  permit:
    list: owner = current_user or role(supervisor)
    read: owner = current_user or role(supervisor)
    create: owner = current_user
    update: owner = current_user
    delete: owner = current_user
