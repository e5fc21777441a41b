-- Plain hashes of requests, which can contain secrets, are not kept.
DELETE FROM "idempotency_key";--> statement-breakpoint
ALTER TABLE "idempotency_key" RENAME COLUMN "request_sha256" TO "request_hmac";
