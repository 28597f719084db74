# A life cycle
# triggers: status; stages; phases of work; open, in progress, done; workflow of a row; who may change the state
# suggests_for: state_machine
# Declare `status: enum[...]` and list the permitted changes under `transitions:`; declare the final states with `final:` and `failed:`.

entity Job "Job":
  id: uuid pk
  title: str(120) required
  status: enum[planned, running, done, cancelled] = planned
  transitions:
    planned -> running "Start"
    running -> done "Finish"
    planned -> cancelled "Cancel"
    final: done
    failed: cancelled
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
