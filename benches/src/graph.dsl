app network "Network"

persona member

entity User "Person":
  id: uuid pk
  name: str(120) required
  permit:
    list: role(member)
    read: role(member)

entity Stop "Stop":
  id: uuid pk
  name: str(60) required
  graph_node:
    edges: Line
    display: name
  permit:
    list: role(member)
    read: role(member)

entity Line "Line":
  id: uuid pk
  origin: ref Stop required
  goal: ref Stop required
  minutes: int required
  graph_edge:
    source: origin
    target: goal
    weight: minutes
    directed: true
  permit:
    list: role(member)
    read: role(member)
    create: role(member)
