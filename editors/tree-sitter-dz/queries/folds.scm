(statement body: (block)) @fold
(item) @fold
(story body: (block)) @fold
(condition body: (block)) @fold
(group) @fold
(list) @fold
(map) @fold
(long_string) @fold
