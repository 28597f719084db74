# A balance from entries
# triggers: stock level; inventory; account balance; points; entries in and out; never below zero; negative balance
# suggests_for: stock_movements; aggregate
# Entries are rows that no rule permits to change; the balance is `computed sum(entries.quantity)`. The invariant of the entry counts the entry that is written, so that the balance is never negative; two entries at the same time are checked one after the other.

entity Purse "Purse":
  id: uuid pk
  name: str(80) required
  entries: has_many PurseEntry
  balance: computed coalesce(sum(entries.amount), 0)
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

entity PurseEntry "Entry":
  id: uuid pk
  purse: belongs_to Purse required restrict
  text: str(120) required
  amount: decimal(10, 2) required
  invariant: purse.balance >= 0
    message: "The purse does not contain so much"
    code: NOT_ENOUGH
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
