# State machine
# category: language
# aliases: transitions; status workflow; lifecycle; states
# related: timed_transition; invariant; approval_flow
# `transitions:` lists the permitted changes of the status field; every other change is refused.
# A transition can require a role, fields that must be set, or a guard. `final:` and `failed:` name the final states.

persona clerk "Clerk"

entity Repair "Repair":
  id: uuid pk
  title: str(120) required
  fixed_by: ref User
  status: enum[reported, started, finished, given_up] = reported
  transitions:
    reported -> started "Start": requires fixed_by
    started -> finished "Finish": role(clerk)
    reported, started -> given_up "Give up": role(clerk)
    final: finished
    failed: given_up
  permit:
    list: role(clerk)
    read: role(clerk)
    create: role(clerk)
    update: role(clerk)
