# Several forms in order
# triggers: wizard; onboarding; step by step form; continue later
# suggests_for: guided_intake; experience
# An `experience` is a sequence of create surfaces; `on success -> step next` connects them.

entity Signup "Sign-up":
  id: uuid pk
  name: str(80) required
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

surface signup_create "Sign up":
  uses entity Signup
  mode: create

surface signup_list "Sign-ups":
  uses entity Signup
  mode: list
  ux:
    search: name

experience signup "Sign up":
  start at step form
  step form:
    kind: surface
    surface signup_create
    on success -> step overview
  step overview:
    kind: surface
    surface signup_list
