import { z } from 'zod';

/** The largest value of PostgreSQL's `integer`, the column's type. */
const MAX_VERSION = 2_147_483_647;

/** A version or revision that counts from 1. */
export const versionNumberSchema = z.int().positive().max(MAX_VERSION);
