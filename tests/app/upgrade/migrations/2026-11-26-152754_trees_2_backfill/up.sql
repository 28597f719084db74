DO $dz$
DECLARE
  batch_start "trees"."id"%TYPE;
  batch_end "trees"."id"%TYPE;
  passes int := 0;
BEGIN
  LOOP
    batch_start := (SELECT "id" FROM "trees" ORDER BY "id" LIMIT 1);
    WHILE batch_start IS NOT NULL LOOP
      batch_end := (SELECT "id" FROM "trees" WHERE "id" > batch_start ORDER BY "id" OFFSET 1000 LIMIT 1);
      IF batch_end IS NULL THEN
        UPDATE "trees" SET "title" = "label"
          WHERE "id" IN (SELECT "id" FROM "trees" WHERE "id" >= batch_start AND "title" IS NULL AND ("label") IS NOT NULL FOR UPDATE SKIP LOCKED);
      ELSE
        UPDATE "trees" SET "title" = "label"
          WHERE "id" IN (SELECT "id" FROM "trees" WHERE "id" >= batch_start AND "id" < batch_end AND "title" IS NULL AND ("label") IS NOT NULL FOR UPDATE SKIP LOCKED);
      END IF;
      COMMIT;
      batch_start := batch_end;
    END LOOP;
    EXIT WHEN NOT EXISTS (SELECT 1 FROM "trees" WHERE "title" IS NULL AND ("label") IS NOT NULL);
    passes := passes + 1;
    IF passes > 600 THEN RAISE EXCEPTION 'rows of % are locked by other sessions for too long', 'trees'; END IF;
    COMMIT;
    PERFORM pg_sleep(0.5);
  END LOOP;
END
$dz$;
