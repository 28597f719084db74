# States and tenants.
app clinic "Clinic":
  multi_tenant: true
persona vet "Vet"
persona desk "Front desk"
entity Practice "Practice":
  id: uuid pk
  archetype: tenant
  name: str(80) required
  permit:
    list: true
    read: true
entity Staff "Staff member":
  id: uuid pk
  archetype: user_membership
entity Visit "Visit":
  id: uuid pk
  patient: str(80) required
  vet: ref User
  findings: text
  status: enum[booked, seen, billed, missed] = booked
  soft_delete
  transitions:
    booked -> seen: role(vet) requires findings
    seen -> billed: role(desk)
    booked -> missed: auto after 2 days
    final: billed
    failed: missed
  permit:
    list: role(vet, desk)
    read: role(vet, desk)
    create: role(desk)
    update: role(vet, desk)
  scope:
    update: vet = current_user or role(desk)
