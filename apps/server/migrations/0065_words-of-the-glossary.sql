-- Names by the glossary: access grant, artifact, re-enrollment, change lock, favorite. Rows stay as they are.
ALTER TABLE "elevation" RENAME TO "access_grant";--> statement-breakpoint
ALTER INDEX "elevation_pkey" RENAME TO "access_grant_pkey";--> statement-breakpoint
ALTER INDEX "elevation_open" RENAME TO "access_grant_open";--> statement-breakpoint
ALTER INDEX "elevation_by_time" RENAME TO "access_grant_by_time";--> statement-breakpoint
ALTER INDEX "elevation_of_user" RENAME TO "access_grant_of_user";--> statement-breakpoint
ALTER TABLE "run_schedule" RENAME COLUMN "elevation_id" TO "access_grant_id";--> statement-breakpoint
ALTER INDEX "run_schedule_by_elevation" RENAME TO "run_schedule_by_access_grant";--> statement-breakpoint
ALTER TABLE "claim" RENAME COLUMN "elevation_id" TO "access_grant_id";--> statement-breakpoint
ALTER INDEX "claim_by_elevation" RENAME TO "claim_by_access_grant";--> statement-breakpoint
ALTER TABLE "report" RENAME COLUMN "elevation_id" TO "access_grant_id";--> statement-breakpoint
ALTER TABLE "report_share" RENAME COLUMN "elevation_id" TO "access_grant_id";--> statement-breakpoint
ALTER INDEX "report_share_by_elevation" RENAME TO "report_share_by_access_grant";--> statement-breakpoint
ALTER VIEW "held_grant" RENAME COLUMN "elevation_id" TO "access_grant_id";--> statement-breakpoint
ALTER VIEW "lease" RENAME TO "change_lock";--> statement-breakpoint
ALTER TABLE "invocation_artefact" RENAME TO "invocation_artifact";--> statement-breakpoint
ALTER INDEX "invocation_artefact_pkey" RENAME TO "invocation_artifact_pkey";--> statement-breakpoint
ALTER INDEX "invocation_artefact_by_name" RENAME TO "invocation_artifact_by_name";--> statement-breakpoint
ALTER INDEX "invocation_artefact_by_device" RENAME TO "invocation_artifact_by_device";--> statement-breakpoint
ALTER TABLE "software_version" RENAME COLUMN "artefact_name" TO "artifact_name";--> statement-breakpoint
ALTER TABLE "software_version" RENAME COLUMN "artefact_key" TO "artifact_key";--> statement-breakpoint
ALTER TABLE "software_version" RENAME COLUMN "artefact_bytes" TO "artifact_bytes";--> statement-breakpoint
ALTER TABLE "software_version" RENAME COLUMN "artefact_sha256" TO "artifact_sha256";--> statement-breakpoint
ALTER TABLE "re_enrolment_request" RENAME TO "re_enrollment_request";--> statement-breakpoint
ALTER TABLE "re_enrollment_request" RENAME COLUMN "elevation_id" TO "access_grant_id";--> statement-breakpoint
ALTER INDEX "re_enrolment_request_pkey" RENAME TO "re_enrollment_request_pkey";--> statement-breakpoint
ALTER INDEX "re_enrolment_request_by_end" RENAME TO "re_enrollment_request_by_end";--> statement-breakpoint
ALTER TABLE "re_enrollment_request" RENAME CONSTRAINT "re_enrolment_request_id_unique" TO "re_enrollment_request_id_unique";--> statement-breakpoint
UPDATE "portal_user"
SET "preferences" = ("preferences" - 'favouriteCommands')
  || jsonb_build_object('favoriteCommands', "preferences" -> 'favouriteCommands')
WHERE "preferences" ? 'favouriteCommands';
