CREATE TABLE "device_metric_latest" (
	"device_id" uuid NOT NULL,
	"metric_id" integer NOT NULL,
	"day" integer NOT NULL,
	"value" double precision NOT NULL,
	CONSTRAINT "device_metric_latest_device_id_metric_id_pk" PRIMARY KEY("device_id","metric_id")
);
--> statement-breakpoint
CREATE INDEX "device_metric_latest_value" ON "device_metric_latest" USING btree ("metric_id","value","device_id");--> statement-breakpoint
-- blocks writes: of devices, for a few seconds with 1,000,000 of them
CREATE INDEX "device_sample" ON "device" USING btree (uuid_hash("id"),"id");