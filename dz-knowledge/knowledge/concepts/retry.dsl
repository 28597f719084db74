# Retry
# category: language
# aliases: backoff; exponential backoff; retries; max_attempts; try again
# related: step; compensation; process; service
# `retry` repeats a failed step: with a number, or with `max_attempts`, `backoff` (`fixed`, `linear`, `exponential`) and `interval`.
# Every attempt of a step has the same idempotency key.

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

process paying "Paying":
  trigger: entity Order created
  steps:
    - step pay "Charge the card":
        service: charge
        inputs:
          trigger.entity -> order
        timeout: 30s
        retry:
          max_attempts: 4
          backoff: exponential
          interval: 10s
