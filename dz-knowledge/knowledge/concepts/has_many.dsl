# has_many
# category: language
# aliases: one-to-many; children; child list; relation; has_one
# related: ref; parent_with_lines; many_to_many_with_attributes
# `has_many E` is the list of the rows of E that refer to this row. It stores nothing.
# `cascade` deletes the children with the row. `via field` chooses the ref if there are several; `via J` names a junction entity.

entity Album "Album":
  id: uuid pk
  title: str(120) required
  tracks: has_many Track cascade
  length: computed sum(tracks.seconds)
  permit:
    list: authenticated
    read: authenticated

entity Track "Track":
  id: uuid pk
  album: belongs_to Album required
  title: str(120) required
  seconds: int required
  permit:
    list: authenticated
    read: authenticated
