# Integration of another system
# category: pattern
# aliases: external API; webhook; adapter; payment provider; third-party service
# related: service; process; import_records
# Another system is called with typed inputs, time limits and retries.
# A service of the kind `integration` describes it, a process step calls it, and a compensation reverts its effects. Its Rust calls the other system with `dz::adapter`.

persona clerk "Clerk"

entity Shipment "Shipment":
  patterns: integration_adapter
  id: uuid pk
  address: str(200) required
  tracking: str(40)
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk)

service carrier "Carrier":
  kind: integration
  input:
    address: str(200) required
  output:
    tracking: str(40) required
  stub: rust

process dispatch "Dispatch":
  trigger: entity Shipment created
  steps:
    - step send:
        service: carrier
        inputs:
          trigger.entity.address -> address
        timeout: 30s
        retry:
          max_attempts: 3
          backoff: exponential
          interval: 5s
    - step note:
        effects:
          - update trigger.entity:
              tracking: send.tracking
