DROP INDEX "air_blast_approval_once";--> statement-breakpoint
ALTER TABLE "air_blast" ADD COLUMN "target" jsonb;--> statement-breakpoint
ALTER TABLE "air_blast_wave" ADD COLUMN "held" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "air_blast_approval_once" ON "air_blast_approval" USING btree ("air_blast_id","revision","target_sha256");