# Aggregate
# category: language
# aliases: count; sum; metric; total; average; statistics
# related: region; computed_field; dashboard
# `count`, `sum`, `avg`, `min`, `max`, `any` and `all` compute a value from several rows: the rows of a relation in computed fields and rules, the rows of an entity in metrics of a workspace.

entity Invoice "Invoice":
  id: uuid pk
  number: str(20) required
  lines: has_many Line cascade
  total: computed sum(lines.amount)
  line_count: computed count(lines)
  permit:
    list: authenticated
    read: authenticated

entity Line "Line":
  id: uuid pk
  invoice: belongs_to Invoice required
  text: str(120) required
  amount: decimal(10, 2) required
  permit:
    list: authenticated
    read: authenticated
