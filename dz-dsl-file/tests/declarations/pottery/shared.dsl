module studio.shared

enum FiringKind:
  bisque "Bisque"
  glaze "Glaze"
  raku

archetype Noted:
  note: text
  created_at: datetime auto_add
