CREATE TABLE "device_wait" (
	"device_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "device_wait_device_id_user_id_pk" PRIMARY KEY("device_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "notification" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"facts" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"shown" boolean NOT NULL,
	"read_at" timestamp with time zone,
	"message" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_setting" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"portal" boolean NOT NULL,
	"message" boolean NOT NULL,
	CONSTRAINT "notification_setting_user_id_kind_pk" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "notification_once" ON "notification" USING btree ("subject","kind","user_id");--> statement-breakpoint
CREATE INDEX "notification_by_time" ON "notification" USING btree ("at");--> statement-breakpoint
CREATE INDEX "notification_newest" ON "notification" USING btree ("user_id","at","id");--> statement-breakpoint
CREATE INDEX "notification_unread" ON "notification" USING btree ("user_id") WHERE "notification"."read_at" is null and "notification"."shown";--> statement-breakpoint
CREATE INDEX "notification_to_send" ON "notification" USING btree ("at") WHERE "notification"."message" = 'wanted';