CREATE TABLE "accounts" (
	"company_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" varchar(254) NOT NULL,
	"name" varchar(120) NOT NULL,
	"password_hash" text NOT NULL,
	"is_owner" boolean DEFAULT false NOT NULL,
	"language" text,
	"session_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "accounts_language" CHECK ("accounts"."language" in ('id', 'en'))
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"company_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "api_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" varchar(60) NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"created_by" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "api_keys_fingerprint" UNIQUE("fingerprint")
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
	CONSTRAINT "audit_log_company_id_id_pk" PRIMARY KEY("company_id","id"),
	CONSTRAINT "audit_log_actor_kind" CHECK ("audit_log"."actor_kind" in ('key', 'account', 'system'))
);
--> statement-breakpoint
CREATE TABLE "companies" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "companies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" varchar(120) NOT NULL,
	"time_zone" text DEFAULT 'Asia/Jakarta' NOT NULL,
	"last_no" bigint DEFAULT 0 NOT NULL,
	"active_employees" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "employees" (
	"company_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "employees_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer,
	"name" varchar(120) NOT NULL,
	"role" varchar(60) NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"read_up_to" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "employees_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
CREATE TABLE "employment" (
	"company_id" integer NOT NULL,
	"employee_id" integer NOT NULL,
	"from_no" bigint NOT NULL,
	"until_no" bigint
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
CREATE TABLE "invitations" (
	"company_id" integer NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"employee_id" integer NOT NULL,
	"created_by" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "invitations_company_id_token_hash_pk" PRIMARY KEY("company_id","token_hash"),
	CONSTRAINT "invitations_token" UNIQUE("token_hash")
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
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notifications_company_id_no_pk" PRIMARY KEY("company_id","no"),
	CONSTRAINT "notifications_kind" CHECK ("notifications"."kind" in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen')),
	CONSTRAINT "notifications_one_sender" CHECK (num_nonnulls("notifications"."key_id", "notifications"."account_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"company_id" integer NOT NULL,
	"employee_id" integer NOT NULL,
	"no" bigint NOT NULL,
	"shown_at" timestamp with time zone,
	"read_at" timestamp with time zone,
	"unread_at" timestamp with time zone,
	CONSTRAINT "receipts_company_id_employee_id_no_pk" PRIMARY KEY("company_id","employee_id","no")
);
--> statement-breakpoint
CREATE TABLE "sign_in_failures" (
	"subject" "bytea" PRIMARY KEY NOT NULL,
	"window_started_at" timestamp with time zone NOT NULL,
	"failures" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_created_by_accounts_company_id_id_fk" FOREIGN KEY ("company_id","created_by") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "employees" ADD CONSTRAINT "employees_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "employees" ADD CONSTRAINT "employees_company_id_account_id_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "employment" ADD CONSTRAINT "employment_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "employment" ADD CONSTRAINT "employment_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency" ADD CONSTRAINT "idempotency_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_company_id_created_by_accounts_company_id_id_fk" FOREIGN KEY ("company_id","created_by") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_usage" ADD CONSTRAINT "key_usage_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_company_id_recipient_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","recipient_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_company_id_account_id_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_company_id_no_notifications_company_id_no_fk" FOREIGN KEY ("company_id","no") REFERENCES "public"."notifications"("company_id","no") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_username" ON "accounts" USING btree (lower("username"));--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_active_name" ON "api_keys" USING btree ("company_id","name") WHERE "api_keys"."revoked_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "employees_account" ON "employees" USING btree ("company_id","account_id");--> statement-breakpoint
CREATE INDEX "employment_spans" ON "employment" USING btree ("company_id","employee_id");--> statement-breakpoint
CREATE UNIQUE INDEX "employment_one_open_span" ON "employment" USING btree ("company_id","employee_id") WHERE "employment"."until_no" is null;--> statement-breakpoint
CREATE INDEX "idempotency_created" ON "idempotency" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "notifications_broadcast" ON "notifications" USING btree ("company_id","no") WHERE "notifications"."recipient_id" is null;--> statement-breakpoint
CREATE INDEX "notifications_direct" ON "notifications" USING btree ("company_id","recipient_id","no") WHERE "notifications"."recipient_id" is not null;--> statement-breakpoint
CREATE INDEX "receipts_marked_unread" ON "receipts" USING btree ("company_id","employee_id") WHERE "receipts"."unread_at" is not null;