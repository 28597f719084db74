# Tenant entity
# category: language
# aliases: archetype tenant; organisation; multi-tenant; customer account; tenant
# related: tenancy; membership; tenant_settings
# `archetype: tenant` makes an entity the tenants. Every other entity, except the accounts and `settings`, gets a reference to it, and each statement is limited to the active tenant.

entity Company "Company":
  archetype: tenant
  id: uuid pk
  name: str(80) required unique

entity Membership "Membership":
  archetype: user_membership
  id: uuid pk

persona clerk "Clerk"

entity Note "Note":
  id: uuid pk
  title: str(120) required
  permit:
    list: role(clerk)
    read: role(clerk)
