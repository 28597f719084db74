module workshop

app workshop "Workshop":
  timezone: "Europe/Lisbon"

persona manager "Manager":
  description: "Runs the workshop"

persona fitter "Fitter":
  description: "Repairs machines"

entity Team "Team":
  id: uuid pk
  name: str(80) required unique
  lead: ref User
  permit:
    list: authenticated
    read: authenticated
    create: role(manager)
    update: role(manager)
    delete: role(manager)

entity User "User":
  archetype: user
  team: ref Team
  permit:
    list: role(manager)
    read: role(manager) or id = current_user
    update: role(manager)

entity Job "Job":
  id: uuid pk
  title: str(120) required
  team: ref Team required
  kind: enum[repair, inspection, refit]=repair
  opened_on: date=today
  due: date
  hours: decimal(8,2)=0 required
  rate: decimal(8,2)
  quantity: int=1 required
  weight: float
  parts: has_many Part via job
  cost: computed hours * rate
  age_days: computed days_since(opened_on)
  overdue: computed due < today
  parts_total: computed sum(parts.price)
  parts_count: computed count(parts)
  share: computed cost / quantity
  heavy: computed if weight > 100: "heavy" elif weight = null: "unknown" else: "light"
  name_upper: computed upper(trim(title))
  soft_delete
  invariant: due = null or due >= opened_on - 30d
  invariant: hours * 2 <= 2000
  permit:
    list: role(manager) or team = current_user.team or kind in [inspection, refit]
    read: role(manager) or team = current_user.team or days_since(opened_on) <= 2
    create: role(manager) or current_user.team.lead = current_user and not any(parts where price > 500 and this.due = null)
    update: role(manager) or (team = current_user.team and age_days < 60)
    delete: role(manager)
    restore: role(manager)

entity Part "Part":
  id: uuid pk
  job: ref Job required cascade
  name: str(80) required
  price: decimal(10,2) required
  permit:
    list: authenticated
    read: authenticated
    create: role(manager) or price < 100
    update: role(manager)
    delete: role(manager)
