persona desk "Desk"

entity User "Person":
  id: uuid pk
  email: email required unique
  permit:
    read: true

entity Note "Note":
  id: uuid pk
  owner: ref User
  permit:
    list: owner = current_user
    create: owner = current_usr
    update: owner.email = current_user.mail
    delete: role(desk, cleark)
  forbid:
    publish: role(desk)
