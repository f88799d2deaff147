CREATE TABLE "notification_pictures" (
	"company_id" integer NOT NULL,
	"draft_id" uuid NOT NULL,
	"jpeg" "bytea" NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_pictures_company_id_draft_id_pk" PRIMARY KEY("company_id","draft_id")
);
--> statement-breakpoint
ALTER TABLE "notification_pictures" ADD CONSTRAINT "notification_pictures_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;