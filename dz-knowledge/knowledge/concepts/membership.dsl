# Membership
# category: language
# aliases: user_membership; member of an organisation; roles per tenant; invitation
# related: tenant_archetype; tenancy; persona
# `archetype: user_membership` connects accounts with tenants and holds the personas of an account in each tenant.

entity Club "Club":
  archetype: tenant
  id: uuid pk
  name: str(80) required unique

entity Member "Member":
  archetype: user_membership
  id: uuid pk
  joined_on: date = today
