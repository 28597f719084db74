module studio.pages
use studio.kiln

surface firing_list "Firings":
  uses entity Firing
  mode: list
  section main:
    field kiln.name
    field by.name "Potter"
    field starts
    field status
  ux:
    sort: starts asc
    filter: status, kiln
    search: kiln.name
    for potter:
      scope: by = current_user

workspace week "This week":
  queue "Next":
    source: Firing
    filter: status = booked and starts < now + 7 days
    sort: starts asc
    display: queue
    action: firing_list
