module studio.people

persona potter "Potter"
persona admin_desk "Desk"

entity Member:
  archetype: user
  id: uuid pk
  email: email required unique
  name: str(80) required
  joined: date = today
  kiln_licence: bool
