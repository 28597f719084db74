# Schedule
# category: construct
# aliases: cron job; cron
# related: process; recurring_job
# A schedule runs a process or steps of its own at fixed times (`cron`) or at an interval (`interval`).

entity Session "Session":
  id: uuid pk
  started: date = today
  permit:
    list: authenticated
    read: authenticated

schedule nightly "Nightly":
  cron: "0 3 * * *"
  timezone: "Europe/London"
  steps:
    - step clear:
        effects:
          - delete Session:
              where: days_since(started) > 30
