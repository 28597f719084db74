# Another system
# triggers: call an API; payment provider; send to ERP; webhook; third party
# suggests_for: integration_adapter; service
# Declare a `service` of the kind `integration`, and call it in a process step with `timeout` and `retry`.

entity Order "Order":
  id: uuid pk
  number: str(20) required
  receipt: str(80)
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

service payment "Payment":
  kind: integration
  input:
    order: str(20) required
  output:
    receipt: str(80) required
  stub: rust

process pay "Pay":
  trigger: entity Order created
  steps:
    - step charge:
        service: payment
        inputs:
          trigger.entity.number -> order
        timeout: 30s
    - step note:
        effects:
          - update trigger.entity:
              receipt: charge.receipt
