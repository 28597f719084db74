# Permit
# category: access
# aliases: access rule; permission; authorization; who may do what; access
# related: forbid; scope_rule; role_function; row_condition
# `permit:` grants an action if its condition holds for the row. Access is denied unless a rule permits it.
# Actions are `list`, `read`, `create`, `update`, `delete`, `transition`, `restore`, and names of your own.

persona clerk "Clerk"

entity Letter "Letter":
  id: uuid pk
  title: str(120) required
  author: ref User = current_user
  permit:
    list: role(clerk) or author = current_user
    read: role(clerk) or author = current_user
    create: authenticated
    update: author = current_user
    delete: role(clerk)
