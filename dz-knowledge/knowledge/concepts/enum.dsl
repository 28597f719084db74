# Enum
# category: construct
# aliases: enumeration; shared values; named enum
# related: field; lookup_table; state_machine
# A named `enum` is a list of values with labels that several fields share. With `ordered`, its values compare by position.
# For values of a single field, write `enum[a, b]` in the field.

enum Priority ordered "Priority":
  low "Low"
  normal "Normal"
  high "High"

entity Task "Task":
  id: uuid pk
  title: str(120) required
  priority: Priority = normal
  permit:
    list: authenticated
    read: authenticated
