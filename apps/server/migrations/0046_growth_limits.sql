CREATE INDEX "air_blast_by_operator" ON "air_blast" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "support_case_open_by_person" ON "support_case" USING btree ("opened_by_id") WHERE "support_case"."state" = 'open';--> statement-breakpoint
CREATE INDEX "command_run_open_by_person" ON "command_run" USING btree ("created_by_id") WHERE "command_run"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "run_schedule_by_person" ON "run_schedule" USING btree ("created_by_id");--> statement-breakpoint
CREATE INDEX "claim_by_maker" ON "claim" USING btree ("created_by","expires_at");--> statement-breakpoint
CREATE INDEX "target_list_by_maker" ON "target_list" USING btree ("created_by","created_at");--> statement-breakpoint
CREATE INDEX "device_wait_by_user" ON "device_wait" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "report_by_maker" ON "report" USING btree ("created_by_id","created_at");