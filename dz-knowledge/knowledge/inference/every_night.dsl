# Work at fixed times
# triggers: every night; weekly report; cron; monthly; clean up old rows
# suggests_for: recurring_job; schedule
# Write a `schedule` with `cron:` or `interval:`, and with steps or the process that it runs.

entity Draft "Draft":
  id: uuid pk
  title: str(120) required
  saved_on: date = today
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

schedule tidy "Tidy":
  cron: "0 2 * * *"
  timezone: "UTC"
  steps:
    - step forget:
        effects:
          - delete Draft:
              where: days_since(saved_on) > 60
