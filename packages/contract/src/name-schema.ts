import { z } from 'zod';
import { isPlainName } from './plain-name.ts';

/** The name of anything that people read and choose by: a device, a person, a role, a document, an application. */
export function nameSchema(limits: { readonly min?: number; readonly max: number }) {
  return z
    .string()
    .trim()
    .min(limits.min ?? 1)
    .max(limits.max)
    .refine(isPlainName, 'must not contain invisible or text direction characters');
}
