ALTER TABLE "command_run" ADD COLUMN "undoes_run_id" uuid;--> statement-breakpoint
ALTER TABLE "document_version" ADD COLUMN "phases_text" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "document_version" ADD COLUMN "phases" json DEFAULT '{}'::json NOT NULL;--> statement-breakpoint
CREATE INDEX "command_run_undo" ON "command_run" USING btree ("undoes_run_id") WHERE "command_run"."undoes_run_id" is not null;