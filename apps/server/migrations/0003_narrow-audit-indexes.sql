DROP INDEX "audit_event_by_actor";--> statement-breakpoint
DROP INDEX "audit_event_by_request";--> statement-breakpoint
DROP INDEX "audit_event_by_run";--> statement-breakpoint
CREATE INDEX "audit_event_by_actor" ON "audit_event" USING btree ("actor_id","at","id") WHERE "audit_event"."actor_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_event_by_request" ON "audit_event" USING btree ("request_id") WHERE "audit_event"."request_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_event_by_run" ON "audit_event" USING btree ("run_id","at") WHERE "audit_event"."run_id" is not null;--> statement-breakpoint
-- Written with every journal batch: room on the page keeps that a heap-only update.
ALTER TABLE device_instance SET (fillfactor = 70);
