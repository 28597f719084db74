# Path
# category: language
# aliases: dotted path; field of a reference
# related: ref; expression; section
# A path such as `project.company.name` follows references to a field. Conditions, sections, filters and searches accept it.
# A page shows the field at the end of a path, and no form writes it.

entity Company "Company":
  id: uuid pk
  name: str(80) required
  permit:
    list: authenticated
    read: authenticated

entity Project "Project":
  id: uuid pk
  name: str(80) required
  company: ref Company required
  permit:
    list: authenticated
    read: authenticated

surface project_list "Projects":
  uses entity Project
  mode: list
  section main:
    field name
    field company.name "Company"
  ux:
    search: name, company.name
