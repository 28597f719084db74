ALTER TABLE "trees" VALIDATE CONSTRAINT "trees_title_dz_not_null";
ALTER TABLE "trees" VALIDATE CONSTRAINT "trees_variety_check";
ALTER TABLE "trees" VALIDATE CONSTRAINT "trees_state_check";
ALTER TABLE "trees" ALTER COLUMN "title" SET NOT NULL;
ALTER TABLE "trees" DROP CONSTRAINT "trees_title_dz_not_null";
INSERT INTO dz_meta (key, value) VALUES ('schema', 'ec1e28bbd245b5d6824b294c7207041d') ON CONFLICT (key) DO UPDATE SET value = excluded.value;
INSERT INTO dz_meta (key, value) VALUES ('previous_schema', 'ec1e28bbd245b5d6824b294c7207041d a47c02794173af975fcecc50178d3766') ON CONFLICT (key) DO UPDATE SET value = excluded.value;
