CREATE TABLE "hourly_jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"runner" uuid,
	"lease_until" timestamp with time zone,
	"ended_at" timestamp with time zone NOT NULL
);
