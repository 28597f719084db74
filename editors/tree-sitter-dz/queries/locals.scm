(source_file) @local.scope

(source_file (statement (declaration name: (name) @local.definition)))
(story name: (name) @local.definition)

(word) @local.reference
