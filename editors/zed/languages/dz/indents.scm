(statement body: (block)) @indent
(group "(" ")" @end) @indent
(list "[" "]" @end) @indent
(map "{" "}" @end) @indent
