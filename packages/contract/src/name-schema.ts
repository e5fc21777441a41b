import { z } from 'zod';
import { isPlainName } from './plain-name.ts';

/** Schema for names of devices, people, roles, documents, applications, and the like. */
export function nameSchema(limits: { readonly min?: number; readonly max: number }) {
  return z
    .string()
    .trim()
    .min(limits.min ?? 1)
    .max(limits.max)
    .refine(isPlainName, 'must not contain invisible or text direction characters');
}
