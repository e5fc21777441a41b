DROP INDEX "air_blast_approval_once";--> statement-breakpoint
ALTER TABLE "air_blast" ADD COLUMN "approval_first" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "air_blast" ADD COLUMN "effect" jsonb;--> statement-breakpoint
ALTER TABLE "air_blast" ADD COLUMN "plan_sha256" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "air_blast_approval" ADD COLUMN "plan_sha256" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "air_blast_approval" ADD COLUMN "effect" jsonb;--> statement-breakpoint
ALTER TABLE "air_blast_approval" ADD COLUMN "device_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "air_blast_approval_once" ON "air_blast_approval" USING btree ("air_blast_id","revision","plan_sha256");