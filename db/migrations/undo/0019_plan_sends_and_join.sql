-- Lost: who the recipients of sends to roles or several people were; corrections; templates; ended rules; missed sends; managers (they can sign in no more); links to join and open requests; staff numbers; what employees archived or snoozed; devices for alarms; statistics of deleted sends.
DO $$ BEGIN
  IF EXISTS (SELECT FROM "planned_sends" WHERE "undone_at" IS NULL AND "missed_at" IS NULL) THEN
    RAISE EXCEPTION 'planned sends still wait; cancel them in the pages, end their rules, or wait until they have left';
  END IF;
END $$;--> statement-breakpoint
ALTER TABLE "accounts" DROP CONSTRAINT "accounts_owner_or_manager";--> statement-breakpoint
DROP TABLE "planned_sends", "send_rules", "send_templates", "join_requests", "join_links", "notification_people", "notification_roles", "owner_devices", "send_statistics";--> statement-breakpoint
DELETE FROM "invitations" WHERE "manager_name" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations" DROP CONSTRAINT "invitations_one_person";--> statement-breakpoint
ALTER TABLE "invitations" DROP COLUMN "manager_name";--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_one_person" CHECK (num_nonnulls("invitations"."employee_id", "invitations"."account_id", "invitations"."owner_name") = 1);--> statement-breakpoint
DROP INDEX "employees_by_role";--> statement-breakpoint
ALTER TABLE "accounts" DROP COLUMN "is_manager";--> statement-breakpoint
ALTER TABLE "employees" DROP COLUMN "staff_number";--> statement-breakpoint
ALTER TABLE "employment" DROP COLUMN "role";--> statement-breakpoint
ALTER TABLE "imports" DROP COLUMN "changed";--> statement-breakpoint
DROP INDEX "sign_in_guesses_last";--> statement-breakpoint
ALTER TABLE "alarms" DROP COLUMN "pushed_at";--> statement-breakpoint
ALTER TABLE "api_keys" DROP COLUMN "silence_check_at", DROP COLUMN "silent_since";--> statement-breakpoint
ALTER TABLE "companies" DROP COLUMN "guessing_pushed_at";--> statement-breakpoint
DROP INDEX "notifications_broadcast";--> statement-breakpoint
DROP INDEX "notifications_direct";--> statement-breakpoint
CREATE INDEX "notifications_broadcast" ON "notifications" USING btree ("company_id","no","reach","withdrawn_at","reminds_no") WHERE "notifications"."recipient_id" is null;--> statement-breakpoint
CREATE INDEX "notifications_direct" ON "notifications" USING btree ("company_id","recipient_id","no","reach","withdrawn_at") WHERE "notifications"."recipient_id" is not null;--> statement-breakpoint
ALTER TABLE "notifications" DROP COLUMN "skipped";--> statement-breakpoint
ALTER TABLE "notifications" DROP COLUMN "corrected_at";--> statement-breakpoint
ALTER TABLE "notifications" DROP COLUMN "corrected_no";--> statement-breakpoint
ALTER TABLE "preferences" DROP COLUMN "unread_first";--> statement-breakpoint
ALTER TABLE "receipts" DROP COLUMN "archived_at";--> statement-breakpoint
ALTER TABLE "receipts" DROP COLUMN "snoozed_until";--> statement-breakpoint
ALTER TABLE "receipts" DROP COLUMN "snooze_push_at";--> statement-breakpoint
-- NOT VALID where a send to several people has nobody's id as its recipient.
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_company_id_recipient_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","recipient_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM "notifications" WHERE "recipient_id" < 0) THEN
    ALTER TABLE "notifications" VALIDATE CONSTRAINT "notifications_company_id_recipient_id_employees_company_id_id_fk";
  END IF;
END $$;
