# Draft and publish
# category: pattern
# aliases: publishing; editorial workflow; public page; content management
# related: state_machine; permit; recycle_bin
# Authors prepare a row, and readers see it only after publication.
# The rule for reading compares the state, so only authors see drafts; `anonymous` shows published rows to every caller.

persona author "Author"

entity Post "Post":
  patterns: draft_and_publish
  id: uuid pk
  title: str(140) required
  slug: slug required unique
  body: text
  published_at: datetime
  status: enum[draft, published, withdrawn] = draft
  transitions:
    draft -> published "Publish": role(author) requires published_at
    published -> withdrawn "Withdraw": role(author)
    withdrawn -> draft "Revise": role(author)
    final: published
    failed: withdrawn
  permit:
    list: role(author) or (anonymous and status = published)
    read: role(author) or (anonymous and status = published)
    create: role(author)
    update: role(author)
