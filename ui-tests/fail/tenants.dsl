app inns "Inns":
  multi_tenant: yes please

persona desk "Desk"

entity Inn "Inn":
  archetype: tenant
  id: uuid pk
  name: str(80) required

entity Member "Member":
  archetype: user_membership
  id: uuid pk
  tenant: str(80)

entity Stay "Stay":
  id: uuid pk
  guest: str(80) required
  permit:
    list: role(desk) and inn.title = "Anchor"
