CREATE TABLE "run_trend" (
	"day" date NOT NULL,
	"country" text NOT NULL,
	"model" text NOT NULL,
	"succeeded" integer NOT NULL,
	"failed" integer NOT NULL,
	CONSTRAINT "run_trend_day_country_model_pk" PRIMARY KEY("day","country","model")
);
--> statement-breakpoint
ALTER TABLE "run_answer" ADD COLUMN "ranges_sha256" text;--> statement-breakpoint
-- blocks writes: of distinct outputs, which are stored when a user compares the devices of a run
CREATE INDEX "run_answer_by_ranges" ON "run_answer" USING btree ("run_id","ranges_sha256");--> statement-breakpoint
-- blocks writes: a few rows per ended run of the last 180 days
CREATE INDEX "run_outcome_by_end" ON "run_outcome" USING btree ("ended_at");