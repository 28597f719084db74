ALTER TABLE "trees" DROP CONSTRAINT "trees_variety_check";
ALTER TABLE "trees" DROP CONSTRAINT "trees_title_dz_not_null";
