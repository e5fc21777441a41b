CREATE TABLE "wrong_claim_count" (
	"subscriber" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "wrong_claim_count_by_end" ON "wrong_claim_count" USING btree ("until");