ALTER TABLE "trees" ADD CONSTRAINT "trees_title_dz_not_null" CHECK ("title" IS NOT NULL) NOT VALID;
ALTER TABLE "trees" ADD CONSTRAINT "trees_variety_check" CHECK ("variety" IN ('apple', 'pear')) NOT VALID;
