CREATE TABLE "device_package" (
	"device_id" uuid NOT NULL,
	"version_id" integer NOT NULL,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "device_package_device_id_version_id_pk" PRIMARY KEY("device_id","version_id")
);
--> statement-breakpoint
CREATE TABLE "device_package_history" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"device_id" uuid NOT NULL,
	"name" text NOT NULL,
	"before" text,
	"after" text,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_package_report" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"first_report" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "package_version" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "package_version_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"version" text NOT NULL,
	"rank" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "device_package_by_version" ON "device_package" USING btree ("version_id","device_id");--> statement-breakpoint
CREATE INDEX "device_package_history_by_device" ON "device_package_history" USING btree ("device_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "package_version_by_name" ON "package_version" USING btree ("name","version");