# No decision on an own request
# triggers: nobody approves their own request; four eyes; a second person must confirm; cannot approve what you entered; two people have to sign; two signatures
# suggests_for: separation_of_duty; forbid
# Record the author with `= current_user`, and write `forbid:` with `transition: author = current_user`.

entity Invoice "Invoice":
  id: uuid pk
  number: str(20) required
  author: ref User = current_user
  status: enum[entered, paid] = entered
  transitions:
    entered -> paid "Pay"
    final: paid
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk)
    update: role(clerk)
    transition: role(clerk)
  forbid:
    transition: author = current_user
