# Soft delete
# category: language
# aliases: deleted_at; logical delete; restore
# related: recycle_bin; permit
# `soft_delete` keeps a deleted row in the database and excludes it from every read. `permit: restore` defines who may restore it.

persona clerk "Clerk"

entity Page "Page":
  id: uuid pk
  title: str(120) required
  soft_delete
  permit:
    list: role(clerk)
    read: role(clerk)
    delete: role(clerk)
    restore: role(clerk)
