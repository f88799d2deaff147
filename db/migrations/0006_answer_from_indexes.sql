-- First what takes time, which readers need not wait for; then, in a moment, the exchange.
CREATE INDEX "accounts_owners" ON "accounts" USING btree ("company_id") WHERE "accounts"."is_owner";--> statement-breakpoint
CREATE INDEX "audit_log_actions" ON "audit_log" USING btree ("company_id","action","id") WHERE "audit_log"."action" <> 'notification.send';--> statement-breakpoint
CREATE INDEX "audit_log_unreached" ON "audit_log" USING btree ("company_id","id") WHERE "audit_log"."details"->>'reach' = '0';--> statement-breakpoint
CREATE INDEX "employees_by_name" ON "employees" USING btree ("company_id","active" DESC NULLS FIRST,"name","id");--> statement-breakpoint
CREATE INDEX "invitations_employee" ON "invitations" USING btree ("company_id","employee_id");--> statement-breakpoint
CREATE INDEX "receipts_read" ON "receipts" USING btree ("company_id","employee_id","no") WHERE "receipts"."read_at" is not null and "receipts"."unread_at" is null;--> statement-breakpoint
CREATE INDEX "receipts_confirmed" ON "receipts" USING btree ("company_id","employee_id","no") WHERE "receipts"."confirmed_at" is not null;--> statement-breakpoint
CREATE INDEX "employment_spans_new" ON "employment" USING btree ("company_id","employee_id","from_no","until_no");--> statement-breakpoint
CREATE INDEX "notifications_must_confirm_new" ON "notifications" USING btree ("company_id","recipient_id","no","reach","withdrawn_at") WHERE "notifications"."must_confirm";--> statement-breakpoint
CREATE INDEX "notifications_broadcast_new" ON "notifications" USING btree ("company_id","no","reach","withdrawn_at","reminds_no") WHERE "notifications"."recipient_id" is null;--> statement-breakpoint
CREATE INDEX "notifications_direct_new" ON "notifications" USING btree ("company_id","recipient_id","no","reach","withdrawn_at") WHERE "notifications"."recipient_id" is not null;--> statement-breakpoint
CREATE INDEX "receipts_notification_new" ON "receipts" USING btree ("company_id","no","employee_id");--> statement-breakpoint
CREATE INDEX "receipts_marked_unread_new" ON "receipts" USING btree ("company_id","employee_id","no") WHERE "receipts"."unread_at" is not null;--> statement-breakpoint
DROP INDEX "sessions_expiry";--> statement-breakpoint
DROP INDEX "idempotency_created";--> statement-breakpoint
DROP INDEX "employment_spans";--> statement-breakpoint
DROP INDEX "notifications_must_confirm";--> statement-breakpoint
DROP INDEX "notifications_broadcast";--> statement-breakpoint
DROP INDEX "notifications_direct";--> statement-breakpoint
DROP INDEX "receipts_notification";--> statement-breakpoint
DROP INDEX "receipts_marked_unread";--> statement-breakpoint
ALTER INDEX "employment_spans_new" RENAME TO "employment_spans";--> statement-breakpoint
ALTER INDEX "notifications_must_confirm_new" RENAME TO "notifications_must_confirm";--> statement-breakpoint
ALTER INDEX "notifications_broadcast_new" RENAME TO "notifications_broadcast";--> statement-breakpoint
ALTER INDEX "notifications_direct_new" RENAME TO "notifications_direct";--> statement-breakpoint
ALTER INDEX "receipts_notification_new" RENAME TO "receipts_notification";--> statement-breakpoint
ALTER INDEX "receipts_marked_unread_new" RENAME TO "receipts_marked_unread";--> statement-breakpoint
-- Counting unread ones reads indexes only where vacuum has been; a fifth of a large table, the default, is too long to wait for it.
ALTER TABLE "notifications" SET (autovacuum_vacuum_insert_scale_factor = 0.005, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "receipts" SET (autovacuum_vacuum_insert_scale_factor = 0.005, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
