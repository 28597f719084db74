# A total
# triggers: sum of the lines; total amount; count of children; average rating; how many items
# suggests_for: aggregate; computed_field
# Declare `total: computed sum(lines.amount)`. The database computes it when the row is read.

entity Trip "Trip":
  id: uuid pk
  title: str(120) required
  costs: has_many Cost cascade
  total: computed coalesce(sum(costs.amount), 0)
  cost_count: computed count(costs)
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

entity Cost "Cost":
  id: uuid pk
  trip: belongs_to Trip required
  text: str(120) required
  amount: decimal(10, 2) required
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
