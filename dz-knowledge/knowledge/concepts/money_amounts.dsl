# Amounts of money
# category: pattern
# aliases: money; price; currency; VAT; exact decimals
# related: computed_field; parent_with_lines; field
# Amounts are exact and have a currency.
# Use `money` (with the currency of the application, or one for each row) or `decimal(p,s)`, never `float`, and compute totals instead of storing them.

app billing "Billing":
  currency: EUR

persona clerk "Clerk"

entity Fee "Fee":
  patterns: money_amounts
  id: uuid pk
  title: str(120) required
  net: decimal(10, 2) required
  vat_rate: decimal(4, 2) = 23
  vat: computed round(net * vat_rate / 100, 2)
  gross: computed net + round(net * vat_rate / 100, 2)
  deposit: money
  invariant: net >= 0 and vat_rate >= 0
    message: "An amount is not negative"
    code: FEE_AMOUNT
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk)
    update: role(clerk)
