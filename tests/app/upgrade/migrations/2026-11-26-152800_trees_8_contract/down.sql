ALTER TABLE "trees" DROP CONSTRAINT "trees_remark_dz_not_null";
ALTER TABLE "trees" ADD COLUMN "label" character varying(60) COLLATE "C";
UPDATE "trees" SET "label" = "title";
ALTER TABLE "trees" ALTER COLUMN "label" SET NOT NULL;
ALTER TABLE "trees" ADD COLUMN "height" bigint NOT NULL DEFAULT 0;
CREATE INDEX "trees_label_idx" ON "trees" (lower("label" COLLATE "C") NULLS FIRST, "label" NULLS FIRST, "id");
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
ALTER TABLE "trees" ALTER COLUMN "variety" SET DEFAULT 'apple';
INSERT INTO dz_meta (key, value) VALUES ('previous_schema', 'ec1e28bbd245b5d6824b294c7207041d a47c02794173af975fcecc50178d3766') ON CONFLICT (key) DO UPDATE SET value = excluded.value;
