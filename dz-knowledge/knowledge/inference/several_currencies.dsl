# Several currencies
# triggers: each row has its own currency; foreign currency; amounts in dollars and euros
# suggests_for: money_amounts
# A field of type `money` stores amount and currency; `money(EUR)` fixes the currency.

app trade "Trade":
  currency: EUR

entity Deal "Deal":
  id: uuid pk
  title: str(120) required
  worth: money required
  fee: money(EUR)
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
