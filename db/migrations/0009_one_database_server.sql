DROP INDEX "companies_moved";--> statement-breakpoint
DROP FUNCTION refuse_moving();--> statement-breakpoint
ALTER TABLE "companies" DROP COLUMN "server";
