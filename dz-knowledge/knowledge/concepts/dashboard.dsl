# Dashboard
# category: pattern
# aliases: overview page; KPIs; figures; charts; reporting
# related: workspace; region; aggregate
# A page shows current figures and the rows that need work.
# A workspace combines a region with metrics, lists with a filter, and charts grouped by a field or a date.

persona manager "Manager":
  default_workspace: overview

entity Sale "Sale":
  patterns: dashboard
  id: uuid pk
  title: str(120) required indexed
  amount: decimal(10, 2) required
  stage: enum[open, won, lost] = open
  closed_on: date
  permit:
    list: role(manager)
    read: role(manager)

surface sale_view "Sale":
  uses entity Sale
  mode: view

workspace overview "Overview":
  purpose: "How sales are going"
  access: persona(manager)
  figures "Figures":
    display: metrics
    aggregate:
      open: count(Sale where stage = open)
      won_share: round(count(Sale where stage = won) * 100 / nullif(count(Sale), 0), 1)
  latest "Open sales":
    source: Sale
    filter: stage = open
    sort: title asc
    limit: 10
    display: list
    action: sale_view
  by_stage "By stage":
    source: Sale
    display: bar_chart
    group_by: stage
