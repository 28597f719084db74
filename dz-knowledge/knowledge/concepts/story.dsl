# Story
# category: construct
# aliases: user story; requirement; acceptance criterion
# related: persona; process; entity
# A story describes an action of a persona and its result, in sentences.
# Actor, entities and quoted states are resolved, so a renamed state is reported.

persona clerk "Clerk"

entity Order "Order":
  id: uuid pk
  number: str(20) required
  status: enum[open, sent] = open
  permit:
    list: role(clerk)
    read: role(clerk)

# dz: allow(story-without-process) because the clerk does it on a page
story ST-001 "An order is sent":
  actor: clerk
  trigger: user_click
  scope: [Order]
  status: accepted
  given:
    - the status is "open"
  then:
    - the status becomes "sent"
