DELETE FROM dz_meta WHERE key = 'previous_schema';
INSERT INTO dz_meta (key, value) VALUES ('schema', 'a47c02794173af975fcecc50178d3766') ON CONFLICT (key) DO UPDATE SET value = excluded.value;
ALTER TABLE "trees" ADD CONSTRAINT "trees_title_dz_not_null" CHECK ("title" IS NOT NULL) NOT VALID;
ALTER TABLE "trees" ALTER COLUMN "title" DROP NOT NULL;
