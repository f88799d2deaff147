CREATE TABLE "join_links" (
	"company_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "join_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"token_hash" "bytea" NOT NULL,
	"role" varchar(60),
	"max_requests" integer NOT NULL,
	"requests" integer DEFAULT 0 NOT NULL,
	"created_by" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "join_links_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "join_links_token" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "join_requests" (
	"company_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "join_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"link_id" integer NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"name" varchar(120) NOT NULL,
	"role" varchar(60),
	"address" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" integer,
	"employee_id" integer,
	CONSTRAINT "join_requests_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "join_requests_token" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "notification_people" (
	"company_id" integer NOT NULL,
	"no" bigint NOT NULL,
	"employee_id" integer NOT NULL,
	CONSTRAINT "notification_people_company_id_no_employee_id_pk" PRIMARY KEY("company_id","no","employee_id")
);
--> statement-breakpoint
CREATE TABLE "notification_roles" (
	"company_id" integer NOT NULL,
	"no" bigint NOT NULL,
	"role" varchar(60) NOT NULL,
	CONSTRAINT "notification_roles_company_id_no_role_pk" PRIMARY KEY("company_id","no","role")
);
--> statement-breakpoint
CREATE TABLE "planned_sends" (
	"company_id" integer NOT NULL,
	"draft_id" uuid NOT NULL,
	"account_id" integer NOT NULL,
	"recipient_id" integer,
	"to_roles" varchar(60)[],
	"to_people" integer[],
	"title" varchar(120) NOT NULL,
	"body" varchar(255) NOT NULL,
	"kind" text NOT NULL,
	"url" varchar(2048),
	"must_confirm" boolean NOT NULL,
	"is_planned" boolean NOT NULL,
	"rule_id" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"leaves_at" timestamp with time zone NOT NULL,
	"undone_at" timestamp with time zone,
	"missed_at" timestamp with time zone,
	"missed_before" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "planned_sends_company_id_draft_id_pk" PRIMARY KEY("company_id","draft_id"),
	CONSTRAINT "planned_sends_kind" CHECK ("planned_sends"."kind" in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')),
	CONSTRAINT "planned_sends_recipients" CHECK (num_nonnulls("planned_sends"."recipient_id", "planned_sends"."to_roles", "planned_sends"."to_people") <= 1)
);
--> statement-breakpoint
CREATE TABLE "send_rules" (
	"company_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "send_rules_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"recipient_id" integer,
	"to_roles" varchar(60)[],
	"to_people" integer[],
	"title" varchar(120) NOT NULL,
	"body" varchar(255) NOT NULL,
	"kind" text NOT NULL,
	"url" varchar(2048),
	"must_confirm" boolean NOT NULL,
	"every" text NOT NULL,
	"weekdays" integer[],
	"month_day" integer,
	"minute" integer NOT NULL,
	"time_zone" text NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "send_rules_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "send_rules_kind" CHECK ("send_rules"."kind" in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')),
	CONSTRAINT "send_rules_recipients" CHECK (num_nonnulls("send_rules"."recipient_id", "send_rules"."to_roles", "send_rules"."to_people") <= 1),
	CONSTRAINT "send_rules_every" CHECK ("send_rules"."every" in ('day', 'week', 'month')),
	CONSTRAINT "send_rules_minute" CHECK ("send_rules"."minute" between 0 and 1439)
);
--> statement-breakpoint
CREATE TABLE "send_templates" (
	"company_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "send_templates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" varchar(60) NOT NULL,
	"recipient_id" integer,
	"to_roles" varchar(60)[],
	"to_people" integer[],
	"title" varchar(120) NOT NULL,
	"body" varchar(255) NOT NULL,
	"kind" text NOT NULL,
	"url" varchar(2048),
	"must_confirm" boolean NOT NULL,
	"created_by" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "send_templates_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "send_templates_kind" CHECK ("send_templates"."kind" in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')),
	CONSTRAINT "send_templates_recipients" CHECK (num_nonnulls("send_templates"."recipient_id", "send_templates"."to_roles", "send_templates"."to_people") <= 1)
);
--> statement-breakpoint
CREATE TABLE "owner_devices" (
	"company_id" integer NOT NULL,
	"account_id" integer NOT NULL,
	"endpoint_hash" "bytea" NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"session_id" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"pending" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"retry_at" timestamp with time zone,
	"retries" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "owner_devices_company_id_account_id_endpoint_hash_pk" PRIMARY KEY("company_id","account_id","endpoint_hash"),
	CONSTRAINT "owner_devices_endpoint" UNIQUE("endpoint_hash")
);
--> statement-breakpoint
CREATE TABLE "send_statistics" (
	"company_id" integer NOT NULL,
	"day" date NOT NULL,
	"key_id" integer NOT NULL,
	"sends" integer NOT NULL,
	"reach" bigint NOT NULL,
	"read_within_hour" bigint NOT NULL,
	"to_confirm" bigint NOT NULL,
	"confirmed" bigint NOT NULL,
	"counted_at" timestamp with time zone NOT NULL,
	CONSTRAINT "send_statistics_company_id_day_key_id_pk" PRIMARY KEY("company_id","day","key_id")
);
--> statement-breakpoint
ALTER TABLE "invitations" DROP CONSTRAINT "invitations_one_person";--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_company_id_recipient_id_employees_company_id_id_fk";
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "is_manager" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "employees" ADD COLUMN "staff_number" varchar(40);--> statement-breakpoint
ALTER TABLE "employment" ADD COLUMN "role" varchar(60);--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "changed" integer;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "manager_name" varchar(120);--> statement-breakpoint
ALTER TABLE "alarms" ADD COLUMN "pushed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "silence_check_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "silent_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "guessing_pushed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "skipped" integer;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "corrected_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "corrected_no" bigint;--> statement-breakpoint
ALTER TABLE "preferences" ADD COLUMN "unread_first" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "receipts" ADD COLUMN "archived_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "receipts" ADD COLUMN "snoozed_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "receipts" ADD COLUMN "snooze_push_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "join_links" ADD CONSTRAINT "join_links_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_links" ADD CONSTRAINT "join_links_company_id_created_by_accounts_company_id_id_fk" FOREIGN KEY ("company_id","created_by") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_requests" ADD CONSTRAINT "join_requests_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_requests" ADD CONSTRAINT "join_requests_company_id_link_id_join_links_company_id_id_fk" FOREIGN KEY ("company_id","link_id") REFERENCES "public"."join_links"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_requests" ADD CONSTRAINT "join_requests_company_id_decided_by_accounts_company_id_id_fk" FOREIGN KEY ("company_id","decided_by") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_requests" ADD CONSTRAINT "join_requests_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_people" ADD CONSTRAINT "notification_people_company_id_no_notifications_company_id_no_fk" FOREIGN KEY ("company_id","no") REFERENCES "public"."notifications"("company_id","no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_roles" ADD CONSTRAINT "notification_roles_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_roles" ADD CONSTRAINT "notification_roles_company_id_no_notifications_company_id_no_fk" FOREIGN KEY ("company_id","no") REFERENCES "public"."notifications"("company_id","no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "planned_sends" ADD CONSTRAINT "planned_sends_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "planned_sends" ADD CONSTRAINT "planned_sends_company_id_account_id_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "planned_sends" ADD CONSTRAINT "planned_sends_company_id_recipient_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","recipient_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "planned_sends" ADD CONSTRAINT "planned_sends_company_id_rule_id_send_rules_company_id_id_fk" FOREIGN KEY ("company_id","rule_id") REFERENCES "public"."send_rules"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send_rules" ADD CONSTRAINT "send_rules_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send_rules" ADD CONSTRAINT "send_rules_company_id_account_id_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send_rules" ADD CONSTRAINT "send_rules_company_id_recipient_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","recipient_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send_templates" ADD CONSTRAINT "send_templates_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send_templates" ADD CONSTRAINT "send_templates_company_id_created_by_accounts_company_id_id_fk" FOREIGN KEY ("company_id","created_by") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send_templates" ADD CONSTRAINT "send_templates_company_id_recipient_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","recipient_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_devices" ADD CONSTRAINT "owner_devices_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_devices" ADD CONSTRAINT "owner_devices_company_id_account_id_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_devices" ADD CONSTRAINT "owner_devices_company_id_session_id_sessions_company_id_id_fk" FOREIGN KEY ("company_id","session_id") REFERENCES "public"."sessions"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send_statistics" ADD CONSTRAINT "send_statistics_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "join_requests_open" ON "join_requests" USING btree ("company_id","id") WHERE "join_requests"."decided_at" is null;--> statement-breakpoint
CREATE INDEX "notification_people_employee" ON "notification_people" USING btree ("company_id","employee_id","no");--> statement-breakpoint
CREATE INDEX "notification_roles_role" ON "notification_roles" USING btree ("company_id","role","no");--> statement-breakpoint
CREATE INDEX "planned_sends_due" ON "planned_sends" USING btree ("leaves_at") WHERE "planned_sends"."undone_at" is null and "planned_sends"."missed_at" is null;--> statement-breakpoint
CREATE INDEX "planned_sends_list" ON "planned_sends" USING btree ("company_id","leaves_at") WHERE "planned_sends"."is_planned" and "planned_sends"."undone_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "planned_sends_rule" ON "planned_sends" USING btree ("company_id","rule_id") WHERE "planned_sends"."rule_id" is not null and "planned_sends"."undone_at" is null and "planned_sends"."missed_at" is null;--> statement-breakpoint
CREATE INDEX "send_rules_running" ON "send_rules" USING btree ("company_id") WHERE "send_rules"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "send_templates_name" ON "send_templates" USING btree ("company_id",lower("name"));--> statement-breakpoint
CREATE INDEX "owner_devices_session" ON "owner_devices" USING btree ("company_id","session_id");--> statement-breakpoint
CREATE INDEX "alarms_to_push" ON "alarms" USING btree ("last_at") WHERE "alarms"."dismissed_at" is null and ("alarms"."pushed_at" is null or "alarms"."last_at" > "alarms"."pushed_at");--> statement-breakpoint
CREATE INDEX "api_keys_silence" ON "api_keys" USING btree ("silence_check_at") WHERE "api_keys"."expected_every_minutes" is not null and "api_keys"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "sign_in_guesses_last" ON "sign_in_guesses" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "accounts_managers" ON "accounts" USING btree ("company_id") WHERE "accounts"."is_manager";--> statement-breakpoint
CREATE UNIQUE INDEX "employees_staff_number" ON "employees" USING btree ("company_id","staff_number") WHERE "employees"."staff_number" is not null;--> statement-breakpoint
CREATE INDEX "employment_former_roles" ON "employment" USING btree ("company_id","role","until_no") WHERE "employment"."role" is not null;--> statement-breakpoint
CREATE INDEX "employees_by_role" ON "employees" USING btree ("company_id","role","active") WHERE "employees"."role" is not null;--> statement-breakpoint
-- IF NOT EXISTS: docs/upgrading.md says how to build both before, while the service runs.
CREATE INDEX IF NOT EXISTS "notifications_broadcast_new" ON "notifications" USING btree ("company_id","no","reach","withdrawn_at","reminds_no","title","body","kind","key_id","account_id") WHERE "notifications"."recipient_id" is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "notifications_direct_new" ON "notifications" USING btree ("company_id","recipient_id","no","reach","withdrawn_at","title","body","kind","key_id","account_id") WHERE "notifications"."recipient_id" is not null;--> statement-breakpoint
DROP INDEX "notifications_broadcast";--> statement-breakpoint
DROP INDEX "notifications_direct";--> statement-breakpoint
ALTER INDEX "notifications_broadcast_new" RENAME TO "notifications_broadcast";--> statement-breakpoint
ALTER INDEX "notifications_direct_new" RENAME TO "notifications_direct";--> statement-breakpoint
CREATE INDEX "notifications_corrected" ON "notifications" USING btree ("company_id","corrected_no") WHERE "notifications"."corrected_no" is not null;--> statement-breakpoint
CREATE INDEX "receipts_archived" ON "receipts" USING btree ("company_id","employee_id","no") WHERE "receipts"."archived_at" is not null and "receipts"."unread_at" is null;--> statement-breakpoint
CREATE INDEX "receipts_snoozed" ON "receipts" USING btree ("company_id","employee_id","snoozed_until","no") WHERE "receipts"."snoozed_until" is not null;--> statement-breakpoint
CREATE INDEX "receipts_snooze_push" ON "receipts" USING btree ("snooze_push_at") WHERE "receipts"."snooze_push_at" is not null;--> statement-breakpoint
CREATE INDEX "owner_devices_retry" ON "owner_devices" USING btree ("retry_at") WHERE "owner_devices"."retry_at" is not null;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_owner_or_manager" CHECK (not ("accounts"."is_owner" and "accounts"."is_manager"));--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_one_person" CHECK (num_nonnulls("invitations"."employee_id", "invitations"."account_id", "invitations"."owner_name", "invitations"."manager_name") = 1);