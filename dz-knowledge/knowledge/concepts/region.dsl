# Region
# category: language
# aliases: widget; panel; chart; kanban board; calendar view; display; grid; timeline; metrics
# related: workspace; aggregate; dashboard
# A region is a part of a workspace: a `source` with filter and order, metrics (`aggregate:`), or both, shown by one of the displays.

entity Deal "Deal":
  id: uuid pk
  title: str(120) required
  stage: enum[new, offered, won, lost] = new
  transitions:
    new -> offered
    offered -> won
    offered -> lost
    final: won
    failed: lost
  permit:
    list: authenticated
    read: authenticated
    update: authenticated

surface deal_view "Deal":
  uses entity Deal
  mode: view

workspace sales "Sales":
  board "Pipeline":
    source: Deal
    display: kanban
    group_by: stage
    action: deal_view
