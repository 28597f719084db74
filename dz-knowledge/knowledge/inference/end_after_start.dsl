# Two dates in order
# triggers: end date after start date; from and to; last day not before first day; period
# suggests_for: invariant; validity_period
# `invariant: ends_on >= starts_on` with a message and a code refuses other rows.

entity Holiday "Holiday":
  id: uuid pk
  title: str(120) required
  starts_on: date required
  ends_on: date required
  invariant: ends_on >= starts_on
    message: "The last day cannot be before the first day"
    code: HOLIDAY_DATES
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
