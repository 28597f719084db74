module parish.core
persona sexton "Sexton"
persona priest "Priest"
enum Rite:
  baptism
  wedding
  funeral "Funeral"
archetype Recorded:
  recorded_at: datetime auto_add
  register_no: int unique?
  index register_no
