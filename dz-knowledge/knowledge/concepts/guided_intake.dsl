# Guided intake
# category: pattern
# aliases: onboarding flow; application form in steps; questionnaire; wizard over several forms
# related: experience; surface; draft_and_publish
# A user fills in several forms in order and can continue later.
# An experience is a sequence of create surfaces: `saves_to` keeps the row of a step in the context, and `prefill` connects the row of the next form with it.

persona applicant "Applicant"

entity Application "Application":
  patterns: guided_intake
  id: uuid pk
  title: str(120) required
  applicant: ref User required = current_user
  motivation: text
  referees: has_many Referee cascade
  permit:
    list: applicant = current_user
    read: applicant = current_user
    create: role(applicant) and applicant = current_user

entity Referee "Referee":
  id: uuid pk
  application: belongs_to Application required
  name: str(120) required
  mail: email required
  permit:
    list: application.applicant = current_user
    read: application.applicant = current_user
    create: application.applicant = current_user

surface application_create "Apply":
  uses entity Application
  mode: create
  section main:
    field title
    field motivation

surface referee_create "Name a referee":
  uses entity Referee
  mode: create
  section main:
    field application
    field name
    field mail

surface application_view "Your application":
  uses entity Application
  mode: view

experience apply "Apply":
  access: persona(applicant)
  context:
    application: ref Application
  start at step form
  step form:
    kind: surface
    surface application_create
    saves_to: context.application
    on success -> step referee
  step referee:
    kind: surface
    surface referee_create
    prefill:
      application: context.application
    on success -> step done
    on skip -> step done
  step done:
    kind: surface
    surface application_view
