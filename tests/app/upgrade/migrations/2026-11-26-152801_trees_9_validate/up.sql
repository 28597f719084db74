-- dz: contract
ALTER TABLE "trees" VALIDATE CONSTRAINT "trees_remark_dz_not_null";
ALTER TABLE "trees" ALTER COLUMN "remark" SET NOT NULL;
ALTER TABLE "trees" DROP CONSTRAINT "trees_remark_dz_not_null";
INSERT INTO dz_meta (key, value) VALUES ('schema', 'ec1e28bbd245b5d6824b294c7207041d') ON CONFLICT (key) DO UPDATE SET value = excluded.value;
