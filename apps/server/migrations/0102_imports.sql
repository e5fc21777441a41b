CREATE TABLE "data_import" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'uploading' NOT NULL,
	"file_name" text NOT NULL,
	"encoding" text NOT NULL,
	"counts" jsonb NOT NULL,
	"ignored_columns" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"problem" jsonb,
	"created_by_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	"confirmed_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"has_claim" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "data_import_row" (
	"id" uuid PRIMARY KEY NOT NULL,
	"import_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"outcome" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"rank" smallint DEFAULT 9 NOT NULL,
	"target_id" uuid,
	"reason" text,
	"column_name" text,
	"sealed" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "data_import_of_user" ON "data_import" USING btree ("created_by_id","created_at","id");--> statement-breakpoint
CREATE INDEX "data_import_by_age" ON "data_import" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "data_import_row_in_order" ON "data_import_row" USING btree ("import_id","rank","line");--> statement-breakpoint
CREATE INDEX "data_import_row_unchecked" ON "data_import_row" USING btree ("import_id","line") WHERE "data_import_row"."outcome" is null;--> statement-breakpoint
CREATE INDEX "data_import_row_to_apply" ON "data_import_row" USING btree ("import_id","line") WHERE "data_import_row"."state" = 'waiting' and "data_import_row"."outcome" in ('new', 'changed');--> statement-breakpoint
CREATE INDEX "data_import_row_to_undo" ON "data_import_row" USING btree ("import_id","line") WHERE "data_import_row"."state" = 'applied';--> statement-breakpoint
CREATE INDEX "data_import_row_left" ON "data_import_row" USING btree ("import_id","line") WHERE "data_import_row"."state" = 'left';--> statement-breakpoint
CREATE INDEX "data_import_row_of_target" ON "data_import_row" USING btree ("target_id","id");