import {
  DEFAULT_DELIVERY_TIMEOUT_SECONDS,
  DEFAULT_MAX_CONCURRENCY,
  DEFAULT_MAX_ERRORS,
} from '@deviceportal/contract/constants';

export interface RunOptions {
  readonly comment: string;
  readonly maxConcurrency: string;
  readonly maxErrors: string;
  readonly timeoutSeconds: number;
}

export const initialOptions: RunOptions = {
  comment: '',
  maxConcurrency: DEFAULT_MAX_CONCURRENCY,
  maxErrors: DEFAULT_MAX_ERRORS,
  timeoutSeconds: DEFAULT_DELIVERY_TIMEOUT_SECONDS,
};

/** Delivery timeouts in seconds. */
export const deliveryTimeouts = [300, 3_600, 28_800, 86_400, 604_800, 2_592_000] as const;

/** A number from 1, or 1 to 100 %, as SSM defines concurrency. */
export function isConcurrency(text: string): boolean {
  return /^([1-9]\d{0,6}|[1-9]\d?%|100%)$/.test(text.trim());
}

/** A number from 0, or 0 to 100 %, of errors allowed. */
export function isErrorLimit(text: string): boolean {
  return /^(0|[1-9]\d{0,6}|\d{1,2}%|100%)$/.test(text.trim());
}
