# History of versions
# category: pattern
# aliases: versions; revisions; change history; previous values
# related: audit_trail; validity_period; parent_with_lines
# Earlier versions of a row stay readable.
# A child entity keeps one row for each version, numbered within its parent, and no rule permits a change of it.

persona author "Author"

entity Policy "Policy":
  patterns: history
  id: uuid pk
  title: str(120) required
  versions: has_many PolicyVersion cascade
  permit:
    list: role(author)
    read: role(author)
    create: role(author)
    update: role(author)

entity PolicyVersion "Version":
  id: uuid pk
  policy: belongs_to Policy required
  number: int required
  body: text required
  written_by: ref User required = current_user
  written_at: datetime auto_add
  unique policy, number
  permit:
    list: role(author)
    read: role(author)
    create: role(author) and written_by = current_user
