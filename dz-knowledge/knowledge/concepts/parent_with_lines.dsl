# Parent with lines
# category: pattern
# aliases: order with lines; invoice items; header and positions; master-detail; line items
# related: has_many; aggregate; money_amounts
# A row has positions that exist only with it, and totals follow from them.
# Lines refer to the parent with `belongs_to`, the parent lists them with `has_many … cascade`, and amounts and totals are computed, so that they never differ from their parts.

persona seller "Seller"

entity Order "Order":
  patterns: parent_with_lines
  display_field: number
  id: uuid pk
  number: str(20) required unique
  lines: has_many OrderLine cascade
  total: computed coalesce(sum(lines.amount), 0)
  permit:
    list: role(seller)
    read: role(seller)
    create: role(seller)
    update: role(seller)
    delete: role(seller)

entity OrderLine "Order line":
  id: uuid pk
  order: belongs_to Order required
  text: str(120) required
  quantity: int = 1
  unit_price: decimal(10, 2) required
  amount: computed quantity * unit_price
  invariant: quantity > 0
    message: "A line has a quantity"
    code: LINE_QUANTITY
  invariant: unit_price >= 0
    message: "A price is not negative"
    code: LINE_PRICE
  permit:
    list: role(seller)
    read: role(seller)
    create: role(seller)
    update: role(seller)
    delete: role(seller)
