CREATE TABLE "run_signature" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"statement" text NOT NULL,
	"signatures" jsonb NOT NULL,
	"blinding" text NOT NULL,
	"device_ids" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_instance" ADD COLUMN "run_key_ids" text[];