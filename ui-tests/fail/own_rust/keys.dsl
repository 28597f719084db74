entity Task "Task":
  id: uuid pk
  title: str(80) required
  project: ref Project
  permit:
    list: true
    read: true

entity Project "Project":
  id: uuid pk
  name: str(80) required
  permit:
    list: true
    read: true
