# Guided intake
# category: pattern
# aliases: onboarding flow; application form in steps; questionnaire; wizard over several forms
# related: experience; surface; draft_and_publish
# A user fills in several forms in order and can continue later.
# An experience is a sequence of create surfaces; `on success` and `on back` connect the steps.

persona applicant "Applicant"

entity Application "Application":
  patterns: guided_intake
  id: uuid pk
  title: str(120) required
  applicant: ref User = current_user
  motivation: text
  permit:
    list: applicant = current_user
    read: applicant = current_user
    create: role(applicant)

surface application_create "Apply":
  uses entity Application
  mode: create
  section main:
    field title
    field motivation

surface application_list "Your applications":
  uses entity Application
  mode: list

experience apply "Apply":
  access: persona(applicant)
  start at step form
  step form:
    kind: surface
    surface application_create
    on success -> step done
  step done:
    kind: surface
    surface application_list
