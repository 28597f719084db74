# A value that only some may see
# triggers: hide a field; confidential value; salary; only managers see the price; secret column
# suggests_for: sensitive_field; permit
# Declare the field as `sensitive`: only callers who may update the row see it. `hide:` on a surface is not an access rule.

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
