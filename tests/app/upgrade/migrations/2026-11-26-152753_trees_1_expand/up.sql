-- backfill: adds the column `trees.title` with the values of `label`
-- safe: makes `trees.title` required
-- backfill: sets a value where `trees.remark` is null, also in rows of the previous version
-- backfill: adds the column `trees.variety` with a default, which every row gets without being written
-- safe: checks the values of `trees.variety`
-- safe: adds values to `trees.state`
-- safe: gives `trees.height` a default (0), which the previous version reads in new rows
-- safe: indexes `trees` by `place`
-- safe: indexes `trees` by `title, id`

ALTER TABLE "trees" ADD COLUMN "title" character varying(60) COLLATE "C";
ALTER TABLE "trees" ADD COLUMN "variety" text COLLATE "C" NOT NULL DEFAULT 'apple';
ALTER TABLE "trees" DROP CONSTRAINT "trees_state_check";
ALTER TABLE "trees" ADD CONSTRAINT "trees_state_check" CHECK ("state" IN ('young', 'bearing', 'felled')) NOT VALID;
CREATE FUNCTION "trees_dz_both_versions"() RETURNS trigger LANGUAGE plpgsql AS $dz$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW."title" IS NULL THEN NEW."title" := NEW."label"; ELSE NEW."label" := NEW."title"; END IF;
  ELSIF NEW."title" IS DISTINCT FROM OLD."title" THEN NEW."label" := NEW."title";
  ELSIF NEW."label" IS DISTINCT FROM OLD."label" THEN NEW."title" := NEW."label";
  END IF;
  IF NEW."remark" IS NULL THEN NEW."remark" := '-'; END IF;
  RETURN NEW;
END
$dz$;
CREATE TRIGGER "trees_dz_both_versions" BEFORE INSERT OR UPDATE ON "trees" FOR EACH ROW EXECUTE FUNCTION "trees_dz_both_versions"();
ALTER TABLE "trees" ALTER COLUMN "height" SET DEFAULT 0;
