# Sensitive field
# category: access
# aliases: secret field; confidential value; hidden column; PII
# related: field; permit; audit
# A `sensitive` field is shown only to callers who may update the row; for others it is null on pages, in the API and in exports, and lists cannot filter or sort by it.

persona clerk "Clerk"
persona boss "Boss"

entity Employee "Employee":
  id: uuid pk
  name: str(120) required
  salary: decimal(10, 2) sensitive
  permit:
    list: role(clerk, boss)
    read: role(clerk, boss)
    update: role(boss)
