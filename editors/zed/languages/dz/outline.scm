(source_file
  (statement
    (declaration
      keyword: (word) @context
      name: (name) @name)) @item)

(story
  keyword: (word) @context
  name: (name) @name) @item
