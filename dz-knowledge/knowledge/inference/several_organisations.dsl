# Several organisations in one application
# triggers: many customers share the application; SaaS; separate organisations; data of one company must not reach another; branch offices with own data
# suggests_for: tenancy; tenant_archetype
# Declare an entity with `archetype: tenant` and one with `archetype: user_membership`; the other entities belong to a tenant implicitly.

persona clerk "Clerk"

entity Company "Company":
  archetype: tenant
  id: uuid pk
  name: str(80) required unique

entity Membership "Membership":
  archetype: user_membership
  id: uuid pk

entity Task "Task":
  id: uuid pk
  title: str(120) required
  permit:
    list: role(clerk)
    read: role(clerk)
