# Earlier versions
# triggers: keep old versions; revisions of a document; what did it say before; version number
# suggests_for: history
# Keep each version as a row of a child entity, with `unique parent, number`, and permit no update of versions.

entity Manual "Manual":
  id: uuid pk
  title: str(120) required
  editions: has_many Edition cascade
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

entity Edition "Edition":
  id: uuid pk
  manual: belongs_to Manual required
  number: int required
  body: text required
  unique manual, number
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
