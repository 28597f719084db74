module parish.rites
use parish.core
entity Ceremony "Ceremony":
  extends: Recorded
  id: uuid pk
  rite: Rite required
  names: str(200) required searchable
  held: datetime required
  by: ref User
  fee: decimal(7,2) = 0
  status: enum[asked, agreed, held_done, withdrawn] = asked
  transitions:
    asked -> agreed: role(priest) requires by
    agreed -> held_done "Enter into the register": role(sexton)
      guard: held < now
    asked, agreed -> withdrawn
    final: held_done
    failed: withdrawn
  permit:
    list: role(priest, sexton)
    read: role(priest, sexton)
    create: role(sexton)
    update: role(priest, sexton)
  index held desc
entity Witness:
  id: uuid pk
  ceremony: ref Ceremony required cascade
  name: str(80) required
  permit:
    list: role(priest, sexton)
    read: role(priest, sexton)
    create: role(sexton)
