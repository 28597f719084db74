app shop "Corner shop":
  timezone: "Europe/Lisbon"

persona clerk "Clerk"
persona buyer "Buyer"

enum Size ordered "Size":
  small "Small"
  large "Large"

entity Product "Product":
  intent: "What the shelves hold"
  id: uuid pk
  name: str(80) required unique searchable
  size: Size = small
  price: decimal(8,2) = 0
  cost: money
  orders: has_many Order
  ordered: computed count(orders where state = paid)
  dear: computed price > 100
  permit:
    read: anonymous
    restock: role(clerk)

entity Order "Order":
  id: uuid pk
  product: belongs_to Product required
  buyer: ref User = current_user
  state: enum[open, paid, "sent off"] = open
  note: text
  placed_on: date auto_add
  permit:
    read: role(clerk) or buyer = current_user
    create: authenticated
    update: role(clerk) and state != "sent off"
  forbid:
    update: buyer = current_user
  index state, placed_on desc

surface order_list "Orders":
  uses entity Order
  mode: list
  section main:
    field product.name "Product"
    field state
  ux:
    sort: placed_on desc
    filter: state
    search: note
    empty: "Nothing ordered."
    for clerk:
      scope: state != "sent off"
      purpose: "To be paid and sent"
      hide: note
      action_primary: product_view

surface product_view "Product":
  uses entity Product
  mode: view
  section facts "Facts":
    field name help: "As printed on the label"
    field price
  section orders "Its orders":
    uses entity Order
    filter: product = this and state = open
    field state
