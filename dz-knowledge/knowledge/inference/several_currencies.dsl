# Several currencies
# triggers: each row has its own currency; foreign currency; amounts in dollars and euros
# suggests_for: money_amounts
# Without `currency:` in `app`, a field of type `money` stores an amount with its own currency; `money(EUR)` fixes the currency.

app trade "Trade"

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
