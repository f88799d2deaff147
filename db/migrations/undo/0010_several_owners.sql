-- Lost: open links for owners and links that the operator made; since when somebody is an owner; the last sign-in.
DELETE FROM "invitations" WHERE "employee_id" IS NULL OR "created_by" IS NULL;--> statement-breakpoint
ALTER TABLE "invitations" DROP CONSTRAINT "invitations_one_person";--> statement-breakpoint
ALTER TABLE "invitations" DROP COLUMN "owner_name";--> statement-breakpoint
ALTER TABLE "invitations" DROP COLUMN "account_id";--> statement-breakpoint
ALTER TABLE "invitations" ALTER COLUMN "created_by" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations" ALTER COLUMN "employee_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" DROP COLUMN "signed_in_at";--> statement-breakpoint
ALTER TABLE "accounts" DROP COLUMN "owner_since";--> statement-breakpoint
-- NOT VALID: entries by the operator stay, and a scan of a large audit log would delay sends.
ALTER TABLE "audit_log" DROP CONSTRAINT "audit_log_actor_kind";--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_actor_kind" CHECK ("audit_log"."actor_kind" in ('key', 'account', 'system')) NOT VALID;
