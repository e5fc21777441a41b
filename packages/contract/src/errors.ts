import type { IssueKind } from './refusals/field-issue.ts';
import type { RefusalReason } from './refusals/refusals.ts';

/**
 * The application error catalogue (docs/design/portal.md, section 8).
 * A failure crosses the API as `{ code, message }`; what a person may not see stays in `detail` and `cause`.
 */

export const errorCatalogue = {
  unknown: { code: -1, httpStatus: 500, message: 'unknown' },
  noPermission: { code: 1000, httpStatus: 403, message: 'no permission' },
  httpUnknown: { code: 2000, httpStatus: 502, message: 'HTTP unknown' },
  invalidSession: { code: 2001, httpStatus: 401, message: 'invalid session' },
  noConnection: { code: 2002, httpStatus: 503, message: 'no connection' },
  notFound: { code: 2003, httpStatus: 404, message: 'not found' },
  invalidParameters: { code: 2004, httpStatus: 400, message: 'invalid parameters' },
  loginUserDoesNotExist: { code: 3000, httpStatus: 400, message: 'login user does not exist' },
  invalidLoginCode: { code: 3001, httpStatus: 400, message: 'invalid login code' },
  loginUserNotAuthorized: { code: 3002, httpStatus: 400, message: 'login user not authorized' },
  loginInvalidSession: { code: 3003, httpStatus: 400, message: 'login invalid session' },
  commandFailed: { code: 4000, httpStatus: 422, message: 'command failed' },
  commandHasNoDevice: { code: 4001, httpStatus: 400, message: 'command has no device' },
  commandNotFound: { code: 4002, httpStatus: 404, message: 'command not found' },
  commandHasNoSerialNumber: {
    code: 4003,
    httpStatus: 422,
    message: 'command has no serial number',
  },
  invocationNotFound: { code: 5000, httpStatus: 404, message: 'invocation not found' },
  invocationWaitFailed: { code: 5001, httpStatus: 504, message: 'invocation wait failed' },
  deviceNotFound: { code: 6000, httpStatus: 404, message: 'device not found' },
  deviceInstanceNotFound: { code: 6001, httpStatus: 404, message: 'device instance not found' },
  roleAlreadyExists: { code: 7000, httpStatus: 409, message: 'user-access role already exists' },
  userAlreadyExists: { code: 7001, httpStatus: 409, message: 'user already exists' },
  airBlastTokenExpired: {
    code: 8000,
    httpStatus: 409,
    message: 'AirBlast next-step token expired',
  },
  airBlastStepAlreadyDone: { code: 8001, httpStatus: 409, message: 'AirBlast step already done' },
  airBlastStepFailed: { code: 8002, httpStatus: 422, message: 'AirBlast step failed' },
} as const satisfies Record<string, CatalogueEntry>;

export interface CatalogueEntry {
  readonly code: number;
  readonly httpStatus: number;
  readonly message: string;
}

export type ErrorName = keyof typeof errorCatalogue;
export type ErrorCode = (typeof errorCatalogue)[ErrorName]['code'];

/** One wrong value of an input: where it stands (`['parameters', 'host']`) and what is wrong with it. */
export interface FieldIssue {
  readonly path: readonly (string | number)[];
  /** In English, for logs and for calls made by hand. */
  readonly message: string;
  /** What is wrong, for programs; absent where only the sentence says it. */
  readonly kind?: IssueKind;
  readonly values?: Readonly<Record<string, string | number>>;
}

export interface PortalErrorOptions {
  /** What the person may read, when the catalogue's own message says too little. */
  readonly message?: string;
  /** For the log only. */
  readonly detail?: string;
  /** Wrong input values, for 2004. */
  readonly issues?: readonly FieldIssue[];
  /** Facts the screen shows beside the text: a permission, an id, an exit code. Never a secret. */
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>;
  /** Why, where the code says too little: a key of `refusals`. Made by `refuse`. */
  readonly reason?: RefusalReason;
  /** Where HTTP has a status that says more than the catalogue's own. */
  readonly httpStatus?: number;
  readonly cause?: unknown;
}

/** An answer names so many fields at most: an input can have a hundred thousand that are wrong. */
export const MOST_ISSUES = 100;

/** The one error class of the product: a catalogue name with its number, its public message and its private detail. */
export class PortalError extends Error {
  readonly errorName: ErrorName;
  readonly code: ErrorCode;
  readonly httpStatus: number;
  readonly detail: string | undefined;
  readonly issues: readonly FieldIssue[];
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
  readonly reason: RefusalReason | null;

  constructor(errorName: ErrorName, options: PortalErrorOptions = {}) {
    const entry = errorCatalogue[errorName];
    super(
      options.message ?? entry.message,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'PortalError';
    this.errorName = errorName;
    this.code = entry.code;
    this.httpStatus = options.httpStatus ?? entry.httpStatus;
    this.detail = options.detail;
    this.issues = (options.issues ?? []).slice(0, MOST_ISSUES);
    this.facts = options.facts ?? {};
    this.reason = options.reason ?? null;
  }
}

const namesByCode = new Map<number, ErrorName>(
  Object.entries(errorCatalogue).map(([name, entry]) => [entry.code, name as ErrorName]),
);

/** The catalogue's name for a code; codes that are not in the catalogue are unknown (-1). */
export function errorNameOf(code: number): ErrorName {
  return namesByCode.get(code) ?? 'unknown';
}

/** What travels in `data.portal` of a tRPC error: everything a screen needs to react. */
export interface PortalErrorData {
  readonly code: ErrorCode;
  readonly name: ErrorName;
  readonly message: string;
  readonly issues: readonly FieldIssue[];
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
  /** Null where the code says it all, and from a server that is older than reasons. */
  readonly reason: RefusalReason | null;
  readonly requestId: string;
}
