# A board by state
# triggers: kanban; board with columns; drag cards between states; pipeline
# suggests_for: region; state_machine
# Add a region with `display: kanban` and with `group_by:` and the state field.

entity Card "Card":
  id: uuid pk
  title: str(120) required
  status: enum[todo, doing, done] = todo
  transitions:
    todo -> doing
    doing -> done
    final: done
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

surface card_view "Card":
  uses entity Card
  mode: view

workspace board "Board":
  cards "Cards":
    source: Card
    display: kanban
    group_by: status
    action: card_view
