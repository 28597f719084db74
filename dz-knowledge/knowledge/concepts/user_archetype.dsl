# User entity
# category: language
# aliases: archetype user; account entity; login; sign-in
# related: current_user; membership; persona
# `archetype: user` makes an entity the accounts of the application. dz adds the fields for sign-in and pages for administrators.
# An entity called `User` without the archetype is the account entity too, with rules of its own.

entity User "Person":
  archetype: user
  id: uuid pk
  name: str(120) required
