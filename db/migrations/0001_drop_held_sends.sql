-- Changes a database of version 1.1 only. The scan comes first, because the later statements lock what sends read.
ALTER TABLE "audit_log" VALIDATE CONSTRAINT "audit_log_actor_kind";
--> statement-breakpoint
DO $$ BEGIN
  IF to_regclass('public.held_sends') IS NOT NULL THEN
    INSERT INTO "planned_sends" ("company_id", "draft_id", "account_id", "recipient_id", "title", "body", "kind", "url",
      "must_confirm", "is_planned", "created_at", "leaves_at", "undone_at")
    SELECT "company_id", "draft_id", "account_id", "recipient_id", "title", "body", "kind", "url", "must_confirm", false,
      "created_at", "leaves_at", "undone_at"
    FROM "held_sends" ON CONFLICT DO NOTHING;
    DROP TABLE "held_sends";
  END IF;
END $$;
