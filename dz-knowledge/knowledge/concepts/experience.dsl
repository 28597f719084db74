# Experience
# category: construct
# aliases: wizard; guided flow; onboarding; multi-step form
# related: surface; persona; guided_intake
# An experience is a guided flow over surfaces. Its values are stored for each account until it ends.
# Each step shows a surface or runs a process, and events lead to the next step.

entity Request "Request":
  id: uuid pk
  subject: str(120) required
  permit:
    list: authenticated
    read: authenticated
    create: authenticated

surface request_create "New request":
  uses entity Request
  mode: create

surface request_list "Requests":
  uses entity Request
  mode: list
  ux:
    search: subject

experience intake "Intake":
  start at step fill
  step fill:
    kind: surface
    surface request_create
    on success -> step overview
  step overview:
    kind: surface
    surface request_list
