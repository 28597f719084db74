# Child rows on the page of the parent
# triggers: show tasks under the project; list of orders on the customer page; nested list; related rows
# suggests_for: section; has_many
# Add a section with `uses entity Child` and `filter: parent = this`.

entity Customer "Customer":
  id: uuid pk
  name: str(80) required
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

entity Visit "Visit":
  id: uuid pk
  title: str(80) required
  customer: ref Customer required
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

surface customer_list "Customers":
  uses entity Customer
  mode: list
  ux:
    search: name

surface customer_view "Customer":
  uses entity Customer
  mode: view
  section main "Customer":
    field name
  section visits "Visits":
    uses entity Visit
    filter: customer = this
    field title
