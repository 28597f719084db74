ALTER TABLE "trees" ALTER COLUMN "height" DROP DEFAULT;
DROP TRIGGER "trees_dz_both_versions" ON "trees";
DROP FUNCTION "trees_dz_both_versions"();
ALTER TABLE "trees" DROP CONSTRAINT "trees_state_check";
UPDATE "trees" SET "state" = 'young' WHERE NOT ("state" IN ('young', 'bearing'));
ALTER TABLE "trees" ADD CONSTRAINT "trees_state_check" CHECK ("state" IN ('young', 'bearing'));
ALTER TABLE "trees" DROP COLUMN "variety";
ALTER TABLE "trees" DROP COLUMN "title";
