# Finished only when all is done
# triggers: checklist; subtasks; every step must be done; progress; complete all items first; steps that are ticked off
# suggests_for: checklist; aggregate
# Add a guard to the transition: `guard: all(steps where done = true)`.

entity Relocation "Relocation":
  id: uuid pk
  title: str(120) required
  steps: has_many Step cascade
  status: enum[open, done] = open
  transitions:
    open -> done "Finish":
      guard: all(steps where done = true)
      message: "Finish the steps first"
    final: done
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

entity Step "Step":
  id: uuid pk
  relocation: belongs_to Relocation required
  title: str(80) required
  done: bool = false
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
