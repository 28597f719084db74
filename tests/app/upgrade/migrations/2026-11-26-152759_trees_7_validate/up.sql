ALTER TABLE "trees" VALIDATE CONSTRAINT "trees_title_dz_not_null";
ALTER TABLE "trees" VALIDATE CONSTRAINT "trees_variety_check";
ALTER TABLE "trees" VALIDATE CONSTRAINT "trees_state_check";
ALTER TABLE "trees" ALTER COLUMN "title" SET NOT NULL;
ALTER TABLE "trees" DROP CONSTRAINT "trees_title_dz_not_null";
INSERT INTO dz_meta (key, value) VALUES ('schema', 'f000f72386930268067437d7ce2aa321') ON CONFLICT (key) DO UPDATE SET value = excluded.value;
INSERT INTO dz_meta (key, value) VALUES ('previous_schema', 'f000f72386930268067437d7ce2aa321 f7a0aa7c9ab61563442d23d9afff0504') ON CONFLICT (key) DO UPDATE SET value = excluded.value;
