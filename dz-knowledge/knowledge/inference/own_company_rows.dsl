# Rows of the caller's company
# triggers: customers see data of their company; access by department; same team; rows of the caller's organisation
# suggests_for: client_portal; current_user
# Give the account entity a ref to the company, and compare `company = current_user.company` in the rules.

entity User "Person":
  archetype: user
  id: uuid pk
  name: str(80) required
  company: ref Company
  permit:
    read: id = current_user

entity Company "Company":
  id: uuid pk
  name: str(80) required
  permit:
    read: id = current_user.company

entity Report "Report":
  id: uuid pk
  title: str(120) required
  company: ref Company required
  permit:
    list: company = current_user.company
    read: company = current_user.company
