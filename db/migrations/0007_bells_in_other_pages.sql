ALTER TABLE "companies" ADD COLUMN "embed_origins" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "companies_embed_origins" ON "companies" USING gin ("embed_origins");