app fleet "Fleet":
  currency: EUR

persona dispatcher "Dispatcher"
persona driver "Driver"
persona auditor "Auditor"

enum Licence ordered:
  none
  car
  lorry

entity User "Driver":
  id: uuid pk
  name: str(60) required
  licence: Licence = none
  depot: ref Depot
  hired: date
  permit:
    list: role(dispatcher) or depot = current_user.depot
    read: role(dispatcher, auditor) or id = current_user
    update: role(dispatcher) and depot = current_user.depot

entity Depot "Depot":
  id: uuid pk
  city: str(40)
  manager: ref User
  vehicles: has_many Vehicle
  permit:
    list: authenticated
    read: authenticated
    create: role(dispatcher)
    update: manager = current_user or manager = null
    delete: role(dispatcher) and count(vehicles) = 0

entity Vehicle "Vehicle":
  plate: str(10) pk
  depot: belongs_to Depot
  needs: Licence = car
  kilometres: int = 0
  inspected: date
  trips: has_many Trip
  costs: has_many Cost cascade
  spent: computed sum(costs.amount)
  permit:
    list: role(dispatcher, auditor) or depot = current_user.depot
    read: role(dispatcher, auditor) or (depot = current_user.depot and needs <= current_user.licence)
    create: role(dispatcher)
    update: role(dispatcher) or (role(driver) and depot.manager = current_user)
    delete: role(dispatcher) and spent = 0
  forbid:
    delete: any(trips where ended_at = null)

entity Trip "Trip":
  id: uuid pk
  vehicle: belongs_to Vehicle required
  driver: ref User = current_user
  destination: str(80) required
  started_at: datetime = now
  ended_at: datetime
  distance: int
  invariant: ended_at = null or ended_at >= started_at
  invariant: distance = null or distance >= 0
  permit:
    list: role(dispatcher, auditor) or driver = current_user
    read: role(dispatcher) or driver = current_user or (role(auditor) and ended_at != null)
    create: driver = current_user or role(dispatcher)
    update: driver = current_user and ended_at = null or role(dispatcher)
    delete: role(dispatcher) and distance = null

entity Cost "Cost":
  id: uuid pk
  vehicle: belongs_to Vehicle required
  amount: money(EUR) required
  paid_in: money
  what: enum[fuel, tyres, toll] = fuel
  receipt: str(20) unique
  permit:
    list: role(auditor) or vehicle.depot.manager = current_user
    read: role(auditor, dispatcher)
    create: role(dispatcher) and amount > 0
    update: role(auditor)
    delete: role(auditor) and amount < 5
  forbid:
    read: amount > 5 and not role(auditor)

surface vehicle_list "Vehicles":
  uses entity Vehicle
  mode: list
  ux:
    filter: depot, needs
    search: depot.city

surface trip_list "Trips":
  uses entity Trip
  mode: list
  ux:
    sort: started_at desc
    filter: driver, vehicle
    search: destination, driver.name
    for driver:
      scope: ended_at = null
      hide: distance
    for dispatcher:
      scope: all

surface trip_edit "Change a trip":
  uses entity Trip
  mode: edit

surface cost_list "Costs":
  uses entity Cost
  mode: list
