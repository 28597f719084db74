# Validity period
# category: pattern
# aliases: valid from and until; price list; contract period; effective date
# related: temporal; history; invariant
# A row is valid from one day to another, and lists show the rows without an end.
# `temporal:` names both fields, an invariant requires the end after the start, and a unique index refuses a second row without an end.

persona clerk "Clerk"

entity Tariff "Tariff":
  patterns: validity_period
  id: uuid pk
  name: str(80) required
  amount: decimal(10, 2) required
  valid_from: date required
  valid_to: date
  temporal:
    start: valid_from
    end: valid_to
  invariant: valid_to is null or valid_to >= valid_from
    message: "The last day is not before the first day"
    code: TARIFF_DAYS
  unique name where valid_to is null
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk)
    update: role(clerk)
