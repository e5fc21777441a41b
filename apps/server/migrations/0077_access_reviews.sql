CREATE TABLE "access_review" (
	"id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"started_by_id" uuid,
	"due_at" timestamp with time zone NOT NULL,
	"overdue" text NOT NULL,
	"state" text NOT NULL,
	"closed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "access_review_line" (
	"id" uuid PRIMARY KEY NOT NULL,
	"review_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	"role_name" text NOT NULL,
	"kind" text NOT NULL,
	"access_grant_id" uuid,
	"scope" jsonb NOT NULL,
	"permissions" integer NOT NULL,
	"until" timestamp with time zone,
	"last_sign_in_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"decision" text,
	"reason" text DEFAULT '' NOT NULL,
	"decided_by_id" uuid,
	"decided_at" timestamp with time zone,
	"outcome" text
);
--> statement-breakpoint
CREATE UNIQUE INDEX "access_review_open" ON "access_review" USING btree ("state") WHERE "access_review"."state" = 'open';--> statement-breakpoint
CREATE INDEX "access_review_newest" ON "access_review" USING btree ("started_at","id");--> statement-breakpoint
CREATE INDEX "access_review_line_of_review" ON "access_review_line" USING btree ("review_id","id");--> statement-breakpoint
CREATE INDEX "access_review_line_of_user" ON "access_review_line" USING btree ("user_id");