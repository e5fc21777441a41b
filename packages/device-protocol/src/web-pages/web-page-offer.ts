import { z } from 'zod';
import { WEB_PAGE_TITLE_CHARACTERS, WEB_PAGES_PER_DEVICE } from '@deviceportal/contract/web-pages';

/** A local port of the device that its owner has allowed. */
export const offeredPageSchema = z.object({
  port: z.int().min(1).max(65_535),
  title: z.string().min(1).max(WEB_PAGE_TITLE_CHARACTERS),
});

/** In the birth message: the allowed web pages; empty if the owner of the device has allowed none. */
export const webPagesOfferSchema = z.array(offeredPageSchema).max(WEB_PAGES_PER_DEVICE);

export type OfferedPage = z.infer<typeof offeredPageSchema>;
