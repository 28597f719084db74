CREATE INDEX CONCURRENTLY "trees_place_idx" ON "trees" ("place");
