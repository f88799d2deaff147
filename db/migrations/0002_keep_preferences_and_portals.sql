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
	"hide_private" boolean,
	"keep_pop_ups" boolean DEFAULT false NOT NULL,
	"shortcuts" boolean DEFAULT true NOT NULL,
	"quiet_from" integer,
	"quiet_until" integer,
	"quiet_time_zone" text,
	"silent_until" timestamp with time zone,
	CONSTRAINT "preferences_company_id_employee_id_pk" PRIMARY KEY("company_id","employee_id"),
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
	"session_version" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "push_subscriptions_company_id_employee_id_endpoint_hash_pk" PRIMARY KEY("company_id","employee_id","endpoint_hash"),
	CONSTRAINT "push_subscriptions_endpoint" UNIQUE("endpoint_hash")
);
--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "access_no" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "portals" ADD CONSTRAINT "portals_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "portals" ADD CONSTRAINT "portals_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_company_id_employee_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","employee_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;