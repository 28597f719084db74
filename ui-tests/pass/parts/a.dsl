entity Note "Note":
  id: uuid pk
  owner: ref User
  permit:
    read: owner = current_user
