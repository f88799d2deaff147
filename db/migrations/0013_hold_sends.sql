CREATE TABLE "held_sends" (
	"company_id" integer NOT NULL,
	"draft_id" uuid NOT NULL,
	"account_id" integer NOT NULL,
	"recipient_id" integer,
	"title" varchar(120) NOT NULL,
	"body" varchar(255) NOT NULL,
	"kind" text NOT NULL,
	"url" varchar(2048),
	"must_confirm" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"leaves_at" timestamp with time zone NOT NULL,
	"undone_at" timestamp with time zone,
	CONSTRAINT "held_sends_company_id_draft_id_pk" PRIMARY KEY("company_id","draft_id"),
	CONSTRAINT "held_sends_kind" CHECK ("held_sends"."kind" in ('info', 'kasbon', 'gaji', 'bonus', 'timer', 'absen'))
);
--> statement-breakpoint
ALTER TABLE "held_sends" ADD CONSTRAINT "held_sends_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_sends" ADD CONSTRAINT "held_sends_company_id_account_id_accounts_company_id_id_fk" FOREIGN KEY ("company_id","account_id") REFERENCES "public"."accounts"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_sends" ADD CONSTRAINT "held_sends_company_id_recipient_id_employees_company_id_id_fk" FOREIGN KEY ("company_id","recipient_id") REFERENCES "public"."employees"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "held_sends_due" ON "held_sends" USING btree ("leaves_at") WHERE "held_sends"."undone_at" is null;