app shop "Corner shop"

persona clerk "Clerk"
persona manager "Manager"

entity User "Colleague":
  id: uuid pk
  name: str(80) required
  permit:
    list: role(clerk, manager)
    read: role(clerk, manager)

entity Product "Product":
  id: uuid pk
  code: str(12) required unique
  name: str(80) required
  price: decimal(8,2) required
  stock: int = 0
  permit:
    list: role(clerk, manager)
    read: role(clerk, manager)
    create: role(manager)
    update: role(clerk, manager)
  invariant: stock >= 0
    message: "So many are not in stock"
    code: OUT_OF_STOCK

entity Order "Order":
  id: uuid pk
  customer: str(80) required
  placed_at: datetime auto_add
  receipt: str(40)
  lines: has_many OrderLine cascade
  status: enum[open, paid, shipped, cancelled] = open
  transitions:
    open -> paid: requires receipt
    paid -> shipped: role(clerk)
    open -> cancelled: role(clerk)
    final: shipped
    failed: cancelled
  permit:
    list: role(clerk, manager)
    read: role(clerk, manager)
    create: role(clerk)
    update: role(clerk)
    pay: role(clerk) and status = open

entity OrderLine "Line":
  id: uuid pk
  order: ref Order required
  product: ref Product required
  quantity: int required
  permit:
    list: role(clerk, manager)
    read: role(clerk, manager)
    create: role(clerk)
  invariant: quantity > 0
    message: "At least one"

entity DayReport "Report of a day":
  id: uuid pk
  day: date required unique
  orders: int required
  revenue: decimal(10,2) required
  permit:
    list: role(manager)
    read: role(manager)

surface order_list "Orders":
  uses entity Order
  mode: list
  ux:
    sort: placed_at desc
    filter: status

surface order_view "Order":
  uses entity Order
  mode: view
  section facts:
    field customer
    field placed_at
    field status
    field receipt
  section lines "Lines":
    uses entity OrderLine
    filter: order = this
    field product
    field quantity

surface order_create "New order":
  uses entity Order
  mode: create
  section main:
    field customer

surface line_create "New line":
  uses entity OrderLine
  mode: create

surface product_list "Products":
  uses entity Product
  mode: list
  ux:
    sort: name
    search: name, code

surface product_create "New product":
  uses entity Product
  mode: create

surface report_list "Reports":
  uses entity DayReport
  mode: list
  ux:
    sort: day desc

demo:
  User:
    - name: "Carla Nunes", email: "carla@shop.example", password: "rings up the till", roles: [clerk]
    - name: "Mateo Lind", email: "mateo@shop.example", password: "counts every crate", roles: [manager]
  Product:
    - @tea code: "TEA", name: "Green tea", price: 4.50, stock: 40
    - @oil code: "OIL", name: "Olive oil", price: 12, stock: 3
  Order:
    - @first customer: "Ada"
  OrderLine:
    - order: @first, product: @tea, quantity: 2
