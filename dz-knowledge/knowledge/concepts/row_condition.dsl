# Row condition
# category: access
# aliases: row-level security; row filter; visible rows; field condition
# related: permit; current_user; ownership
# A condition on fields in a rule becomes part of every SQL statement, so lists, counts, searches and exports contain only permitted rows.
# A rule that contains only roles is decided before a statement runs.

persona sales "Sales"

entity Lead "Lead":
  id: uuid pk
  name: str(120) required
  region: enum[north, south] = north
  owner: ref User
  permit:
    list: role(sales) and (owner = current_user or owner = null)
    read: role(sales) and (owner = current_user or owner = null)
