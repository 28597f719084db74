# Accounts
# triggers: users sign in; login; password; user profile; register
# suggests_for: user_archetype; current_user
# Declare an entity `User` for fields of your own; dz has passwords, second factor and sessions.

entity User "Person":
  archetype: user
  id: uuid pk
  name: str(120) required
  phone: str(40)
  permit:
    read: id = current_user
    update: id = current_user
