import { z } from 'zod';

/** In the birth message: whether this device offers its files. */
export const fileOfferSchema = z.enum(['available', 'off', 'platform']);

export type FileOffer = z.infer<typeof fileOfferSchema>;
