import { errorCatalog, type ErrorCode, type ErrorName } from './error-catalog.ts';
import type { FieldIssue } from './refusals/field-issue.ts';
import type { RefusalReason } from './refusals/refusals.ts';

export { errorCatalog, type ErrorCode, type ErrorName, type FieldIssue };

export interface PortalErrorOptions {
  /** Public message, if the catalog's message is too general. */
  readonly message?: string;
  /** For the log only. */
  readonly detail?: string;
  /** Invalid input values, for 2004. */
  readonly issues?: readonly FieldIssue[];
  /**
   * Facts that the screen shows with the message: a permission, an ID, an exit code. Never a
   * secret.
   */
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>;
  /** The reason, if the code is too general: a key of `refusals`. Set by `refuse`. */
  readonly reason?: RefusalReason;
  /** HTTP status, if it is more specific than the catalog's. */
  readonly httpStatus?: number;
  readonly cause?: unknown;
}

/** Maximum number of fields in an error. An input can have a hundred thousand invalid values. */
export const MOST_ISSUES = 100;

/** The product's only error class: a catalog entry with its public message and private detail. */
export class PortalError extends Error {
  readonly errorName: ErrorName;
  readonly code: ErrorCode;
  readonly httpStatus: number;
  readonly detail: string | undefined;
  readonly issues: readonly FieldIssue[];
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
  readonly reason: RefusalReason | null;

  constructor(errorName: ErrorName, options: PortalErrorOptions = {}) {
    const entry = errorCatalog[errorName];
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
  Object.entries(errorCatalog).map(([name, entry]) => [entry.code, name as ErrorName]),
);

/** The catalog's name of a code. Codes that are not in the catalog are unknown (-1). */
export function errorNameOf(code: number): ErrorName {
  return namesByCode.get(code) ?? 'unknown';
}

/** `data.portal` of a tRPC error: everything that a screen needs to handle it. */
export interface PortalErrorData {
  readonly code: ErrorCode;
  readonly name: ErrorName;
  readonly message: string;
  readonly issues: readonly FieldIssue[];
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
  /** Null if the code is specific enough, and from servers without reasons. */
  readonly reason: RefusalReason | null;
  readonly requestId: string;
}
