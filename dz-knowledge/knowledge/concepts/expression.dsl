# Expression
# category: language
# aliases: condition; formula language; comparison; operator
# related: path; computed_field; permit
# All positions have the same grammar: `=`, `!=`, `<`, `in [...]`, `is null`, `and`, `or`, `not`, arithmetic and functions such as `days_since`, `count`, `coalesce`.
# A bare word beside an enum is one of its values. `=` and `!=` treat null as a value: `x != done` is true if x is null.

entity Job "Job":
  id: uuid pk
  status: enum[open, doing, done] = open
  due: date
  cost: decimal(8, 2) = 0
  late: computed status in [open, doing] and due is not null and due < today
  invariant: cost >= 0 and (status != done or cost > 0)
    message: "A finished job has a cost"
    code: FINISHED_WITHOUT_COST
  permit:
    list: authenticated
    read: authenticated
