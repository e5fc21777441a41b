import { z } from 'zod';
import { idSchema } from '../ids.ts';

export const resultsFormatSchema = z.enum(['csv', 'json']);
export type ResultsFormat = z.infer<typeof resultsFormatSchema>;

export const exportResultsInput = z.object({ id: idSchema, format: resultsFormatSchema });
