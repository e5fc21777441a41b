CREATE TABLE "counted_place" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"cell_row" smallint NOT NULL,
	"cell_column" smallint NOT NULL,
	"connectivity" text NOT NULL,
	"country" text NOT NULL,
	"model" text NOT NULL,
	"place_country" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "location_look" (
	"user_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "location_look_user_id_device_id_pk" PRIMARY KEY("user_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "moved_place" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "place_count" (
	"level" smallint NOT NULL,
	"cell_row" smallint NOT NULL,
	"cell_column" smallint NOT NULL,
	"connectivity" text NOT NULL,
	"country" text NOT NULL,
	"model" text NOT NULL,
	"place_country" text NOT NULL,
	"devices" integer NOT NULL,
	"row_sum" bigint NOT NULL,
	"column_sum" bigint NOT NULL,
	CONSTRAINT "place_count_cell" PRIMARY KEY("level","cell_row","cell_column","connectivity","country","model","place_country")
);
--> statement-breakpoint
CREATE TABLE "place_progress" (
	"id" integer PRIMARY KEY NOT NULL,
	"sealed_up_to" bigint NOT NULL,
	"swept_to" uuid,
	"sweep_ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "device_location" ADD COLUMN "cell_row" smallint GENERATED ALWAYS AS ((floor(latitude * 10 + 0.5) + 900)::smallint) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "device_location" ADD COLUMN "cell_column" smallint GENERATED ALWAYS AS ((floor(longitude * 10 + 0.5) + 1800)::smallint) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "device_location_cell" ON "device_location" USING btree ("cell_row","cell_column","device_id");--> statement-breakpoint
-- Written again and again in place.
ALTER TABLE "counted_place" SET (fillfactor = 80);--> statement-breakpoint
ALTER TABLE "place_count" SET (fillfactor = 80);
