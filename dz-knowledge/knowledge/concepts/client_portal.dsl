# Client portal
# category: pattern
# aliases: customers see their own data; external users; self-service; access by company
# related: row_condition; current_user; persona_variant
# Customers sign in and see the rows of their own company, and employees see all.
# The account refers to the company, and rules compare it with the company of the row.

persona employee "Employee"
persona client "Client"

entity User "Person":
  archetype: user
  id: uuid pk
  name: str(80) required
  company: ref Company
  permit:
    list: role(employee)
    read: role(employee) or id = current_user

entity Company "Company":
  id: uuid pk
  name: str(80) required
  permit:
    list: role(employee) or id = current_user.company
    read: role(employee) or id = current_user.company

entity Project "Project":
  patterns: client_portal
  id: uuid pk
  name: str(120) required
  company: ref Company required
  permit:
    list: role(employee) or (role(client) and company = current_user.company)
    read: role(employee) or (role(client) and company = current_user.company)
    create: role(employee)
    update: role(employee)
