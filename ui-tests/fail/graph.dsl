entity Place "Place":
  id: uuid pk
  name: str(80)
  graph_node:
    edges: Rode
    display: title
  permit:
    read: true

entity Road "Road":
  id: uuid pk
  from_place: ref Place
  to_place: ref Place
  name: str(80)
  graph_edge:
    source: from_place
    target: from_place
    weight: name
    type: colour
  permit:
    read: true
