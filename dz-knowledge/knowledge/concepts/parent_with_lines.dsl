# Parent with lines
# category: pattern
# aliases: order with lines; invoice items; header and positions; master-detail; line items
# related: has_many; aggregate; money_amounts
# A row has positions that exist only with it, and totals follow from them.
# Lines refer to the parent with `belongs_to`, the parent lists them with `has_many … cascade`, and totals are computed.

persona seller "Seller"

entity Order "Order":
  patterns: parent_with_lines
  display_field: number
  id: uuid pk
  number: str(20) required unique
  lines: has_many OrderLine cascade
  total: computed sum(lines.amount)
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
  amount: decimal(10, 2) required
  invariant: quantity > 0
    message: "A line has a quantity"
    code: LINE_QUANTITY
  permit:
    list: role(seller)
    read: role(seller)
    create: role(seller)
    update: role(seller)
    delete: role(seller)
