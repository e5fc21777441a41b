/**
 * Business constants and limits of docs/design/portal.md, section 9, unless another source is
 * given.
 */

export const COMMAND_RESULT_REFRESH_INTERVAL_MS = 10_000;
export const AIR_BLAST_ROLE_SESSION_SECONDS = 900;
export const AIR_BLAST_NEXT_STEP_VALIDITY_MS = 300_000;
export const USER_POOL_REGION = 'us-east-1';
export const SESSION_REFRESH_LEAD_MS = 180_000;
export const API_PATH = '/api/trpc';
/** The case of a call. Ignored unless it is the caller's active case and open. */
export const CASE_HEADER = 'x-deviceportal-case';
export const RETRY_ATTEMPTS = 3;
export const RETRY_BACKOFF_CAP_MS = 20_000;
export const RETRY_QUOTA = 500;
export const RETRY_COST_TIMEOUT = 10;
export const RETRY_COST_FAILURE = 5;
export const CREDENTIALS_REFRESH_MS = 3_000_000;
export const FEDERATED_REFRESH_RETRY_MS = 10_000;
export const SIGNED_URL_MAX_SECONDS = 604_800;
export const SIGNED_URL_DEFAULT_SECONDS = 3_600;
export const LOGIN_COOKIE_LIFETIME_MS = 31_536_000_000;

/** docs/design/portal.md, section 6. */
export const ADMIN_GROUP = 'DevicePortal_Admin';
export const POLICY_PATH = '/deviceportal/';
export const SESSION_DURATION_PARAMETER = 'DevicePortalSessionDurationMinutes';
export const SUPPORTED_COUNTRIES_PARAMETER = 'DevicePortalSupportedCountriesParameter';
/** docs/design/decisions.md, section 8: the countries of the simulated fleet. */
export const DEFAULT_SUPPORTED_COUNTRIES = [
  'AU',
  'BR',
  'CN',
  'DE',
  'ES',
  'FR',
  'GB',
  'IN',
  'JP',
  'PL',
  'US',
  'ZA',
] as const;

/** docs/design/decisions.md, section 10. */
export const REQUEST_BODY_LIMIT_BYTES = 1024 * 1024;
export const MQTT_MESSAGE_LIMIT_BYTES = 128 * 1024;
export const BATCHED_URL_LIMIT_BYTES = 4 * 1024 * 1024;
export const TARGET_LIST_LIMIT = 100_000;
export const INVOCATION_OUTPUT_LIMIT_BYTES = 10 * 1024 * 1024;
export const OUTPUT_PREVIEW_CHARACTERS = 2_500;
export const COLLECTED_ARTIFACT_LIMIT_BYTES = 100 * 1024 * 1024;
export const PAGE_SIZES = [25, 50, 100] as const;
export const DEFAULT_PAGE_SIZE = 25;

/** docs/design/decisions.md, section 4. */
export const HEARTBEAT_INTERVAL_MS = 60_000;
export const DEFAULT_DELIVERY_TIMEOUT_SECONDS = 3_600;
export const MIN_DELIVERY_TIMEOUT_SECONDS = 30;
export const MAX_DELIVERY_TIMEOUT_SECONDS = 2_592_000;
export const DEFAULT_EXECUTION_TIMEOUT_SECONDS = 3_600;
export const INVOCATION_WAIT_LIMIT_MS = 600_000;
export const DEFAULT_MAX_CONCURRENCY = '50';
export const DEFAULT_MAX_ERRORS = '0';

/** docs/design/decisions.md, section 8. */
export const LOGIN_CODE_VALIDITY_MS = 180_000;
export const LOGIN_CODE_TRIES = 3;
export const LOGIN_CODE_RESEND_MS = 30_000;
export const DEFAULT_SESSION_DURATION_MINUTES = 720;
export const TOKEN_LIFETIME_SECONDS = 3_600;
export const DEVICE_CERTIFICATE_DAYS = 90;
/** A second step confirms the calls of its session for this long. */
export const STEP_UP_VALIDITY_MS = 300_000;
/** A changed address, or a new authenticator app, confirms nothing for this long. */
export const STEP_UP_NEW_METHOD_WAIT_MS = 86_400_000;

/** docs/design/decisions.md, section 3. */
export const DEFAULT_CLAIM_LIFETIME_HOURS = 24;
export const MAX_CLAIM_LIFETIME_HOURS = 8_760;
