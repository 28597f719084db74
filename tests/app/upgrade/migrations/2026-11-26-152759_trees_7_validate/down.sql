DELETE FROM dz_meta WHERE key = 'previous_schema';
INSERT INTO dz_meta (key, value) VALUES ('schema', 'f7a0aa7c9ab61563442d23d9afff0504') ON CONFLICT (key) DO UPDATE SET value = excluded.value;
ALTER TABLE "trees" ADD CONSTRAINT "trees_title_dz_not_null" CHECK ("title" IS NOT NULL) NOT VALID;
ALTER TABLE "trees" ALTER COLUMN "title" DROP NOT NULL;
