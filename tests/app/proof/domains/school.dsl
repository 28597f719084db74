app school "Schools":
  multi_tenant: true

persona teacher "Teacher"
persona head "Head"
persona parent "Parent"

entity School "School":
  archetype: tenant
  id: uuid pk
  name: str(60) required
  town: str(40)

entity Person "Person":
  archetype: user
  id: uuid pk
  name: str(80) required
  permit:
    list: role(admin)
    read: role(admin) or id = current_user

entity Staff "Membership":
  archetype: user_membership
  id: uuid pk
  subject: str(20)
  permit:
    list: role(admin, tenant_admin, head)
    read: role(admin, tenant_admin, head) or user = current_user
    create: role(admin, tenant_admin)
    update: role(admin, tenant_admin)
    delete: role(admin, tenant_admin)

entity Grade "Class":
  id: uuid pk
  year: int required
  letter: str(1) required
  teacher: ref Person
  pupils: has_many Pupil
  size: computed count(pupils)
  unique year, letter
  permit:
    list: role(teacher, head)
    read: role(teacher, head) or any(pupils where guardian = current_user)
    create: role(head)
    update: role(head) or teacher = current_user
    delete: role(head) and size = 0

entity Pupil "Pupil":
  id: uuid pk
  name: str(60) required
  born: date
  grade: belongs_to Grade
  guardian: ref Person
  allergies: text sensitive
  marks: has_many Mark
  average: computed avg(marks.points)
  soft_delete
  permit:
    list: role(head) or grade.teacher = current_user or guardian = current_user
    read: role(head) or grade.teacher = current_user or guardian = current_user
    create: role(head)
    update: role(head) or (role(teacher) and grade.teacher = current_user)
    delete: role(head)
    restore: role(head)

entity Mark "Mark":
  id: uuid pk
  pupil: belongs_to Pupil required
  points: decimal(3,1) required
  subject: enum[maths, music, sport] = maths
  by: ref Person = current_user
  given_at: datetime auto_add
  final: bool = false
  invariant: points >= 0 and points <= 15
  permit:
    list: role(teacher, head) or pupil.guardian = current_user
    read: by = current_user or role(head) or pupil.guardian = current_user
    create: role(teacher) and by = current_user
    update: by = current_user and final = false
    delete: by = current_user and final = false
  forbid:
    list: points < 1 and pupil.guardian = current_user

surface pupil_list "Pupils":
  uses entity Pupil
  mode: list
  section main:
    field name
    field grade.letter "Class"
    field average
  ux:
    filter: grade
    search: name, guardian.name
    for teacher:
      scope: grade.teacher = current_user
      hide: guardian
    for head:
      scope: all

surface mark_edit "Change a mark":
  uses entity Mark
  mode: edit

surface grade_view "Class":
  uses entity Grade
  mode: view
