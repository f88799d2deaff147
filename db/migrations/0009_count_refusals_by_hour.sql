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
ALTER TABLE "refusal_counts" ADD CONSTRAINT "refusal_counts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refusal_counts" ADD CONSTRAINT "refusal_counts_company_id_key_id_api_keys_company_id_id_fk" FOREIGN KEY ("company_id","key_id") REFERENCES "public"."api_keys"("company_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refusals_without_key" ON "refusals" USING btree ("company_id","id") WHERE "refusals"."key_id" is null;