import { errorCatalogue, type ErrorCode, type ErrorName } from './error-catalogue.ts';
import type { FieldIssue } from './refusals/field-issue.ts';
import type { RefusalReason } from './refusals/refusals.ts';

export { errorCatalogue, type ErrorCode, type ErrorName, type FieldIssue };

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
