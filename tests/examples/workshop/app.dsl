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

demo:
  Team:
    - @hall name: "Hall"
    - @yard name: "Yard"
  User:
    - @mona email: "mona@workshop.example", name: "Mona Reis", team: @hall, password: "keep the books", roles: [manager]
    - @lena email: "lena@workshop.example", name: "Lena Brandt", team: @hall, password: "mend the press", roles: [fitter]
    - @ugo email: "ugo@workshop.example", name: "Ugo Costa", team: @yard, password: "turn the lathe", roles: [fitter]
    - @ida email: "ida@workshop.example", name: "Ida Falk", password: "sweep the floor"
  Job:
    - @press title: " Press, left cylinder ", team: @hall, opened_on: today - 3d, due: today - 1d, hours: 12.50, rate: 48.75, quantity: 3, weight: 820.5
    - @lathe title: "Lathe äöü", team: @yard, kind: inspection, opened_on: today - 90d, due: today + 2d, hours: 7, quantity: 2, weight: 12.25
    - @crane title: "Crane hook", team: @yard, kind: refit, opened_on: today, rate: 0.01, hours: 1000, quantity: 7
    - @saw title: "Saw", team: @hall, opened_on: today - 61d, hours: 0.33, rate: 99999.99, quantity: 0, weight: 100
    - @drill title: "Drill", team: @yard, opened_on: today - 2d, due: today
  Part:
    - job: @press, name: "Seal", price: 12.30
    - job: @press, name: "Cylinder", price: 1850.00
    - job: @lathe, name: "Belt", price: 33.33
    - job: @saw, name: "Blade", price: 0.00
