# Temporal
# category: language
# aliases: valid from; valid to; as of; effective dating
# related: validity_period; history
# `temporal:` names the field from which a row is valid and the field from which it is no longer valid. Lists show rows without an end, and `as_of` shows the rows that are valid on a date.

persona clerk "Clerk"

entity Price "Price":
  id: uuid pk
  product: str(120) required
  amount: decimal(10, 2) required
  valid_from: date required
  valid_to: date
  temporal:
    start: valid_from
    end: valid_to
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk)
