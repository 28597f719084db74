enum Size:
  small
  large

entity Repair "Repair":
  id: uuid pk
  title: str(80) required
  size: Size = small
  permit:
    read: true

service quote "Quote":
  input:
    repair: ref Repair required
    discounts: list[decimal(4, 2)]
    day: date = today
    note: str = "none"
    express: bool = false
  output:
    fee: money(EUR) required
    effort: enum[small, large] required
    size: Size
    at: datetime
  guarantees:
    - "The fee is never below zero"
  stub: rust

service ping:
  kind: integration
