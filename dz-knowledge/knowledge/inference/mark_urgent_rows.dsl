# Rows that need attention
# triggers: highlight overdue; red when late; warn on low stock; urgent rows on top
# suggests_for: attention; ux
# Write `attention warning:` with `when:` and `message:` in the `ux:` block of the list.

entity Delivery "Delivery":
  id: uuid pk
  title: str(120) required
  due: date indexed
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

surface delivery_list "Deliveries":
  uses entity Delivery
  mode: list
  ux:
    sort: due asc
    attention warning:
      when: due < today
      message: "Late"
