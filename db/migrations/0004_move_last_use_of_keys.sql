INSERT INTO "key_uses" ("company_id", "key_id", "first_at", "last_at", "address", "client")
  SELECT "company_id", "id", "created_at", "last_used_at", '', '' FROM "api_keys" WHERE "last_used_at" IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "api_keys" DROP COLUMN "last_used_at";
--> statement-breakpoint
-- Entries made before whom they are about had columns of its own get them from what they say.
ALTER TABLE "audit_log" DISABLE TRIGGER "audit_log_append_only";
--> statement-breakpoint
UPDATE "audit_log" SET
  "key_id" = CASE WHEN "actor_kind" = 'key' THEN "actor_id" ELSE ("details"->>'keyId')::integer END,
  "employee_id" = coalesce(("details"->>'employeeId')::integer, ("details"->>'recipientId')::integer);
--> statement-breakpoint
ALTER TABLE "audit_log" ENABLE TRIGGER "audit_log_append_only";
--> statement-breakpoint
-- Also the role that owns the table, which is the service's own: what it may not do needs no trigger to refuse.
REVOKE UPDATE, DELETE, TRUNCATE ON "audit_log" FROM CURRENT_USER;
