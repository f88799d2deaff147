-- Lost: nothing.
ALTER TABLE "push_subscriptions" ADD COLUMN "session_version" integer;
