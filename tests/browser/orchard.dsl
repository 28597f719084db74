app orchard "Orchard <& sons>"

persona keeper "Keeper":
  default_workspace: trees

entity User "Person":
  archetype: user
  name: str(60)

entity Row "Row":
  code: str(20) pk
  name: str(60) required searchable
  colour: str(7)
  permit:
    list: authenticated
    read: authenticated
    create: role(keeper)
    update: role(keeper)
    delete: role(keeper)

entity Tree "Tree":
  id: uuid pk
  name: str(60) required searchable
  row: ref Row required
  kind: enum[apple, pear, "sweet cherry"] = apple
  state: enum[young, bearing, felled] = young
  planted: date required
  pruned_at: datetime
  height: int = 1
  weight: float
  address: url
  mail: email
  healthy: bool = true
  value: money(EUR)
  picture: file(1MB)
  facts: json
  notes: text
  grafts: has_many Graft via stock
  transitions:
    young -> bearing "Bears fruit": requires notes
    bearing -> felled "Fell"
    final: felled
  graph_node:
    edges: Graft
    display: name
  permit:
    list: authenticated
    read: authenticated
    create: role(keeper)
    update: role(keeper)
    delete: role(keeper)
  audit: all

entity Graft "Graft":
  id: uuid pk
  stock: ref Tree required
  scion: ref Tree required
  years: int = 1
  graph_edge:
    source: stock
    target: scion
    weight: years
    directed: false
  permit:
    list: authenticated
    read: authenticated
    create: role(keeper)
    update: role(keeper)

entity Lease "Lease":
  id: uuid pk
  tenant: str(60) required
  starts: date required
  ends: date
  temporal:
    start: starts
    end: ends
  permit:
    list: authenticated
    read: authenticated
    create: role(keeper)
    update: role(keeper)

entity Rules "House rules":
  archetype: settings
  id: uuid pk
  ladders: int = 4

surface row_list "Rows":
  uses entity Row
  mode: list
surface row_view "Row":
  uses entity Row
  mode: view
surface row_create "New row":
  uses entity Row
  mode: create
  section main:
    field code
    field name
    field colour widget=color
surface row_edit "Change a row":
  uses entity Row
  mode: edit

surface tree_list "Trees":
  uses entity Tree
  mode: list
  ux:
    purpose: "Every tree of the orchard"
    sort: name asc
    filter: kind, state, row, planted, height, healthy
    search: name
    empty: "No trees yet."
    attention critical:
      when: pruned_at = null
      message: "Never pruned"
      action: tree_edit
    attention notice:
      when: healthy = false
      message: "Ill"
    for keeper:
      scope: all
      action_primary: tree_create
      show_aggregate: height
surface tree_view "Tree":
  uses entity Tree
  mode: view
  section facts "Facts":
    note: "As planted"
    field name
    field row
    field row.name "Its row"
    field kind
    field state
    field planted
    field pruned_at
    field height
    field weight
    field address
    field mail
    field healthy
    field value
    field picture
    field facts
  section notes:
    field notes
  section grafts "Grafts":
    uses entity Graft
    filter: stock = this
  related all "All grafts":
    show: grafts
    display: grid
surface tree_create "New tree":
  uses entity Tree
  mode: create
  section main:
    field name help: "As on the label"
    field row
    field kind widget=radio
    field planted
    field pruned_at
    field height widget=range
    field weight widget=number
    field healthy widget=switch
    field value
    field picture
    field facts when: healthy = false
    field notes widget=markdown
  section more "More":
    field address
    field mail
surface tree_edit "Change a tree":
  uses entity Tree
  mode: edit
surface graft_list "Grafts":
  uses entity Graft
  mode: list
surface lease_list "Leases":
  uses entity Lease
  mode: list
surface lease_create "New lease":
  uses entity Lease
  mode: create

workspace trees "Trees today":
  purpose: "What grows"
  board "Board":
    source: Tree
    display: kanban
    action: tree_view
  days "Days":
    source: Tree
    display: calendar
    date_field: pruned_at
    title: name
    action: tree_view
  net "Grafts":
    source: Tree
    display: graph
  tabs "Everything":
    source: Tree, Row, Lease
    display: list
  heat "Kinds and states":
    source: Tree
    display: heatmap
    group_by: [kind, state]
  cross "Rows and kinds":
    source: Tree
    display: pivot
    group_by: [row, kind]
  rows "Rows":
    source: Row
    display: grid
    action: row_view
  none "None":
    source: Tree
    filter: height < 0
    display: bar_chart
    group_by: kind

process pruning "Pruning":
  trigger: manual role(keeper)
  input:
    tree: ref Tree required
  steps:
    - step asking "Is it dry?":
      human_task:
        surface: tree_view
        assignee_role: keeper
        timeout: 2 days
        outcomes:
          - dry "Dry":
            goto: complete
          - wet "Wet":
            goto: fail
            confirm: true

experience planting "Planting":
  access: persona(keeper)
  start at step row
  context:
    row: ref Row
  step row "The row":
    surface row_create
    saves_to: context.row
    on success -> step tree
    on cancel -> step overview
  step tree "The tree":
    surface tree_create
    prefill:
      row: context.row
    on success -> step overview
    on back -> step row
  step overview "All trees":
    surface tree_list

demo:
  User:
    - @kit email: "kit@orchard.example", name: "Kit", password: "apples and pears", roles: [keeper, admin]
    - @lou email: "lou@orchard.example", name: "Lou", password: "apples and pears"
  Row:
    - @north code: "N 1/x", name: "North <1>", colour: "#22aa44"
    - @south code: "Süd #2", name: "South & sun"
  Tree:
    - @t1 name: "Old Jakob", row: @north, planted: today - 900d, pruned_at: now, height: 420, state: bearing, notes: "Bears every year", facts: "{}", address: "https://orchard.example/jakob", mail: "jakob@orchard.example", value: 120.5
    - @t2 name: "Young Jakob", row: @north, kind: pear, planted: today - 30d, healthy: false, weight: 2.5
    - @t3 name: "\"Quoted\" <b>", row: @south, kind: "sweet cherry", planted: today
  Graft:
    - stock: @t1, scion: @t2, years: 3
  Lease:
    - tenant: "Ada", starts: today - 10d
    - tenant: "Ben", starts: today - 100d, ends: today - 50d
