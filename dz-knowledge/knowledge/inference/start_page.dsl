# A page with numbers
# triggers: dashboard; overview; KPIs; statistics; chart of sales; start page for managers
# suggests_for: dashboard; workspace
# Declare a workspace with a region of metrics, lists with a filter, and a chart with `group_by`.

entity Sale "Sale":
  id: uuid pk
  title: str(120) required
  stage: enum[open, won] = open
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

surface sale_view "Sale":
  uses entity Sale
  mode: view

workspace numbers "Numbers":
  purpose: "Sales today"
  figures:
    display: metrics
    aggregate:
      open: count(Sale where stage = open)
  open_sales "Open":
    source: Sale
    filter: stage = open
    display: list
    action: sale_view
