ALTER TABLE "trees" ADD CONSTRAINT "trees_remark_dz_not_null" CHECK ("remark" IS NOT NULL) NOT VALID;
ALTER TABLE "trees" ALTER COLUMN "remark" DROP NOT NULL;
