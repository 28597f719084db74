# Rows of one account
# triggers: users see only their own; private records; my data; each person sees what they created; owner may edit
# suggests_for: ownership; row_condition
# Add `owner: ref User required = current_user` and compare it with `current_user` in each action, also in `create`.

entity Note "Note":
  id: uuid pk
  title: str(120) required
  owner: ref User required = current_user
  permit:
    list: owner = current_user
    read: owner = current_user
    create: owner = current_user
    update: owner = current_user
    delete: owner = current_user
