DROP INDEX "claim_by_expiry";--> statement-breakpoint
CREATE INDEX "claim_newest" ON "claim" USING btree ("created_at","id");