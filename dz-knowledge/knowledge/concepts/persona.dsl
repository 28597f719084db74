# Persona
# category: construct
# aliases: role name; user role; actor
# related: permit; role_function; persona_variant
# A persona is a kind of user. Its name is the role in `role(name)` and in `for name:` of a surface.
# `admin` and `tenant_admin` exist without a declaration and have no rights of their own.

persona clerk "Clerk":
  description: "Takes orders"
  goals: ["answer customers quickly"]
  proficiency: expert

entity Order "Order":
  id: uuid pk
  number: str(20) required unique
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk)
