-- Lost: how many failed requests of an hour were counted and not stored.
DROP INDEX "refusals_without_key";--> statement-breakpoint
DROP TABLE "refusal_counts";
