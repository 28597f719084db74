# Recurring job
# category: pattern
# aliases: nightly job; batch; clean up; periodic task; scheduled report
# related: schedule; process; expiry
# Work happens at fixed times without a request.
# A schedule with `cron` or `interval` runs steps; its effects change or delete rows for which a condition holds.

entity LoginAttempt "Login attempt":
  patterns: recurring_job
  id: uuid pk
  tried_on: date = today
  address: str(60) required
  permit:
    list: role(officer)
    read: role(officer)

persona officer "Officer"

schedule cleaning "Cleaning":
  cron: "0 4 * * *"
  timezone: "UTC"
  overlap: skip
  steps:
    - step forget:
        effects:
          - delete LoginAttempt:
              where: days_since(tried_on) > 90
