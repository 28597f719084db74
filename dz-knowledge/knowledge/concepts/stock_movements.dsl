# Stock and movements
# category: pattern
# aliases: inventory; warehouse; ledger; bookings in and out; balance from entries
# related: aggregate; computed_field; audit_trail
# A balance is the sum of entries that are never changed.
# A computed field of the item is its stock, the sum of its movements; the rules permit users to create and read movements, not to change them.

persona keeper "Keeper"

entity Item "Item":
  patterns: stock_movements
  id: uuid pk
  name: str(120) required unique
  minimum: int = 0
  movements: has_many Movement
  stock: computed coalesce(sum(movements.quantity), 0)
  is_low: computed coalesce(sum(movements.quantity), 0) < minimum
  permit:
    list: role(keeper)
    read: role(keeper)
    create: role(keeper)
    update: role(keeper)

entity Movement "Movement":
  id: uuid pk
  reason: str(120) required
  item: belongs_to Item required restrict
  quantity: int required
  booked_at: datetime auto_add
  booked_by: ref User required = current_user
  invariant: quantity != 0
    message: "A movement changes the stock"
    code: MOVEMENT_QUANTITY
  permit:
    list: role(keeper)
    read: role(keeper)
    create: role(keeper) and booked_by = current_user
