ALTER TABLE "key_uses" ADD COLUMN "operation" text;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "withdrawn_no" bigint;--> statement-breakpoint
CREATE INDEX "notifications_withdrawn" ON "notifications" USING btree ("company_id","withdrawn_no") WHERE "notifications"."withdrawn_no" is not null;--> statement-breakpoint
CREATE INDEX "notifications_must_confirm" ON "notifications" USING btree ("company_id","recipient_id","no") WHERE "notifications"."must_confirm";--> statement-breakpoint
CREATE INDEX "refusals_at" ON "refusals" USING btree ("company_id","at");