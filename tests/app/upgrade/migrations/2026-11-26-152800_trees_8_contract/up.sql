-- dz: contract
-- safe: makes `trees.remark` required
-- safe: drops the default of `trees.variety`, which rows of the previous version need
-- destructive: drops the column `trees.height` with its values
-- safe: drops the column `trees.label`, whose values `title` has
-- safe: drops the index of `label, id` of `trees`

DELETE FROM dz_meta WHERE key = 'previous_schema';
ALTER TABLE "trees" ALTER COLUMN "variety" DROP DEFAULT;
DROP TRIGGER "trees_dz_both_versions" ON "trees";
DROP FUNCTION "trees_dz_both_versions"();
DROP INDEX "trees_label_idx";
ALTER TABLE "trees" DROP COLUMN "height";
ALTER TABLE "trees" DROP COLUMN "label";
ALTER TABLE "trees" ADD CONSTRAINT "trees_remark_dz_not_null" CHECK ("remark" IS NOT NULL) NOT VALID;
