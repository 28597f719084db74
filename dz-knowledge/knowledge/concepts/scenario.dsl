# Scenario
# category: construct
# aliases: demo scenario; test situation
# related: demo; persona
# A scenario is a set of data for tests of the application: rows, and the start page of each persona.

persona clerk "Clerk"

entity Order "Order":
  id: uuid pk
  number: str(20) required
  permit:
    list: role(clerk)
    read: role(clerk)

scenario busy_day "A busy day":
  description: "Many open orders"
  demo:
    Order:
      - number: "A-1"
      - number: "A-2"
