-- Lost: nothing, because it refuses while a valid key has a last day.
DO $$ BEGIN
  IF EXISTS (SELECT FROM "api_keys" WHERE "expires_at" IS NOT NULL AND "revoked_at" IS NULL) THEN
    RAISE EXCEPTION 'keys with a last day would be valid for ever; revoke them or remove their last day in the pages';
  END IF;
END $$;--> statement-breakpoint
ALTER TABLE "api_keys" DROP COLUMN "expires_at";
