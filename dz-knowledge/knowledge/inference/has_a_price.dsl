# Prices and amounts
# triggers: price; cost; money; amount; currency; exact sums; euro
# suggests_for: money_amounts; computed_field
# Use `decimal(10, 2)` or `money`, never `float`; an invariant refuses negative amounts.

entity Product "Product":
  id: uuid pk
  name: str(120) required
  price: decimal(10, 2) required
  invariant: price >= 0
    message: "A price is not negative"
    code: PRODUCT_PRICE
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
