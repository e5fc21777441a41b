import { createHash, randomBytes, randomInt } from 'node:crypto';
import {
  formatUserCode,
  USER_CODE_LENGTH,
  USER_CODE_LETTERS,
} from '@deviceportal/contract/device-grant';

const DEVICE_CODE = /^dpdc_[\w-]{43}$/;

/** 256 random bits, so it cannot be guessed. Stored as a hash. */
export const newDeviceCode = (): string => `dpdc_${randomBytes(32).toString('base64url')}`;

/** Undefined for a text that cannot be a device code, so that it costs no lookup. */
export const hashOfDeviceCode = (text: string): string | undefined =>
  DEVICE_CODE.test(text) ? createHash('sha256').update(text).digest('hex') : undefined;

/** One of 20^8 codes (34 bits). Attempts are limited (RFC 8628, section 5.1). */
export const newUserCode = (): string =>
  formatUserCode(
    Array.from(
      { length: USER_CODE_LENGTH },
      () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)],
    ).join(''),
  );
