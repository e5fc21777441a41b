ALTER TABLE "air_blast" ADD COLUMN "signed_authorization" jsonb;--> statement-breakpoint
ALTER TABLE "air_blast_step" ADD COLUMN "signed_authorization" jsonb;--> statement-breakpoint
ALTER TABLE "run_schedule" ADD COLUMN "signed_authorization" jsonb;