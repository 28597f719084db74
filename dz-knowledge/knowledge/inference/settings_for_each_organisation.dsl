# Settings of each organisation
# triggers: each customer has own settings; logo per company; tenant configuration
# suggests_for: tenant_settings; tenancy
# Declare an entity with `archetype: tenant_settings` and a ref to the tenant.

entity Firm "Firm":
  archetype: tenant
  id: uuid pk
  name: str(80) required unique

entity Membership "Membership":
  archetype: user_membership
  id: uuid pk

entity FirmSettings "Settings of the firm":
  archetype: tenant_settings
  id: uuid pk
  firm: ref Firm required
  footer: str(200)
