ALTER TABLE "finding" ADD COLUMN "serial_rank" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "finding" ADD COLUMN "name" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "finding_by_serial" ON "finding" USING btree ("rule","serial_rank" collate "C","device_id");--> statement-breakpoint
CREATE INDEX "finding_by_name" ON "finding" USING btree ("rule","name" collate "C","device_id");
--> statement-breakpoint
UPDATE finding f SET serial_rank = d.serial_rank, name = d.name FROM device d WHERE d.id = f.device_id;
--> statement-breakpoint
-- The sort keys beside the findings follow the device. Their rows are locked in the order in which findings are written.
CREATE FUNCTION keep_findings_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  renamed uuid[] := ARRAY(
    SELECT w.id FROM old_rows o JOIN new_rows w ON w.id = o.id
    WHERE (o.serial_rank, o.name) IS DISTINCT FROM (w.serial_rank, w.name));
BEGIN
  IF cardinality(renamed) = 0 THEN
    RETURN NULL;
  END IF;
  PERFORM FROM finding WHERE device_id = ANY(renamed) ORDER BY rule, device_id FOR NO KEY UPDATE;
  UPDATE finding f SET serial_rank = w.serial_rank, name = w.name
  FROM new_rows w WHERE w.id = f.device_id AND w.id = ANY(renamed);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER device_renamed AFTER UPDATE ON device
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_findings_in_order();
