# Hierarchy
# category: pattern
# aliases: tree; parent and child of the same kind; categories and subcategories; organisation chart
# related: ref; graph_node; lookup_table
# Rows of one entity form a tree.
# A ref to the entity itself names the parent, a `has_many` via that ref lists the children, and an invariant refuses a row that is its own parent.

persona keeper "Keeper"

entity Category "Category":
  patterns: hierarchy
  plural: categories
  id: uuid pk
  name: str(80) required
  parent: ref Category restrict
  children: has_many Category via parent
  child_count: computed count(children)
  invariant: parent is null or parent != id
    message: "A category is not its own parent"
    code: OWN_PARENT
  permit:
    list: authenticated
    read: authenticated
    create: role(keeper)
    update: role(keeper)
    delete: role(keeper) and count(children) = 0
