# graph_node
# category: language
# aliases: node; vertex; shortest path
# related: graph_edge; hierarchy
# `graph_node:` names the edge entity of a node, and the field that labels it. The node entity then has addresses for neighbours, shortest paths, components, reachable rows, degrees, centrality and cycles.

entity Part "Part":
  id: uuid pk
  name: str(80) required
  graph_node:
    edges: Assembly
    display: name
  permit:
    list: authenticated
    read: authenticated

entity Assembly "Assembly":
  id: uuid pk
  whole: ref Part required
  piece: ref Part required
  graph_edge:
    source: whole
    target: piece
  permit:
    list: authenticated
    read: authenticated
