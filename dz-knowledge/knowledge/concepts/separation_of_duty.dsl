# Separation of duty
# category: pattern
# aliases: four-eyes principle; two-person rule; segregation of duties
# related: forbid; approval_flow
# The person who submits a row must not decide on it.
# `forbid:` refuses the transition to the submitter, whatever roles the submitter has.
# The submitter is a required field, and the rule for `create` compares it with `current_user`, so that no caller can enter a row in the name of another person.

persona clerk "Clerk"
persona approver "Approver"

entity Payment "Payment":
  patterns: separation_of_duty
  id: uuid pk
  payee: str(120) required
  amount: decimal(12, 2) required
  entered_by: ref User required = current_user
  status: enum[entered, released] = entered
  transitions:
    entered -> released "Release": role(approver)
    final: released
  permit:
    list: role(clerk, approver)
    read: role(clerk, approver)
    create: role(clerk, approver) and entered_by = current_user
    update: entered_by = current_user and status = entered
    transition: role(approver)
  forbid:
    transition: entered_by = current_user
