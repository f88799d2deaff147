-- Lost: which sends by hand were undone.
DO $$ BEGIN
  IF EXISTS (SELECT FROM "held_sends" WHERE "undone_at" IS NULL) THEN
    RAISE EXCEPTION 'sends by hand still wait; start the service until they have left, or undo them in the pages';
  END IF;
END $$;--> statement-breakpoint
DROP TABLE "held_sends";
