# Compensation
# category: language
# aliases: compensate; compensations; rollback of a process; undo steps
# related: step; retry; process; parallel_steps
# A step with `compensate` names an action that reverts it. If the process fails or is cancelled later, dz runs the compensations of the completed steps in reverse order.

persona clerk "Clerk"

entity Order "Order":
  id: uuid pk
  number: str(20) required
  total: decimal(8, 2) = 0
  note: text
  permit:
    list: role(clerk)
    read: role(clerk)
    update: role(clerk)

service charge "Charge the card":
  kind: integration
  input:
    order: ref Order required
  output:
    reference: str(40) required
  stub: rust

service refund "Refund":
  kind: integration
  input:
    order: ref Order required
  output:
    done: bool required
  stub: rust

service ship "Ship":
  kind: integration
  input:
    order: ref Order required
  output:
    parcel: str(40) required
  stub: rust

process selling "Selling":
  trigger: entity Order created
  steps:
    - step pay "Charge the card":
        service: charge
        inputs:
          trigger.entity -> order
        compensate: repay
    - step send "Ship the parcel":
        service: ship
        inputs:
          trigger.entity -> order
  compensations:
    - repay:
        service: refund
        inputs:
          trigger.entity -> order
