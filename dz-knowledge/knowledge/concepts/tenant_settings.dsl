# Settings per tenant
# category: language
# aliases: organisation settings; tenant configuration
# related: settings; tenant_archetype
# `archetype: tenant_settings` is one row for each tenant, which the administrators of the tenant edit.

entity Company "Company":
  archetype: tenant
  id: uuid pk
  name: str(80) required unique

entity Membership "Membership":
  archetype: user_membership
  id: uuid pk

entity CompanySettings "Company settings":
  archetype: tenant_settings
  id: uuid pk
  company: ref Company required
  invoice_footer: str(200)
