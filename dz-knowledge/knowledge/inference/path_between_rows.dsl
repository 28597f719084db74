# Connections between rows
# triggers: network; shortest path; route; dependencies between parts; who knows whom; graph
# suggests_for: graph_node; graph_edge
# Add `graph_edge:` to the connecting entity, and `graph_node:` to the connected one.

entity Station "Station":
  id: uuid pk
  name: str(80) required
  graph_node:
    edges: Line
    display: name
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

entity Line "Line":
  id: uuid pk
  from_station: ref Station required
  to_station: ref Station required
  minutes: int = 1
  graph_edge:
    source: from_station
    target: to_station
    weight: minutes
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
