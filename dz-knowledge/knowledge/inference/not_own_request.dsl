# No decision on an own request
# triggers: nobody approves their own request; four eyes; a second person must confirm; cannot approve what you entered; two people have to sign; two signatures
# suggests_for: separation_of_duty; forbid
# Record the author in a required field with `= current_user`, compare it in `create:`, and write `forbid:` with `transition: author = current_user`.

persona clerk "Clerk"

entity Invoice "Invoice":
  id: uuid pk
  number: str(20) required
  author: ref User required = current_user
  status: enum[entered, paid] = entered
  transitions:
    entered -> paid "Pay"
    final: paid
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk) and author = current_user
    update: author = current_user and status = entered
    transition: role(clerk)
  forbid:
    transition: author = current_user
