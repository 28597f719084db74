# Field
# category: language
# aliases: column; attribute; property; field type; modifier
# related: entity; ref; computed_field; default_value
# A field has a name, a type and modifiers: `required`, `unique`, `searchable`, `indexed`, `sensitive`, `auto_add`, `auto_update`, `= default`.
# A field with neither `required` nor a default is optional.
# Types: uuid, str(n), text, int, float, decimal(p,s), money, bool, date, datetime, enum, json, email, url, timezone, slug, file.

entity Contact "Contact":
  id: uuid pk
  name: str(120) required searchable
  mail: email unique
  born: date
  is_active: bool = true
  notes: text
  created_at: datetime auto_add
  permit:
    list: authenticated
    read: authenticated
