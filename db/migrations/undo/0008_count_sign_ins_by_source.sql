-- Lost: counts of wrong passwords by name and address, which expire within minutes anyway.
DROP TABLE "sign_in_guesses";--> statement-breakpoint
ALTER TABLE "sign_in_failures" DROP COLUMN "last_at";
