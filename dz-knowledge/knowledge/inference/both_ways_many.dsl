# Many on both sides
# triggers: students and courses; tags on articles; many to many; a person can be in several groups
# suggests_for: many_to_many_with_attributes; has_many
# Connect them by an entity with two required refs and `unique` over both; `has_many X via Junction` reads across it.

entity Student "Student":
  id: uuid pk
  name: str(80) required
  courses: has_many Course via Enrolment
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

entity Course "Course":
  id: uuid pk
  title: str(80) required
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated

entity Enrolment "Enrolment":
  id: uuid pk
  student: ref Student required
  course: ref Course required
  enrolled_on: date = today
  unique student, course
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
