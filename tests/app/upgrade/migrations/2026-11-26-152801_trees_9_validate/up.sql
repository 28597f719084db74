-- dz: contract
ALTER TABLE "trees" VALIDATE CONSTRAINT "trees_remark_dz_not_null";
ALTER TABLE "trees" ALTER COLUMN "remark" SET NOT NULL;
ALTER TABLE "trees" DROP CONSTRAINT "trees_remark_dz_not_null";
INSERT INTO dz_meta (key, value) VALUES ('schema', 'f000f72386930268067437d7ce2aa321') ON CONFLICT (key) DO UPDATE SET value = excluded.value;
