# Public rows
# triggers: public page; visible without login; publish; anonymous readers; website content
# suggests_for: draft_and_publish; permit
# `anonymous` in a rule permits the action to callers without an account; compare the state so that drafts stay hidden.

persona editor "Editor"

entity News "News":
  id: uuid pk
  title: str(120) required
  status: enum[draft, public] = draft
  transitions:
    draft -> public "Publish": role(editor)
    final: public
  permit:
    list: role(editor) or (anonymous and status = public)
    read: role(editor) or (anonymous and status = public)
    create: role(editor)
    update: role(editor)
