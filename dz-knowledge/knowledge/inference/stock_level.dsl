# A balance from entries
# triggers: stock level; inventory; account balance; points; entries in and out
# suggests_for: stock_movements; aggregate
# Entries are rows that no rule permits to change; the balance is `computed sum(entries.quantity)`.

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
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
