# Tenancy
# category: pattern
# aliases: multi-tenancy; several organisations; SaaS; data isolation; customers see only their data
# related: tenant_archetype; membership; tenant_settings
# Several organisations use one application and cannot see each other's rows.
# One entity is the tenant, one is the membership; all others belong to a tenant implicitly, and each membership has its own roles.

app studio "Studio":
  multi_tenant: true

persona trainer "Trainer"

entity Gym "Gym":
  archetype: tenant
  id: uuid pk
  name: str(80) required unique

entity Membership "Membership":
  archetype: user_membership
  id: uuid pk

entity Course "Course":
  patterns: tenancy
  id: uuid pk
  title: str(120) required
  seats: int = 12
  permit:
    list: role(trainer)
    read: role(trainer)
    create: role(trainer)
    update: role(trainer)
