app brewery "Valley Brewery"

persona brewer "Brewer"
persona seller "Seller"

entity User "Person":
  id: uuid pk
  name: str(40) required
  email_signature: text
  permit:
    list: role(brewer)
    read: role(brewer) or id = current_user
    update: id = current_user

entity Recipe "Recipe":
  id: uuid pk
  name: str(40) required unique
  style: enum[lager, stout, wheat] = lager
  strength: decimal(3,1)
  invented_by: ref User
  secret_step: text sensitive
  malts: has_many Malt
  weight: computed sum(malts.kilos)
  permit:
    list: authenticated
    read: role(brewer) or (role(seller) and strength < 7)
    create: role(brewer)
    update: role(brewer) and (invented_by = current_user or invented_by = null)
    delete: invented_by = current_user and weight = 0

entity Malt "Malt":
  id: uuid pk
  recipe: belongs_to Recipe required cascade
  sort: str(12) required
  kilos: decimal(6,2) required
  unique recipe, sort
  permit:
    list: role(brewer)
    read: role(brewer) and recipe.invented_by = current_user or kilos < 2
    create: role(brewer) and recipe.invented_by = current_user
    update: role(brewer) and recipe.invented_by = current_user
    delete: role(brewer)

entity Batch "Batch":
  number: int pk
  recipe: ref Recipe required
  brewed_at: datetime = now
  litres: int required
  state: enum[brewing, storing, bottled, spoiled] = brewing
  orders: has_many Order
  sold: computed sum(orders.litres)
  left: computed litres - coalesce(sold, 0)
  transitions:
    brewing -> storing: role(brewer)
    storing -> bottled: role(brewer)
      guard: days_since(brewed_at) >= 0
    [brewing, storing] -> spoiled: role(brewer)
  invariant: litres > 0
  permit:
    list: role(brewer) or (role(seller) and state = bottled)
    read: role(brewer) or (role(seller) and state in [storing, bottled])
    create: role(brewer)
    update: role(brewer) and state != bottled
    transition: role(brewer)
    delete: role(brewer) and state = spoiled and sold = 0

entity Pub "Pub":
  id: uuid pk
  name: str(60) required
  city: str(40)
  credit: money
  seller: ref User
  zone: timezone = "Europe/Vienna"
  orders: has_many Order
  permit:
    list: role(seller) or name = current_user.name
    read: seller = current_user or (credit > 0 and credit_currency = "EUR") or name = current_user.name
    create: role(seller)
    update: seller = current_user
    delete: seller = current_user and not any(orders)

entity Order "Order":
  id: int pk
  pub: belongs_to Pub required
  batch: ref Batch required
  litres: int required
  price: money(CZK)
  delivered: date
  invariant: litres > 0
    message: "An order is of one litre at least"
    code: ORDER_EMPTY
  permit:
    list: role(brewer) or pub.seller = current_user
    read: role(brewer) or pub.seller = current_user
    create: pub.seller = current_user and batch.state = bottled
    update: pub.seller = current_user and delivered = null
    delete: pub.seller = current_user
  forbid:
    create: litres > 7
    delete: delivered != null

surface batch_list "Batches":
  uses entity Batch
  mode: list
  section main:
    field number
    field recipe
    field left
  ux:
    sort: brewed_at desc
    filter: recipe, state

surface batch_view "Batch":
  uses entity Batch
  mode: view

surface order_create "New order":
  uses entity Order
  mode: create

surface order_edit "Change an order":
  uses entity Order
  mode: edit

surface pub_list "Pubs":
  uses entity Pub
  mode: list
  ux:
    search: name, city
