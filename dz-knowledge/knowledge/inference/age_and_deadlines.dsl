# Days since or until
# triggers: age in days; how long open; days left; overdue; remaining time
# suggests_for: computed_field; expression
# Use `computed days_since(field)`, `days_until(field)`, or a comparison with `today`.

entity Bond "Bond":
  id: uuid pk
  title: str(80) required
  due: date required
  days_left: computed days_until(due)
  late: computed due < today
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
