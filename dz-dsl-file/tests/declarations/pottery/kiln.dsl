module studio.kiln
use studio.people
use studio.shared

entity Kiln:
  id: uuid pk
  name: str(40) required unique
  max_temp: int = 1280
  volume: decimal(5,1)
  firings: has_many Firing
  permit:
    list: authenticated
    read: authenticated
    create: role(admin_desk)

entity Firing:
  extends: Noted
  id: uuid pk
  kiln: belongs_to Kiln required
  by: ref Member required = current_user
  kind: FiringKind = bisque
  starts: datetime required
  peak: int
  status: enum[booked, firing, cooling, unloaded, failed] = booked
  transitions:
    booked -> firing: role(potter, admin_desk)
      guard: by.kiln_licence or role(admin_desk)
    firing -> cooling: requires peak
    cooling -> unloaded "Unload"
    firing -> failed: role(admin_desk)
    booked -> failed: auto after 1 days
    final: unloaded
    failed: failed
  invariant: peak = null or peak <= kiln.max_temp
    message: "Too hot for this kiln"
    code: TOO_HOT
  permit:
    list: role(admin_desk) or by = current_user
    read: role(admin_desk) or by = current_user
    create: role(potter, admin_desk)
    update: role(admin_desk) or by = current_user
