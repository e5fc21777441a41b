CREATE TABLE "secure_value" (
	"name" text NOT NULL,
	"fingerprint" text NOT NULL,
	"box" text NOT NULL,
	"first_used_at" timestamp with time zone NOT NULL,
	CONSTRAINT "secure_value_name_fingerprint_pk" PRIMARY KEY("name","fingerprint")
);
--> statement-breakpoint
ALTER TABLE "command_run" ADD COLUMN "sub_documents" jsonb DEFAULT '[]'::jsonb NOT NULL;