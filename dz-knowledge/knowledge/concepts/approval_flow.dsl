# Approval flow
# category: pattern
# aliases: approval; sign-off; request and approve; decision
# related: state_machine; separation_of_duty; human_task
# A user submits a request and a role decides on it.
# Use a status with a final and a failed state, a transition with a role for each decision, and `requires` for the reason of a refusal.
# The rule for `update` names the states in which each side may change the row, so that nobody changes a request during or after its decision.

persona employee "Employee"
persona manager "Manager"

entity Expense "Expense":
  intent: "Money that an employee wants back"
  patterns: approval_flow
  id: uuid pk
  title: str(120) required
  amount: decimal(10, 2) required
  submitted_by: ref User required = current_user
  reason: text
  status: enum[draft, submitted, approved, refused] = draft
  transitions:
    draft -> submitted "Submit": role(employee)
    submitted -> approved "Approve": role(manager)
    submitted -> refused "Refuse": role(manager) requires reason
    refused -> draft "Revise": role(employee)
    final: approved
    failed: refused
  invariant: amount > 0
    message: "An expense has an amount"
    code: EXPENSE_AMOUNT
  permit:
    list: role(manager) or submitted_by = current_user
    read: role(manager) or submitted_by = current_user
    create: role(employee) and submitted_by = current_user
    update: (role(manager) and status = submitted) or (submitted_by = current_user and status in [draft, refused])
