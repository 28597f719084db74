# Checklist
# category: pattern
# aliases: subtasks; steps to do; to-do list; completion percentage; ticked off
# related: has_many; aggregate; state_machine
# A row is finished only when all of its steps are done.
# Steps are children with a flag; a guard on the transition requires that all of them are done, and counts show the progress.

persona worker "Worker"

entity Inspection "Inspection":
  patterns: checklist
  id: uuid pk
  title: str(120) required
  steps: has_many InspectionStep cascade
  done_steps: computed count(steps where done = true)
  status: enum[open, finished] = open
  transitions:
    open -> finished "Finish": role(worker)
      guard: all(steps where done = true)
      message: "Finish the steps first"
    final: finished
  permit:
    list: role(worker)
    read: role(worker)
    create: role(worker)
    update: role(worker)

entity InspectionStep "Step":
  id: uuid pk
  inspection: belongs_to Inspection required
  title: str(120) required
  done: bool = false
  permit:
    list: role(worker)
    read: role(worker)
    create: role(worker)
    update: role(worker)
