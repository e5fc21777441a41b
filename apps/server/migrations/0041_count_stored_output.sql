ALTER TABLE "invocation" ADD COLUMN "output_stored" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "invocation" SET "output_stored" = "stdout_length" + "stderr_length" WHERE "ended_at" IS NULL;
