# Comments
# category: pattern
# aliases: discussion; notes on a row; conversation; activity thread; messages
# related: has_many; ownership; section
# People discuss a row in a list of comments.
# A comment refers to its row and to its author; it is readable with the row, and only the author changes it.

persona member "Member"

entity Topic "Topic":
  id: uuid pk
  title: str(120) required
  comments: has_many Comment cascade
  permit:
    list: role(member)
    read: role(member)
    create: role(member)

entity Comment "Comment":
  patterns: comments
  id: uuid pk
  topic: belongs_to Topic required
  author: ref User required = current_user
  body: text required
  written_at: datetime auto_add
  permit:
    list: role(member)
    read: role(member)
    create: role(member) and author = current_user
    update: author = current_user
    delete: author = current_user

surface topic_list "Topics":
  uses entity Topic
  mode: list
  ux:
    search: title

surface topic_view "Topic":
  uses entity Topic
  mode: view
  section main "Topic":
    field title
  section talk "Comments":
    uses entity Comment
    field author
    field body
    field written_at
