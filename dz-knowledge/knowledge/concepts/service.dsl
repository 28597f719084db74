# Service
# category: construct
# aliases: domain logic; external service; function
# related: process; integration_adapter
# A service is logic outside the declaration behind a typed interface: inputs, outputs and guarantees.
# Processes call it. `stub` names the language in which a stub is generated.

service price "Price":
  kind: domain_logic
  input:
    quantity: int required
    unit_price: decimal(10, 2) required
  output:
    total: decimal(10, 2) required
  guarantees:
    - "The total is never negative"
  stub: rust

entity Order "Order":
  id: uuid pk
  number: str(20) required
  permit:
    list: authenticated
    read: authenticated
