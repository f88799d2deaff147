ALTER TABLE "companies" ADD COLUMN "server" integer;--> statement-breakpoint
CREATE INDEX "companies_moved" ON "companies" USING btree ("id") WHERE "companies"."server" is not null;--> statement-breakpoint
-- Triggers of `notif company move` call it for each row of the company that leaves. Statements of the company are
-- refused. Those that work for all companies skip the row: they delete, or update the tables that are named here.
-- The command itself sets notif.moves.
CREATE FUNCTION refuse_moving() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('notif.moves', true) = 'on' THEN RETURN coalesce(NEW, OLD); END IF;
  IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE'
    AND TG_TABLE_NAME NOT IN ('alarms', 'api_keys', 'owner_devices', 'receipts', 'sessions') THEN
    RAISE EXCEPTION 'the company moves to another server' USING ERRCODE = '57MOV';
  END IF;
  RETURN NULL;
END
$$;
