ALTER TABLE "sign_in_failures" RENAME TO "limit_counters";--> statement-breakpoint
ALTER TABLE "limit_counters" RENAME CONSTRAINT "sign_in_failures_pkey" TO "limit_counters_pkey";--> statement-breakpoint
ALTER TABLE "limit_counters" RENAME COLUMN "failures" TO "uses";--> statement-breakpoint
UPDATE "limit_counters" SET "ends_at" = "last_at" + interval '15 minutes' WHERE "ends_at" IS NULL;--> statement-breakpoint
ALTER TABLE "limit_counters" ALTER COLUMN "ends_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "limit_counters" DROP COLUMN "window_started_at";--> statement-breakpoint
ALTER TABLE "limit_counters" DROP COLUMN "last_at";--> statement-breakpoint
ALTER TABLE "sign_in_guesses" RENAME TO "failed_sign_ins";--> statement-breakpoint
ALTER TABLE "failed_sign_ins" RENAME CONSTRAINT "sign_in_guesses_company_id_account_id_source_pk" TO "failed_sign_ins_company_id_account_id_source_pk";--> statement-breakpoint
ALTER TABLE "failed_sign_ins" RENAME CONSTRAINT "sign_in_guesses_company_id_companies_id_fk" TO "failed_sign_ins_company_id_companies_id_fk";--> statement-breakpoint
ALTER TABLE "failed_sign_ins" RENAME CONSTRAINT "sign_in_guesses_company_id_account_id_accounts_company_id_id_fk" TO "failed_sign_ins_company_id_account_id_accounts_company_id_id_fk";--> statement-breakpoint
ALTER INDEX "sign_in_guesses_last" RENAME TO "failed_sign_ins_last";
