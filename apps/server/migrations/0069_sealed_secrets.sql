CREATE TABLE "sealed_secret" (
	"key_arn" text NOT NULL,
	"name" text NOT NULL,
	"data_key" text NOT NULL,
	"sealed" text NOT NULL,
	"changed_at" timestamp with time zone DEFAULT portal_now() NOT NULL,
	CONSTRAINT "sealed_secret_key_arn_name_pk" PRIMARY KEY("key_arn","name")
);
