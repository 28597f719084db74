# Approval flow
# category: pattern
# aliases: approval; sign-off; request and approve; decision
# related: state_machine; separation_of_duty; human_task
# A user submits a request and a role decides on it.
# Use a status with one final and one failed state, a transition with a role for each decision, and an invariant that requires a reason for a refusal.

persona employee "Employee"
persona manager "Manager"

entity Expense "Expense":
  intent: "Money that an employee wants back"
  patterns: approval_flow
  id: uuid pk
  title: str(120) required
  amount: decimal(10, 2) required
  submitted_by: ref User = current_user
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
    create: role(employee)
    update: role(manager) or (submitted_by = current_user and status in [draft, submitted, refused])
