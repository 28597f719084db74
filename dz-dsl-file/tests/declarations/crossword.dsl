app crossword:
  description: "Puzzles and their clues"

persona editor
persona setter "Setter"
persona solver

entity Puzzle:
  id: uuid pk
  title: str(80) required
  setter: ref User = current_user
  rows: int = 15
  cols: int = 15
  grid: json = []
  published: datetime
  difficulty: enum[easy, medium, hard, fiendish] = medium
  clues: has_many Clue cascade
  across: computed count(clues where direction = across)
  down: computed count(clues where direction = down)
  balanced: computed abs(across - down) <= 4
  label: computed concat(title, " (", setter.name, ")")
  display_field: label
  status: enum[draft, submitted, accepted, printed, rejected] = draft
  transitions:
    draft -> submitted "Submit": role(setter)
      guard: all(clues where length(answer) > 2) and balanced
      message: "Every answer has three letters"
    submitted -> draft "Send back": role(editor)
    submitted -> accepted "Accept": role(editor)
    submitted -> rejected "Reject": role(editor)
    accepted -> printed: role(editor) requires published
    final: printed
    failed: rejected
  invariant: rows >= 5 and cols >= 5
    message: "Too small"
    code: GRID_SIZE
  permit:
    list: role(editor) or setter = current_user or status = printed
    read: role(editor) or setter = current_user or status = printed
    create: role(setter)
    update: role(editor) or setter = current_user and status in [draft, submitted]
    delete: setter = current_user and status = draft
    transition: role(editor) or setter = current_user
  index status, published desc

entity Clue:
  id: uuid pk
  puzzle: belongs_to Puzzle required
  number: int required
  direction: enum[across, down] required
  text: str(200) required
  answer: str(21) required sensitive
  enumeration: str(20)
  unique puzzle, number, direction
  invariant: starts_with(answer, " ") = false and trim(answer) = answer
    message: "No blanks around the answer"
    code: BLANKS
  permit:
    list: role(editor) or puzzle.setter = current_user or puzzle.status = printed
    read: role(editor) or puzzle.setter = current_user
    create: puzzle.setter = current_user
    update: puzzle.setter = current_user or role(editor)
    delete: puzzle.setter = current_user

surface puzzle_list "Puzzles":
  uses entity Puzzle
  mode: list
  section main:
    field title
    field setter.name
    field difficulty
    field status
  ux:
    sort: title asc
    filter: status, difficulty
    search: title
    for setter:
      scope: setter = current_user
    for solver:
      scope: status = printed
      hide: status
      action_primary: puzzle_view

surface puzzle_view "Puzzle":
  uses entity Puzzle
  mode: view
  section main:
    field title
    field balanced
    field grid format: code
  section across "Across":
    uses entity Clue
    filter: puzzle = this and direction = across
    field number
    field text
  section down "Down":
    uses entity Clue
    filter: puzzle = this and direction = down
    field number
    field text

story CW-01 "A setter submits":
  actor: setter
  trigger: form_submitted
  scope: Puzzle
  status: accepted
  given: the puzzle is "draft"
  when: the setter submits
  then: the puzzle becomes "submitted"

workspace desk "Editor's desk":
  ux:
    for editor:
      focus: inbox, printed
  inbox "Submitted":
    source: Puzzle
    filter: status = submitted
    sort: published asc
    action: puzzle_view
  printed:
    source: Puzzle
    filter: status = printed
    display: timeline
    date_field: published
