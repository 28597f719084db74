; The content of `dz! { }` in Rust. An editor adds it to its own queries for Rust.

((macro_invocation
  macro: [
    (identifier) @_name
    (scoped_identifier name: (identifier) @_name)
  ]
  (token_tree) @injection.content)
  (#eq? @_name "dz")
  (#set! injection.language "dz")
  (#set! injection.include-children))
