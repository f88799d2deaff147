ALTER TABLE "push_subscriptions" ALTER COLUMN "session_version" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD COLUMN "session_id" integer;--> statement-breakpoint
-- The session that made a subscription existed before it and was seen at that time; `seen_at` is written every 5 minutes.
-- Where several sessions are possible the subscription is deleted. The portal subscribes again at the next visit.
UPDATE "push_subscriptions" SET "session_id" = (
  SELECT min(s."id") FROM "employees" e
  JOIN "accounts" a ON a."company_id" = e."company_id" AND a."id" = e."account_id"
  JOIN "sessions" s ON s."company_id" = a."company_id" AND s."account_id" = a."id"
  WHERE e."company_id" = "push_subscriptions"."company_id" AND e."id" = "push_subscriptions"."employee_id" AND e."active"
    AND a."session_version" = "push_subscriptions"."session_version" AND s."expires_at" > now()
    AND s."created_at" <= "push_subscriptions"."created_at"
    AND s."seen_at" >= "push_subscriptions"."created_at" - interval '10 minutes'
  HAVING count(*) = 1);--> statement-breakpoint
DELETE FROM "push_subscriptions" WHERE "session_id" IS NULL;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ALTER COLUMN "session_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_company_id_session_id_sessions_company_id_id_fk" FOREIGN KEY ("company_id","session_id") REFERENCES "public"."sessions"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "push_subscriptions_session" ON "push_subscriptions" USING btree ("company_id","session_id");
