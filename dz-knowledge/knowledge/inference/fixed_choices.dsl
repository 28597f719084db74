# A fixed choice
# triggers: select one of; dropdown; priority low normal high; kind; category that never changes
# suggests_for: enum; field
# `enum[a, b, c]` in the field, or a named `enum` with labels if several fields share it; with `ordered`, `<` and `>` compare its values.

enum Size ordered "Size":
  small "Small"
  large "Large"

entity Parcel "Parcel":
  id: uuid pk
  label: str(80) required
  size: Size = small
  colour: enum[red, blue] = red
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
