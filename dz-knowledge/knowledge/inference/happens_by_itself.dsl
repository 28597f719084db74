# A change after some days
# triggers: automatically after days; expires; close inactive; after a week without answer; timeout; let rows expire after a while
# suggests_for: timed_transition; expiry
# `a -> b: auto after 14 days` is a timed transition; add `or manual` if users may make it too.

entity Question "Question":
  id: uuid pk
  title: str(120) required
  status: enum[asked, answered, closed] = asked
  transitions:
    asked -> answered "Answer"
    asked -> closed: auto after 14 days or manual
    final: answered
    failed: closed
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
