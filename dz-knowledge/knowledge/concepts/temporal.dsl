# Temporal
# category: language
# aliases: valid from; valid to; as of; effective dating
# related: validity_period; history
# `temporal:` names the fields for the first and last day on which a row is valid. Lists show current rows, and `as_of` shows those of another day.

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
