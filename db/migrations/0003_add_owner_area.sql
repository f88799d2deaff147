CREATE TABLE "alarms" (
	"company_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "alarms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"key_id" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	"details" jsonb NOT NULL,
	"dismissed_at" timestamp with time zone,
	CONSTRAINT "alarms_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "alarms_kind" CHECK ("alarms"."kind" in ('repeated-broadcast'))
);
--> statement-breakpoint
CREATE TABLE "export_parts" (
	"company_id" integer NOT NULL,
	"export_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "export_parts_company_id_export_id_place_pk" PRIMARY KEY("company_id","export_id","place")
);
--> statement-breakpoint
CREATE TABLE "exports" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_by" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"heartbeat_at" timestamp with time zone DEFAULT now() NOT NULL,
	"rows_done" bigint DEFAULT 0 NOT NULL,
	"rows_total" bigint DEFAULT 0 NOT NULL,
	"finished_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	CONSTRAINT "exports_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"company_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_by" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"rows" jsonb NOT NULL,
	"applied_at" timestamp with time zone,
	"added" integer,
	CONSTRAINT "imports_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "key_traffic" (
	"company_id" integer NOT NULL,
	"key_id" integer NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"requests" integer NOT NULL,
	"refused" integer NOT NULL,
	CONSTRAINT "key_traffic_company_id_key_id_hour_pk" PRIMARY KEY("company_id","key_id","hour")
);
--> statement-breakpoint
CREATE TABLE "key_uses" (
	"company_id" integer NOT NULL,
	"key_id" integer NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"address" text NOT NULL,
	"client" text NOT NULL,
	CONSTRAINT "key_uses_company_id_key_id_pk" PRIMARY KEY("company_id","key_id")
);
--> statement-breakpoint
CREATE TABLE "read_marks" (
	"company_id" integer NOT NULL,
	"employee_id" integer NOT NULL,
	"up_to" bigint NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "read_marks_company_id_employee_id_up_to_pk" PRIMARY KEY("company_id","employee_id","up_to")
);
--> statement-breakpoint
CREATE TABLE "refusals" (
	"company_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "refusals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"request_id" uuid NOT NULL,
	"key_id" integer,
	"code" text NOT NULL,
	"field" text,
	"figures" jsonb,
	"operation" text NOT NULL,
	"address" text NOT NULL,
	"client" text NOT NULL,
	"more" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "refusals_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"company_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"proved_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"address" text NOT NULL,
	"client" text NOT NULL,
	CONSTRAINT "sessions_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "note" varchar(500);--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "replaces_id" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "must_confirm" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "expected_every_minutes" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "expected_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "key_id" integer;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "employee_id" integer;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "must_confirm_kinds" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "keep_notifications_days" integer;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "keep_refusals_days" integer DEFAULT 30 NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "warn_of_repeats" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "warn_of_silence" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "draft_id" uuid;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "must_confirm" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "reminds_no" bigint;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "withdrawn_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "receipts" ADD COLUMN "confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_parts" ADD CONSTRAINT "export_parts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_parts" ADD CONSTRAINT "export_parts_company_id_export_id_exports_company_id_id_fk" FOREIGN KEY ("company_id","export_id") REFERENCES "public"."exports"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_company_id_created_by_accounts_company_id_id_fk" FOREIGN KEY ("company_id","created_by") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_company_id_created_by_accounts_company_id_id_fk" FOREIGN KEY ("company_id","created_by") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_traffic" ADD CONSTRAINT "key_traffic_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_traffic" ADD CONSTRAINT "key_traffic_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_uses" ADD CONSTRAINT "key_uses_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_uses" ADD CONSTRAINT "key_uses_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "read_marks" ADD CONSTRAINT "read_marks_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "read_marks" ADD CONSTRAINT "read_marks_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refusals" ADD CONSTRAINT "refusals_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refusals" ADD CONSTRAINT "refusals_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_company_id_account_id_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alarms_open" ON "alarms" USING btree ("company_id","kind","key_id") WHERE "alarms"."dismissed_at" is null;--> statement-breakpoint
CREATE INDEX "refusals_request" ON "refusals" USING btree ("company_id","request_id");--> statement-breakpoint
CREATE INDEX "refusals_key" ON "refusals" USING btree ("company_id","key_id","id") WHERE "refusals"."key_id" is not null;--> statement-breakpoint
CREATE INDEX "sessions_account" ON "sessions" USING btree ("company_id","account_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_replaces_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","replaces_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_company_id_reminds_no_notifications_company_id_no_fk" FOREIGN KEY ("company_id","reminds_no") REFERENCES "public"."notifications"("company_id","no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("company_id","at");--> statement-breakpoint
CREATE INDEX "audit_log_key" ON "audit_log" USING btree ("company_id","key_id","id") WHERE "audit_log"."key_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_employee" ON "audit_log" USING btree ("company_id","employee_id","id") WHERE "audit_log"."employee_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_changes" ON "audit_log" USING btree ("company_id","id") WHERE "audit_log"."action" <> 'notification.send';--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_draft" ON "notifications" USING btree ("company_id","draft_id") WHERE "notifications"."draft_id" is not null;--> statement-breakpoint
CREATE INDEX "notifications_key" ON "notifications" USING btree ("company_id","key_id","no") WHERE "notifications"."key_id" is not null;--> statement-breakpoint
CREATE INDEX "notifications_reminders" ON "notifications" USING btree ("company_id","reminds_no") WHERE "notifications"."reminds_no" is not null;--> statement-breakpoint
CREATE INDEX "receipts_notification" ON "receipts" USING btree ("company_id","no");