-- First what takes long, while sends go on. What was sent meanwhile follows under the lock.
INSERT INTO "notification_people" ("company_id", "no", "employee_id")
SELECT g."company_id", g."no", s."employee_id"
FROM "notification_roles" g
JOIN "employment" s ON s."company_id" = g."company_id" AND s."from_no" < g."no" AND g."no" <= coalesce(s."until_no", g."no")
JOIN "employees" e ON e."company_id" = s."company_id" AND e."id" = s."employee_id"
WHERE g."role" = coalesce(s."role", e."role")
ON CONFLICT DO NOTHING;--> statement-breakpoint
-- Portals of version 1.1 would show sends to lists to everyone. Without these columns they show nothing new.
ALTER TABLE "notifications" RENAME COLUMN "withdrawn_no" TO "withdrawal_no";--> statement-breakpoint
ALTER TABLE "notifications" RENAME COLUMN "corrected_no" TO "correction_no";--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "is_listed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "to_roles" varchar(60)[];--> statement-breakpoint
INSERT INTO "notification_people" ("company_id", "no", "employee_id")
SELECT g."company_id", g."no", s."employee_id"
FROM "notification_roles" g
JOIN "employment" s ON s."company_id" = g."company_id" AND s."from_no" < g."no" AND g."no" <= coalesce(s."until_no", g."no")
JOIN "employees" e ON e."company_id" = s."company_id" AND e."id" = s."employee_id"
WHERE g."role" = coalesce(s."role", e."role")
  AND NOT EXISTS (SELECT FROM "notification_people" p WHERE p."company_id" = g."company_id" AND p."no" = g."no");--> statement-breakpoint
UPDATE "notifications" n SET "is_listed" = true, "recipient_id" = null, "to_roles" = (
  SELECT array_agg(g."role" ORDER BY g."role") FROM "notification_roles" g
  WHERE g."company_id" = n."company_id" AND g."no" = n."no")
FROM "companies" c WHERE n."company_id" = c."id" AND n."recipient_id" = -1;--> statement-breakpoint
DROP TABLE "notification_roles";--> statement-breakpoint
DROP INDEX "employment_former_roles";--> statement-breakpoint
ALTER TABLE "employment" DROP COLUMN "role";--> statement-breakpoint
DROP INDEX "notifications_must_confirm";--> statement-breakpoint
DROP INDEX "notifications_broadcast";--> statement-breakpoint
CREATE INDEX "notifications_listed" ON "notifications" USING btree ("company_id","no","reach","withdrawn_at","title","body","kind","key_id","account_id") WHERE "notifications"."is_listed";--> statement-breakpoint
CREATE INDEX "notifications_must_confirm" ON "notifications" USING btree ("company_id","recipient_id","no","is_listed","reach","withdrawn_at") WHERE "notifications"."must_confirm";--> statement-breakpoint
CREATE INDEX "notifications_broadcast" ON "notifications" USING btree ("company_id","no","reach","withdrawn_at","reminds_no","title","body","kind","key_id","account_id") WHERE "notifications"."recipient_id" is null and not "notifications"."is_listed";
