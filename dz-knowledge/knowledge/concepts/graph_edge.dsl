# graph_edge
# category: language
# aliases: edge; graph; network of rows; link entity
# related: graph_node; many_to_many_with_attributes
# `graph_edge:` makes the rows of an entity the edges of a graph: `source` and `target` are refs; `type`, `weight`, `directed` and `acyclic` are optional.

entity City "City":
  id: uuid pk
  name: str(80) required
  graph_node:
    edges: Road
    display: name
  permit:
    list: authenticated
    read: authenticated

entity Road "Road":
  id: uuid pk
  from_city: ref City required
  to_city: ref City required
  length: decimal(8, 1) = 1
  graph_edge:
    source: from_city
    target: to_city
    weight: length
    directed: false
  permit:
    list: authenticated
    read: authenticated
