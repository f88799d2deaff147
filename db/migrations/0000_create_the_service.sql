CREATE TABLE "accounts" (
	"company_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" varchar(254) NOT NULL,
	"name" varchar(120) NOT NULL,
	"password_hash" text NOT NULL,
	"is_owner" boolean DEFAULT false NOT NULL,
	"is_manager" boolean DEFAULT false NOT NULL,
	"owner_since" timestamp with time zone,
	"signed_in_at" timestamp with time zone,
	"language" text,
	"session_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "accounts_owner_or_manager" CHECK (not ("accounts"."is_owner" and "accounts"."is_manager")),
	CONSTRAINT "accounts_language" CHECK ("accounts"."language" in ('id', 'en'))
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
CREATE TABLE "sign_in_failures" (
	"subject" "bytea" PRIMARY KEY NOT NULL,
	"window_started_at" timestamp with time zone NOT NULL,
	"failures" integer NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_guesses" (
	"company_id" integer NOT NULL,
	"account_id" integer NOT NULL,
	"source" "bytea" NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	"failures" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "sign_in_guesses_company_id_account_id_source_pk" PRIMARY KEY("company_id","account_id","source")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"company_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" integer,
	"actor_name" varchar(120) NOT NULL,
	"action" text NOT NULL,
	"details" jsonb NOT NULL,
	"request_id" text NOT NULL,
	"key_id" integer,
	"employee_id" integer,
	CONSTRAINT "audit_log_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "audit_log_actor_kind" CHECK ("audit_log"."actor_kind" in ('key', 'account', 'system', 'operator'))
);
--> statement-breakpoint
CREATE TABLE "build_files" (
	"build" text NOT NULL,
	"path" text NOT NULL,
	"is_gzip" boolean NOT NULL,
	"content" "bytea" NOT NULL,
	"signature" "bytea" NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "build_files_build_path_pk" PRIMARY KEY("build","path")
);
--> statement-breakpoint
CREATE TABLE "companies" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "companies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" varchar(120) NOT NULL,
	"time_zone" text DEFAULT 'Asia/Jakarta' NOT NULL,
	"last_no" bigint DEFAULT 0 NOT NULL,
	"active_employees" integer DEFAULT 0 NOT NULL,
	"access_no" bigint DEFAULT 0 NOT NULL,
	"must_confirm_kinds" text[] DEFAULT '{}' NOT NULL,
	"keep_notifications_days" integer,
	"keep_refusals_days" integer DEFAULT 30 NOT NULL,
	"warn_of_repeats" boolean DEFAULT true NOT NULL,
	"warn_of_silence" boolean DEFAULT true NOT NULL,
	"guessing_pushed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "company_logos" (
	"company_id" integer PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"png" "bytea" NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
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
	"changed" integer,
	CONSTRAINT "imports_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "employees" (
	"company_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "employees_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer,
	"name" varchar(120) NOT NULL,
	"role" varchar(60) NOT NULL,
	"staff_number" varchar(40),
	"active" boolean DEFAULT true NOT NULL,
	"read_up_to" bigint DEFAULT 0 NOT NULL,
	"settled_up_to" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "employees_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "employment" (
	"company_id" integer NOT NULL,
	"employee_id" integer NOT NULL,
	"from_no" bigint NOT NULL,
	"until_no" bigint,
	"role" varchar(60)
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"company_id" integer NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"employee_id" integer,
	"account_id" integer,
	"owner_name" varchar(120),
	"manager_name" varchar(120),
	"created_by" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "invitations_company_id_token_hash_pk" PRIMARY KEY("company_id","token_hash"),
	CONSTRAINT "invitations_token" UNIQUE("token_hash"),
	CONSTRAINT "invitations_one_person" CHECK (num_nonnulls("invitations"."employee_id", "invitations"."account_id", "invitations"."owner_name", "invitations"."manager_name") = 1)
);
--> statement-breakpoint
CREATE TABLE "hourly_jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"runner" uuid,
	"lease_until" timestamp with time zone,
	"ended_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "alarms" (
	"company_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "alarms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"key_id" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	"pushed_at" timestamp with time zone,
	"details" jsonb NOT NULL,
	"dismissed_at" timestamp with time zone,
	CONSTRAINT "alarms_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "alarms_kind" CHECK ("alarms"."kind" in ('repeated-broadcast'))
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
	"operation" text,
	"address" text NOT NULL,
	"client" text NOT NULL,
	CONSTRAINT "key_uses_company_id_key_id_pk" PRIMARY KEY("company_id","key_id")
);
--> statement-breakpoint
CREATE TABLE "refusal_counts" (
	"company_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "refusal_counts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"hour" timestamp with time zone NOT NULL,
	"key_id" integer,
	"code" text NOT NULL,
	"wanted" integer NOT NULL,
	"not_kept" bigint NOT NULL,
	CONSTRAINT "refusal_counts_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "refusal_counts_hour" UNIQUE NULLS NOT DISTINCT("company_id","hour","key_id","code")
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
CREATE TABLE "api_keys" (
	"company_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "api_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" varchar(60) NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"created_by" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	"note" varchar(500),
	"replaces_id" integer,
	"must_confirm" boolean DEFAULT false NOT NULL,
	"expected_every_minutes" integer,
	"expected_since" timestamp with time zone,
	"silence_check_at" timestamp with time zone,
	"silent_since" timestamp with time zone,
	"expires_at" timestamp with time zone,
	CONSTRAINT "api_keys_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "api_keys_fingerprint" UNIQUE("fingerprint")
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"company_id" integer NOT NULL,
	"key_id" integer NOT NULL,
	"idempotency_key" varchar(255) NOT NULL,
	"body_hash" "bytea" NOT NULL,
	"reach" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_company_id_key_id_idempotency_key_pk" PRIMARY KEY("company_id","key_id","idempotency_key")
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "key_usage" (
	"company_id" integer NOT NULL,
	"key_id" integer NOT NULL,
	"window_started_at" timestamp with time zone NOT NULL,
	"used" integer NOT NULL,
	CONSTRAINT "key_usage_company_id_key_id_pk" PRIMARY KEY("company_id","key_id")
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
CREATE TABLE "notifications" (
	"company_id" integer NOT NULL,
	"no" bigint NOT NULL,
	"recipient_id" integer,
	"title" varchar(120) NOT NULL,
	"body" varchar(255) NOT NULL,
	"kind" text NOT NULL,
	"url" varchar(2048),
	"reach" integer NOT NULL,
	"key_id" integer,
	"account_id" integer,
	"draft_id" uuid,
	"must_confirm" boolean DEFAULT false NOT NULL,
	"reminds_no" bigint,
	"withdrawn_at" timestamp with time zone,
	"withdrawn_no" bigint,
	"skipped" integer,
	"corrected_at" timestamp with time zone,
	"corrected_no" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notifications_company_id_no_pk" PRIMARY KEY("company_id","no"),
	CONSTRAINT "notifications_kind" CHECK ("notifications"."kind" in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')),
	CONSTRAINT "notifications_one_sender" CHECK (num_nonnulls("notifications"."key_id", "notifications"."account_id") = 1)
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
CREATE TABLE "receipts" (
	"company_id" integer NOT NULL,
	"employee_id" integer NOT NULL,
	"no" bigint NOT NULL,
	"shown_at" timestamp with time zone,
	"read_at" timestamp with time zone,
	"unread_at" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"archived_at" timestamp with time zone,
	"snoozed_until" timestamp with time zone,
	"snooze_push_at" timestamp with time zone,
	CONSTRAINT "receipts_company_id_employee_id_no_pk" PRIMARY KEY("company_id","employee_id","no")
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
CREATE TABLE "portals" (
	"company_id" integer NOT NULL,
	"employee_id" integer NOT NULL,
	"browser_id" uuid NOT NULL,
	"sound" text,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "portals_company_id_employee_id_browser_id_pk" PRIMARY KEY("company_id","employee_id","browser_id"),
	CONSTRAINT "portals_sound" CHECK ("portals"."sound" in ('on', 'click', 'muted', 'blocked', 'unsupported'))
);
--> statement-breakpoint
CREATE TABLE "preferences" (
	"company_id" integer NOT NULL,
	"employee_id" integer NOT NULL,
	"muted_kinds" text[] DEFAULT '{}' NOT NULL,
	"sound" text DEFAULT 'chime' NOT NULL,
	"hide_private" boolean,
	"keep_pop_ups" boolean DEFAULT false NOT NULL,
	"shortcuts" boolean DEFAULT true NOT NULL,
	"unread_first" boolean DEFAULT false NOT NULL,
	"quiet_from" integer,
	"quiet_until" integer,
	"quiet_time_zone" text,
	"silent_until" timestamp with time zone,
	CONSTRAINT "preferences_company_id_employee_id_pk" PRIMARY KEY("company_id","employee_id"),
	CONSTRAINT "preferences_sound" CHECK ("preferences"."sound" in ('chime', 'kentongan', 'gamelan', 'drop', 'bell')),
	CONSTRAINT "preferences_quiet_hours" CHECK (num_nulls("preferences"."quiet_from", "preferences"."quiet_until") in (0, 2)
      and "preferences"."quiet_from" between 0 and 1439 and "preferences"."quiet_until" between 0 and 1439)
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"company_id" integer NOT NULL,
	"employee_id" integer NOT NULL,
	"endpoint_hash" "bytea" NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"session_id" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "push_subscriptions_company_id_employee_id_endpoint_hash_pk" PRIMARY KEY("company_id","employee_id","endpoint_hash"),
	CONSTRAINT "push_subscriptions_endpoint" UNIQUE("endpoint_hash")
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
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_company_id_account_id_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_guesses" ADD CONSTRAINT "sign_in_guesses_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_guesses" ADD CONSTRAINT "sign_in_guesses_company_id_account_id_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "company_logos" ADD CONSTRAINT "company_logos_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_parts" ADD CONSTRAINT "export_parts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_parts" ADD CONSTRAINT "export_parts_company_id_export_id_exports_company_id_id_fk" FOREIGN KEY ("company_id","export_id") REFERENCES "public"."exports"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_company_id_created_by_accounts_company_id_id_fk" FOREIGN KEY ("company_id","created_by") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_company_id_created_by_accounts_company_id_id_fk" FOREIGN KEY ("company_id","created_by") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "employees" ADD CONSTRAINT "employees_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "employees" ADD CONSTRAINT "employees_company_id_account_id_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "employment" ADD CONSTRAINT "employment_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "employment" ADD CONSTRAINT "employment_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_company_id_account_id_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_company_id_created_by_accounts_company_id_id_fk" FOREIGN KEY ("company_id","created_by") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_links" ADD CONSTRAINT "join_links_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_links" ADD CONSTRAINT "join_links_company_id_created_by_accounts_company_id_id_fk" FOREIGN KEY ("company_id","created_by") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_requests" ADD CONSTRAINT "join_requests_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_requests" ADD CONSTRAINT "join_requests_company_id_link_id_join_links_company_id_id_fk" FOREIGN KEY ("company_id","link_id") REFERENCES "public"."join_links"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_requests" ADD CONSTRAINT "join_requests_company_id_decided_by_accounts_company_id_id_fk" FOREIGN KEY ("company_id","decided_by") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "join_requests" ADD CONSTRAINT "join_requests_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarms" ADD CONSTRAINT "alarms_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_traffic" ADD CONSTRAINT "key_traffic_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_traffic" ADD CONSTRAINT "key_traffic_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_uses" ADD CONSTRAINT "key_uses_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_uses" ADD CONSTRAINT "key_uses_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refusal_counts" ADD CONSTRAINT "refusal_counts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refusal_counts" ADD CONSTRAINT "refusal_counts_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refusals" ADD CONSTRAINT "refusals_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refusals" ADD CONSTRAINT "refusals_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_created_by_accounts_company_id_id_fk" FOREIGN KEY ("company_id","created_by") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_replaces_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","replaces_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency" ADD CONSTRAINT "idempotency_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_usage" ADD CONSTRAINT "key_usage_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_people" ADD CONSTRAINT "notification_people_company_id_no_notifications_company_id_no_fk" FOREIGN KEY ("company_id","no") REFERENCES "public"."notifications"("company_id","no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_roles" ADD CONSTRAINT "notification_roles_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_roles" ADD CONSTRAINT "notification_roles_company_id_no_notifications_company_id_no_fk" FOREIGN KEY ("company_id","no") REFERENCES "public"."notifications"("company_id","no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_company_id_reminds_no_notifications_company_id_no_fk" FOREIGN KEY ("company_id","reminds_no") REFERENCES "public"."notifications"("company_id","no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_company_id_account_id_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "read_marks" ADD CONSTRAINT "read_marks_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "read_marks" ADD CONSTRAINT "read_marks_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_company_id_no_notifications_company_id_no_fk" FOREIGN KEY ("company_id","no") REFERENCES "public"."notifications"("company_id","no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "portals" ADD CONSTRAINT "portals_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "portals" ADD CONSTRAINT "portals_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_company_id_session_id_sessions_company_id_id_fk" FOREIGN KEY ("company_id","session_id") REFERENCES "public"."sessions"("company_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send_statistics" ADD CONSTRAINT "send_statistics_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_username" ON "accounts" USING btree (lower("username"));--> statement-breakpoint
CREATE INDEX "accounts_owners" ON "accounts" USING btree ("company_id") WHERE "accounts"."is_owner";--> statement-breakpoint
CREATE INDEX "accounts_managers" ON "accounts" USING btree ("company_id") WHERE "accounts"."is_manager";--> statement-breakpoint
CREATE INDEX "sessions_account" ON "sessions" USING btree ("company_id","account_id");--> statement-breakpoint
CREATE INDEX "sign_in_guesses_last" ON "sign_in_guesses" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("company_id","at");--> statement-breakpoint
CREATE INDEX "audit_log_key" ON "audit_log" USING btree ("company_id","key_id","id") WHERE "audit_log"."key_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_employee" ON "audit_log" USING btree ("company_id","employee_id","id") WHERE "audit_log"."employee_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_actions" ON "audit_log" USING btree ("company_id","action","id") WHERE "audit_log"."action" <> 'notification.send';--> statement-breakpoint
CREATE INDEX "audit_log_unreached" ON "audit_log" USING btree ("company_id","id") WHERE "audit_log"."details"->>'reach' = '0';--> statement-breakpoint
CREATE INDEX "audit_log_changes" ON "audit_log" USING btree ("company_id","id") WHERE "audit_log"."action" <> 'notification.send';--> statement-breakpoint
CREATE UNIQUE INDEX "employees_account" ON "employees" USING btree ("company_id","account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "employees_staff_number" ON "employees" USING btree ("company_id","staff_number") WHERE "employees"."staff_number" is not null;--> statement-breakpoint
CREATE INDEX "employees_by_role" ON "employees" USING btree ("company_id","role","active") WHERE "employees"."role" is not null;--> statement-breakpoint
CREATE INDEX "employees_by_name" ON "employees" USING btree ("company_id","active" DESC NULLS FIRST,"name","id");--> statement-breakpoint
CREATE INDEX "employment_spans" ON "employment" USING btree ("company_id","employee_id","from_no","until_no");--> statement-breakpoint
CREATE INDEX "employment_former_roles" ON "employment" USING btree ("company_id","role","until_no") WHERE "employment"."role" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "employment_one_open_span" ON "employment" USING btree ("company_id","employee_id") WHERE "employment"."until_no" is null;--> statement-breakpoint
CREATE INDEX "invitations_employee" ON "invitations" USING btree ("company_id","employee_id");--> statement-breakpoint
CREATE INDEX "join_requests_open" ON "join_requests" USING btree ("company_id","id") WHERE "join_requests"."decided_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "alarms_open" ON "alarms" USING btree ("company_id","kind","key_id") WHERE "alarms"."dismissed_at" is null;--> statement-breakpoint
CREATE INDEX "alarms_to_push" ON "alarms" USING btree ("last_at") WHERE "alarms"."dismissed_at" is null and ("alarms"."pushed_at" is null or "alarms"."last_at" > "alarms"."pushed_at");--> statement-breakpoint
CREATE INDEX "refusals_at" ON "refusals" USING btree ("company_id","at");--> statement-breakpoint
CREATE INDEX "refusals_request" ON "refusals" USING btree ("company_id","request_id");--> statement-breakpoint
CREATE INDEX "refusals_key" ON "refusals" USING btree ("company_id","key_id","id") WHERE "refusals"."key_id" is not null;--> statement-breakpoint
CREATE INDEX "refusals_without_key" ON "refusals" USING btree ("company_id","id") WHERE "refusals"."key_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_active_name" ON "api_keys" USING btree ("company_id","name") WHERE "api_keys"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "api_keys_silence" ON "api_keys" USING btree ("silence_check_at") WHERE "api_keys"."expected_every_minutes" is not null and "api_keys"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "notification_people_employee" ON "notification_people" USING btree ("company_id","employee_id","no");--> statement-breakpoint
CREATE INDEX "notification_roles_role" ON "notification_roles" USING btree ("company_id","role","no");--> statement-breakpoint
CREATE INDEX "notifications_withdrawn" ON "notifications" USING btree ("company_id","withdrawn_no") WHERE "notifications"."withdrawn_no" is not null;--> statement-breakpoint
CREATE INDEX "notifications_corrected" ON "notifications" USING btree ("company_id","corrected_no") WHERE "notifications"."corrected_no" is not null;--> statement-breakpoint
CREATE INDEX "notifications_must_confirm" ON "notifications" USING btree ("company_id","recipient_id","no","reach","withdrawn_at") WHERE "notifications"."must_confirm";--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_draft" ON "notifications" USING btree ("company_id","draft_id") WHERE "notifications"."draft_id" is not null;--> statement-breakpoint
CREATE INDEX "notifications_key" ON "notifications" USING btree ("company_id","key_id","no") WHERE "notifications"."key_id" is not null;--> statement-breakpoint
CREATE INDEX "notifications_reminders" ON "notifications" USING btree ("company_id","reminds_no") WHERE "notifications"."reminds_no" is not null;--> statement-breakpoint
CREATE INDEX "notifications_broadcast" ON "notifications" USING btree ("company_id","no","reach","withdrawn_at","reminds_no","title","body","kind","key_id","account_id") WHERE "notifications"."recipient_id" is null;--> statement-breakpoint
CREATE INDEX "notifications_direct" ON "notifications" USING btree ("company_id","recipient_id","no","reach","withdrawn_at","title","body","kind","key_id","account_id") WHERE "notifications"."recipient_id" is not null;--> statement-breakpoint
CREATE INDEX "receipts_notification" ON "receipts" USING btree ("company_id","no","employee_id");--> statement-breakpoint
CREATE INDEX "receipts_marked_unread" ON "receipts" USING btree ("company_id","employee_id","no") WHERE "receipts"."unread_at" is not null;--> statement-breakpoint
CREATE INDEX "receipts_read" ON "receipts" USING btree ("company_id","employee_id","no") WHERE "receipts"."read_at" is not null and "receipts"."unread_at" is null;--> statement-breakpoint
CREATE INDEX "receipts_archived" ON "receipts" USING btree ("company_id","employee_id","no") WHERE "receipts"."archived_at" is not null and "receipts"."unread_at" is null;--> statement-breakpoint
CREATE INDEX "receipts_snoozed" ON "receipts" USING btree ("company_id","employee_id","snoozed_until","no") WHERE "receipts"."snoozed_until" is not null;--> statement-breakpoint
CREATE INDEX "receipts_snooze_push" ON "receipts" USING btree ("snooze_push_at") WHERE "receipts"."snooze_push_at" is not null;--> statement-breakpoint
CREATE INDEX "receipts_confirmed" ON "receipts" USING btree ("company_id","employee_id","no") WHERE "receipts"."confirmed_at" is not null;--> statement-breakpoint
CREATE INDEX "planned_sends_due" ON "planned_sends" USING btree ("leaves_at") WHERE "planned_sends"."undone_at" is null and "planned_sends"."missed_at" is null;--> statement-breakpoint
CREATE INDEX "planned_sends_list" ON "planned_sends" USING btree ("company_id","leaves_at") WHERE "planned_sends"."is_planned" and "planned_sends"."undone_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "planned_sends_rule" ON "planned_sends" USING btree ("company_id","rule_id") WHERE "planned_sends"."rule_id" is not null and "planned_sends"."undone_at" is null and "planned_sends"."missed_at" is null;--> statement-breakpoint
CREATE INDEX "send_rules_running" ON "send_rules" USING btree ("company_id") WHERE "send_rules"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "send_templates_name" ON "send_templates" USING btree ("company_id",lower("name"));--> statement-breakpoint
CREATE INDEX "owner_devices_session" ON "owner_devices" USING btree ("company_id","session_id");--> statement-breakpoint
CREATE INDEX "owner_devices_retry" ON "owner_devices" USING btree ("retry_at") WHERE "owner_devices"."retry_at" is not null;--> statement-breakpoint
CREATE INDEX "push_subscriptions_session" ON "push_subscriptions" USING btree ("company_id","session_id");--> statement-breakpoint
-- From here on: what drizzle-kit cannot describe. Also key_usage is unlogged, see above.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_log is append only';
END
$$;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
-- Also for the role that owns the table, which may be the service's own.
REVOKE UPDATE, DELETE, TRUNCATE ON "audit_log" FROM CURRENT_USER;
--> statement-breakpoint
-- Counts of unread notifications read only the index where vacuum has been. The default waits for a fifth of the table.
ALTER TABLE "notifications" SET (autovacuum_vacuum_insert_scale_factor = 0.005, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
--> statement-breakpoint
ALTER TABLE "receipts" SET (autovacuum_vacuum_insert_scale_factor = 0.005, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
