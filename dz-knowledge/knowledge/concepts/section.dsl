# Section
# category: language
# aliases: nested list; field group of a page; related
# related: surface; path; has_many
# A section of a surface lists fields, or shows child rows: `uses entity Child` with the filter `parent = this`.

entity Project "Project":
  id: uuid pk
  name: str(80) required
  tasks: has_many Task
  permit:
    list: authenticated
    read: authenticated

entity Task "Task":
  id: uuid pk
  title: str(120) required
  project: belongs_to Project required
  permit:
    list: authenticated
    read: authenticated

surface project_list "Projects":
  uses entity Project
  mode: list
  ux:
    search: name

surface project_view "Project":
  uses entity Project
  mode: view
  section main "Project":
    field name
  section tasks "Tasks":
    uses entity Task
    filter: project = this
    field title
