ALTER TABLE "run_schedule" ADD COLUMN "elevation_id" uuid;--> statement-breakpoint
ALTER TABLE "claim" ADD COLUMN "elevation_id" uuid;--> statement-breakpoint
ALTER TABLE "report_share" ADD COLUMN "elevation_id" uuid;--> statement-breakpoint
CREATE INDEX "run_schedule_by_elevation" ON "run_schedule" USING btree ("elevation_id") WHERE "run_schedule"."elevation_id" is not null;--> statement-breakpoint
CREATE INDEX "claim_by_elevation" ON "claim" USING btree ("elevation_id") WHERE "claim"."elevation_id" is not null;--> statement-breakpoint
CREATE INDEX "report_share_by_elevation" ON "report_share" USING btree ("elevation_id") WHERE "report_share"."elevation_id" is not null;