CREATE INDEX CONCURRENTLY "trees_title_idx" ON "trees" (lower("title" COLLATE "C") NULLS FIRST, "title" NULLS FIRST, "id");
