# current_user
# category: access
# aliases: signed-in user; me; the caller; who am I
# related: row_condition; ownership; role_function
# `current_user` is the account of the caller. `current_user.field` reads a field of the account entity, such as `current_user.company`.
# A comparison with a null `current_user.field` denies access.

entity User "Person":
  archetype: user
  id: uuid pk
  name: str(80) required
  team: ref Team
  permit:
    read: id = current_user

entity Team "Team":
  id: uuid pk
  name: str(80) required
  permit:
    list: id = current_user.team
    read: id = current_user.team
