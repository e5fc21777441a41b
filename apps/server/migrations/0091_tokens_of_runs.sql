ALTER TABLE "command_run" ADD COLUMN "api_token_id" uuid;
